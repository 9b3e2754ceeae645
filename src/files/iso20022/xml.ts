/**
 * An ISO 20022 document as a tree, read safely: refused first is all that a payment message never has (xml-guard.ts),
 * then all that is not well-formed; nothing is fetched, nothing is expanded. All values stay text.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Unreadable } from '../unreadable.ts';
import { readXmlFile } from './xml-bytes.ts';
import { guardXml, type Message } from './xml-guard.ts';

/** Elements that are lists, even where they stand once. Others that stand twice are refused where they are read. */
const LISTS: ReadonlySet<string> = new Set([
  'Stmt',
  'Ntfctn',
  'Bal',
  'Ntry',
  'NtryDtls',
  'TxDtls',
  'Chrgs',
  'Rcrd',
  'Ustrd',
  'Strd',
  'AddtlInf',
  'AdrLine',
  'PmtInf',
  'CdtTrfTxInf',
  'OrgnlPmtInfAndSts',
  'TxInfAndSts',
  'StsRsnInf',
]);

/** What envelopes put around a document, at most. */
const ENVELOPES = 3;

const TEXT = '#text';
const ATTRIBUTE = '@_';

/** An element: its children by name, its text under `#text`, its attributes behind `@_`; without children its text. */
export type Element = string | ElementObject;
interface ElementObject {
  readonly [name: string]: Element | readonly Element[];
}

export interface IsoDocument extends Message {
  /** The element inside Document, for example BkToCstmrStmt, and its name. */
  readonly body: Element;
  readonly root: string;
  /** Physical lines on which the elements of a name begin, in the order of the document. */
  linesOf(element: string): readonly number[];
}

/** @throws Unreadable */
export async function readIsoFile(path: string): Promise<IsoDocument> {
  return readIso(await readXmlFile(path));
}

/** @throws Unreadable */
export function readIso(text: string): IsoDocument {
  const message = guardXml(text);
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    throw new Unreadable('It is not well-formed XML.', { line: valid.err.line });
  }
  const { root, body } = bodyOf(parse(text, message.prefix));
  return { ...message, root, body, linesOf: (element) => linesOf(text, message.prefix + element) };
}

function parse(text: string, prefix: string): Element {
  const parser = new XMLParser({
    parseTagValue: false,
    trimValues: false,
    processEntities: true,
    // Without it numeric references would stay as they are; names other than XML's own five are refused before.
    htmlEntities: true,
    ignoreAttributes: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    jPath: false,
    isArray: (name) => LISTS.has(name),
    // Elements of other namespaces keep their prefix, so that nobody asks for them.
    transformTagName: (name) => (prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name),
    // Blanks between elements are most of the text of a large file.
    tagValueProcessor: (_, value) => (value.trim() === '' ? '' : value),
  });
  try {
    return parser.parse(text) as Element;
  } catch {
    // Names such as `constructor`; the message of the parser may quote the document.
    throw new Unreadable('It has an element with a forbidden name.');
  }
}

/** What is inside Document, which may stand in an envelope. */
function bodyOf(document: Element): { readonly root: string; readonly body: Element } {
  let around = document;
  for (let depth = 0; depth <= ENVELOPES; depth++) {
    const inside = maybe(around, 'Document');
    if (inside !== undefined) {
      const roots = names(inside);
      if (roots.length !== 1) throw new Unreadable('Its Document does not hold exactly one message.');
      return { root: roots[0]!, body: one(inside, roots[0]!) };
    }
    const next = names(around).find((name) => name !== 'AppHdr');
    const element = next === undefined ? undefined : maybe(around, next);
    if (element === undefined) break;
    around = element;
  }
  throw new Unreadable('It has no element Document.');
}

function names(element: Element): readonly string[] {
  if (typeof element === 'string') return [];
  return Object.keys(element).filter((name) => name !== TEXT && !name.startsWith(ATTRIBUTE));
}

/** Comments and CDATA are blanked, since they may hold what looks like a tag. */
function linesOf(text: string, element: string): readonly number[] {
  const blank = text.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, (hidden) =>
    hidden.replace(/[^\n]/g, ' '),
  );
  const tags = new RegExp(`\n|<${element.replaceAll('.', '\\.')}[\\s/>]`, 'g');
  const lines: number[] = [];
  let line = 1;
  for (const [found] of blank.matchAll(tags)) {
    if (found !== '\n') lines.push(line);
    if (found.endsWith('\n')) line++;
  }
  return lines;
}

/** The child of a name, where it is there. @throws Unreadable when it stands twice */
export function maybe(element: Element | undefined, name: string): Element | undefined {
  if (element === undefined || typeof element === 'string') return undefined;
  const child = element[name];
  if (child === undefined || !isList(child)) return child as Element | undefined;
  if (child.length > 1) throw new Unreadable(`Its element ${name} stands more than once in one place.`);
  return child[0];
}

/** The child of a name. @throws Unreadable when it is missing or stands twice */
export function one(element: Element, name: string): Element {
  const child = maybe(element, name);
  if (child === undefined) throw new Unreadable(`It lacks the element ${name}.`);
  return child;
}

/** All children of a name. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  if (element === undefined || typeof element === 'string') return [];
  const children = element[name];
  if (children === undefined) return [];
  return isList(children) ? children : [children as Element];
}

function isList(child: Element | readonly Element[]): child is readonly Element[] {
  return Array.isArray(child);
}

/** Text at the end of a path of names, without blanks around it; undefined where it is missing or empty. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string | undefined {
  let child = element;
  for (const name of path) child = maybe(child, name);
  const text = child === undefined ? undefined : rawText(child).trim();
  return text === '' ? undefined : text;
}

/** An element's own text as it stands. */
export function rawText(element: Element): string {
  if (typeof element === 'string') return element;
  const text = element[TEXT];
  return typeof text === 'string' ? text : '';
}

/** An attribute; undefined where it is missing. */
export function attribute(element: Element, name: string): string | undefined {
  if (typeof element === 'string') return undefined;
  const value = element[ATTRIBUTE + name];
  return typeof value === 'string' ? value : undefined;
}
