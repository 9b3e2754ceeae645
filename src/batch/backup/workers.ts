/** Who works on a data directory now, in words. Their locks end with their processes. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInUse } from '../../ledger/in-use.ts';
import { Ownership } from '../../ledger/owner.ts';
import type { Folders } from '../folders.ts';
import { namesIn } from './done.ts';

/** The lock in the folder of a batch, or of a copy that no batch has yet. */
const LOCK = 'owner.db';

/** Everybody who would go on writing to a database that is put out of the way. */
export async function workersOn(folders: Folders): Promise<readonly string[]> {
  const working: string[] = [];
  for (const name of await namesIn(folders.work)) {
    if (name !== 'watchers' && (await Ownership.isTaken(join(folders.work, name, LOCK))))
      working.push(`a run executes ${name}`);
  }
  for (const name of existsSync(folders.watchers) ? await readdir(folders.watchers) : []) {
    if (name.endsWith('.db') && (await Ownership.isTaken(join(folders.watchers, name))))
      working.push('a watcher takes files');
  }
  if (working.length === 0 && (await isInUse(folders.database)))
    working.push('a process has the database open');
  return working;
}
