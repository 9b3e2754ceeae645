/** What one check has found. */

/** How many differences a finding names one by one. */
const MOST_NAMED = 10;

export class Finding {
  readonly name: string;
  /** What was expected, as a sentence. */
  readonly expected: string;
  /** How many things were looked at. */
  checked = 0;
  readonly #named: string[] = [];
  #differences = 0;

  constructor(name: string, expected: string) {
    this.name = name;
    this.expected = expected;
  }

  /** Something is not as expected. */
  differs(what: string): void {
    this.#differences += 1;
    if (this.#named.length < MOST_NAMED) this.#named.push(what);
  }

  get ok(): boolean {
    return this.#differences === 0;
  }

  /** The first differences, in words. */
  get named(): readonly string[] {
    return this.#named;
  }

  /** How many differences there are beyond those named. */
  get more(): number {
    return this.#differences - this.#named.length;
  }
}
