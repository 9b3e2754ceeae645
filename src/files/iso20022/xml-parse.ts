/** XML that has been guarded → a tree of its elements, by name. All values stay text. */
import { XMLParser } from 'fast-xml-parser';
import { Unreadable } from '../unreadable.ts';
import { LONG_LISTS } from './xml-outline.ts';
import { OWN_REFERENCES } from './xml-references.ts';

/** An element: its children by name, its text under `#text`, its attributes behind `@_`; without children its text. */
export type Element = string | ElementObject;
export interface ElementObject {
  readonly [name: string]: Element | readonly Element[];
}

export const TEXT = '#text';
export const ATTRIBUTE = '@_';

/** Elements that are lists, even where they stand once. Others that stand twice are refused where they are read. */
const LISTS: ReadonlySet<string> = new Set([
  ...LONG_LISTS,
  'Bal',
  'Chrgs',
  'Rcrd',
  'Ustrd',
  'Strd',
  'AddtlInf',
  'AdrLine',
  'StsRsnInf',
]);

/** @returns the elements that a text holds, one or several beside each other, as children of nothing */
export type Parse = (text: string) => ElementObject;

/** @param prefix of the elements of the message, `ns:` or nothing; they lose it */
export function parserOf(prefix: string): Parse {
  const parser = new XMLParser({
    parseTagValue: false,
    trimValues: false,
    entityDecoder: OWN_REFERENCES,
    ignoreAttributes: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    jPath: false,
    isArray: (name) => LISTS.has(name),
    // Not `transformTagName`, which is asked twice for an empty element.
    updateTag: (name) => nameIn(name, prefix),
    // A text of blanks is none.
    tagValueProcessor: (_, value) => (value.trim() === '' ? '' : value),
  });
  return (text) => {
    try {
      return parser.parse(withoutBlanks(text)) as ElementObject;
    } catch {
      // Nothing is known that comes here past the guard; the parser's own words may quote the document.
      throw new Unreadable('It has something in it that is not read as XML.');
    }
  };
}

/** Blanks between tags are most of the text of many files, and it is the parser that takes the time. A text may have a `>`. */
function withoutBlanks(text: string): string {
  return text.includes('<!') || text.includes('<?') ? text : text.replace(/(<[^<>]*>)[ \t\r\n]+(?=<)/g, '$1');
}

/** Elements of other namespaces get or keep a colon, so that nobody takes them for those of the message. */
function nameIn(name: string, prefix: string): string {
  if (prefix === '') return name;
  if (name.startsWith(prefix)) return name.slice(prefix.length);
  return name.includes(':') ? name : `:${name}`;
}
