/** Finding out, or saying, what became of lines whose outcome is unknown or pending. Each makes the next revision of the reports. */
import { type PackedResult, packResult, usualMovement } from '../core/answer.ts';
import { dayOf } from '../core/calendar.ts';
import { reason } from '../core/code.ts';
import { EMBEDDED, type Result } from '../core/gateway.ts';
import { readAccounts } from '../ledger/accounts.ts';
import { type BatchRecord, insertSettlements } from '../ledger/journal.ts';
import { payoutsOfBatch } from '../ledger/payouts.ts';
import { deleteRemoteLines } from '../ledger/remote.ts';
import type { BatchDocument } from '../report/document.ts';
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
import { finishedRevision } from './claim.ts';
import type { BatchContext } from './context.ts';
import { reportError } from './document.ts';
import type { RemoteExecutor } from './executor.ts';
import { keptFile } from './kept-file.ts';
import { packLines } from './line-ranges.ts';
import { outcomeOf } from './outcomes.ts';
import type { Refusal } from './refusal.ts';
import { type Doubt, type Learnt, learn } from './remote/learn.ts';
import type { VisitedLine } from './report.ts';
import { endBatch } from './run.ts';

/** Asks what became of lines that are unknown or pending. */
export function resolveBatch(context: BatchContext, record: BatchRecord, why: string): Promise<ActResult> {
  if (record.gateway === EMBEDDED) return settlePending(context, record, why);
  const executor = context.executor(record.gateway);
  if (executor.is === 'engine') throw new Error(`${record.gateway} is not the embedded engine`);
  return askAfter(context, executor, record, why);
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
    if (!FINISHED.has(fresh.status)) return unfinished(fresh);
    doubts = await doubtsOf(context, fresh);
    return doubts.length > 0 ? undefined : { refusal: 'no line is unknown or pending' };
  };
  return asOwner(context, record, refused, async ({ record: fresh }) => {
    const kept = await keptFile(context.database.reads, context.folders, fresh);
    if (await isCopyChanged(context, fresh)) return CHANGED;
    const { learnt, failures } = await learn(context, executor, kept, doubts);
    if (learnt.length > 0) return settle(context, fresh, learnt, { reason: why });
    const { document } = (await finishedRevision(context.database.reads, fresh))!;
    return { ...document, errors: [...document.errors, ...failures.map(reportError)] };
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
  if (record.gateway === EMBEDDED)
    return { refusal: 'the embedded engine executes it, and its ledger knows what became of every line' };
  let learnt: readonly Learnt[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status)) return unfinished(fresh);
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
  await visitBatch(context, record, (visited) => {
    const { line, outcome } = visited.outcome;
    if (!missing.delete(line)) return;
    if (visited.executed === undefined || (outcome !== 'unknown' && outcome !== 'pending'))
      against ??= `line ${line} is ${outcome}; a person decides on unknown and pending lines`;
    else said.push({ line, result: as === 'succeeded' ? succeeded(visited) : refusedBy(why) });
  });
  const [first] = missing;
  if (first !== undefined) return { refusal: `the file has no line ${first}` };
  return against === undefined ? said : { refusal: against };
}

/** What the gateway has told of a pending line stays; of an unknown one nothing but its own amount is known. */
function succeeded({ executed, outcome, amount, currency, moved }: VisitedLine): PackedResult {
  const isKnown = outcome.outcome === 'pending';
  const result: Result = {
    status: 'done',
    reference: outcome.reference ?? '',
    moved: isKnown ? moved : usualMovement(executed!.chunk.operation, amount!, currency!),
  };
  // Nothing is called so: the result is written out.
  return packResult(result, { reference: '-', moved: [] });
}

function refusedBy(why: string): PackedResult {
  return ['refused', reason('E0002', `a person has decided: ${why}`)];
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
  let settled: readonly Learnt[] = [];
  const refused = async (fresh: BatchRecord) => {
    if (!FINISHED.has(fresh.status)) return unfinished(fresh);
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
  return asOwner(context, record, refused, ({ record: fresh }) =>
    settle(context, fresh, settled, { reason: why }),
  );
}

/** Of these lines, the payouts whose day has come. */
async function settledPayouts(
  context: BatchContext,
  record: BatchRecord,
  lines: readonly number[],
): Promise<readonly Learnt[]> {
  const now = context.clock();
  const accounts = new Map((await readAccounts(context.database.reads)).map((one) => [one.number, one]));
  const settled: Learnt[] = [];
  for (const payout of await payoutsOfBatch(context.database.reads, record.number, lines)) {
    const { line, accountNumber } = payout;
    const today = dayOf(now, accounts.get(accountNumber)!.settings.time_zone);
    if (line === undefined || payout.paymentDate > today) continue;
    const { sourceCurrency, payerPays, fee, reference } = payout;
    settled.push({ line, result: ['done', reference, [[sourceCurrency, 0, payerPays - fee, fee]]] });
  }
  return settled;
}
