/**
 * Where in a text the elements stand of which a document may have very many: nothing but numbers, so that half a million
 * of them take less room than the text. With it each can be parsed apart from all others.
 */

/** Elements that are long lists, in one of the messages that are read here. */
export const LONG_LISTS = [
  'Stmt',
  'Ntfctn',
  'Ntry',
  'NtryDtls',
  'TxDtls',
  'PmtInf',
  'CdtTrfTxInf',
  'OrgnlPmtInfAndSts',
  'TxInfAndSts',
] as const;

export type LongList = (typeof LONG_LISTS)[number];

/** Of an element: its first character, the one behind its last, and the number of the next that is not inside it. */
const NUMBERS = 3;

/** Elements are numbered from 0 as they begin. */
export class Outline {
  #numbers = new Int32Array(NUMBERS * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @returns the number of the element, by which it is closed */
  open(start: number): number {
    const number = this.#length++;
    const at = number * NUMBERS;
    if (at === this.#numbers.length) {
      const longer = new Int32Array(this.#numbers.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[at] = start;
    return number;
  }

  close(number: number, end: number): void {
    this.#numbers[number * NUMBERS + 1] = end;
    this.#numbers[number * NUMBERS + 2] = this.#length;
  }

  start(number: number): number {
    return this.#numbers[number * NUMBERS]!;
  }

  end(number: number): number {
    return this.#numbers[number * NUMBERS + 1]!;
  }

  /** The next element that is not inside this one. */
  after(number: number): number {
    return this.#numbers[number * NUMBERS + 2]!;
  }
}
