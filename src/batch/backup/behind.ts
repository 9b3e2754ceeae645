/**
 * Whether the ledger is behind what it has promised: an older copy of it lies under a newer done/. Executing anything on
 * it would give identities away twice, so `run`, `watch` and `serve` refuse to start. Faults, F106.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { EMBEDDED } from '../../core/gateway.ts';
import type { Database } from '../../ledger/database.ts';
import { answeredTo, hasAct, settledBatches } from '../../ledger/restored.ts';
import { lastSequence } from '../../ledger/transactions.ts';
import type { Folders } from '../folders.ts';
import { type DoneBatch, doneBatches } from './done.ts';
import { readProof, readReportedProof } from './proof.ts';
import { firstReport, idsIn } from './reported.ts';

/**
 * A quick look, because an older ledger misses what was done last: the newest day of done/ and the names in reports/ are
 * compared with the ledger, some `OK` are read, however many there are.
 * @returns what the ledger does not know, in words
 */
export async function findBehind({
  database,
  folders,
}: {
  readonly database: Database;
  readonly folders: Folders;
}): Promise<string | undefined> {
  const done = await doneBatches(folders, wasFinishedOn);
  const newest = await newestOf(done);
  const promised = newest === undefined ? 0 : ((await readProof(newest.ok))?.ledger_sequence ?? 0);
  // The folders were read first: what is finished meanwhile is in the ledger before it is in done/.
  const unknown = (await unsettled(database.reads, done)).filter(({ ok }) => existsSync(ok));
  if (unknown.length > 0) {
    const [{ id, folder }] = unknown as [DoneBatch];
    const others = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`;
    return `it does not know the end of ${id}${others}, which ${folder} proves`;
  }
  const reported = await unknownReport(database.reads, folders);
  if (reported !== undefined)
    return `it does not know the end of ${reported.id}, which ${reported.path} proves`;
  const last = await lastSequence(database.reads);
  if (promised <= last || promised <= (await answeredTo(database.reads))) return undefined;
  return `${newest!.ok} speaks of entry ${promised} of the ledger, its last is ${last}`;
}

/** A file that is dropped again joins its old proof under a new day; such a day says nothing of the days before it. */
async function wasFinishedOn(date: string, batches: readonly DoneBatch[]): Promise<boolean> {
  for (const { ok } of batches)
    if ((await readProof(ok))?.finished_at.slice(0, date.length) === date) return true;
  return false;
}

/**
 * What `run` executed has no `OK`. The same file would be executed once more, which moves money twice where a remote
 * gateway has it; a report that another life of this ledger has written tells. One that is being written does not.
 */
async function unknownReport(
  reads: Database['reads'],
  folders: Folders,
): Promise<{ readonly id: string; readonly path: string } | undefined> {
  for (const { id } of await unsettled(reads, await idsIn(folders.reports))) {
    const path = await firstReport(folders.reportsOf(id), id);
    const proof = path === undefined ? undefined : await readReportedProof(path);
    if (path === undefined || proof === undefined || proof.gateway === EMBEDDED) continue;
    if (proof.status !== 'rejected' && !(await hasAct(reads, proof.audit_head))) return { id, path };
  }
  return undefined;
}

/** Those of which the ledger knows no end. */
export async function unsettled<Batch extends { readonly id: string }>(
  reads: Database['reads'],
  batches: readonly Batch[],
): Promise<readonly Batch[]> {
  const settled = await settledBatches(
    reads,
    batches.map(({ id }) => id),
  );
  return batches.filter(({ id }) => !settled.has(id));
}

async function newestOf(done: readonly DoneBatch[]): Promise<DoneBatch | undefined> {
  const timed = await Promise.all(
    done.map(async (batch) => ({ batch, at: (await stat(batch.ok).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  return timed.reduce<(typeof timed)[number] | undefined>(
    (newest, one) => (newest === undefined || one.at > newest.at ? one : newest),
    undefined,
  )?.batch;
}
