/**
 * A backup: one consistent copy of the database while everything runs, the kept copies of the files that it knows, and
 * the configuration. Keys are never among them. Contract, "backup DIR".
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOf } from '../../files/hash.ts';
import { appendAct, auditHead } from '../../ledger/audit.ts';
import { checkCopy, copyInto } from '../../ledger/copy.ts';
import { Database } from '../../ledger/database.ts';
import { listBatches } from '../../ledger/journal.ts';
import { SCHEMA_VERSION } from '../../ledger/migrate.ts';
import { lastSequence } from '../../ledger/transactions.ts';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchContext } from '../context.ts';
import { KEPT_INPUT } from '../folders.ts';
import { keptPath } from '../kept-file.ts';
import { makeFolder } from '../make-folder.ts';
import type { Refusal } from '../refusal.ts';
import { syncFolder } from '../take.ts';
import { copySynced } from './copy-file.ts';
import { type BackedUpFile, DATABASE, MANIFEST, type Manifest } from './manifest.ts';

type Backing = Pick<BatchContext, 'folders' | 'database' | 'environment' | 'version' | 'clock' | 'actor'>;

/**
 * Makes a backup in a folder that is empty or not there. It counts only once its manifest is written; when anything
 * fails before, nothing is left.
 * @param settings names of files in the data directory that belong to it, where there are such
 */
export async function backUp(
  context: Backing,
  folder: string,
  settings: readonly string[],
): Promise<Manifest | Refusal> {
  const refusal = await refusalOf(folder);
  if (refusal !== undefined) return { refusal };
  await makeFolder(dirname(folder));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const manifest = await made(context, folder, settings);
  await remember(context, folder, manifest);
  return manifest;
}

async function made(context: Backing, folder: string, settings: readonly string[]): Promise<Manifest> {
  try {
    const manifest = await fill(context, folder, settings);
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
    await writeWhole(join(folder, MANIFEST), (sink) => sink.write(text));
    await syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    // Why it failed matters more; what is left is no backup.
    await emptyAgain(folder).catch(() => undefined);
    throw error;
  }
}

async function refusalOf(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  const names = await readdir(folder);
  if (names.length === 0) return undefined;
  if (names.includes(MANIFEST)) return `${folder} has a backup already`;
  return names.includes(`${DATABASE}.unfinished`)
    ? `${folder} has a backup that was never finished; remove it first`
    : `${folder} is not empty`;
}

async function fill(
  { database, folders, environment, version, clock }: Backing,
  folder: string,
  settings: readonly string[],
): Promise<Manifest> {
  const made_at = new Date(clock()).toISOString();
  const copied = await copyDatabase(database, join(folder, DATABASE));
  const files: BackedUpFile[] = [copied];
  for (const name of settings) {
    const path = join(folders.root, name);
    if (existsSync(path)) files.push({ path: name, ...(await copySynced(path, join(folder, name))) });
  }
  const known = await whatItKnows(join(folder, DATABASE));
  const missing: string[] = [];
  for (const id of known.batches) {
    const path = keptPath(folders, { id });
    const name = `work/${id}/${KEPT_INPUT}`;
    if (existsSync(path)) files.push({ path: name, ...(await copySynced(path, join(folder, name))) });
    else missing.push(name);
  }
  return {
    schema_version: 1,
    program_version: version,
    version: SCHEMA_VERSION,
    environment,
    made_at,
    ledger_sequence: known.sequence,
    audit_head: known.head,
    batches: known.batches.length,
    missing,
    files,
  };
}

/** The copy has its name when it is on the disk, and was read from end to end. */
async function copyDatabase({ reads }: Database, path: string): Promise<BackedUpFile> {
  const unfinished = `${path}.unfinished`;
  await copyInto(reads, unfinished);
  await checkCopy(unfinished);
  const file = await open(unfinished, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return { path: DATABASE, bytes: (await file.stat()).size, sha256: await hashOf(path) };
  } finally {
    await file.close();
  }
}

/** Read from the copy, and not from the ledger, which is further by now. */
async function whatItKnows(path: string): Promise<{
  readonly sequence: number;
  readonly head: string;
  readonly batches: readonly string[];
}> {
  const copy = await Database.openSnapshot(path);
  try {
    const batches = await listBatches(copy.reads);
    return {
      sequence: await lastSequence(copy.reads),
      head: await auditHead(copy.reads),
      // A file that was rejected on arrival has no kept copy.
      batches: batches
        .filter(({ status, revision }) => status !== 'rejected' || revision > 0)
        .map(({ id }) => id),
    };
  } finally {
    await copy.close();
  }
}

function remember(
  { database, clock, actor }: Backing,
  folder: string,
  { ledger_sequence, audit_head, batches }: Manifest,
): Promise<void> {
  return database.write((statements) =>
    appendAct(statements, {
      at: clock(),
      who: actor,
      act: 'ledger.backup',
      subject: folder,
      detail: JSON.stringify({ ledger_sequence, audit_head, batches }),
    }),
  );
}

async function emptyAgain(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}
