/** Chance that can be repeated: the same seed gives the same numbers on every machine (sfc32, public domain). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param seed any safe integer */
  constructor(seed: number) {
    this.#a = Math.floor(seed / 2 ** 32) | 0;
    this.#b = seed | 0;
    this.#c = 0x9e3779b9;
    // Near seeds begin alike; a dozen rounds later nothing of that is left.
    for (let round = 0; round < 12; round += 1) this.#next();
  }

  /** An integer from 0 to `limit` − 1, where `limit` is at most 2^32. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit);
  }

  /** An integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** So many random digits and capitals. */
  base36(length: number): string {
    let text = '';
    // Thirty-two bits are worth six characters.
    while (text.length < length) text += this.#next().toString(36).padStart(6, '0').slice(-6);
    return text.slice(0, length).toUpperCase();
  }

  /** Thirty-two random bits. */
  #next(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }
}
