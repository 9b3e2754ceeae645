/**
 * The whole way of a file: take → preflight → claim → execute → report. Each step is a file of its own; here is their
 * order, and what is written down between them so that a killed run goes on where it was.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PackedResult, packResult } from '../core/answer.ts';
import type { Chunk } from '../core/chunk.ts';
import { type Reason, reason } from '../core/code.ts';
import type { Origin, Result } from '../core/gateway.ts';
import { hashOf } from '../files/hash.ts';
import { FileRejected } from '../files/rejected.ts';
import { AccountBook, readAccounts } from '../ledger/accounts.ts';
import {
  type AttemptRecord,
  attemptsOf,
  type BatchRecord,
  chunkNumbers,
  findBatch,
  isStopRequested,
  setAttempts,
  setBatch,
} from '../ledger/journal.ts';
import type { Ownership } from '../ledger/owner.ts';
import type { BatchDocument } from '../report/document.ts';
import { beginRevision, openBatch } from './begin.ts';
import { ChunkLog } from './chunk-log.ts';
import { claim, continueClaim, finishedRevision, own } from './claim.ts';
import { type BatchContext, checkpoint } from './context.ts';
import { batchDocument, NO_REPORTS, reportError } from './document.ts';
import { DoneChunks } from './done-chunks.ts';
import { type ExecutionEnd, execute } from './execute.ts';
import { EXIT } from './exit.ts';
import { samenessOf } from './identity-of-file.ts';
import { intakeOf } from './intake.ts';
import { keptPath, openKept } from './kept-file.ts';
import { unpackLines } from './line-ranges.ts';
import { check, type OpenBatch, readBatch } from './open-batch.ts';
import { outcomeOf } from './outcomes.ts';
import { emptyPreflight, type Preflight } from './preflight.ts';
import { putAside, rejectFile } from './reject.ts';
import { rewriteReports, writeReports } from './revision.ts';
import { announced } from './running.ts';
import type { Which } from './send.ts';
import { senderTo } from './sender.ts';
import type { StoredRevision } from './stored-document.ts';
import type { Submission } from './submission.ts';
import { discard, type Source, type Taken, take } from './take.ts';
import type { Tally } from './tally.ts';

/**
 * Executes one file as far as it goes. Everything that a user can cause is in the document; what is thrown is a bug or a
 * broken machine.
 * @throws Interrupted while the file is read or the reports are written; when it was executing, the document says so
 */
export async function runFile(
  context: BatchContext,
  submission: Submission,
  source: Source,
): Promise<BatchDocument> {
  const accounts = new AccountBook(await readAccounts(context.database.reads));
  let taken: Taken;
  try {
    taken = await take(source, context.folders.work);
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error;
    return rejectFile(context, submission, undefined, undefined, error.reasons);
  }
  try {
    return await runTaken(context, submission, accounts, taken);
  } catch (error) {
    // The sender still has the file; a copy that nobody has claimed would lie here for ever.
    await discard(taken);
    throw error;
  }
}

async function runTaken(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  taken: Taken,
): Promise<BatchDocument> {
  const checked = await check(context, submission, accounts, taken.path, taken.sha256);
  if (checked.rejections.length > 0)
    return rejectFile(context, submission, taken, checked, checked.rejections);
  const changed = await context.unchanged?.(taken);
  if (changed !== undefined) return rejectFile(context, submission, taken, checked, [changed]);
  const sameness = samenessOf(taken.sha256, submission, checked, context.environment);
  const claimed = await claim(context, submission, accounts, taken, checked, sameness);
  switch (claimed.is) {
    case 'elsewhere':
      await discard(taken);
      return unexecuted(claimed.id, submission, taken.sha256, checked, reason('B0025'), EXIT.temporary);
    case 'out of sequence':
      return rejectFile(context, submission, claimed.taken, checked, [claimed.reason]);
    case 'finished':
      await discard(taken);
      await tell(context, claimed.record.id, submission, taken, checked, true);
      return { ...(await standingReports(context, claimed.record, claimed.stored)), repeat: true };
    case 'ours':
      return releasing(claimed.ownership, async () => {
        await tell(context, claimed.record.id, submission, taken, checked, false);
        // An interrupted batch goes on as it was submitted at first, whatever options and accounts there are now.
        if (!isIntakeOf(claimed.record, submission, accounts))
          return executeBatch(context, await openBatch(context, claimed.record));
        const { record, revision } = await beginRevision(context, claimed.record);
        const path = keptPath(context.folders, record);
        return executeBatch(context, { record, revision, submission, accounts, checked, path });
      });
  }
}

function tell(
  { onAccepted }: BatchContext,
  batch: string,
  submission: Submission,
  { sha256, bytes }: Pick<Taken, 'sha256' | 'bytes'>,
  checked: Preflight,
  repeat: boolean,
): Promise<void> | undefined {
  return onAccepted?.({ batch, sha256, bytes, submission, checked, repeat });
}

/** The document of a finished batch. Reports that are gone, or wanted in another folder, are written again. */
async function standingReports(
  context: BatchContext,
  record: BatchRecord,
  stored: StoredRevision,
): Promise<BatchDocument> {
  const { document } = stored;
  const { out } = context;
  const paths = Object.values(document.reports).filter((path) => path !== null);
  const stands = (path: string) => existsSync(path) && (out === undefined || dirname(path) === out);
  if (paths.every(stands)) return document;
  const ownership = await own(context, record.id);
  // Whoever has it writes its next revision; this one stays as it is.
  if (ownership === undefined) return document;
  return releasing(ownership, async () => {
    return rewriteReports(context, await readBatch(context, record), stored);
  });
}

/**
 * Goes on with a batch whose file was claimed before, from its kept copy: what has become of the original meanwhile
 * changes nothing.
 */
export async function continueBatch(context: BatchContext, record: BatchRecord): Promise<BatchDocument> {
  const { reads } = context.database;
  const finished = await finishedRevision(reads, record);
  if (finished !== undefined) return standingReports(context, record, finished);
  // Whoever had it may have come to its end since it was looked up.
  const claimed = await continueClaim(context, record, async (fresh) => {
    const isOver = (await finishedRevision(reads, fresh)) !== undefined;
    return isOver ? { refusal: `it is ${fresh.status} already` } : undefined;
  });
  if (claimed === undefined) {
    const { submission } = intakeOf(record);
    const why = reason('B0025');
    return unexecuted(record.id, submission, record.sha256, emptyPreflight(), why, EXIT.temporary);
  }
  if ('refusal' in claimed) return continueBatch(context, (await findBatch(reads, record.id))!);
  return releasing(claimed.ownership, async () => {
    const read = await readBatch(context, claimed.record);
    await tell(context, record.id, read.submission, record, read.checked, false);
    return executeBatch(context, { ...read, ...(await beginRevision(context, claimed.record)) });
  });
}

/** Whether the batch was submitted just so. */
function isIntakeOf(record: BatchRecord, submission: Submission, accounts: AccountBook): boolean {
  const intake = intakeOf(record);
  return (
    intake.lastAccount === (accounts.all.at(-1)?.number ?? 0) &&
    JSON.stringify(intake.submission) === JSON.stringify(submission)
  );
}

/** Executes what is not done yet of all attempts that are open, then writes the reports. */
export function executeBatch(context: BatchContext, batch: OpenBatch): Promise<BatchDocument> {
  return announced(context, batch, () => executeAttempts(context, batch));
}

async function executeAttempts(context: BatchContext, batch: OpenBatch): Promise<BatchDocument> {
  const { record, submission, checked, path } = batch;
  if ((await hashOf(path)) !== record.sha256) {
    const why = reason('B0018', 'the kept copy has changed');
    return unexecuted(record.id, submission, record.sha256, checked, why, EXIT.rejected);
  }
  if (submission.policy === 'atomic' && checked.invalid > 0) {
    await putAside(context, record.id, submission.name, path, checked.listed.map(reportError));
    return writeReports(context, batch, 'rejected');
  }
  const { database } = context;
  for (const attempt of await openAttempts(context, record)) {
    const end = await executeAttempt(context, batch, attempt, 'all');
    if (end === 'stopped') {
      const interrupted = await finishSent(context, batch, 'counted before');
      if (interrupted !== undefined) return interrupted;
      break;
    }
    if (end !== 'finished') return interrupt(context, batch, end);
    await database.write((statements) =>
      setAttempts(statements, record.number, 'open', 'done', attempt.number),
    );
  }
  return endBatch(context, batch);
}

async function openAttempts(
  { database }: BatchContext,
  record: BatchRecord,
): Promise<readonly AttemptRecord[]> {
  const attempts = await attemptsOf(database.reads, record.number);
  return attempts.filter(({ state }) => state === 'open');
}

/**
 * Before a batch is stopped that was killed: chunks that the gateway has executed, but the journal has missed, are sent
 * once more under their own keys, so that the reports say what became of them. Nothing else is sent.
 * @param journaled whether the tally has the lines that the journal knows
 * @returns the document when even this was interrupted
 */
export async function finishSent(
  context: BatchContext,
  batch: OpenBatch,
  journaled: 'counted before' | 'not counted' = 'not counted',
): Promise<BatchDocument | undefined> {
  for (const attempt of await openAttempts(context, batch.record)) {
    const end = await executeAttempt(context, batch, attempt, 'sent before', journaled);
    if (end !== 'finished' && end !== 'stopped') return interrupt(context, batch, end);
  }
  return undefined;
}

/** Writes the reports of a batch of which nothing more is sent. */
export async function endBatch(context: BatchContext, batch: OpenBatch): Promise<BatchDocument> {
  const { number } = batch.record;
  const attempts = await attemptsOf(context.database.reads, number);
  const hasOpen = attempts.some(({ state }) => state === 'open');
  if (hasOpen)
    await context.database.write((statements) => setAttempts(statements, number, 'open', 'stopped'));
  const isStopped = hasOpen || attempts.some(({ state }) => state === 'stopped');
  return writeReports(context, batch, isStopped ? 'stopped' : 'completed');
}

/** Executes every chunk of an attempt that the journal does not have. */
async function executeAttempt(
  context: BatchContext,
  batch: OpenBatch,
  attempt: AttemptRecord,
  which: Which,
  journaled: 'counted before' | 'not counted' = 'not counted',
): Promise<ExecutionEnd> {
  const { record, revision, checked } = batch;
  const origin: Origin = {
    batch: record.id,
    batchNumber: record.number,
    attempt: attempt.number,
    repeats: attempt.repeats,
  };
  const sender = senderTo(context, record.gateway, origin, which);
  const done = await DoneChunks.load(context.database.reads, origin);
  const log = new ChunkLog(context.database, origin, revision, (...args) => sender.conclude(...args));
  log.stopRequested = which === 'all' && (await isStopRequested(context.database.reads, record.number));
  /** Lines that are passed over because the journal has them. */
  let known = 0;
  return execute({
    ...(await openKept(batch)),
    async send(chunk, more) {
      const sent = await sender.send(chunk, more);
      if ('partly' in sent) settlePartly(checked.tally, chunk, sent.partly);
      return sent;
    },
    concurrency: sender.limit(context.concurrency),
    only: attempt.lines === null ? undefined : new Set(unpackLines(attempt.lines)),
    async skip(chunk) {
      const results = await done.results(chunk.number);
      if (results !== undefined) {
        if (journaled === 'not counted') settle(checked.tally, chunk, results);
        known += results.length;
        checkpoint(context, known);
      }
      return results !== undefined || (which === 'sent before' && !(await sender.wasSent(chunk)));
    },
    async onResults(chunk, results) {
      settle(checked.tally, chunk, await log.record(chunk, results));
    },
    halt() {
      if (which === 'all' && log.stopRequested) return 'stopped';
      return context.interruption() !== undefined ? 'interrupted' : undefined;
    },
    onProgress: (lines) => context.onProgress?.('executing', lines, checked.rows),
  });
}

/** What an interrupted run can say of itself at once, without another pass over the file. */
function settle(tally: Tally, chunk: Chunk, results: readonly PackedResult[]): void {
  const { merchantId, accountId } = chunk.account;
  const place = { merchantId, accountId, operation: chunk.operation };
  chunk.instructions.forEach(({ currency, amount }, index) => {
    tally.settle(place, currency, outcomeOf(results[index]!), amount);
  });
}

/** The same for a chunk that failed in part: what is known of it is written down, and not in the journal yet. */
function settlePartly(tally: Tally, chunk: Chunk, partly: readonly (Result | undefined)[]): void {
  const { account, operation, instructions } = chunk;
  const place = { merchantId: account.merchantId, accountId: account.accountId, operation };
  for (const [index, result] of partly.entries()) {
    if (result === undefined) continue;
    const { currency, amount } = instructions[index]!;
    tally.settle(place, currency, outcomeOf(packResult(result, { reference: '', moved: [] })), amount);
  }
}

/** Runs `work` as the owner of a batch. */
export async function releasing<T>(ownership: Ownership, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await ownership.release();
  }
}

/** The document of a batch that this process may not or cannot execute. */
function unexecuted(
  id: string,
  submission: Submission,
  sha256: string,
  checked: Preflight,
  why: Reason,
  exit: number,
): BatchDocument {
  return batchDocument({
    batch: id,
    submission,
    sha256,
    preflight: checked,
    status: exit === EXIT.rejected ? 'rejected' : 'interrupted',
    revision: 0,
    tally: checked.tally,
    chunksDone: 0,
    reports: NO_REPORTS,
    errors: [reportError(why)],
    exit: () => exit,
  });
}

/** Marks the batch as one that goes on when the same command runs again. */
async function interrupt(
  context: BatchContext,
  { record, submission, checked }: OpenBatch,
  end: Exclude<ExecutionEnd, 'finished' | 'stopped'>,
): Promise<BatchDocument> {
  await context.database.write((statements) =>
    setBatch(statements, record.number, { status: 'interrupted' }),
  );
  const done = await chunkNumbers(context.database.reads, record.number, 1);
  return batchDocument({
    batch: record.id,
    submission,
    sha256: record.sha256,
    preflight: checked,
    status: 'interrupted',
    revision: record.revision,
    tally: checked.tally,
    chunksDone: done.length,
    reports: NO_REPORTS,
    errors: end === 'interrupted' ? [] : [reportError(end.failure)],
    exit: (lines) => {
      if (lines.unknown > 0) return EXIT.unknown;
      // Trying again does not help before somebody has mended that.
      if (end !== 'interrupted' && end.failure.code === 'I0013') return EXIT.credentials;
      return context.interruption() ?? EXIT.temporary;
    },
  });
}
