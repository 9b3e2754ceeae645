/**
 * What is refused in an XML text before any parser sees it: document types and entities, depth, tags of unusual length,
 * and text that ends too early. One pass from tag to tag; what is between them is not looked at twice.
 */
import { fitsXml, hasOwnReferences } from '../../wire/xml.ts';
import { Unreadable } from '../unreadable.ts';

/** Elements inside each other. Messages of ISO 20022 need fewer than 20. */
const DEEPEST = 64;

/** Characters of one tag with its attributes; the root with its namespaces is the longest. */
const LONGEST_TAG = 4096;
const LONGEST_NAME = 128;

/** Attributes that say what the document is, `xmlns="…"` or `xmlns:p="…"`. */
const NAMESPACE = /\sxmlns(?::([\w.-]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const CDATA = '<![CDATA[';

/** What holds no markup: how it begins and ends, and its name. */
const HIDDEN = [
  ['<!--', '-->', 'a comment'],
  [CDATA, ']]>', 'a CDATA section'],
  ['<?', '?>', 'a processing instruction'],
] as const;

const TEXT_OUTSIDE = 'It has text outside its root element.';

/** Messages of banks as their namespace ends: `camt.053.001.02`. */
const MESSAGE = /\b((?:camt|pain)\.\d{3})\.(\d{3}\.\d{2})$/;

export interface Message {
  /** For example `camt.053`. */
  readonly name: string;
  /** For example `001.02`. */
  readonly version: string;
  /** That the document's elements have, `ns:`; empty where it is the default namespace. */
  readonly prefix: string;
}

/**
 * Walks over a text once.
 * @returns which message it holds
 * @throws Unreadable with the line
 */
export function guardXml(text: string): Message {
  refuseBadCharacter(text);
  const doctype = text.search(/<!DOCTYPE/i);
  if (doctype >= 0) throw at(text, doctype, 'It has a document type (DOCTYPE), which may hide entities.');
  return new Walk(text).message();
}

/** @param offset first character of what is wrong */
function at(text: string, offset: number, message: string): Unreadable {
  return new Unreadable(message, { line: lineAt(text, offset) });
}

/** Physical line (from 1) in which a character of the text stands. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++;
  return line;
}

function refuseBadCharacter(text: string): void {
  if (fitsXml(text)) return;
  const line = text.split('\n').findIndex((one) => !fitsXml(one)) + 1;
  throw new Unreadable('It has a character that XML does not have.', { line });
}

class Walk {
  readonly #text: string;
  #depth = 0;
  /** Start of the part not yet passed. */
  #from = 0;
  /** The next `&`, at or after `#from`; beyond the end where there is none. */
  #reference = 0;
  #rootSeen = false;
  #message: Message | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#reference = this.#next('&', 0);
  }

  message(): Message {
    const text = this.#text;
    for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', this.#from)) {
      this.#passText(start);
      this.#passMarkup(start);
    }
    this.#passText(text.length);
    if (this.#depth > 0) throw at(text, text.length, 'It ends in the middle: it was cut off.');
    if (!this.#rootSeen) throw new Unreadable('It is no XML: it has no element.', { line: 1 });
    if (this.#message === undefined) {
      throw new Unreadable('It has no namespace that says which ISO 20022 message it is.', {
        hint: 'Its element Document must have an attribute such as xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08".',
      });
    }
    return this.#message;
  }

  #next(what: string, from: number): number {
    const found = this.#text.indexOf(what, from);
    return found < 0 ? this.#text.length : found;
  }

  /** Text up to the next markup: nothing but blanks outside the root, and no reference to an entity. */
  #passText(end: number): void {
    if (this.#depth === 0 && this.#text.slice(this.#from, end).trim() !== '') {
      throw at(this.#text, this.#from, TEXT_OUTSIDE);
    }
    this.#passReferences(end);
    this.#from = end;
  }

  #passReferences(end: number): void {
    if (this.#reference >= end) return;
    if (!hasOwnReferences(this.#text.slice(this.#reference, end))) {
      throw at(this.#text, this.#reference, 'It has a reference to an entity that XML itself does not have.');
    }
    this.#reference = this.#next('&', end);
  }

  #passMarkup(start: number): void {
    const text = this.#text;
    const hidden = HIDDEN.find(([begin]) => text.startsWith(begin, start));
    if (hidden === undefined) this.#passElement(start);
    else this.#skip(start, hidden);
  }

  #passElement(start: number): void {
    const text = this.#text;
    if (text.startsWith('<!', start)) throw at(text, start, 'It has a declaration as only a DTD has.');
    const end = text.indexOf('>', start);
    if (end < 0) throw at(text, start, 'It ends in the middle of a tag: it was cut off.');
    if (end - start > LONGEST_TAG) throw at(text, start, `A tag is longer than ${LONGEST_TAG} characters.`);
    this.#passTag(start, text.slice(start + 1, end));
    this.#passReferences(end);
    this.#from = end + 1;
  }

  /** Nothing in it is markup. */
  #skip(start: number, [begin, mark, what]: (typeof HIDDEN)[number]): void {
    const end = this.#text.indexOf(mark, start + begin.length);
    if (end < 0) throw at(this.#text, start, `It ends in the middle of ${what}: it was cut off.`);
    if (this.#depth === 0 && begin === CDATA) throw at(this.#text, start, TEXT_OUTSIDE);
    this.#from = end + mark.length;
    if (this.#reference < this.#from) this.#reference = this.#next('&', this.#from);
  }

  #passTag(start: number, tag: string): void {
    if (tag.startsWith('/')) {
      this.#depth--;
      if (this.#depth < 0) throw at(this.#text, start, 'It closes an element that is not open.');
      return;
    }
    const name = /^[^\s/]*/.exec(tag)![0];
    if (name.length > LONGEST_NAME) {
      throw at(this.#text, start, `The name of an element is longer than ${LONGEST_NAME} characters.`);
    }
    if (this.#depth === 0 && this.#rootSeen)
      throw at(this.#text, start, 'It has more than one root element.');
    this.#rootSeen = true;
    if (tag.length > name.length) this.#passAttributes(start, tag);
    if (tag.endsWith('/')) return;
    this.#depth++;
    if (this.#depth > DEEPEST) {
      throw at(this.#text, start, `Its elements stand inside each other more than ${DEEPEST} deep.`);
    }
  }

  #passAttributes(start: number, tag: string): void {
    if (!/^[^"'<]*(?:(?:"[^"<]*"|'[^'<]*')[^"'<]*)*$/.test(tag)) {
      throw at(this.#text, start, 'A tag is cut off, or an attribute has < or > in it.');
    }
    if (!tag.includes('xmlns')) return;
    for (const [, prefix, double, single] of tag.matchAll(NAMESPACE)) {
      const [, message, version] = MESSAGE.exec((double ?? single)!) ?? [];
      if (message === undefined) continue;
      this.#declare(start, {
        name: message,
        version: version!,
        prefix: prefix === undefined ? '' : `${prefix}:`,
      });
    }
  }

  /** Elements of one message under two prefixes, or of two messages, would be read in part only. */
  #declare(start: number, message: Message): void {
    const known = this.#message;
    if (known === undefined) this.#message = message;
    else if (known.name !== message.name || known.version !== message.version) {
      throw at(this.#text, start, 'It holds two messages.');
    } else if (known.prefix !== message.prefix) {
      throw at(this.#text, start, 'It has one namespace under two prefixes.');
    }
  }
}
