/**
 * Deciding what a file is to this ledger: new, being executed by another process, interrupted, or finished before; and
 * becoming its owner. Whoever owns a batch's folder under work/ may write to the batch, and nobody else.
 */
import { join } from 'node:path';
import { type Reason, reason } from '../core/code.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Statements } from '../ledger/database.ts';
import {
  type BatchRecord,
  batchesBySameness,
  findBatch,
  findRevision,
  insertAttempt,
  insertBatch,
  lastFileSequence,
} from '../ledger/journal.ts';
import { Ownership } from '../ledger/owner.ts';
import type { BatchContext } from './context.ts';
import { KEPT_INPUT } from './folders.ts';
import { batchIdOf } from './identity-of-file.ts';
import type { Intake } from './intake.ts';
import { makeFolder } from './make-folder.ts';
import type { Preflight } from './preflight.ts';
import type { Refusal } from './refusal.ts';
import { type StoredRevision, unpackRevision } from './stored-document.ts';
import type { Submission } from './submission.ts';
import { discard, keep, type Taken } from './take.ts';

/** A batch that this process may write to. */
export interface Claimed {
  readonly record: BatchRecord;
  readonly ownership: Ownership;
}

export type Claim =
  | ({ readonly is: 'ours' } & Claimed)
  | { readonly is: 'finished'; readonly record: BatchRecord; readonly stored: StoredRevision }
  | { readonly is: 'elsewhere'; readonly id: string }
  | { readonly is: 'out of sequence'; readonly reason: Reason; readonly taken: Taken };

/** Finds out what the file is, and keeps its copy when it is to be executed. */
export async function claim(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  taken: Taken,
  checked: Preflight,
  sameness: string,
): Promise<Claim> {
  const { database } = context;
  for (;;) {
    const same = await batchesBySameness(database.reads, sameness);
    const last = same.findLast(counts);
    const finished = last === undefined ? undefined : await finishedRevision(database.reads, last);
    if (last !== undefined && finished !== undefined)
      return { is: 'finished', record: last, stored: finished };
    const id = last?.id ?? batchIdOf(sameness, same.length + 1);
    const ownership = await own(context, id);
    if (ownership === undefined) return { is: 'elsewhere', id };
    const found = await whileOwned(context, submission, accounts, taken, checked, sameness, id, same).catch(
      async (error: unknown) => {
        await ownership.release();
        throw error;
      },
    );
    if ('record' in found) return { is: 'ours', ownership, ...found };
    await ownership.release();
    if (found.is !== 'overtaken') return found;
  }
}

/**
 * Begins or goes on with the batch that this process owns now.
 * @param same what was there before it was ours; somebody may have begun or finished it since
 */
async function whileOwned(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  taken: Taken,
  checked: Preflight,
  sameness: string,
  id: string,
  same: readonly BatchRecord[],
): Promise<
  Omit<Claimed, 'ownership'> | Extract<Claim, { is: 'out of sequence' }> | { readonly is: 'overtaken' }
> {
  const { database, folders } = context;
  const again = await batchesBySameness(database.reads, sameness);
  const last = again.findLast(counts);
  if (again.length !== same.length || last?.status !== same.findLast(counts)?.status) {
    return { is: 'overtaken' };
  }
  if (last !== undefined) {
    await discard(taken);
    return { record: last };
  }
  const folder = folders.workOf(id);
  await keep(taken, folder);
  const record = await accept(context, submission, accounts, taken, checked, sameness, id);
  if (!('code' in record)) return { record };
  return {
    is: 'out of sequence',
    reason: record,
    taken: { ...taken, folder, path: join(folder, KEPT_INPUT) },
  };
}

/**
 * Becomes the owner of a batch that is known already; undefined while another process is.
 * @param refused asked once it is ours: why nothing is to be done after all
 */
export async function continueClaim(
  context: BatchContext,
  record: BatchRecord,
  refused: (fresh: BatchRecord) => Refusal | undefined | Promise<Refusal | undefined>,
): Promise<Claimed | Refusal | undefined> {
  const ownership = await own(context, record.id);
  if (ownership === undefined) return undefined;
  try {
    const fresh = (await findBatch(context.database.reads, record.id))!;
    const refusal = await refused(fresh);
    if (refusal === undefined) return { ownership, record: fresh };
    await ownership.release();
    return refusal;
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

/** Rejected and stopped batches do not count: the file is read afresh. */
function counts({ status }: BatchRecord): boolean {
  return status !== 'rejected' && status !== 'stopped';
}

const OVER: ReadonlySet<string> = new Set(['completed', 'unknown', 'stopped']);

/** The newest revision of a batch that needs no more execution, unless a person says so. */
export async function finishedRevision(
  statements: Pick<Statements, 'all'>,
  record: BatchRecord,
): Promise<StoredRevision | undefined> {
  if (!OVER.has(record.status)) return undefined;
  const revision = await findRevision(statements, record.number, record.revision);
  return revision?.document == null ? undefined : unpackRevision(revision.document);
}

/** Becomes the owner of a batch; undefined while another process is. */
export async function own(context: BatchContext, id: string): Promise<Ownership | undefined> {
  const folder = context.folders.workOf(id);
  await makeFolder(folder);
  return Ownership.take(join(folder, 'owner.db'));
}

/** Writes the batch down, unless its sequence number does not follow the last one. */
function accept(
  { database, clock, actor }: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  taken: Taken,
  checked: Preflight,
  sameness: string,
  id: string,
): Promise<BatchRecord | Reason> {
  const sequence = checked.stated?.sequence;
  const sequenceKey = sequenceKeyOf(checked, accounts);
  return database.write(async (statements) => {
    const last =
      sequence === undefined ? undefined : await lastFileSequence(statements, sequenceKey, sameness);
    if (last !== undefined && sequence !== last + 1) {
      return reason('B0009', `sequence: stated ${sequence}, expected ${last + 1}`);
    }
    const intake: Intake = { submission, sequenceKey, lastAccount: accounts.all.at(-1)?.number ?? 0 };
    const number = await insertBatch(statements, {
      id,
      sameness,
      status: 'running',
      name: submission.name,
      sha256: taken.sha256,
      bytes: taken.bytes,
      operation: checked.operation,
      gateway: submission.gateway,
      sequence: sequence ?? null,
      intake: JSON.stringify(intake),
      received_at: clock(),
    });
    await insertAttempt(statements, number, {
      number: 1,
      repeats: submission.repeats,
      lines: null,
      state: 'open',
    });
    await appendAct(statements, {
      at: clock(),
      who: actor,
      act: 'batch.accept',
      subject: id,
      detail: JSON.stringify({ file: submission.name, sha256: taken.sha256 }),
    });
    return (await findBatch(statements, id))!;
  });
}

/** Files are numbered per account and operation. Accounts that there are not, on invalid lines, do not count. */
export function sequenceKeyOf(checked: Preflight, accounts: AccountBook): string {
  const named = checked.tally
    .breakdown()
    .filter(({ merchant, account }) => accounts.find(merchant, account) !== undefined);
  const distinct = new Set(named.map(({ merchant, account }) => `${merchant}/${account}`));
  return `${[...distinct].sort().join(' ')} ${checked.operation}`;
}
