/**
 * XML as messages may carry it: elements and text, nothing that two programs may read differently. A document type,
 * comments, processing instructions, attributes and text between elements are refused; so is, in both directions,
 * every character that XML 1.0 does not have. Libraries, "XML"; F86.
 */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import { type JsonFields, type JsonValue, MAX_DEPTH } from './canonical.ts';

/** In characters: as many as the body of a request may have bytes. The whole document is held in memory. */
const LONGEST = 1024 * 1024;

/** Elements that are lists, even where they stand once. */
const LISTS: ReadonlySet<string> = new Set([
  'cart_items',
  'account_owner',
  'total_discount',
  'additional_information',
  'documents',
  'risk_reasons',
]);

/** A field whose name no element can have, and the element that stands for it. */
const SPACED_FIELD = 'the service';
const SPACED_ELEMENT = 'the_service';

const TEXT = '#text';
const ATTRIBUTE = '@_';

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  // Without it numeric references would stay as they are; names other than XML's own five are refused before.
  htmlEntities: true,
  ignoreAttributes: false,
  ignoreDeclaration: true,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  maxNestedTags: MAX_DEPTH,
  jPath: false,
  isArray: (name) => LISTS.has(name),
});

const builder = new XMLBuilder({ processEntities: true, suppressEmptyNode: false, ignoreAttributes: true });

/**
 * Reads a document.
 * @param root the name that its root element must have
 * @returns the fields of the root, all of them text, objects or lists; or in words why the document is refused, never
 *   with anything from it
 */
export function readXml(
  text: string,
  root: string,
): { readonly fields: JsonFields } | { readonly fault: string } {
  const fault = textFault(text) ?? markupFault(text);
  if (fault !== undefined) return { fault };
  const valid = XMLValidator.validate(text);
  if (valid !== true) return { fault: `it is not well-formed XML at line ${valid.err.line}` };
  const document = parse(text);
  if (document === undefined) return { fault: 'it is nested too deep, or an element has a forbidden name' };
  const misshapen = shapeFault(document, '');
  if (misshapen !== undefined) return { fault: misshapen };
  const { [root]: found, ...others } = toValue(document) as JsonFields;
  const isAlone = Object.keys(others).length === 0 && endsWithElement(text, root);
  if (found === undefined || !isAlone) return { fault: `it is not one element ${root}` };
  if (typeof found === 'string') return found.trim() === '' ? { fields: {} } : { fault: LOOSE_TEXT };
  const { [SPACED_ELEMENT]: spaced, ...fields } = found as JsonFields;
  return { fields: spaced === undefined ? fields : { ...fields, [SPACED_FIELD]: spaced } };
}

/**
 * Writes a document. Numbers are written as their digits, and an empty list leaves nothing behind.
 * @returns the document, or in words why XML cannot carry the message
 */
export function writeXml(
  root: string,
  fields: JsonFields,
): { readonly xml: string } | { readonly fault: string } {
  const { [SPACED_FIELD]: spaced, ...rest } = fields;
  const named = spaced === undefined ? rest : { ...rest, [SPACED_ELEMENT]: spaced };
  const fault = writingFault(named);
  if (fault !== undefined) return { fault };
  // Readers of XML make a line feed of a carriage return that stands as itself.
  const elements = builder.build({ [root]: named }).replaceAll('\r', '&#13;');
  return { xml: `<?xml version="1.0" encoding="UTF-8"?>\n${elements}` };
}

const LOOSE_TEXT = 'there is text between elements';

/** Text behind the last element is left out by the parser, and the validator lets some of it through. */
function endsWithElement(text: string, root: string): boolean {
  const last = text.trimEnd();
  const end = last.slice(last.lastIndexOf('<'));
  return new RegExp(`^</?${root}\\s*/?>$`).test(end);
}

/** True when XML 1.0 has every character of the text. */
export function fitsXml(text: string): boolean {
  return !NOT_XML.test(text);
}

const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

function textFault(text: string): string | undefined {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  return fitsXml(text) ? undefined : 'it has a character that XML does not have';
}

/** One reference that XML has by itself, at most as long as the largest code point. */
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));|&/g;

/** What the validator lets through, and the parser leaves out or leaves as it is. */
function markupFault(text: string): string | undefined {
  const body = text.replace(/^\s*<\?xml\s[^<>]{0,200}\?>/, '');
  const declared = /\sencoding\s*=\s*["']([^"']*)["']/.exec(text.slice(0, text.length - body.length))?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) return 'it declares another encoding than UTF-8';
  const markup = outsideCdata(body);
  if (markup.includes('<!')) return 'it has a document type, a comment or an open CDATA section';
  if (markup.includes('<?')) return 'it has a processing instruction';
  return hasOwnReferences(markup)
    ? undefined
    : 'it has a reference to something else than a character of XML';
}

/**
 * True when every `&` of the text begins one of XML's own five entities, or a reference to a character that XML has.
 * @param markup outside comments and CDATA sections
 */
export function hasOwnReferences(markup: string): boolean {
  for (const [, name, decimal, hex] of markup.matchAll(REFERENCE)) {
    if (name !== undefined) continue;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (!(point <= 0x10ffff) || !fitsXml(String.fromCodePoint(point))) return false;
  }
  return true;
}

/** The text without its CDATA sections, in which nothing is markup. */
function outsideCdata(text: string): string {
  const [first, ...others] = text.split('<![CDATA[');
  const after = others.map((part) => {
    const end = part.indexOf(']]>');
    return end < 0 ? '<![CDATA[' : part.slice(end + 3);
  });
  return [first, ...after].join('');
}

/** What the parser makes of an element. */
type Parsed = string | ParsedObject | readonly Parsed[];
interface ParsedObject {
  readonly [name: string]: Parsed;
}

function parse(text: string): ParsedObject | undefined {
  try {
    return parser.parse(text) as ParsedObject;
  } catch {
    // The parser throws for depth and for names such as `constructor`; its message may quote the document.
    return undefined;
  }
}

function isList(parsed: Parsed): parsed is readonly Parsed[] {
  return Array.isArray(parsed);
}

/** Attributes, text between elements, and elements that stand twice without being a list. */
function shapeFault(parsed: Parsed, name: string): string | undefined {
  if (typeof parsed === 'string') return undefined;
  if (isList(parsed)) {
    if (!LISTS.has(name)) return 'an element stands twice that is no list';
    return firstFault(parsed.map((element) => [name, element]));
  }
  const { [TEXT]: between, ...elements } = parsed;
  const names = Object.keys(elements);
  if (names.some((one) => one.startsWith(ATTRIBUTE))) return 'an element has an attribute';
  if (typeof between === 'string' && between.trim() !== '') return LOOSE_TEXT;
  return firstFault(Object.entries(elements));
}

function firstFault(elements: readonly (readonly [string, Parsed])[]): string | undefined {
  for (const [name, element] of elements) {
    const fault = shapeFault(element, name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function toValue(parsed: Parsed): JsonValue {
  if (typeof parsed === 'string') return parsed;
  if (isList(parsed)) return parsed.map(toValue);
  const named = Object.entries(parsed).filter(([name]) => name !== TEXT);
  return Object.fromEntries(named.map(([name, element]) => [name, toValue(element)]));
}

const ELEMENT_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

function writingFault(value: JsonValue): string | undefined {
  if (typeof value === 'string') {
    return fitsXml(value) ? undefined : 'a text has a character that XML does not have';
  }
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !ELEMENT_NAME.test(name))
      return 'a field has a name that no element can have';
    const fault = writingFault(inner as JsonValue);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
