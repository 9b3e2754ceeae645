/** Rows in blocks, as one stream that can be looked at before it is taken; the next block is fetched meanwhile. */
export class Cursor<Row> {
  readonly #blocks: AsyncIterator<readonly Row[]>;
  #block: readonly Row[] = [];
  #at = 0;
  #next: Promise<IteratorResult<readonly Row[]>>;

  constructor(blocks: AsyncIterable<readonly Row[]>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
    this.#next = this.#fetch();
  }

  /** The row that is next, of those at hand; undefined when `more` has to be asked. */
  get row(): Row | undefined {
    return this.#block[this.#at];
  }

  take(): void {
    this.#at += 1;
  }

  /** Brings rows to hand where there are none. False when there are no more at all. */
  async more(): Promise<boolean> {
    while (this.#at >= this.#block.length) {
      const { done, value } = await this.#next;
      if (done === true) return false;
      this.#block = value;
      this.#at = 0;
      this.#next = this.#fetch();
    }
    return true;
  }

  #fetch(): Promise<IteratorResult<readonly Row[]>> {
    const next = this.#blocks.next();
    // Whoever takes the block gets the error; if nobody does, it must not end the process.
    next.catch(() => undefined);
    return next;
  }
}

/** In the order of SQLite's texts: by the bytes of UTF-8. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    // Surrogates stand for characters behind all others.
    return rank(one) - rank(other);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
