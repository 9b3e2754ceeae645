/**
 * The files that a watcher has claimed. It holds a lock for as long as its process lives; what a watcher without a
 * living process has left behind is taken over by the next. Faults F46, F47, F49.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beginningOf, type ClaimedFile, claimFile, resumeClaim } from '../../files/inbox/claim.ts';
import { codeOf, type Left } from '../../files/inbox/scan.ts';
import { Ownership } from '../../ledger/owner.ts';
import type { Folders } from '../folders.ts';
import { makeFolder } from '../make-folder.ts';

const WATCHER = /^watcher-[0-9a-f]{16}$/;

/** Digits of a claim's number: claims sort in their order. */
const DIGITS = 6;

/** Where watchers' folders lie under processing/: at the top and in accounts' folders. */
const DEPTHS: readonly number[] = [0, 2];

export interface TakenOver {
  /** In the order in which they were claimed. */
  readonly files: readonly ClaimedFile[];
  /** What could not be taken over; it is tried again. */
  readonly left: readonly Left[];
}

/** A watcher's folder under processing/. */
interface Working {
  readonly watcher: string;
  readonly place: readonly string[];
}

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
    await makeFolder(folders.watchers);
    for (;;) {
      const watcher = `watcher-${randomBytes(8).toString('hex')}`;
      const lock = await lockFor(folders, watcher);
      if (lock !== undefined) return new Claims(folders, watcher, lock);
    }
  }

  /** Claims a file of the inbox; undefined when somebody else was quicker. */
  async claim(file: {
    readonly name: string;
    readonly place: readonly string[];
  }): Promise<ClaimedFile | undefined> {
    this.#made += 1;
    const claim = `${String(this.#made).padStart(DIGITS, '0')}-${this.#watcher.slice('watcher-'.length)}`;
    const own = this.#own(file.place);
    await makeFolder(beginningOf(own, claim));
    return claimFile(this.#folders.inbox, own, claim, file);
  }

  /** Everything that watchers have left behind whose processes are gone. */
  async takeOver(): Promise<TakenOver> {
    const files: ClaimedFile[] = [];
    const left: Left[] = [];
    const working = await watchersIn(this.#folders.processing);
    for (const watcher of new Set([...working.map((one) => one.watcher), ...(await this.#locked())])) {
      if (watcher === this.#watcher || !WATCHER.test(watcher)) continue;
      const theirs = working.filter((one) => one.watcher === watcher);
      try {
        await this.#takeOverFrom(watcher, theirs, files);
      } catch (error) {
        const path = join(this.#folders.processing, ...(theirs[0]?.place ?? []), watcher);
        left.push({ is: 'unreadable', path, why: codeOf(error) });
      }
    }
    return { files: files.sort((a, b) => (a.claim < b.claim ? -1 : 1)), left };
  }

  /** Names of watchers that have, or had, a lock. */
  async #locked(): Promise<readonly string[]> {
    return (await readdir(this.#folders.watchers)).map((name) => name.replace(/\.db(-journal)?$/, ''));
  }

  /** @param files takes each as soon as it is ours, so that none is lost when the next one fails */
  async #takeOverFrom(watcher: string, theirs: readonly Working[], files: ClaimedFile[]): Promise<void> {
    if (await Ownership.isTaken(lockOf(this.#folders, watcher))) return;
    const lock = await lockFor(this.#folders, watcher);
    if (lock === undefined) return;
    try {
      for (const { place } of theirs) await this.#inherit(watcher, place, files);
      await rm(lockOf(this.#folders, watcher), { force: true });
    } finally {
      await lock.release();
    }
  }

  async #inherit(watcher: string, place: readonly string[], files: ClaimedFile[]): Promise<void> {
    const { inbox, processing } = this.#folders;
    const folder = join(processing, ...place, watcher);
    // Another watcher may have taken it over and be gone again since it was seen.
    for (const entry of (await readdir(folder).catch(() => [])).sort()) {
      const found = await resumeClaim(inbox, folder, entry, place);
      if (found === undefined) continue;
      await makeFolder(this.#own(place));
      const own = join(this.#own(place), found.claim);
      await rename(found.folder, own);
      files.push({ ...found, folder: own, path: join(own, found.name) });
    }
    await rmdir(folder).catch(() => undefined);
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

/** A watcher's lock; undefined while somebody else has it, or when its file went away meanwhile. */
async function lockFor(folders: Folders, watcher: string): Promise<Ownership | undefined> {
  const lock = await Ownership.take(lockOf(folders, watcher));
  // Whoever clears up removes a lock only while holding it: one that is still there now stays.
  if (lock === undefined || existsSync(lockOf(folders, watcher))) return lock;
  await lock.release();
  return undefined;
}

async function watchersIn(processing: string, place: readonly string[] = []): Promise<readonly Working[]> {
  const folder = join(processing, ...place);
  if (!existsSync(folder)) return [];
  const found: Working[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    if (WATCHER.test(entry.name) && DEPTHS.includes(place.length)) found.push({ watcher: entry.name, place });
    else if (place.length < 2 && !WATCHER.test(entry.name))
      found.push(...(await watchersIn(processing, [...place, entry.name])));
  }
  return found;
}
