/** References to characters, as XML has them by itself. What a document declares is never expanded: there is no way to. */

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;

/** For the parser, which asks for all of these. */
export const OWN_REFERENCES = {
  /** @param text whose references are known to be good (xml-guard.ts) */
  decode(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(REFERENCE, (_, name?: string, decimal?: string, hex?: string) =>
      name === undefined
        ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal))
        : NAMED[name]!,
    );
  },
  addInputEntities(): void {},
  setExternalEntities(): void {},
  setXmlVersion(): void {},
  reset(): void {},
};
