/**
 * Taking back a batch that a remote gateway has executed: nothing is sent. How its lines ended stands in the result that
 * was written then; that is put where a process leaves what it has sent and not yet journaled, and executing the batch
 * finds all of it known. Identities are held again before anything else can use them. Faults, F106; invariants 4 and 8.
 */
import { lineReference, type PackedResult, packResult, usualMovement } from '../../core/answer.ts';
import { reason } from '../../core/code.ts';
import type { Origin } from '../../core/gateway.ts';
import { type Instruction, isInvalid, isKnownField } from '../../core/instruction.ts';
import { openFile } from '../../files/open.ts';
import { FileRejected } from '../../files/rejected.ts';
import { AccountBook, readAccounts } from '../../ledger/accounts.ts';
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
import { LineReader } from '../lines.ts';
import { Intents } from '../remote/intents.ts';
import { continueBatch, runFile } from '../run.ts';
import type { Submission } from '../submission.ts';
import { endedAs, Results } from './ended-then.ts';
import type { ResultCells } from './result-file.ts';

/** What is known of the execution then. */
export interface Then {
  readonly batch: string;
  /** When its first line was sent at the earliest, epoch milliseconds. */
  readonly at: number;
  /** Its newest result, which can be read to its end. */
  readonly result: string;
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
  const context: BatchContext = { ...given, executor: () => silent(given, submission.gateway) };
  const accepted = await acceptOnly(context, submission, path);
  if ('document' in accepted) return accepted.document;
  const record = (await findBatch(context.database.reads, accepted.batch))!;
  if ((await writeDown(context, record, then)) === 'stopped') {
    const ended = await stopBatch(context, record, 'it was stopped before the ledger was restored');
    if (typeof ended === 'object' && 'batch' in ended) return ended;
  }
  return continueBatch(context, record);
}

/**
 * Why the file cannot be taken in as it was: a line that was sent then would be invalid now, and so hold no identity.
 * Such a ledger lacks what the line needs, an account above all.
 */
export async function unfit(
  { database }: Pick<BatchContext, 'database'>,
  submission: Submission,
  path: string,
  then: Then,
): Promise<string | undefined> {
  const accounts = new AccountBook(await readAccounts(database.reads));
  const results = new Results(then.result);
  try {
    const opened = await openFile(path, submission.name, submission.reading, isKnownField);
    const reader = new LineReader(opened.shape, submission, accounts);
    for await (const rows of opened.rows()) {
      const olds = await results.take(rows.map(({ line }) => line));
      for (const [index, row] of rows.entries()) {
        const outcome = olds[index]?.outcome;
        const { parsed } = reader.read(row);
        if (outcome === undefined || !MAY_HAVE_HAPPENED.has(outcome) || !isInvalid(parsed)) continue;
        const { code, message } = parsed.reason;
        return `line ${row.line} was ${outcome} then, and would be invalid now: ${code} ${message}`;
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof FileRejected) return undefined;
    throw error;
  }
}

const MAY_HAVE_HAPPENED: ReadonlySet<string> = new Set(['succeeded', 'pending', 'unknown']);

/** A gateway to which nothing goes: what is not known is not asked for either. */
function silent(given: BatchContext, gateway: string): RemoteExecutor {
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
    ...promisesOf(given, gateway),
    settledMs: Number.MAX_SAFE_INTEGER,
    concurrency: given.concurrency,
  };
}

/** Where lines went then, and how long their keys are remembered, as far as the configuration of now can tell. */
function promisesOf(given: BatchContext, gateway: string): Pick<RemoteExecutor, 'address' | 'idempotentMs'> {
  try {
    const executor = given.executor(gateway);
    if (executor.is === 'remote') return { address: executor.address, idempotentMs: executor.idempotentMs };
  } catch {
    // It is not configured any more, or not for this environment: nobody will be asked.
  }
  return { address: '', idempotentMs: 0 };
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
  const { address, idempotentMs: remembered } = promisesOf(context, record.gateway);
  const results = new Results(then.result);
  let sentAt = 0;
  const intents = new Intents(database, origin, () => sentAt);
  let isWhole = true;
  for await (const chunk of chunksOf({ ...(await openKept(kept)), only: undefined, onProgress: undefined })) {
    if (context.interruption() !== undefined) return 'unfinished';
    const olds = await results.take(chunk.instructions.map(({ line }) => line));
    if ((await done.results(chunk.number)) !== undefined) continue;
    if (olds.every((old) => old?.outcome === 'not_sent')) {
      isWhole = false;
      continue;
    }
    sentAt = sentUnderItsKey(record, then, olds) ? then.at : LONG_AGO;
    const intent = await intents.open(chunk, { address, remembered, states: undefined });
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
