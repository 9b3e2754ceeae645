/**
 * What people do with a batch after it ran: stop, retry, release, settle, close. Each act is audited and, where it
 * changes an outcome, makes the next revision of the reports.
 */
import { join } from 'node:path';
import { retryHelps } from '../core/code.ts';
import type { Origin } from '../core/gateway.ts';
import { isKnownField } from '../core/instruction.ts';
import type { LineOutcome } from '../core/outcome.ts';
import { openFile } from '../files/open.ts';
import { AccountBook, readAccounts } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import { attemptsOf, type BatchRecord, insertAttempt, insertSettlements, setBatch } from '../ledger/journal.ts';
import { payoutOfLine } from '../ledger/payouts.ts';
import type { BatchDocument } from '../report/document.ts';
import { type Claimed, continueClaim, intakeOf } from './claim.ts';
import type { BatchContext } from './context.ts';
import { KEPT_INPUT } from './folders.ts';
import { packLines } from './line-ranges.ts';
import { LineReader } from './lines.ts';
import { JournalWalk } from './outcomes.ts';
import { visitLines } from './report.ts';
import { endBatch, executeBatch, readAgain, releasing } from './run.ts';

/** Why an act cannot be done, in one sentence for the person who wanted it. */
export interface Refusal {
  readonly refusal: string;
}

export type ActResult = BatchDocument | Refusal | 'elsewhere';

const FINISHED: ReadonlySet<string> = new Set(['completed', 'stopped', 'unknown']);

/** Asks whoever executes the batch to send nothing more; a batch that nobody executes is stopped at once. */
export async function stopBatch(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult | 'asked'> {
  if (FINISHED.has(record.status) || record.status === 'rejected') return { refusal: `it is ${record.status} already` };
  await context.database.write(async (statements) => {
    await setBatch(statements, record.number, { stop_requested: 1 });
    await audit(context, statements, 'batch.stop', record, { reason: why });
  });
  const claimed = await continueClaim(context, record);
  if (claimed === undefined) return 'asked';
  return releasing(claimed.ownership, async () => {
    const { submission, accounts, checked } = await readAgain(context, record);
    return endBatch(context, submission, accounts, claimed, checked);
  });
}

/** Executes again the lines that were refused for a reason that may have passed, and those that were not sent. */
export function retryBatch(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  const wanted = ({ outcome, reason }: LineOutcome) =>
    outcome === 'refused' ? reason !== undefined && retryHelps(reason.code) : outcome === 'not_sent';
  return executeAgain(context, record, 'batch.retry', why, wanted, 'hold', 'no line was refused for a reason that may have passed');
}

/** Executes held duplicates: a person has said that they are meant. */
export async function releaseLines(
  context: BatchContext,
  record: BatchRecord,
  lines: ReadonlySet<number>,
  why: string,
): Promise<ActResult> {
  const { found, outcomes } = await outcomesOf(context, record, lines);
  const missing = [...lines].find((line) => !found.has(line));
  if (missing !== undefined) return { refusal: `the file has no line ${missing}` };
  const other = outcomes.find(({ outcome }) => outcome !== 'duplicate');
  if (other !== undefined) return { refusal: `line ${other.line} is ${other.outcome}, not a duplicate` };
  const wanted = ({ line }: LineOutcome) => lines.has(line);
  return executeAgain(context, record, 'batch.release', why, wanted, 'release', 'there is no such line');
}

/** Asks after pending payouts: those whose day has come are settled. */
export async function settlePending(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  if (!FINISHED.has(record.status)) return { refusal: `it is ${record.status}` };
  const { outcomes } = await outcomesOf(context, record, undefined, ({ outcome }) => outcome === 'pending');
  const today = new Date(context.clock()).toISOString().slice(0, 10);
  const settled: { line: number; result: string }[] = [];
  for (const { line } of outcomes) {
    const payout = await payoutOfLine(context.database.reads, record.number, line);
    if (payout === undefined || payout.paymentDate > today) continue;
    const moved = [[payout.sourceCurrency, 0, payout.payerPays - payout.fee, payout.fee]];
    settled.push({ line, result: JSON.stringify(['done', payout.reference, moved]) });
  }
  if (settled.length === 0) return { refusal: outcomes.length === 0 ? 'no line is pending' : 'every pending payout is still scheduled' };
  return asOwner(context, record, async (claimed) => {
    const { submission, accounts, checked } = await readAgain(context, record);
    await context.database.write(async (statements) => {
      await insertSettlements(
        statements,
        record.number,
        settled.map((one) => ({ ...one, revision: claimed.revision })),
      );
      await audit(context, statements, 'batch.resolve', record, { reason: why, lines: settled.map(({ line }) => line) });
    });
    return endBatch(context, submission, accounts, claimed, checked);
  });
}

/** Marks a finished batch as done with: it leaves the list of open ones, and its lines are not executed again. */
export async function closeBatch(context: BatchContext, record: BatchRecord, why: string): Promise<Refusal | undefined> {
  if (!FINISHED.has(record.status)) return { refusal: `it is ${record.status}; only a finished batch can be closed` };
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
  act: string,
  why: string,
  wanted: (outcome: LineOutcome) => boolean,
  repeats: Origin['repeats'],
  nothing: string,
): Promise<ActResult> {
  if (!FINISHED.has(record.status)) return { refusal: `it is ${record.status}; \`batchgate batch resume ${record.id}\` goes on with it` };
  if (record.closed === 1) return { refusal: 'it is closed' };
  const { outcomes } = await outcomesOf(context, record, undefined, wanted);
  const lines = new Set(outcomes.map(({ line }) => line));
  if (lines.size === 0) return { refusal: nothing };
  return asOwner(context, record, async (claimed) => {
    const { submission, accounts, checked } = await readAgain(context, record);
    const { database } = context;
    const number = ((await attemptsOf(database.reads, record.number)).at(-1)?.number ?? 0) + 1;
    const packed = packLines([...lines]);
    await database.write(async (statements) => {
      await insertAttempt(statements, record.number, { number, repeats, lines: packed, state: 'open' });
      await audit(context, statements, act, record, { reason: why, attempt: number, lines: packed });
    });
    return executeBatch(context, submission, accounts, claimed, checked);
  });
}

async function asOwner(
  context: BatchContext,
  record: BatchRecord,
  work: (claimed: Claimed) => Promise<ActResult>,
): Promise<ActResult> {
  const claimed = await continueClaim(context, record);
  if (claimed === undefined) return 'elsewhere';
  return releasing(claimed.ownership, () => work(claimed));
}

/** The outcomes of the lines that are wanted, as the newest revision has them. */
async function outcomesOf(
  context: BatchContext,
  record: BatchRecord,
  lines: ReadonlySet<number> | undefined,
  wanted: (outcome: LineOutcome) => boolean = () => true,
): Promise<{ readonly found: ReadonlySet<number>; readonly outcomes: readonly LineOutcome[] }> {
  const { submission } = intakeOf(record);
  const accounts = new AccountBook(await readAccounts(context.database.reads));
  const opened = await openFile(join(context.folders.workOf(record.id), KEPT_INPUT), submission.name, submission.reading, isKnownField);
  const outcomes: LineOutcome[] = [];
  const found = new Set<number>();
  await visitLines(
    {
      opened,
      reader: new LineReader(opened.shape, submission, accounts),
      submission,
      accounts: accounts.all,
      journal: await JournalWalk.begin(context.database.reads, record, record.revision),
      compare: false,
      onProgress: undefined,
    },
    ({ outcome }) => {
      if (lines !== undefined && !lines.has(outcome.line)) return;
      if (lines !== undefined) found.add(outcome.line);
      if (wanted(outcome)) outcomes.push(outcome);
    },
  );
  return { found, outcomes };
}

function audit(
  { clock, actor }: BatchContext,
  statements: Parameters<typeof appendAct>[0],
  act: string,
  record: BatchRecord,
  detail: object,
): Promise<void> {
  return appendAct(statements, { at: clock(), who: actor, act, subject: record.id, detail: JSON.stringify(detail) });
}
