/**
 * The files that a watcher has claimed. It holds a lock for as long as its process lives; what a watcher without a
 * living process has left behind is taken over by the next. Faults F46, F47, F49.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClaimedFile, claimedIn, claimFile, giveBack } from '../../files/inbox/claim.ts';
import { Ownership } from '../../ledger/owner.ts';
import type { Folders } from '../folders.ts';

const WATCHER = /^watcher-[0-9a-f]{16}$/;

/** Digits of a claim's number: claims sort in their order. */
const DIGITS = 6;

/** Where watchers' folders lie under processing/: at the top and in accounts' folders. */
const DEPTHS: readonly number[] = [0, 2];

export class Claims {
  readonly #folders: Folders;
  readonly #watcher: string;
  readonly #lock: Ownership;
  #made = 0;

  private constructor(folders: Folders, watcher: string, lock: Ownership) {
    this.#folders = folders;
    this.#watcher = watcher;
    this.#lock = lock;
  }

  static async open(folders: Folders): Promise<Claims> {
    await mkdir(folders.watchers, { recursive: true });
    for (;;) {
      const watcher = `watcher-${randomBytes(8).toString('hex')}`;
      const lock = await Ownership.take(lockOf(folders, watcher));
      // Whoever clears up removes a lock only while holding it: one that is still there now stays.
      if (lock !== undefined && existsSync(lockOf(folders, watcher)))
        return new Claims(folders, watcher, lock);
      await lock?.release();
    }
  }

  /** Claims a file of the inbox; undefined when somebody else was quicker. */
  claim(file: {
    readonly name: string;
    readonly place: readonly string[];
  }): Promise<ClaimedFile | undefined> {
    this.#made += 1;
    const claim = `${String(this.#made).padStart(DIGITS, '0')}-${this.#watcher.slice('watcher-'.length)}`;
    return claimFile(this.#folders.inbox, this.#own(file.place), claim, file);
  }

  /** Everything that watchers have left behind whose processes are gone, in the order of their claims. */
  async takeOver(): Promise<readonly ClaimedFile[]> {
    const taken: ClaimedFile[] = [];
    const working = await watchersIn(this.#folders.processing);
    const locked = (await readdir(this.#folders.watchers)).map((name) =>
      name.replace(/\.db(-journal)?$/, ''),
    );
    for (const watcher of new Set([...working.map((one) => one.watcher), ...locked])) {
      if (watcher === this.#watcher || !WATCHER.test(watcher)) continue;
      const path = lockOf(this.#folders, watcher);
      if (await Ownership.isTaken(path)) continue;
      const lock = await Ownership.take(path);
      if (lock === undefined) continue;
      try {
        for (const one of working) {
          if (one.watcher === watcher) taken.push(...(await this.#inherit(watcher, one.place)));
        }
        await rm(path);
      } finally {
        await lock.release();
      }
    }
    return taken.sort((a, b) => (a.claim < b.claim ? -1 : 1));
  }

  async #inherit(watcher: string, place: readonly string[]): Promise<readonly ClaimedFile[]> {
    const folder = join(this.#folders.processing, ...place, watcher);
    const inherited: ClaimedFile[] = [];
    // Another watcher may have taken it over and be gone again since it was seen.
    const claims = await readdir(folder).catch(() => []);
    for (const claim of claims.sort()) {
      if ((await claimedIn(folder, claim, place)) === undefined) {
        await giveBack(this.#folders.inbox, join(folder, claim), place);
        continue;
      }
      await mkdir(this.#own(place), { recursive: true });
      await rename(join(folder, claim), join(this.#own(place), claim));
      inherited.push((await claimedIn(this.#own(place), claim, place))!);
    }
    await rmdir(folder).catch(() => undefined);
    return inherited;
  }

  /** Gives up the lock, and the folders that are empty; what is still claimed is for the next watcher. */
  async close(): Promise<void> {
    for (const { watcher, place } of await watchersIn(this.#folders.processing)) {
      if (watcher === this.#watcher) await rmdir(this.#own(place)).catch(() => undefined);
    }
    await rm(lockOf(this.#folders, this.#watcher), { force: true });
    await this.#lock.release();
  }

  #own(place: readonly string[]): string {
    return join(this.#folders.processing, ...place, this.#watcher);
  }
}

function lockOf(folders: Folders, watcher: string): string {
  return join(folders.watchers, `${watcher}.db`);
}

async function watchersIn(
  processing: string,
  place: readonly string[] = [],
): Promise<readonly { readonly watcher: string; readonly place: readonly string[] }[]> {
  const folder = join(processing, ...place);
  if (!existsSync(folder)) return [];
  const found: { watcher: string; place: readonly string[] }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    if (WATCHER.test(entry.name) && DEPTHS.includes(place.length)) found.push({ watcher: entry.name, place });
    else if (place.length < 2) found.push(...(await watchersIn(processing, [...place, entry.name])));
  }
  return found;
}
