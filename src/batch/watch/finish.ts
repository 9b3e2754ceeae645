/** A claimed file that is over: to done/ with its proof, or out of the way when it was rejected. */
import { existsSync } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type ClaimedFile, endClaim, OK, renameIfThere } from '../../files/inbox/claim.ts';
import { codeOf } from '../../files/inbox/scan.ts';
import { findBatch, findRevision } from '../../ledger/journal.ts';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchDocument } from '../../report/document.ts';
import { optionsSchema, type Proof } from '../backup/proof.ts';
import type { BatchContext } from '../context.ts';
import { makeFolder } from '../make-folder.ts';
import { keptName } from '../reject.ts';
import { unpackRevision } from '../stored-document.ts';
import { overwrite, syncFolder } from '../take.ts';

/**
 * Moves the file to done/ together with `OK`, in one rename: either both are there or neither. A file that was done
 * before joins what is there already. Faults F46, F56.
 */
export async function finishDone(
  context: BatchContext,
  claimed: ClaimedFile,
  document: BatchDocument,
): Promise<void> {
  const folder = context.folders.doneOf(dayOf(context), document.batch);
  const file = await apartFromProof(claimed);
  if (!existsSync(folder)) {
    await writeProof(context, file, document);
    await makeLasting(dirname(folder));
    if (await renameUnlessThere(file.folder, folder)) return syncFolder(dirname(folder));
  }
  await rename(file.path, join(folder, freeName(file)));
  await syncFolder(folder);
  await endClaim(file);
}

/** A file that is called like its proof gets the name that it would have beside another one. */
async function apartFromProof(claimed: ClaimedFile): Promise<ClaimedFile> {
  if (claimed.name !== OK) return claimed;
  const name = freeName(claimed);
  await rename(claimed.path, join(claimed.folder, name));
  return { ...claimed, name, path: join(claimed.folder, name) };
}

/** False when another watcher has put the same file there meanwhile. */
async function renameUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false;
    throw error;
  }
}

/** Makes a folder whose name is on the disk before anything is put into it. */
async function makeLasting(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(folder);
  await syncFolder(dirname(folder));
}

/** What the ledger has promised, and how the file was read: with it the same can be executed once more. */
async function writeProof(
  { database }: BatchContext,
  { folder, name }: ClaimedFile,
  { batch, sha256, status, revision, gateway, operation, reports }: BatchDocument,
): Promise<void> {
  const record = (await findBatch(database.reads, batch))!;
  const stored = await findRevision(database.reads, record.number, revision);
  const { hashes, evidence } = unpackRevision(stored!.document!);
  const named = Object.entries(reports).flatMap(([kind, path]) =>
    path === null ? [] : [[kind, { name: basename(path), sha256: hashes[kind as keyof typeof hashes] }]],
  );
  const { ledger_sequence, audit_head, submitted_by, submitted_from, started_at, finished_at } = evidence;
  const proof: Proof = {
    batch,
    file: name,
    sha256,
    status,
    revision,
    gateway,
    operation,
    options: optionsSchema.parse(evidence.options),
    submitted_by,
    submitted_from,
    reports: Object.fromEntries(named),
    audit_head,
    ledger_sequence_from: ledger_sequence.from,
    ledger_sequence: ledger_sequence.to,
    started_at,
    finished_at,
  };
  await writeWhole(join(folder, OK), (sink) => sink.write(`${JSON.stringify(proof, undefined, 2)}\n`));
}

/**
 * Moves a rejected file to rejected/, where a copy of what was read of it may lie already; one with card data is
 * overwritten and kept nowhere.
 */
export async function finishRejected(
  context: BatchContext,
  claimed: ClaimedFile,
  { batch, errors }: BatchDocument,
): Promise<void> {
  const { path, name } = claimed;
  if (errors.some(({ code }) => code === 'B0012')) {
    if ((await lstat(path).catch(() => undefined))?.isFile() === true) await overwrite(path);
  } else {
    const folder = context.folders.rejectedOf(dayOf(context), batch);
    await makeFolder(folder);
    await renameIfThere(path, join(folder, keptName(name)));
    await syncFolder(folder);
  }
  await endClaim(claimed);
}

/** The claim's own name tells it from every other file. */
function freeName({ name, claim }: ClaimedFile): string {
  const extension = extname(name);
  return `${basename(name, extension)}.${claim}${extension}`;
}

function dayOf({ clock }: BatchContext): string {
  return new Date(clock()).toISOString().slice(0, 10);
}
