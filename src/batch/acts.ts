/**
 * What people do with a batch after it ran: stop, resume, retry, release, close. Each act is audited and, where it
 * changes an outcome, makes the next revision of the reports.
 */
import { retryHelps } from '../core/code.ts';
import type { Origin } from '../core/gateway.ts';
import type { LineOutcome } from '../core/outcome.ts';
import { attemptsOf, type BatchRecord, insertAttempt, setAttempts, setBatch } from '../ledger/journal.ts';
import {
  type ActResult,
  asOwner,
  audit,
  CHANGED,
  FINISHED,
  isCopyChanged,
  unfinished,
  visitBatch,
} from './act.ts';
import { openBatch } from './begin.ts';
import type { BatchContext } from './context.ts';
import { intakeOf } from './intake.ts';
import { packLines } from './line-ranges.ts';
import type { Refusal } from './refusal.ts';
import { endBatch, executeBatch, finishSent } from './run.ts';

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
    if (await isCopyChanged(context, claimed.record)) return CHANGED;
    const batch = await openBatch(context, claimed.record);
    return (await finishSent(context, batch)) ?? endBatch(context, batch);
  });
  return result === 'elsewhere' || seen ? 'asked' : result;
}

function isOver({ status }: BatchRecord): boolean {
  return FINISHED.has(status) || status === 'rejected';
}

/** Batches that have not come to their end: what was stopped before stays stopped. */
const UNFINISHED: ReadonlySet<string> = new Set(['running', 'interrupted']);

/** Goes on with a batch that was interrupted or stopped, from its kept copy. */
export function resume(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  const refused = async ({ closed, status, number }: BatchRecord) => {
    if (closed === 1) return { refusal: 'it is closed' };
    const attempts = await attemptsOf(context.database.reads, number);
    return UNFINISHED.has(status) || attempts.some(({ state }) => state === 'stopped')
      ? undefined
      : { refusal: `it is ${status}: there is nothing to go on with` };
  };
  return asOwner(context, record, refused, async (claimed) => {
    const batch = await openBatch(context, claimed.record);
    await context.database.write(async (statements) => {
      if (!UNFINISHED.has(claimed.record.status))
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
    if (!FINISHED.has(fresh.status)) return unfinished(fresh);
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
