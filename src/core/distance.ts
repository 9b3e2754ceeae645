/** Misspelt names: how far two words are apart, and which known one was meant. */

/** A name is misspelt when so many slips of the pen make it a known one, … */
const MOST_SLIPS = 2;
/** … which must be at least so long: shorter ones resemble too much. */
const SHORTEST = 5;

/**
 * Damerau-Levenshtein distance (in its optimal string alignment form): how many letters must be inserted, left out,
 * replaced, or exchanged with their neighbour to make one word of the other.
 * @param most when the distance is larger than this, any larger number may be returned
 */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = previous[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const steps = Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced);
      current.push(exchanged ? Math.min(steps, before[j - 2]! + 1) : steps);
    }
    [before, previous] = [previous, current];
  }
  return previous[other.length]!;
}

/** The known name that a misspelt one stands for; undefined when there is none or it begins with `_`, which is free for all. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.startsWith('_')) return undefined;
  let best: string | undefined;
  let least = MOST_SLIPS + 1;
  for (const candidate of known) {
    if (candidate.length < SHORTEST) continue;
    const slips = distance(name, candidate, MOST_SLIPS);
    if (slips < least) [best, least] = [candidate, slips];
  }
  return best;
}
