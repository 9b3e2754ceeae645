/**
 * Finding out what became of lines that are unknown: the same request again under its key where the gateway still
 * remembers it, else a query, of which only evidence counts. Nothing is ever sent afresh. Faults, invariant 8.
 */
import pLimit from 'p-limit';
import { type PackedResult, packResult, usualMovement, usualResult } from '../../core/answer.ts';
import type { Chunk } from '../../core/chunk.ts';
import { type Reason, reason } from '../../core/code.ts';
import type { Account, Entry, Result } from '../../core/gateway.ts';
import { getOrSet } from '../../core/get-or-set.ts';
import { judgeInDoubt } from '../../core/in-doubt.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { QueriedTransaction } from '../../core/query.ts';
import { attemptsOf } from '../../ledger/journal.ts';
import {
  remoteLinesOf,
  remoteLinesOn,
  type StoredRemoteLine,
  touchRemoteLines,
} from '../../ledger/remote.ts';
import type { BatchContext } from '../context.ts';
import { DoneChunks } from '../done-chunks.ts';
import { chunksOf } from '../execute.ts';
import type { RemoteExecutor } from '../executor.ts';
import { type KeptFile, openKept } from '../kept-file.ts';
import { unpackLines } from '../line-ranges.ts';
import { idempotencyKeys } from '../send.ts';
import { isRemembered } from './memory.ts';
import { askPart, wentOut } from './sender.ts';
import { statesOf } from './states.ts';

/** A line whose outcome is unknown or pending, and the attempt that sent it. */
export interface Doubt {
  readonly line: number;
  readonly attempt: number;
  readonly chunk: number;
  readonly outcome: 'unknown' | 'pending';
}

/** What has been found out about a line, as the journal keeps it. */
export interface Learnt {
  readonly line: number;
  readonly result: PackedResult;
}

/** A chunk with doubtful lines in it. */
interface DoubtfulChunk {
  readonly chunk: Chunk;
  readonly attempt: number;
  /** What the journal has of it. */
  readonly results: readonly PackedResult[];
  /** What is known so far, by place in the chunk. */
  readonly doubts: ReadonlyMap<number, Doubt['outcome']>;
}

type Looking = Pick<BatchContext, 'database' | 'clock'>;

/** What asking has brought; a failure says why a part of it brought nothing. */
export interface Lesson {
  readonly learnt: readonly Learnt[];
  readonly failures: readonly Reason[];
  /** Lines that were asked for. */
  readonly asked: readonly number[];
}

/** Asks the gateway; what it does not prove is not in the answer. */
export async function learn(
  context: Looking,
  executor: RemoteExecutor,
  kept: KeptFile,
  doubts: readonly Doubt[],
): Promise<Lesson> {
  const chunks = await doubtfulChunks(context, kept, doubts);
  const limit = pLimit(executor.concurrency);
  const byKey = joined(
    await Promise.all(chunks.map((one) => limit(() => learnByKey(context, executor, kept, one)))),
  );
  // A line that was asked for by its key is asked so until there is an answer: settled by a query, it would keep the others
  // of its request from being asked for.
  const asked = new Set(byKey.asked);
  const left = chunks.flatMap(({ chunk, doubts: places }) =>
    [...places].flatMap(([place, before]) => {
      const instruction = chunk.instructions[place]!;
      return asked.has(instruction.line) ? [] : [{ account: chunk.account, instruction, before }];
    }),
  );
  return joined([byKey, await learnByQuery(context, executor, kept, left)]);
}

function joined(lessons: readonly Lesson[]): Lesson {
  const failures = lessons.flatMap((one) => one.failures);
  const distinct = new Map(failures.map((one) => [`${one.code} ${one.message}`, one]));
  return {
    learnt: lessons.flatMap((one) => one.learnt),
    failures: [...distinct.values()],
    asked: lessons.flatMap((one) => one.asked),
  };
}

/** Cuts the file into its chunks again, and keeps those that hold a doubtful line. */
async function doubtfulChunks(
  { database }: Looking,
  kept: KeptFile,
  doubts: readonly Doubt[],
): Promise<readonly DoubtfulChunk[]> {
  const found: DoubtfulChunk[] = [];
  for (const { number, lines, repeats } of await attemptsOf(database.reads, kept.record.number)) {
    const wanted = new Map<number, Map<number, Doubt['outcome']>>();
    for (const { attempt, chunk, line, outcome } of doubts)
      if (attempt === number) getOrSet(wanted, chunk, () => new Map()).set(line, outcome);
    if (wanted.size === 0) continue;
    const { id, number: batchNumber } = kept.record;
    const origin = { batch: id, batchNumber, attempt: number, repeats };
    const done = await DoneChunks.load(database.reads, origin);
    const only = lines === null ? undefined : new Set(unpackLines(lines));
    for await (const chunk of chunksOf({ ...(await openKept(kept)), only, onProgress: undefined })) {
      const inDoubt = wanted.get(chunk.number);
      const results = inDoubt === undefined ? undefined : await done.results(chunk.number);
      if (inDoubt === undefined || results === undefined) continue;
      const places = chunk.instructions.flatMap(({ line }, index) => {
        const outcome = inDoubt.get(line);
        return outcome === undefined ? [] : [[index, outcome] as const];
      });
      found.push({ chunk, attempt: number, results, doubts: new Map(places) });
    }
  }
  return found;
}

/** The same request again: a gateway that remembers it answers as it did then. */
async function learnByKey(
  { database, clock }: Looking,
  executor: RemoteExecutor,
  { record }: KeptFile,
  { chunk, attempt, results, doubts }: DoubtfulChunk,
): Promise<Lesson> {
  const origin = { batch: record.id, attempt };
  const keys = idempotencyKeys(chunk, origin);
  const sent = chunk.instructions.flatMap((_, index) => (wentOut(results[index]!) ? [index] : []));
  const parts =
    chunk.operation === 'payout'
      ? [...doubts.keys()].map((index) => ({ key: keys[index]!, indexes: [index], again: true }))
      : [{ key: keys[0]!, indexes: sent, again: true }];
  const learnt: Learnt[] = [];
  const failures: Reason[] = [];
  const askedFor: number[] = [];
  for (const part of parts) {
    const lines = part.indexes.map((index) => chunk.instructions[index]!.line);
    const held = await remoteLinesOf(database.reads, record.number, lines);
    if (!held.every((line) => isRemembered(line, executor, clock()))) continue;
    // One that has the request for the first time would execute all of it, what was settled otherwise since included.
    const isKnown =
      held.some(({ isAnswered }) => isAnswered) || part.indexes.some((index) => !isOpen(results[index]!));
    if (!isKnown && part.indexes.some((index) => !doubts.has(index))) continue;
    askedFor.push(...lines);
    // Before and after: until the answer is there, it may be on its way.
    const touch = (isAnswered: boolean) =>
      database.write((statements) => touchRemoteLines(statements, record.number, lines, clock(), isAnswered));
    await touch(false);
    const answer = await askPart(executor, chunk, part);
    await touch('results' in answer && answer.results.some(({ status }) => status !== 'unknown'));
    if ('failure' in answer) {
      failures.push(answer.failure);
      continue;
    }
    for (const [place, index] of part.indexes.entries()) {
      const result = answer.results[place]!;
      if (result.status === 'unknown') failures.push(result.reason);
      const before = doubts.get(index);
      // What is pending still is no news, but that something unknown is pending is.
      if (before === undefined || result.status === 'unknown' || result.status === before) continue;
      learnt.push({
        line: chunk.instructions[index]!.line,
        result: packResult(result, usualResult(origin, chunk.instructions[index]!)),
      });
    }
  }
  return { learnt, failures, asked: askedFor };
}

/** As the journal has it: nobody knew, so perhaps it never arrived. */
function isOpen(result: PackedResult): boolean {
  return result !== 1 && result[0] === 'unknown';
}

interface Asked {
  readonly account: Account;
  readonly instruction: Instruction;
  readonly before: Doubt['outcome'];
}

type AskedEntry = Asked & { readonly instruction: Exclude<Instruction, { readonly operation: 'payout' }> };

/** Payouts have no query. */
async function learnByQuery(
  context: Looking,
  { gateway, address, settledMs }: RemoteExecutor,
  { record }: KeptFile,
  asked: readonly Asked[],
): Promise<Lesson> {
  const byAccount = new Map<number, AskedEntry[]>();
  for (const one of asked) if (isEntry(one)) getOrSet(byAccount, one.account.number, () => []).push(one);
  const learnt: Learnt[] = [];
  const failures: Reason[] = [];
  for (const entries of byAccount.values()) {
    const { account } = entries[0]!;
    const ids = [...new Set(entries.map(({ instruction }) => instruction.entry.transactionId))];
    const found = await statesOf(gateway, account, ids);
    if ('failure' in found) {
      failures.push(found.failure);
      continue;
    }
    const held = await heldOn(context, account, ids);
    for (const { instruction, before } of entries) {
      const { transactionId } = instruction.entry;
      const seen = found.get(transactionId);
      const lines = held.get(transactionId) ?? [];
      const own = lines.find((one) => one.batchNumber === record.number && one.line === instruction.line);
      if (seen === undefined || own === undefined || own.address !== address) continue;
      if (!isAlone(own, lines, settledMs)) continue;
      // What the gateway has taken and decides later can still happen, however long that takes.
      const isSettled = before === 'unknown' && context.clock() - own.lastAt >= settledMs;
      const result = proved(instruction, seen, own, isSettled);
      if (result === undefined) continue;
      const origin = { batch: record.id, attempt: own.attempt };
      learnt.push({ line: instruction.line, result: packResult(result, usualResult(origin, instruction)) });
    }
  }
  return { learnt, failures, asked: asked.map(({ instruction }) => instruction.line) };
}

function isEntry(one: Asked): one is AskedEntry {
  return one.instruction.operation !== 'payout';
}

async function heldOn(
  { database }: Looking,
  { number }: Account,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRemoteLine[]>> {
  const bySubject = new Map<string, StoredRemoteLine[]>();
  for (const line of await remoteLinesOn(database.reads, new Map([[number, ids]])))
    getOrSet(bySubject, line.subject, () => []).push(line);
  return bySubject;
}

/** Another line that was sent at about the same time or later may be what has changed the transaction. */
function isAlone(own: StoredRemoteLine, lines: readonly StoredRemoteLine[], settledMs: number): boolean {
  return lines.every((one) => one === own || (one.number < own.number && one.lastAt < own.at - settledMs));
}

function proved(
  { operation, entry, amount, currency }: AskedEntry['instruction'],
  seen: QueriedTransaction | 'missing',
  { before }: StoredRemoteLine,
  isSettled: boolean,
): Result | undefined {
  if (seen === 'missing')
    return isSettled ? { status: 'refused', reason: reason('V0001', 'the gateway has none') } : undefined;
  if (!isSame(entry, seen)) return undefined;
  const looks = { before, now: seen.state, amount: seen.amount, isSettled };
  switch (judgeInDoubt(operation, entry, looks)) {
    case 'happened':
      return { status: 'done', reference: '', moved: usualMovement(operation, amount, currency) };
    case 'did not happen':
      return {
        status: 'refused',
        reason: reason(
          'E0002',
          `the gateway says that it did not happen: it is ${seen.state.replaceAll('_', ' ')}`,
        ),
      };
    default:
      return undefined;
  }
}

function isSame(entry: Entry, { orderNo, currency }: QueriedTransaction): boolean {
  return entry.orderNo === orderNo && entry.currency === currency;
}
