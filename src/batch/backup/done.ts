/** Batches that lie in done/, by the names of their folders alone: `done/[merchant/account/]<date>/<batch>/`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OK } from '../../files/inbox/claim.ts';
import type { Folders } from '../folders.ts';
import { BATCH_ID } from '../identity-of-file.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export interface DoneBatch {
  readonly id: string;
  /** Folders between done/ and the date. */
  readonly place: readonly string[];
  readonly folder: string;
  readonly ok: string;
}

/**
 * Everything that is done, or only what was done last.
 * @param isEnough asked after each day of a place, the newest first: whether those before it do not count
 */
export async function doneBatches(
  folders: Folders,
  isEnough: (date: string, batches: readonly DoneBatch[]) => Promise<boolean> = async () => false,
): Promise<DoneBatch[]> {
  const found: DoneBatch[] = [];
  for (const place of await placesIn(folders)) {
    const root = folders.at(place).done;
    const dates = (await namesIn(root)).filter((name) => DATE.test(name)).sort();
    for (const date of dates.reverse()) {
      const batches = await batchesIn(join(root, date), place);
      found.push(...batches);
      if (await isEnough(date, batches)) break;
    }
  }
  return found;
}

async function batchesIn(day: string, place: readonly string[]): Promise<readonly DoneBatch[]> {
  const ids = (await namesIn(day)).filter((name) => BATCH_ID.test(name));
  return ids.map((id) => {
    const folder = join(day, id);
    return { id, place, folder, ok: join(folder, OK) };
  });
}

/** The top, and the folders of accounts. */
export async function placesIn(folders: Folders): Promise<readonly (readonly string[])[]> {
  const top = folders.at([]).done;
  const places: (readonly string[])[] = [[]];
  for (const merchant of await namesIn(top)) {
    if (DATE.test(merchant)) continue;
    for (const account of await namesIn(join(top, merchant))) places.push([merchant, account]);
  }
  return places;
}

/** Names of the folders in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
