/** A claimed file that is over: to done/ with its proof, or out of the way when it was rejected. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, rename } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type ClaimedFile, endClaim, OK } from '../../files/inbox/claim.ts';
import { findBatch, findRevision } from '../../ledger/journal.ts';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchDocument } from '../../report/document.ts';
import type { BatchContext } from '../context.ts';
import { keptName } from '../reject.ts';
import { unpackRevision } from '../stored-document.ts';
import { overwrite, syncFolder } from '../take.ts';

/**
 * Moves the file to done/ together with `OK`, in one rename: either both are there or neither. A file that was done
 * before joins what is there already.
 */
export async function finishDone(
  context: BatchContext,
  claimed: ClaimedFile,
  document: BatchDocument,
): Promise<void> {
  const folder = context.folders.doneOf(dayOf(context), document.batch);
  if (existsSync(folder)) {
    await rename(claimed.path, join(folder, freeName(claimed)));
    await syncFolder(folder);
    await endClaim(claimed);
    return;
  }
  await writeProof(context, claimed, document);
  await mkdir(dirname(folder), { recursive: true });
  await rename(claimed.folder, folder);
  await syncFolder(dirname(folder));
}

/** SHA-256 of file and reports, head of the audit chain, ledger sequence: what the ledger has promised. */
async function writeProof(
  { database }: BatchContext,
  { folder, name }: ClaimedFile,
  { batch, sha256, revision, reports }: BatchDocument,
): Promise<void> {
  const record = (await findBatch(database.reads, batch))!;
  const stored = await findRevision(database.reads, record.number, revision);
  const { hashes, evidence } = unpackRevision(stored!.document!);
  const named = Object.entries(reports).flatMap(([kind, path]) =>
    path === null ? [] : [[kind, { name: basename(path), sha256: hashes[kind as keyof typeof hashes] }]],
  );
  const proof = {
    batch,
    file: name,
    sha256,
    revision,
    reports: Object.fromEntries(named),
    audit_head: evidence.audit_head,
    ledger_sequence: evidence.ledger_sequence.to,
    finished_at: evidence.finished_at,
  };
  await writeWhole(join(folder, OK), (sink) => sink.write(`${JSON.stringify(proof, undefined, 2)}\n`));
}

/** Removes a rejected file once rejected/ has it; one with card data is overwritten and kept nowhere. */
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
    const kept = join(folder, keptName(name));
    await mkdir(folder, { recursive: true });
    if (!existsSync(kept) && existsSync(claimed.folder)) await rename(path, kept);
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
