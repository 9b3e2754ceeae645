/** One start tag, judged by itself: its name, its attributes, and the messages of banks whose namespaces it declares. */
import { quote } from '../../core/quote.ts';
import { damaged, type Fault, hostile, notWellFormed } from './xml-refusal.ts';

/** Which message of ISO 20022 a document is. */
export interface Message {
  /** For example `camt.053`. */
  readonly name: string;
  /** For example `001.02`. */
  readonly version: string;
  /** That the document's elements have, `ns:`; empty where it is the default namespace. */
  readonly prefix: string;
}

export interface Tag {
  readonly name: string;
  /** `<a/>` */
  readonly isEmpty: boolean;
  /** Prefixes that it binds to a namespace, without their colon. */
  readonly binds: readonly string[];
  readonly declares: readonly Message[];
}

const LONGEST_NAME = 128;

/** An envelope may declare many namespaces; an element of a message has one attribute. */
const MOST_ATTRIBUTES = 64;

const FIRST =
  'A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d' +
  '\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd';
const PART = `[${FIRST}][${FIRST}\\-.0-9\u00b7\u0300-\u036f\u203f\u2040]*`;

/** A name of XML 1.0 with namespaces; without the letters beyond the first 65,536, which no schema uses. */
const NAME = new RegExp(`^${PART}(?::${PART})?$`);

/** Blanks as XML has them: four, and no others. */
const ATTRIBUTE = /[ \t\r\n]+([^ \t\r\n=/"'<>]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAIL = /[ \t\r\n]*\/?$/y;

/** Without it a tag ends in the middle of a value. */
const WHOLE_VALUES = /^[^"'<]*(?:(?:"[^"<]*"|'[^'<]*')[^"'<]*)*$/;

/** Messages of banks as their namespace ends: `camt.053.001.02`. */
const MESSAGE = /\b((?:camt|pain)\.\d{3})\.(\d{3}\.\d{2})$/;

/** Names that every object has, or by which all objects are changed. */
function isForbidden(name: string): boolean {
  const own = localName(name);
  return own in Object.prototype || own === 'prototype';
}

/** `Ntry` of `ns:Ntry`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Why a name of an element or an attribute is refused. */
export function nameFault(name: string): Fault | undefined {
  if (name.length > LONGEST_NAME) {
    return hostile(`The name of an element or an attribute is longer than ${LONGEST_NAME} characters.`);
  }
  // Of U+1680 and U+FEFF XML makes names, and JavaScript blanks.
  if (!NAME.test(name) || /\s/.test(name)) {
    return notWellFormed(`${quote(name)} is no name of an element or an attribute`);
  }
  return isForbidden(name) ? hostile(`It has a forbidden name, ${quote(name)}.`) : undefined;
}

/** @param inside what stands between `<` and `>` */
export function judgeTag(inside: string): Tag | Fault {
  const name = /^[^ \t\r\n/]*/.exec(inside)![0];
  if (name === '') return notWellFormed('a "<" begins no tag');
  const fault = nameFault(name);
  if (fault !== undefined) return fault;
  if (inside.length === name.length) return { name, isEmpty: false, binds: [], declares: [] };
  const attributes = attributesOf(inside, name.length);
  if ('fault' in attributes) return attributes;
  const binds = [...attributes.keys()].filter((one) => one.startsWith('xmlns:')).map(localName);
  return { name, isEmpty: inside.endsWith('/'), binds, declares: declaredBy(attributes) };
}

/** @param from where they begin, blanks included */
function attributesOf(inside: string, from: number): ReadonlyMap<string, string> | Fault {
  if (!WHOLE_VALUES.test(inside)) return damaged('A tag is cut off, or an attribute has < or > in it.');
  const attributes = new Map<string, string>();
  let at = from;
  for (let found = matchAt(ATTRIBUTE, inside, at); found !== null; found = matchAt(ATTRIBUTE, inside, at)) {
    const [match, name, double, single] = found;
    const fault = nameFault(name!);
    if (fault !== undefined) return fault;
    if (attributes.has(name!)) return notWellFormed(`the attribute ${quote(name!)} stands twice in one tag`);
    if (attributes.size === MOST_ATTRIBUTES)
      return hostile(`A tag has more than ${MOST_ATTRIBUTES} attributes.`);
    attributes.set(name!, (double ?? single)!);
    at += match.length;
  }
  if (matchAt(TAIL, inside, at) !== null) return attributes;
  return notWellFormed(`${quote(inside.slice(at).trim())} is no attribute`);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `xmlns="…"` or `xmlns:p="…"` */
function declaredBy(attributes: ReadonlyMap<string, string>): readonly Message[] {
  const messages: Message[] = [];
  for (const [attribute, value] of attributes) {
    if (attribute !== 'xmlns' && !attribute.startsWith('xmlns:')) continue;
    const [, name, version] = MESSAGE.exec(value) ?? [];
    if (name === undefined) continue;
    const prefix = attribute === 'xmlns' ? '' : `${localName(attribute)}:`;
    messages.push({ name, version: version!, prefix });
  }
  return messages;
}
