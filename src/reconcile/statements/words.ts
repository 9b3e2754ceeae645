/** Words of a source, and what they mean here. Case and outer spaces do not matter; `*` stands for anything. */

/** Longer than any word that a source uses to say a kind: what is longer is none. */
const LONGEST = 200;

/** So many answers are remembered; a source uses a few dozen words. */
const REMEMBERED = 1000;

export class Words<Meaning> {
  readonly #exact = new Map<string, Meaning>();
  readonly #patterns: (readonly [pattern: RegExp, meaning: Meaning])[] = [];
  readonly #known = new Map<string, Meaning | undefined>();

  /** The first pattern that fits counts, after all words without `*`. */
  constructor(entries: Iterable<readonly [word: string, meaning: Meaning]>) {
    for (const [word, meaning] of entries) {
      const plain = word.trim().toLowerCase();
      if (plain.includes('*')) this.#patterns.push([patternOf(plain), meaning]);
      else this.#exact.set(plain, meaning);
    }
  }

  /** What the cell says; undefined for a word that is not among them. */
  meaning(cell: string): Meaning | undefined {
    if (this.#known.has(cell)) return this.#known.get(cell);
    const found = this.#find(cell.trim().toLowerCase());
    if (this.#known.size < REMEMBERED) this.#known.set(cell, found);
    return found;
  }

  #find(word: string): Meaning | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined || word.length > LONGEST) return exact;
    return this.#patterns.find(([pattern]) => pattern.test(word))?.[1];
  }
}

/** A set of words: `meaning` is true for those in it. */
export function wordSet(words: readonly string[]): Words<true> {
  return new Words(words.map((word) => [word, true] as const));
}

function patternOf(word: string): RegExp {
  const literal = word.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}
