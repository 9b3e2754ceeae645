/**
 * The whole way of a file: take → preflight → claim → execute → report. Each step is a file of its own; here is their
 * order, and what is written down between them so that a killed run goes on where it was.
 */
import { join } from 'node:path';
import type { PackedResult } from '../core/answer.ts';
import type { Chunk } from '../core/chunk.ts';
import { type Reason, reason } from '../core/code.ts';
import type { Origin } from '../core/gateway.ts';
import { isKnownField } from '../core/instruction.ts';
import { openFile } from '../files/open.ts';
import { FileRejected } from '../files/rejected.ts';
import { AccountBook, readAccounts } from '../ledger/accounts.ts';
import { findAnswers } from '../ledger/answers.ts';
import {
  type AttemptRecord,
  attemptsOf,
  type BatchRecord,
  chunkNumbers,
  isStopRequested,
  setAttempts,
  setBatch,
} from '../ledger/journal.ts';
import type { Ownership } from '../ledger/owner.ts';
import type { BatchDocument } from '../report/document.ts';
import { ChunkLog } from './chunk-log.ts';
import { accountsOf, type Claimed, claim, intakeOf } from './claim.ts';
import type { BatchContext } from './context.ts';
import { idempotencyKeys } from './dispatch.ts';
import { batchDocument, NO_REPORTS, reportError } from './document.ts';
import { DoneChunks } from './done-chunks.ts';
import type { KeysOf } from './envelope.ts';
import { type ExecutionEnd, execute } from './execute.ts';
import { EXIT } from './exit.ts';
import { KEPT_INPUT } from './folders.ts';
import { samenessOf } from './identity-of-file.ts';
import { unpackLines } from './line-ranges.ts';
import { LineReader } from './lines.ts';
import { outcomeOf } from './outcomes.ts';
import { type Preflight, preflight } from './preflight.ts';
import { putAside, rejectFile } from './reject.ts';
import { writeReports } from './revision.ts';
import type { Submission } from './submission.ts';
import { discard, hashOf, type Source, type Taken, take } from './take.ts';
import type { Tally } from './tally.ts';

/** Executes one file as far as it goes. Everything that a user can cause is in the document; what is thrown is a bug or a broken machine. */
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
  const sameness = samenessOf(taken.sha256, submission, checked.operation, context.environment);
  const claimed = await claim(context, submission, accounts, taken, checked, sameness);
  switch (claimed.is) {
    case 'elsewhere':
      await discard(taken);
      return unexecuted(claimed.id, submission, taken.sha256, checked, reason('B0025'), EXIT.temporary);
    case 'out of sequence':
      return rejectFile(context, submission, claimed.taken, checked, [claimed.reason]);
    case 'finished':
      await discard(taken);
      return { ...claimed.document, repeat: true };
    case 'ours':
      return releasing(claimed.ownership, async () => {
        const { record } = claimed;
        // An interrupted batch goes on as it was submitted at first, whatever options and accounts there are now.
        const first = isIntakeOf(record, submission, accounts)
          ? { submission, accounts, checked }
          : await readAgain(context, record);
        return executeBatch(context, first.submission, first.accounts, claimed, first.checked);
      });
  }
}

/** Whether the batch was submitted just so. */
function isIntakeOf(record: BatchRecord, submission: Submission, accounts: AccountBook): boolean {
  const intake = intakeOf(record);
  return (
    intake.lastAccount === (accounts.all.at(-1)?.number ?? 0) &&
    JSON.stringify(intake.submission) === JSON.stringify(submission)
  );
}

/** Preflight of a known batch's kept copy. Its signature was verified when it was accepted; keys may have changed since. */
export async function readAgain(context: BatchContext, record: BatchRecord) {
  const { submission } = intakeOf(record);
  const accounts = await accountsOf(context.database.reads, record);
  const path = join(context.folders.workOf(record.id), KEPT_INPUT);
  const verified = { ...context, keysOf: undefined };
  return { submission, accounts, checked: await check(verified, submission, accounts, path, record.sha256) };
}

/** Executes what is not done yet of all attempts that are open, then writes the reports. */
export async function executeBatch(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  { record, revision }: Claimed,
  checked: Preflight,
): Promise<BatchDocument> {
  const path = join(context.folders.workOf(record.id), KEPT_INPUT);
  if ((await hashOf(path)) !== record.sha256) {
    const why = reason('B0018', 'the kept copy has changed');
    return unexecuted(record.id, submission, record.sha256, checked, why, EXIT.rejected);
  }
  if (submission.policy === 'atomic' && checked.invalid > 0) {
    await putAside(context, record.id, submission.name, path, checked.listed.map(reportError));
    return writeReports(context, submission, accounts, record, revision, checked, 'rejected');
  }
  const { database } = context;
  for (const attempt of (await attemptsOf(database.reads, record.number)).filter(
    ({ state }) => state === 'open',
  )) {
    const end = await executeAttempt(
      context,
      submission,
      accounts,
      path,
      record,
      revision,
      checked,
      attempt,
      'all',
    );
    if (end === 'stopped') break;
    if (end !== 'finished') {
      await database.write((statements) => setBatch(statements, record.number, { status: 'interrupted' }));
      return unfinished(
        context,
        record,
        submission,
        checked,
        end === 'interrupted' ? undefined : end.failure,
      );
    }
    await database.write((statements) =>
      setAttempts(statements, record.number, 'open', 'done', attempt.number),
    );
  }
  return endBatch(context, submission, accounts, { record, revision }, checked);
}

/**
 * Before a batch is stopped that was killed: chunks that the gateway has executed, but the journal has missed, are sent
 * once more under their own keys, so that the reports say what became of them. Nothing else is sent.
 * @returns the document when even this was interrupted
 */
export async function finishSent(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  { record, revision }: Claimed,
  checked: Preflight,
): Promise<BatchDocument | undefined> {
  const path = join(context.folders.workOf(record.id), KEPT_INPUT);
  for (const attempt of (await attemptsOf(context.database.reads, record.number)).filter(
    ({ state }) => state === 'open',
  )) {
    const end = await executeAttempt(
      context,
      submission,
      accounts,
      path,
      record,
      revision,
      checked,
      attempt,
      'sent before',
    );
    if (end === 'finished' || end === 'stopped') continue;
    await context.database.write((statements) =>
      setBatch(statements, record.number, { status: 'interrupted' }),
    );
    return unfinished(context, record, submission, checked, end === 'interrupted' ? undefined : end.failure);
  }
  return undefined;
}

/** Writes the reports of a batch of which nothing more is sent. */
export async function endBatch(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  { record, revision }: Pick<Claimed, 'record' | 'revision'>,
  checked: Preflight,
): Promise<BatchDocument> {
  await context.database.write((statements) => setAttempts(statements, record.number, 'open', 'stopped'));
  const attempts = await attemptsOf(context.database.reads, record.number);
  const ending = attempts.some(({ state }) => state === 'stopped') ? 'stopped' : 'completed';
  return writeReports(context, submission, accounts, record, revision, checked, ending);
}

/** Executes every chunk of an attempt that the journal does not have, and counts what it meets in the preflight's tally. */
async function executeAttempt(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  path: string,
  record: BatchRecord,
  revision: number,
  checked: Preflight,
  attempt: AttemptRecord,
  which: 'all' | 'sent before',
): Promise<ExecutionEnd> {
  const origin: Origin = {
    batch: record.id,
    batchNumber: record.number,
    attempt: attempt.number,
    repeats: attempt.repeats,
  };
  const opened = await openFile(path, submission.name, submission.reading, isKnownField);
  const done = await DoneChunks.load(context.database.reads, origin);
  const log = new ChunkLog(context.database, origin, revision);
  log.stopRequested = which === 'all' && (await isStopRequested(context.database.reads, record.number));
  return execute({
    opened,
    reader: new LineReader(opened.shape, submission, accounts),
    gateway: context.gateway,
    origin,
    concurrency: context.concurrency,
    only: attempt.lines === null ? undefined : new Set(unpackLines(attempt.lines)),
    async skip(chunk) {
      const results = await done.results(chunk.number);
      if (results !== undefined) settle(checked.tally, chunk, results);
      return results !== undefined || (which === 'sent before' && !(await wasSent(context, chunk, origin)));
    },
    async onResults(chunk, results) {
      settle(checked.tally, chunk, await log.record(chunk, results));
    },
    halt: () =>
      which === 'all' && log.stopRequested
        ? 'stopped'
        : context.interruption() !== undefined
          ? 'interrupted'
          : undefined,
    onProgress: (lines) => context.onProgress?.('executing', lines, checked.rows),
  });
}

/** Whether the gateway has answered the chunk, or a part of it, before. */
async function wasSent({ database }: BatchContext, chunk: Chunk, origin: Origin): Promise<boolean> {
  const { account, operation } = chunk;
  const keys = idempotencyKeys(chunk, origin).map((key) => ({
    accountNumber: account.number,
    operation,
    key,
  }));
  return (await findAnswers(database.reads, keys)).length > 0;
}

/** What an interrupted run can say of itself at once, without another pass over the file. */
function settle(tally: Tally, chunk: Chunk, results: readonly PackedResult[]): void {
  const { merchantId, accountId } = chunk.account;
  const place = { merchantId, accountId, operation: chunk.operation };
  chunk.instructions.forEach(({ currency, amount }, index) => {
    tally.settle(place, currency, outcomeOf(results[index]!), amount);
  });
}

/** Preflight, with what the context knows. */
function check(
  context: Pick<BatchContext, 'environment' | 'onProgress'> & { readonly keysOf: KeysOf | undefined },
  submission: Submission,
  accounts: AccountBook,
  path: string,
  sha256: string,
): Promise<Preflight> {
  const { environment, keysOf, onProgress } = context;
  return preflight(path, {
    submission,
    sha256,
    environment,
    accounts,
    keysOf,
    onProgress: (rows) => onProgress?.('reading', rows, undefined),
  });
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
    errors: [why],
    exit: () => exit,
  });
}

/** The document of a batch that goes on when the same command runs again. */
async function unfinished(
  context: BatchContext,
  record: BatchRecord,
  submission: Submission,
  checked: Preflight,
  why: Reason | undefined,
): Promise<BatchDocument> {
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
    errors: why === undefined ? [] : [why],
    exit: (lines) => (lines.unknown > 0 ? EXIT.unknown : (context.interruption() ?? EXIT.temporary)),
  });
}
