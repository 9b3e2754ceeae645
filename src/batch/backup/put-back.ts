/**
 * Putting a backup in the place of a ledger that is gone, damaged or not wanted any more. What is there is moved aside
 * and never deleted. Ended at any moment, the same call puts the rest in place.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hashOf } from '../../files/hash.ts';
import type { Folders } from '../folders.ts';
import { makeFolder } from '../make-folder.ts';
import { syncFolder } from '../take.ts';
import { copySynced } from './copy-file.ts';
import { type BackedUpFile, DATABASE, type Manifest } from './manifest.ts';

/** What SQLite keeps beside a database that was not closed. */
const BESIDE = ['-wal', '-shm'];

/** Names tell seconds apart. */
const SECOND = 1000;

export interface PutBack {
  /** Where the database lies that was there before; undefined when there was none. */
  readonly kept: string | undefined;
  /** Files of the backup that were missing or damaged here, and are here now. */
  readonly restored: readonly string[];
  /** Settings that are others here than in the backup, and stay as they are. */
  readonly different: readonly string[];
}

/**
 * Puts everything of a backup in its place but the settings that are there.
 * @param folder of a backup that was read from end to end
 * @param now names the folder for what is moved aside, epoch milliseconds
 */
export async function putBack(
  folders: Folders,
  folder: string,
  manifest: Manifest,
  now: number,
): Promise<PutBack> {
  await mkdir(folders.root, { recursive: true, mode: 0o750 });
  const aside = freeAside(folders, now);
  const restored: string[] = [];
  const different: string[] = [];
  for (const file of manifest.files) {
    if (file.path === DATABASE) continue;
    const isCopy = file.path.startsWith('work/');
    const outcome = await putFile(folders, folder, file, isCopy ? aside : undefined);
    if (outcome === 'restored') restored.push(file.path);
    if (outcome === 'different') different.push(file.path);
  }
  const kept = await putDatabase(folders, join(folder, DATABASE), aside);
  return { kept, restored, different };
}

/** What was kept before is never written over. */
function freeAside(folders: Folders, now: number): string {
  let at = now;
  while (existsSync(folders.keptAside(at))) at += SECOND;
  return folders.keptAside(at);
}

/** @param aside where another file of that name goes; without it that file stays */
async function putFile(
  { root }: Folders,
  folder: string,
  { path, sha256 }: BackedUpFile,
  aside: string | undefined,
): Promise<'restored' | 'different' | 'there'> {
  const target = join(root, path);
  if (existsSync(target)) {
    if ((await hashOf(target)) === sha256) return 'there';
    if (aside === undefined) return 'different';
    await moveAside(target, join(aside, path));
  }
  const unfinished = `${target}.restored`;
  await rm(unfinished, { force: true });
  await copySynced(join(folder, path), unfinished);
  await rename(unfinished, target);
  await syncFolder(dirname(target));
  return 'restored';
}

/**
 * The copy is whole beside its place before anything is moved. The database goes first and its log after it: without its
 * log it would look like an older one.
 */
async function putDatabase(
  { root, database }: Folders,
  copy: string,
  aside: string,
): Promise<string | undefined> {
  const unfinished = `${database}.restored`;
  await rm(unfinished, { force: true });
  await copySynced(copy, unfinished);
  const wasThere = existsSync(database);
  const place = wasThere ? aside : ((await asideWithoutLog(root)) ?? aside);
  for (const end of ['', ...BESIDE]) {
    const path = database + end;
    if (existsSync(path)) await moveAside(path, join(place, basename(path)));
  }
  await rename(unfinished, database);
  await syncFolder(root);
  return existsSync(join(place, DATABASE)) ? join(place, DATABASE) : undefined;
}

/** Where a restore that was cut off has put the database whose log is still here. */
async function asideWithoutLog(root: string): Promise<string | undefined> {
  const kept = (await readdir(root)).filter((name) => /^before-restore\.\d{14}$/.test(name)).sort();
  const last = kept.at(-1);
  if (last === undefined) return undefined;
  const has = (end: string) => existsSync(join(root, last, DATABASE + end));
  return has('') && !has('-wal') ? join(root, last) : undefined;
}

async function moveAside(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await rename(from, to);
  await syncFolder(dirname(to));
  await syncFolder(dirname(from));
}

/** Keeps a copy of everything in a folder before it is written again. */
export async function keepCopy(from: string, to: string): Promise<void> {
  await makeFolder(to);
  for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name));
  await syncFolder(to);
}
