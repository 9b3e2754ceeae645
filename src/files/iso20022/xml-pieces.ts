/**
 * A text parsed piece by piece, so that never all of it stands in the parser's tree, which is a dozen times as large. In a
 * skeleton each long list is left out and a reference stands for it: an element of the same name whose text says which
 * elements of the outline it is.
 */
import { LONG_LISTS, type Outline } from './xml-outline.ts';
import { ATTRIBUTE, type Element, type ElementObject, type Parse, TEXT } from './xml-parse.ts';
import { hostile, refusedAt } from './xml-refusal.ts';

/**
 * Characters that are parsed at a time, where the elements of a list are not longer themselves. Larger blocks are no
 * quicker, and so many of their objects are alive when memory is cleaned up that V8 begins to keep them all for long.
 */
const BLOCK = 4096;

/** Characters of an element without the long lists in it: a statement with its balances and totals has some thousand. */
const LONGEST_SKELETON = 1024 * 1024;

/** An element of a long list. */
export interface Piece {
  readonly element: Element;
  /** In the text. */
  readonly offset: number;
}

const LONG: ReadonlySet<string> = new Set(LONG_LISTS);

export class Pieces {
  readonly #text: string;
  readonly #outline: Outline;
  readonly #parse: Parse;
  readonly #block: number;

  /** @param block characters that are parsed at a time; what is read is the same whatever it is */
  constructor(text: string, outline: Outline, parse: Parse, block = BLOCK) {
    this.#text = text;
    this.#outline = outline;
    this.#parse = parse;
    this.#block = block;
  }

  /** The whole text as a skeleton. */
  root(): ElementObject {
    return this.#parse(this.#skeleton(0, this.#text.length, 0, this.#outline.length));
  }

  /** The elements of a list as skeletons. @param references that stand for it */
  *skeletons(references: readonly Element[]): Generator<Piece> {
    for (const [first, count] of references.map(numbersOf)) {
      for (let left = count, number = first; left > 0; left--, number = this.#outline.after(number)) {
        yield { element: this.#skeletonOf(number), offset: this.#outline.start(number) };
      }
    }
  }

  /** The elements of a list with all that they hold. @param references that stand for it */
  *wholes(references: readonly Element[]): Generator<Piece> {
    for (const [first, count] of references.map(numbersOf)) {
      for (let left = count, number = first; left > 0; ) {
        const block = this.#blockFrom(number, left);
        yield* this.#parsed(block);
        left -= block.length;
        number = this.#outline.after(block.at(-1)!);
      }
    }
  }

  /** A skeleton with everything that was left out of it. */
  filled(element: Element): Element {
    if (typeof element === 'string') return element;
    const children = Object.entries(element).map(([name, child]) => [name, this.#filledChild(name, child)]);
    return Object.fromEntries(children);
  }

  #filledChild(name: string, child: Element | readonly Element[]): Element | readonly Element[] {
    if (name === TEXT || name.startsWith(ATTRIBUTE)) return child;
    const list = child as readonly Element[];
    if (LONG.has(name)) return [...this.wholes(list)].map(({ element }) => element);
    return Array.isArray(child) ? list.map((one) => this.filled(one)) : this.filled(child as Element);
  }

  /** Numbers of the next elements of a list that are parsed together: at least one. */
  #blockFrom(first: number, most: number): readonly number[] {
    const { length } = this.#outline;
    const numbers = [first];
    const longest = this.#outline.start(first) + this.#block;
    for (let next = this.#outline.after(first); next < length; next = this.#outline.after(next)) {
      if (numbers.length === most || this.#outline.end(next) > longest) break;
      numbers.push(next);
    }
    return numbers;
  }

  *#parsed(numbers: readonly number[]): Generator<Piece> {
    const first = numbers[0]!;
    const start = this.#outline.start(first);
    const end = this.#outline.end(numbers.at(-1)!);
    if (end - start > this.#block) {
      yield { element: this.filled(this.#skeletonOf(first)), offset: start };
      return;
    }
    const elements = this.#list(this.#text.slice(start, end), numbers.length);
    for (const [index, element] of elements.entries()) {
      yield { element, offset: this.#outline.start(numbers[index]!) };
    }
  }

  #skeletonOf(number: number): Element {
    const { start, end, after } = this.#at(number);
    return this.#list(this.#skeleton(start, end, number + 1, after), 1)[0]!;
  }

  #at(number: number): { readonly start: number; readonly end: number; readonly after: number } {
    const outline = this.#outline;
    return { start: outline.start(number), end: outline.end(number), after: outline.after(number) };
  }

  /** The elements of one name that a text is. */
  #list(text: string, count: number): readonly Element[] {
    const lists = Object.values(this.#parse(text));
    const [list] = lists as readonly (readonly Element[])[];
    // The parser has seen other elements than the guard: no line of a statement may be lost that way.
    if (lists.length !== 1 || list!.length !== count)
      throw new Error(`${count} elements were parsed as others`);
    return list!;
  }

  /**
   * @param from where the text begins
   * @param to where it ends
   * @param first number of the first element that is left out
   * @param after number of the first behind the text
   */
  #skeleton(from: number, to: number, first: number, after: number): string {
    let text = '';
    let at = from;
    for (let number = first; number < after; ) {
      const { name, count, end, next } = this.#runFrom(number, after);
      text += `${this.#text.slice(at, this.#outline.start(number))}<${name}>${number} ${count}</${name}>`;
      if (text.length > LONGEST_SKELETON) break;
      at = end;
      number = next;
    }
    text += this.#text.slice(at, to);
    if (text.length <= LONGEST_SKELETON) return text;
    const fault = `An element in it has more than ${LONGEST_SKELETON} characters beside its entries or payments.`;
    throw refusedAt(this.#text, from, hostile(fault));
  }

  /** Elements of one name that follow on each other, with nothing but blanks between: they have one parent. */
  #runFrom(
    first: number,
    after: number,
  ): { readonly name: string; readonly count: number; readonly end: number; readonly next: number } {
    const name = this.#nameOf(first);
    let count = 1;
    let end = this.#outline.end(first);
    let next = this.#outline.after(first);
    while (next < after && this.#isBlank(end, this.#outline.start(next)) && this.#nameOf(next) === name) {
      count++;
      end = this.#outline.end(next);
      next = this.#outline.after(next);
    }
    return { name, count, end, next };
  }

  #isBlank(from: number, to: number): boolean {
    return from === to || this.#text.slice(from, to).trim() === '';
  }

  #nameOf(number: number): string {
    return nameAt(this.#text, this.#outline.start(number));
  }
}

/** Name of the element that begins here. */
function nameAt(text: string, start: number): string {
  NAME_END.lastIndex = start;
  return text.slice(start + 1, NAME_END.exec(text)!.index);
}

const NAME_END = /[ \t\r\n/>]/g;

/** The first element of the outline that a reference stands for, and how many. */
function numbersOf(reference: Element): readonly [first: number, count: number] {
  const [first, count] = (reference as string).split(' ').map(Number);
  return [first!, count!];
}
