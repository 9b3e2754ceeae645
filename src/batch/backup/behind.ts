/**
 * Whether the ledger is behind what it has promised: an older copy of it lies under a newer done/. Executing anything on
 * it would give identities away twice, so `run`, `watch` and `serve` refuse to start. Faults, F106.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Database } from '../../ledger/database.ts';
import { answeredTo, settledBatches } from '../../ledger/restored.ts';
import { lastSequence } from '../../ledger/transactions.ts';
import type { Folders } from '../folders.ts';
import { type DoneBatch, doneBatches } from './done.ts';
import { readProof } from './proof.ts';

/** A quick look: an older ledger misses what was done last. */
const DAYS = 1;

/**
 * Compares the newest day of done/ with the ledger: names of folders, one `OK` and a query, however many there are.
 * @returns what the ledger does not know, in words
 */
export async function findBehind({
  database,
  folders,
}: {
  readonly database: Database;
  readonly folders: Folders;
}): Promise<string | undefined> {
  const done = await doneBatches(folders, DAYS);
  if (done.length === 0) return undefined;
  const newest = await newestOf(done);
  const promised = newest === undefined ? 0 : ((await readProof(newest.ok))?.ledger_sequence ?? 0);
  // The folders were read first: what is finished meanwhile is in the ledger before it is in done/.
  const unknown = (await unsettled(database.reads, done)).filter(({ ok }) => existsSync(ok));
  if (unknown.length > 0) {
    const [{ id, folder }] = unknown as [DoneBatch];
    const others = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`;
    return `it does not know the end of ${id}${others}, which ${folder} proves`;
  }
  const last = await lastSequence(database.reads);
  if (promised <= last || promised <= (await answeredTo(database.reads))) return undefined;
  return `${newest!.ok} speaks of entry ${promised} of the ledger, its last is ${last}`;
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
