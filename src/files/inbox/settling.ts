/**
 * When a file in an inbox is complete. Nobody tells: size, time and inode must have been the same for a while, and the
 * file must end in a line end; without one it waits longer. Pure: looks and moments of a clock that never jumps go in.
 * Contract, "Folders"; F1, F2.
 */

/** What a look at a file shows. */
export interface Look {
  readonly size: number;
  readonly modified: number;
  readonly inode: number;
}

export type Readiness = 'changing' | 'settled' | 'settled long ago';

/** A file without a final line end waits for so many more periods. */
const MORE_PERIODS = 5;

/** An empty file waits this long, unless the period is longer: somebody may be about to write it. */
const EMPTY_MS = 60_000;

export class Settling {
  readonly #period: number;
  readonly #seen = new Map<string, { readonly look: Look; readonly since: number }>();

  /** @param period milliseconds without a change after which a file is settled */
  constructor(period: number) {
    this.#period = period;
  }

  /**
   * Takes in one look at a file.
   * @param now milliseconds of a monotonic clock
   */
  observe(path: string, look: Look, now: number): Readiness {
    const before = this.#seen.get(path);
    const isSame =
      before !== undefined &&
      before.look.size === look.size &&
      before.look.modified === look.modified &&
      before.look.inode === look.inode;
    const since = isSame ? before.since : now;
    if (!isSame) this.#seen.set(path, { look, since });
    const quiet = now - since;
    const period = look.size === 0 ? Math.max(EMPTY_MS, this.#period) : this.#period;
    if (quiet < period) return 'changing';
    return look.size === 0 || quiet >= period * (1 + MORE_PERIODS) ? 'settled long ago' : 'settled';
  }

  /** Forgets files that are no longer there. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
  }
}
