/**
 * Taking back a batch that a remote gateway has executed: nothing is sent. How its lines ended stands in the result that
 * was written then; that is put where a process leaves what it has sent and not yet journaled, and executing the batch
 * finds all of it known. Identities are held again before anything else can use them. Faults, F106; invariants 4 and 8.
 */
import { lineReference, type PackedResult, packResult, usualMovement } from '../../core/answer.ts';
import type { Chunk } from '../../core/chunk.ts';
import { CODES, type Code, type Reason, reason } from '../../core/code.ts';
import type { Origin, Result } from '../../core/gateway.ts';
import type { Instruction } from '../../core/instruction.ts';
import { attemptsOf, type BatchRecord, findBatch } from '../../ledger/journal.ts';
import type { LineIntent } from '../../ledger/remote.ts';
import type { BatchDocument } from '../../report/document.ts';
import { stopBatch } from '../acts.ts';
import { type BatchContext, Interrupted } from '../context.ts';
import { DoneChunks } from '../done-chunks.ts';
import { chunksOf } from '../execute.ts';
import type { RemoteExecutor } from '../executor.ts';
import { EXIT } from '../exit.ts';
import { keptFile, openKept } from '../kept-file.ts';
import { Intents } from '../remote/intents.ts';
import { continueBatch, runFile } from '../run.ts';
import type { Submission } from '../submission.ts';
import { type ResultCells, resultLines } from './result-file.ts';

/** What is known of the execution then. */
export interface Then {
  readonly batch: string;
  /** When its first line was sent at the earliest, epoch milliseconds. */
  readonly at: number;
  /** Its newest result, which can be read to its end. */
  readonly result: string;
  /** Of the result, where it was named. */
  readonly delimiter: string | null;
}

/**
 * Takes the file in as the batch that it was, with its lines as they ended then. Ended at any moment, the same call goes
 * on.
 * @returns the document; `interrupted` when it did not come to its end now
 */
export async function replay(
  given: BatchContext,
  submission: Submission,
  path: string,
  then: Then,
): Promise<BatchDocument> {
  const context: BatchContext = { ...given, executor: () => silent(given.concurrency) };
  const accepted = await acceptOnly(context, submission, path);
  if ('document' in accepted) return accepted.document;
  const record = (await findBatch(context.database.reads, accepted.batch))!;
  if ((await writeDown(context, record, then)) === 'stopped') {
    const ended = await stopBatch(context, record, 'it was stopped before the ledger was restored');
    if (typeof ended === 'object' && 'batch' in ended) return ended;
  }
  return continueBatch(context, record);
}

/** A gateway to which nothing goes: what is not known is not asked for either. */
function silent(concurrency: number): RemoteExecutor {
  const failure = reason('E0002', 'nothing is sent while what was sent before is taken back');
  const nothing = () => Promise.resolve({ failure });
  return {
    is: 'remote',
    gateway: {
      capture: nothing,
      cancel: nothing,
      review: nothing,
      refund: nothing,
      payout: nothing,
      query: nothing,
    },
    // It is taken for one that remembers everything, so that nobody asks it for states first.
    idempotentMs: Number.POSITIVE_INFINITY,
    settledMs: Number.POSITIVE_INFINITY,
    concurrency,
  };
}

/** Has the file accepted, and goes no further than that. */
async function acceptOnly(
  context: BatchContext,
  submission: Submission,
  path: string,
): Promise<{ readonly batch: string } | { readonly document: BatchDocument }> {
  let batch: string | undefined;
  const accepting: BatchContext = {
    ...context,
    onAccepted: async (accepted) => {
      if (!accepted.repeat) batch = accepted.batch;
    },
    interruption: () => context.interruption() ?? (batch === undefined ? undefined : EXIT.temporary),
  };
  const isAsked = () => batch !== undefined && context.interruption() === undefined;
  try {
    const document = await runFile(accepting, submission, path);
    return document.status === 'interrupted' && isAsked() ? { batch: batch! } : { document };
  } catch (error) {
    if (error instanceof Interrupted && isAsked()) return { batch: batch! };
    throw error;
  }
}

/**
 * Begins every chunk that was sent then, and says of each of its lines how it ended.
 * @returns `unfinished` when not all of it could be written down; `stopped` when all is, and some of it was not sent
 */
async function writeDown(
  context: BatchContext,
  record: BatchRecord,
  then: Then,
): Promise<'whole' | 'stopped' | 'unfinished'> {
  const { database, folders } = context;
  const { reads } = database;
  const kept = await keptFile(reads, folders, record);
  const [first] = await attemptsOf(reads, record.number);
  const origin: Origin = {
    batch: record.id,
    batchNumber: record.number,
    attempt: 1,
    repeats: first!.repeats,
  };
  const done = await DoneChunks.load(reads, origin);
  const results = new Results(then);
  let sentAt = 0;
  const intents = new Intents(database, origin, () => sentAt);
  let isWhole = true;
  for await (const chunk of chunksOf({ ...(await openKept(kept)), only: undefined, onProgress: undefined })) {
    if (context.interruption() !== undefined) return 'unfinished';
    const olds = await results.take(chunk);
    if ((await done.results(chunk.number)) !== undefined) continue;
    if (olds.every((old) => old?.outcome === 'not_sent')) {
      isWhole = false;
      continue;
    }
    sentAt = sentUnderItsKey(record, then, olds) ? then.at : LONG_AGO;
    const intent = await intents.open(chunk, undefined);
    // Why, the execution will say.
    if ('failure' in intent) return 'unfinished';
    const known = intent.lines.map(
      (line, index): LineIntent =>
        line === 'sent' ? packed(origin, chunk.instructions[index]!, olds[index]) : line,
    );
    await intents.update(chunk, known);
  }
  return isWhole ? 'whole' : 'stopped';
}

/** Nobody knows when: what was sent then is never asked for under its idempotency key again. */
const LONG_AGO = 0;

/** Whether the same chunk of this batch would go out under the key under which it went then. */
function sentUnderItsKey(
  { id }: BatchRecord,
  { batch }: Then,
  olds: readonly (ResultCells | undefined)[],
): boolean {
  return (
    id === batch && olds.every((old) => old !== undefined && (old.attempt === '' || old.attempt === '1'))
  );
}

/** As the journal keeps it. */
function packed(origin: Origin, instruction: Instruction, old: ResultCells | undefined): PackedResult {
  const { line, operation, amount, currency } = instruction;
  const moved = usualMovement(operation, amount, currency);
  return packResult(endedAs(old, moved), { reference: lineReference(origin, line), moved });
}

/**
 * How a line ended that holds its identity now. What is not proved not to have happened is unknown: that it is nobody's
 * repeat now, but was one then, means that what it repeats is lost.
 */
function endedAs(old: ResultCells | undefined, moved: ReturnType<typeof usualMovement>): Result {
  switch (old?.outcome) {
    case 'succeeded':
      return { status: 'done', reference: old.gateway_reference, moved };
    case 'pending':
      return { status: 'pending', reference: old.gateway_reference, moved };
    case 'refused':
    case 'invalid':
      return { status: 'refused', reason: reasonOf(old) };
    case 'not_sent':
      return { status: 'refused', reason: reason('E0002', 'it was not sent then') };
    case 'unknown':
      return { status: 'unknown', reason: reasonOf(old) };
    case 'duplicate':
      return { status: 'unknown', reason: reason('E0001', `then it said: ${old.message}`) };
    default:
      return { status: 'unknown', reason: reason('E0001', 'the result of then does not say') };
  }
}

function reasonOf({ code, message, hint }: ResultCells): Reason {
  if (!isCode(code)) return reason('E0001', message === '' ? undefined : message);
  return { code, message, ...(hint === '' || hint === CODES[code].hint ? {} : { hint }) };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}

/** The result of then, read as far as the chunks need it. */
class Results {
  readonly #lines: AsyncGenerator<ResultCells>;
  /** Read, and of no chunk yet. */
  readonly #waiting = new Map<number, ResultCells>();
  #last = 0;

  constructor({ result, delimiter }: Then) {
    this.#lines = resultLines(result, delimiter);
  }

  /** What the result says of each line of a chunk; each line is asked for once. */
  async take({ instructions }: Chunk): Promise<readonly (ResultCells | undefined)[]> {
    await this.#readTo(instructions.at(-1)!.line);
    return instructions.map(({ line }) => {
      const cells = this.#waiting.get(line);
      this.#waiting.delete(line);
      return cells;
    });
  }

  async #readTo(line: number): Promise<void> {
    while (this.#last < line) {
      const { value, done } = await this.#lines.next();
      if (done === true) return;
      this.#last = Number(value.line);
      if (SENT_OR_NOT.has(value.outcome) || value.code === 'B0014') this.#waiting.set(this.#last, value);
    }
  }
}

/** Outcomes of lines that can stand in a chunk; an invalid line does where only the ledger could say so. */
const SENT_OR_NOT: ReadonlySet<string> = new Set([
  'succeeded',
  'pending',
  'refused',
  'unknown',
  'duplicate',
  'not_sent',
]);
