/**
 * What is refused in an XML text before any parser sees it: document types and entities, all that is not well-formed, and
 * sizes that no message has. One pass from tag to tag, whose time grows with the text and with nothing else. It leaves
 * behind where the long lists stand, so that the parser can be given a part at a time.
 */
import { quote } from '../../core/quote.ts';
import { hasOwnReferences } from '../../wire/xml.ts';
import type { Unreadable } from '../unreadable.ts';
import { badCharacterAt } from './xml-characters.ts';
import { type Hidden, hiddenAt } from './xml-hidden.ts';
import { KnownTags, NO_NAMESPACE } from './xml-known-tags.ts';
import { Outline } from './xml-outline.ts';
import { cutOff, damaged, type Fault, hostile, lineAt, notWellFormed, refusedAt } from './xml-refusal.ts';
import type { Message } from './xml-tag.ts';

/** Elements inside each other. Messages of ISO 20022 need fewer than 20. */
const DEEPEST = 64;

/** Characters of one tag with its attributes; the root with its namespaces is the longest. */
const LONGEST_TAG = 4096;

/** Characters between two tags. The longest text of a statement or a payment has 2,000; a signature may have more. */
const LONGEST_TEXT = 100_000;

/** The largest file that is read has 3 million, at 22 bytes each without any blank between them. */
const MOST_ELEMENTS = 4_000_000;

/** Comments, CDATA sections and instructions: where each text of a large file is a CDATA section there are so many. */
const MOST_HIDDEN = 1_000_000;

const TEXT_OUTSIDE = damaged('It has text outside its root element.');

const SLASH = 0x2f;
const GREATER = 0x3e;
const BYTE_ORDER_MARK = 0xfeff;

export interface Guarded {
  readonly message: Message;
  readonly outline: Outline;
}

/** An element whose end is still to come. */
interface Open {
  readonly name: string;
  readonly start: number;
  /** Its number in the outline. */
  readonly number: number | undefined;
}

/**
 * Walks over a text once.
 * @throws Unreadable with the line
 */
export function guardXml(text: string): Guarded {
  const bad = badCharacterAt(text);
  if (bad !== undefined) throw refusedAt(text, bad, damaged('It has a character that XML does not have.'));
  return new Walk(text).guarded();
}

class Walk {
  readonly #text: string;
  readonly #outline = new Outline();
  readonly #open: Open[] = [];
  readonly #tags = new KnownTags();
  /** Start of the part not yet passed. */
  #from = 0;
  /** The next `&` and the next `]]>`, at or after `#from`; beyond the end where there is none. */
  #reference = 0;
  #brackets = 0;
  #elements = 0;
  #hidden = 0;
  #rootSeen = false;

  constructor(text: string) {
    this.#text = text;
    this.#from = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    this.#reference = this.#next('&', 0);
    this.#brackets = this.#next(']]>', 0);
  }

  guarded(): Guarded {
    const text = this.#text;
    for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', this.#from)) {
      this.#passText(start);
      if (text.charCodeAt(start + 1) === SLASH) this.#passEnd(start);
      else this.#passHidden(start);
    }
    this.#passText(text.length);
    if (this.#open.length > 0) throw this.#refused(text.length, cutOff('in the middle'));
    if (!this.#rootSeen) throw this.#refused(0, damaged('It is no XML: it has no element.'));
    const { message } = this.#tags;
    if (message === undefined) throw this.#refused(0, NO_NAMESPACE);
    return { message, outline: this.#outline };
  }

  #refused(offset: number, fault: Fault): Unreadable {
    return refusedAt(this.#text, offset, fault);
  }

  #next(what: string, from: number): number {
    const found = this.#text.indexOf(what, from);
    return found < 0 ? this.#text.length : found;
  }

  /** Text up to the next markup: nothing but blanks outside the root, and no reference to an entity. */
  #passText(end: number): void {
    const from = this.#from;
    if (this.#open.length === 0) {
      const loose = this.#text.slice(from, end).search(/[^ \t\r\n]/);
      if (loose >= 0) throw this.#refused(from + loose, TEXT_OUTSIDE);
    }
    if (end - from > LONGEST_TEXT) {
      throw this.#refused(from, hostile(`A text in it is longer than ${LONGEST_TEXT} characters.`));
    }
    if (this.#brackets < end) throw this.#refused(this.#brackets, notWellFormed('it has a loose "]]>"'));
    this.#passReferences(end);
    this.#from = end;
  }

  #passReferences(end: number): void {
    if (this.#reference >= end) return;
    if (!hasOwnReferences(this.#text.slice(this.#reference, end))) {
      const fault = 'It has a reference to an entity that XML itself does not have.';
      throw this.#refused(this.#reference, hostile(fault));
    }
    this.#reference = this.#next('&', end);
  }

  /** Or a start tag. */
  #passHidden(start: number): void {
    const hidden = hiddenAt(this.#text, start);
    if (hidden === undefined) this.#passStart(start);
    else if ('fault' in hidden) throw this.#refused(start, hidden);
    else this.#skip(start, hidden);
  }

  #skip(start: number, { end, isText }: Hidden): void {
    if (isText && this.#open.length === 0) throw this.#refused(start, TEXT_OUTSIDE);
    if (++this.#hidden > MOST_HIDDEN) {
      throw this.#refused(start, hostile(`It has more than ${MOST_HIDDEN} comments or CDATA sections.`));
    }
    this.#from = end;
    if (this.#reference < end) this.#reference = this.#next('&', end);
    if (this.#brackets < end) this.#brackets = this.#next(']]>', end);
  }

  #passStart(start: number): void {
    if (++this.#elements > MOST_ELEMENTS) {
      throw this.#refused(start, hostile(`It has more than ${MOST_ELEMENTS} elements.`));
    }
    const end = this.#tagEnd(start);
    const tag = this.#tags.meet(this.#text.slice(start + 1, end));
    if ('fault' in tag) throw this.#refused(start, tag);
    if (this.#open.length === 0 && this.#rootSeen) {
      throw this.#refused(start, damaged('It has more than one root element.'));
    }
    this.#rootSeen = true;
    this.#passReferences(end);
    this.#from = end + 1;
    const number = tag.isLong ? this.#outline.open(start) : undefined;
    if (tag.isEmpty) {
      if (number !== undefined) this.#outline.close(number, end + 1);
      return;
    }
    if (this.#open.length === DEEPEST) {
      throw this.#refused(start, hostile(`Its elements stand inside each other more than ${DEEPEST} deep.`));
    }
    this.#open.push({ name: tag.name, start, number });
  }

  #tagEnd(start: number): number {
    const end = this.#text.indexOf('>', start);
    if (end < 0) throw this.#refused(start, cutOff('in the middle of a tag'));
    if (end - start <= LONGEST_TAG) return end;
    throw this.#refused(start, hostile(`A tag is longer than ${LONGEST_TAG} characters.`));
  }

  #passEnd(start: number): void {
    const open = this.#open.pop();
    if (open === undefined) throw this.#refused(start, damaged('It closes an element that is not open.'));
    const { name, number } = open;
    let end = start + 2 + name.length;
    if (!this.#text.startsWith(name, start + 2) || this.#text.charCodeAt(end) !== GREATER) {
      end = this.#tagEnd(start);
      const closed = this.#text.slice(start + 2, end);
      if (closed.replace(/[ \t\r\n]+$/, '') !== name) throw this.#crossed(start, closed, open);
    }
    this.#from = end + 1;
    if (number !== undefined) this.#outline.close(number, end + 1);
  }

  #crossed(start: number, closed: string, { name, start: opened }: Open): Unreadable {
    const line = lineAt(this.#text, opened);
    const why = `the element ${quote(name)} of line ${line} is still open where ${quote(closed)} is closed`;
    return this.#refused(start, notWellFormed(why));
  }
}
