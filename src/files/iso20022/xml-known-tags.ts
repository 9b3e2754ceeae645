/**
 * The start tags of a document as they are met. A message has some hundred different ones, so nearly all have been met
 * before, letter by letter, and each is judged once.
 */
import { quote } from '../../core/quote.ts';
import { LONG_LISTS } from './xml-outline.ts';
import { type Fault, hostile, notWellFormed } from './xml-refusal.ts';
import { judgeTag, localName, type Message, type Tag } from './xml-tag.ts';

/** A message has some hundred names, and its only attribute is one of some hundred currencies. */
const MOST_TAGS = 20_000;

export const NO_NAMESPACE: Fault = {
  fault: 'It has no namespace that says which ISO 20022 message it is.',
  hint: 'Its element Document must have an attribute such as xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08".',
};

const TWO_MESSAGES: Fault = {
  fault: 'It holds two messages.',
  hint: 'Ask the sender for a file of each.',
};

const TWO_PREFIXES: Fault = {
  fault: 'It has one namespace under two prefixes.',
  hint: 'Ask the sender for a file whose elements all have the same prefix, or none.',
};

const LONG: ReadonlySet<string> = new Set(LONG_LISTS);

export interface KnownTag extends Tag {
  /** Begins an element of one of the long lists of the message. */
  readonly isLong: boolean;
}

export class KnownTags {
  readonly #known = new Map<string, KnownTag>();
  /** All that have been bound to a namespace anywhere up to here. */
  readonly #prefixes = new Set<string>();
  #message: Message | undefined;

  /** Undefined as long as no tag has declared its namespace. */
  get message(): Message | undefined {
    return this.#message;
  }

  /** @param inside of the next tag, what stands between `<` and `>` */
  meet(inside: string): KnownTag | Fault {
    const known = this.#known.get(inside);
    if (known !== undefined) return known;
    if (this.#known.size === MOST_TAGS) return hostile(`It has more than ${MOST_TAGS} different tags.`);
    const tag = judgeTag(inside);
    if ('fault' in tag) return tag;
    const fault = this.#declare(tag) ?? this.#misplaced(tag);
    if (fault !== undefined) return fault;
    const local = localName(tag.name);
    const isLong = LONG.has(local) && tag.name === `${this.#message?.prefix}${local}`;
    const judged = { ...tag, isLong };
    this.#known.set(inside, judged);
    return judged;
  }

  #declare({ binds, declares }: Tag): Fault | undefined {
    for (const prefix of binds) this.#prefixes.add(prefix);
    for (const message of declares) {
      const fault = this.#differing(message);
      if (fault !== undefined) return fault;
      // Which lists are those of the message is known only now.
      if (this.#message === undefined) this.#known.clear();
      this.#message = message;
    }
    return undefined;
  }

  /** Elements of one message under two prefixes, or of two messages, would be read in part only. */
  #differing({ name, version, prefix }: Message): Fault | undefined {
    const known = this.#message;
    if (known === undefined) return undefined;
    if (known.name !== name || known.version !== version) return TWO_MESSAGES;
    return known.prefix === prefix ? undefined : TWO_PREFIXES;
  }

  #misplaced({ name }: Tag): Fault | undefined {
    const colon = name.indexOf(':');
    if (colon >= 0 && !this.#prefixes.has(name.slice(0, colon))) {
      return notWellFormed(`the prefix of ${quote(name)} has no namespace`);
    }
    // What is inside a document has to be known for what it is when it is met.
    return this.#message === undefined && localName(name) === 'Document' ? NO_NAMESPACE : undefined;
  }
}
