/**
 * What people do with a batch after it ran: stop, retry, release, settle, close. Each act is audited and, where it
 * changes an outcome, makes the next revision of the reports.
 */
import { type PackedResult, packResult, usualMovement } from '../core/answer.ts';
import { dayOf } from '../core/calendar.ts';
import { reason, retryHelps } from '../core/code.ts';
import type { Origin, Result } from '../core/gateway.ts';
import type { Operation } from '../core/operation.ts';
import type { LineOutcome } from '../core/outcome.ts';
import { readAccounts } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import {
  attemptsOf,
  type BatchRecord,
  insertAttempt,
  insertSettlements,
  setAttempts,
  setBatch,
} from '../ledger/journal.ts';
import { payoutsOfBatch } from '../ledger/payouts.ts';
import { deleteRemoteLines } from '../ledger/remote.ts';
import type { BatchDocument } from '../report/document.ts';
import { openBatch } from './begin.ts';
import { type Claimed, continueClaim, finishedRevision } from './claim.ts';
import type { BatchContext } from './context.ts';
import type { RemoteExecutor } from './executor.ts';
import { intakeOf } from './intake.ts';
import { keptFile, walkOf } from './kept-file.ts';
import { packLines } from './line-ranges.ts';
import { outcomeOf } from './outcomes.ts';
import type { Refusal } from './refusal.ts';
import { type Doubt, type Learnt, learn } from './remote/resolve.ts';
import { type VisitedLine, visitLines } from './report.ts';
import { endBatch, executeBatch, finishSent, releasing } from './run.ts';

export type ActResult = BatchDocument | Refusal | 'elsewhere';

const FINISHED: ReadonlySet<string> = new Set(['completed', 'stopped', 'unknown']);

/** Asks whoever executes the batch to send nothing more; a batch that nobody executes is stopped at once. */
export async function stopBatch(
  context: BatchContext,
  record: BatchRecord,
  why: string,
): Promise<ActResult | 'asked'> {
  if (isOver(record)) return { refusal: `it is ${record.status} already` };
  await context.database.write(async (statements) => {
    await setBatch(statements, record.number, { stop_requested: 1 });
    await audit(context, statements, 'batch.stop', record, { reason: why });
  });
  // Whoever executed it may have come to its end meanwhile, having seen the request or not.
  let seen = false;
  const overMeanwhile = (fresh: BatchRecord) => {
    seen = fresh.status === 'stopped';
    return isOver(fresh) ? { refusal: `it is ${fresh.status} already` } : undefined;
  };
  const result = await asOwner(context, record, overMeanwhile, async (claimed) => {
    const batch = await openBatch(context, claimed.record);
    return (await finishSent(context, batch)) ?? endBatch(context, batch);
  });
  return result === 'elsewhere' || seen ? 'asked' : result;
}

function isOver({ status }: BatchRecord): boolean {
  return FINISHED.has(status) || status === 'rejected';
}

const RESUMABLE: ReadonlySet<string> = new Set(['running', 'interrupted', 'stopped']);

/** Goes on with a batch that was interrupted or stopped, from its kept copy. */
export function resume(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  const refused = ({ closed, status }: BatchRecord) => {
    if (closed === 1) return { refusal: 'it is closed' };
    return RESUMABLE.has(status) ? undefined : { refusal: `it is ${status}: there is nothing to go on with` };
  };
  return asOwner(context, record, refused, async (claimed) => {
    const batch = await openBatch(context, claimed.record);
    await context.database.write(async (statements) => {
      await setAttempts(statements, record.number, 'stopped', 'open');
      await setBatch(statements, record.number, { stop_requested: 0 });
      await audit(context, statements, 'batch.resume', record, { reason: why });
    });
    return executeBatch(context, batch);
  });
}

/** Executes again the lines that were refused for a reason that may have passed, and those that were not sent. */
export function retryBatch(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  const wanted = ({ outcome, reason }: LineOutcome) =>
    outcome === 'refused' ? reason !== undefined && retryHelps(reason.code) : outcome === 'not_sent';
  const choose = async (fresh: BatchRecord) => {
    const lines: number[] = [];
    await visitBatch(context, fresh, ({ outcome }) => {
      if (wanted(outcome)) lines.push(outcome.line);
    });
    return lines.length === 0 ? { refusal: 'no line was refused for a reason that may have passed' } : lines;
  };
  // What the sender has said of repeats in the file holds for lines that were not sent yet.
  return executeAgain(context, record, 'batch.retry', why, choose, intakeOf(record).submission.repeats);
}

/** Executes held duplicates: a person has said that they are meant. */
export function releaseLines(
  context: BatchContext,
  record: BatchRecord,
  lines: ReadonlySet<number>,
  why: string,
): Promise<ActResult> {
  const choose = async (fresh: BatchRecord) => {
    const found: number[] = [];
    const against: string[] = [];
    await visitBatch(context, fresh, ({ executed, outcome: { line, outcome } }) => {
      if (!lines.has(line)) return;
      found.push(line);
      if (outcome !== 'duplicate') against.push(`line ${line} is ${outcome}, not a duplicate`);
      else if (executed?.chunk.operation === 'payout') {
        against.push(
          `line ${line} is a payout, and its request_id was used for good; send it again under a new one`,
        );
      }
    });
    const missing = [...lines].find((line) => !found.includes(line));
    if (missing !== undefined) return { refusal: `the file has no line ${missing}` };
    return against.length > 0 ? { refusal: against[0]! } : found;
  };
  return executeAgain(context, record, 'batch.release', why, choose, 'release');
}

/** Asks what became of lines that are unknown or pending. */
export function resolveBatch(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  const executor = context.executor(record.gateway);
  return executor.is === 'engine'
    ? settlePending(context, record, why)
    : askAfter(context, executor, record, why);
}

/** Of a remote gateway. What it cannot prove stays as it is. */
async function askAfter(
  context: BatchContext,
  executor: RemoteExecutor,
  record: BatchRecord,
  why: string,
): Promise<ActResult> {
  let doubts: readonly Doubt[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status)) return { refusal: `it is ${fresh.status}` };
    doubts = await doubtsOf(context, fresh);
    return doubts.length > 0 ? undefined : { refusal: 'no line is unknown or pending' };
  };
  return asOwner(context, record, refused, async ({ record: fresh }) => {
    const kept = await keptFile(context.database.reads, context.folders, fresh);
    const learnt = await learn(context, executor, kept, doubts);
    if (learnt.length > 0) return settle(context, fresh, learnt, { reason: why });
    return (await finishedRevision(context.database.reads, fresh))!.document;
  });
}

async function doubtsOf(context: BatchContext, record: BatchRecord): Promise<readonly Doubt[]> {
  const doubts: Doubt[] = [];
  await visitBatch(context, record, ({ executed, outcome: { line, outcome } }) => {
    if (executed === undefined || (outcome !== 'unknown' && outcome !== 'pending')) return;
    const { attempt, number } = executed.chunk;
    doubts.push({ line, attempt, chunk: number, outcome });
  });
  return doubts;
}

/** A person says what became of lines that are unknown or pending. */
export async function resolveByWord(
  context: BatchContext,
  record: BatchRecord,
  lines: ReadonlySet<number>,
  as: 'succeeded' | 'refused',
  why: string,
): Promise<ActResult> {
  if (context.executor(record.gateway).is === 'engine')
    return { refusal: 'the embedded engine executes it, and its ledger knows what became of every line' };
  let learnt: readonly Learnt[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status)) return { refusal: `it is ${fresh.status}` };
    const said = await saidOf(context, fresh, lines, as, why);
    if ('refusal' in said) return said;
    learnt = said;
    return undefined;
  };
  return asOwner(context, record, refused, ({ record: fresh }) =>
    settle(context, fresh, learnt, { reason: why, as }),
  );
}

async function saidOf(
  context: BatchContext,
  record: BatchRecord,
  lines: ReadonlySet<number>,
  as: 'succeeded' | 'refused',
  why: string,
): Promise<readonly Learnt[] | Refusal> {
  const said: Learnt[] = [];
  let against: string | undefined;
  const missing = new Set(lines);
  await visitBatch(context, record, ({ executed, outcome: { line, outcome }, amount, currency }) => {
    if (!missing.delete(line)) return;
    if (executed === undefined || (outcome !== 'unknown' && outcome !== 'pending'))
      against ??= `line ${line} is ${outcome}; a person decides on unknown and pending lines`;
    else said.push({ line, result: wordFor(executed.chunk.operation, amount!, currency!, as, why) });
  });
  const [first] = missing;
  if (first !== undefined) return { refusal: `the file has no line ${first}` };
  return against === undefined ? said : { refusal: against };
}

function wordFor(
  operation: Operation,
  amount: number,
  currency: string,
  as: 'succeeded' | 'refused',
  why: string,
): PackedResult {
  const result: Result =
    as === 'succeeded'
      ? { status: 'done', reference: '', moved: usualMovement(operation, amount, currency) }
      : { status: 'refused', reason: reason('E0002', `a person has decided: ${why}`) };
  // No line is called so: the result is written out.
  return packResult(result, { reference: '-', moved: [] });
}

/** Writes down what was found out, and makes the next revision of the reports. */
async function settle(
  context: BatchContext,
  record: BatchRecord,
  learnt: readonly Learnt[],
  detail: object,
): Promise<BatchDocument> {
  const batch = await openBatch(context, record);
  const gone = learnt.filter(({ result }) => outcomeOf(result) === 'refused').map(({ line }) => line);
  await context.database.write(async (statements) => {
    await insertSettlements(
      statements,
      record.number,
      learnt.map(({ line, result }) => ({ line, revision: batch.revision, result: JSON.stringify(result) })),
    );
    // What did not happen holds no identity.
    await deleteRemoteLines(statements, record.number, gone);
    const lines = packLines(learnt.map(({ line }) => line).sort((a, b) => a - b));
    await audit(context, statements, 'batch.resolve', record, { ...detail, lines });
  });
  return endBatch(context, batch);
}

/** Asks after pending payouts of the embedded engine: those whose day has come are settled. */
async function settlePending(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  let settled: readonly SettledPayout[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status)) return { refusal: `it is ${fresh.status}` };
    const pending: number[] = [];
    await visitBatch(context, fresh, ({ outcome }) => {
      if (outcome.outcome === 'pending') pending.push(outcome.line);
    });
    settled = await settledPayouts(context, fresh, pending);
    if (settled.length > 0) return undefined;
    return {
      refusal: pending.length === 0 ? 'no line is pending' : 'every pending payout is still scheduled',
    };
  };
  return asOwner(context, record, refused, async (claimed) => {
    const batch = await openBatch(context, claimed.record);
    await context.database.write(async (statements) => {
      await insertSettlements(
        statements,
        record.number,
        settled.map((one) => ({ ...one, revision: batch.revision })),
      );
      await audit(context, statements, 'batch.resolve', record, {
        reason: why,
        lines: settled.map(({ line }) => line),
      });
    });
    return endBatch(context, batch);
  });
}

interface SettledPayout {
  readonly line: number;
  /** As the journal keeps it. */
  readonly result: string;
}

/** Of these lines, the payouts whose day has come. */
async function settledPayouts(
  context: BatchContext,
  record: BatchRecord,
  lines: readonly number[],
): Promise<readonly SettledPayout[]> {
  const now = context.clock();
  const accounts = new Map((await readAccounts(context.database.reads)).map((one) => [one.number, one]));
  const settled: SettledPayout[] = [];
  for (const payout of await payoutsOfBatch(context.database.reads, record.number, lines)) {
    const { line, accountNumber } = payout;
    const today = dayOf(now, accounts.get(accountNumber)!.settings.time_zone);
    if (line === undefined || payout.paymentDate > today) continue;
    const moved = [[payout.sourceCurrency, 0, payout.payerPays - payout.fee, payout.fee]];
    settled.push({ line, result: JSON.stringify(['done', payout.reference, moved]) });
  }
  return settled;
}

/** Marks a finished batch as done with: it leaves the list of open ones, and its lines are not executed again. */
export async function closeBatch(
  context: BatchContext,
  record: BatchRecord,
  why: string,
): Promise<Refusal | undefined> {
  if (!FINISHED.has(record.status))
    return { refusal: `it is ${record.status}; only a finished batch can be closed` };
  if (record.closed === 1) return { refusal: 'it is closed already' };
  await context.database.write(async (statements) => {
    await setBatch(statements, record.number, { closed: 1 });
    await audit(context, statements, 'batch.close', record, { reason: why });
  });
  return undefined;
}

async function executeAgain(
  context: BatchContext,
  record: BatchRecord,
  act: 'batch.retry' | 'batch.release',
  why: string,
  choose: (fresh: BatchRecord) => Promise<readonly number[] | Refusal>,
  repeats: Origin['repeats'],
): Promise<ActResult> {
  let lines: readonly number[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status))
      return { refusal: `it is ${fresh.status}; \`batchgate batch resume ${fresh.id}\` goes on with it` };
    if (fresh.closed === 1) return { refusal: 'it is closed' };
    const chosen = await choose(fresh);
    if ('refusal' in chosen) return chosen;
    lines = chosen;
    return undefined;
  };
  return asOwner(context, record, refused, async (claimed) => {
    const batch = await openBatch(context, claimed.record);
    const { database } = context;
    const number = ((await attemptsOf(database.reads, record.number)).at(-1)?.number ?? 0) + 1;
    const packed = packLines(lines);
    await database.write(async (statements) => {
      // A retry has every line that was not sent: an attempt that was stopped has nothing left to go on with.
      if (act === 'batch.retry') await setAttempts(statements, record.number, 'stopped', 'done');
      await insertAttempt(statements, record.number, { number, repeats, lines: packed, state: 'open' });
      await audit(context, statements, act, record, { reason: why, attempt: number, lines: packed });
    });
    return executeBatch(context, batch);
  });
}

/** @param refused asked once the batch is ours, when nobody else can act on it any more: two people may want the same */
async function asOwner(
  context: BatchContext,
  record: BatchRecord,
  refused: (fresh: BatchRecord) => Refusal | undefined | Promise<Refusal | undefined>,
  work: (claimed: Claimed) => Promise<ActResult>,
): Promise<ActResult> {
  const claimed = await continueClaim(context, record, refused);
  if (claimed === undefined) return 'elsewhere';
  if ('refusal' in claimed) return claimed;
  return releasing(claimed.ownership, () => work(claimed));
}

/** Shows every line of the batch with its outcome, as the newest revision has it. */
async function visitBatch(
  context: BatchContext,
  record: BatchRecord,
  visit: (line: VisitedLine) => void,
): Promise<void> {
  const { database, folders } = context;
  const kept = await keptFile(database.reads, folders, record);
  await visitLines(await walkOf(database.reads, kept, record.revision), visit);
}

function audit(
  { clock, actor }: BatchContext,
  statements: Parameters<typeof appendAct>[0],
  act: string,
  record: BatchRecord,
  detail: object,
): Promise<void> {
  return appendAct(statements, {
    at: clock(),
    who: actor,
    act,
    subject: record.id,
    detail: JSON.stringify(detail),
  });
}
