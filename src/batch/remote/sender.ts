/**
 * To a remote gateway: the intent is committed, then the request goes out, then its results are committed with the
 * journal. What may have been executed, and is not proven either way, is unknown; it is never sent afresh. Faults, F58 to
 * F72.
 */
import { type PackedResult, packResult, unpackResult, usualResult } from '../../core/answer.ts';
import type { Chunk } from '../../core/chunk.ts';
import { type Reason, reason } from '../../core/code.ts';
import type { Answer, CallOptions, Origin, Result } from '../../core/gateway.ts';
import type { State } from '../../core/state.ts';
import type { Database, Statements } from '../../ledger/database.ts';
import {
  deleteIntents,
  deleteRemoteLines,
  type LineIntent,
  remoteLinesOf,
  touchRemoteLines,
} from '../../ledger/remote.ts';
import type { RemoteExecutor } from '../executor.ts';
import {
  type ChunkSender,
  type Concluded,
  entryOf,
  idempotencyKeys,
  payoutOf,
  type Sent,
  type Which,
} from '../send.ts';
import { type Intent, Intents, type StatesBefore } from './intents.ts';
import { isRemembered } from './memory.ts';
import { statesOf } from './states.ts';

/** What is known of one line of a chunk after its request. */
type Learnt = Result | { readonly status: 'nothing'; readonly reason: Reason };

/** One request: a whole chunk, or a single payout of it. */
interface Part {
  readonly key: string;
  /** Places in the chunk. */
  readonly indexes: readonly number[];
  /** It was sent before, and nobody knows what became of it. */
  readonly again: boolean;
}

export class RemoteSender implements ChunkSender {
  readonly #executorOf: () => RemoteExecutor;
  readonly #origin: Origin;
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #which: Which;
  readonly #intents: Intents;
  #executor: RemoteExecutor | undefined;
  /** A gateway that does not answer queries is not asked for every chunk. */
  #answersQueries = true;

  /**
   * @param executorOf asked when something is to be sent: what needs no gateway goes on without one
   * @param clock epoch milliseconds
   */
  constructor(
    executorOf: () => RemoteExecutor,
    origin: Origin,
    database: Database,
    clock: () => number,
    which: Which,
  ) {
    this.#executorOf = executorOf;
    this.#origin = origin;
    this.#database = database;
    this.#clock = clock;
    this.#which = which;
    this.#intents = new Intents(database, origin, clock);
  }

  get #remote(): RemoteExecutor {
    this.#executor ??= this.#executorOf();
    return this.#executor;
  }

  /** What is in flight is unknown when the process ends. */
  limit(most: number): number {
    return this.#which === 'all' ? Math.min(most, this.#remote.concurrency) : 1;
  }

  async send(chunk: Chunk): Promise<Sent> {
    const intent = await this.#open(chunk);
    if ('failure' in intent) return intent;
    const { lines, sentBefore } = intent;
    const learnt = new Map<number, Learnt>();
    await Promise.all(
      this.#partsOf(chunk, lines, sentBefore).map(async (part) => {
        const results = await this.#ask(chunk, part);
        for (const [place, index] of part.indexes.entries()) learnt.set(index, results[place]!);
      }),
    );
    const failed = [...learnt.values()].find((one) => one.status === 'nothing');
    const results = chunk.instructions.map((instruction, index) => {
      const line = lines[index]!;
      if (line === 'kept') return STOPPED;
      return line === 'sent'
        ? learnt.get(index)!
        : unpackResult(line, usualResult(this.#origin, instruction));
    });
    if (failed === undefined) return { results: results as readonly Result[], at: this.#clock() };
    await this.#keepForLater(chunk, lines, learnt);
    return {
      failure: failed.reason,
      partly: results.map((one) => (one.status === 'nothing' ? undefined : one)),
    };
  }

  async wasSent(chunk: Chunk): Promise<boolean> {
    return (await this.#intents.find(chunk)) !== undefined;
  }

  /** The intents are over, and what did not happen holds no identity. */
  async conclude(statements: Statements, concluded: readonly Concluded[]): Promise<void> {
    const { batchNumber, attempt } = this.#origin;
    const those = (status: Result['status']) =>
      concluded.flatMap(({ chunk, results }) =>
        chunk.instructions.filter((_, index) => results[index]!.status === status).map(({ line }) => line),
      );
    await deleteIntents(
      statements,
      batchNumber,
      attempt,
      concluded.map(({ chunk }) => chunk.number),
    );
    await deleteRemoteLines(statements, batchNumber, those('refused'), attempt);
    await touchRemoteLines(statements, batchNumber, those('unknown'), this.#clock());
  }

  async #open(chunk: Chunk): Promise<Intent | { readonly failure: Reason }> {
    if (this.#which === 'sent before') {
      const intent = await this.#intents.find(chunk);
      if (intent === undefined) throw new Error(`chunk ${chunk.number} was not sent before`);
      return intent;
    }
    const { address, idempotentMs: remembered } = this.#remote;
    return this.#intents.open(chunk, { address, remembered, states: await this.#statesBefore(chunk) });
  }

  /** Only a gateway that honours no keys is asked: there, states before and after are the only evidence. */
  async #statesBefore(chunk: Chunk): Promise<StatesBefore | undefined> {
    const { gateway, idempotentMs } = this.#remote;
    if (idempotentMs > 0 || !this.#answersQueries || chunk.operation === 'payout') return undefined;
    const states = await statesOf(gateway, chunk.account, [...chunk.subjects]);
    if (!('failure' in states)) return new Map([...states].flatMap(([id, one]) => stateIn(id, one)));
    this.#answersQueries = states.failure.code === 'E0002';
    return undefined;
  }

  #partsOf(chunk: Chunk, lines: readonly LineIntent[], sentBefore: ReadonlySet<number>): readonly Part[] {
    const keys = idempotencyKeys(chunk, this.#origin);
    const indexes = lines.flatMap((line, index) => (line === 'sent' ? [index] : []));
    if (indexes.length === 0) return [];
    if (chunk.operation !== 'payout')
      return [{ key: keys[0]!, indexes, again: indexes.some((index) => sentBefore.has(index)) }];
    return indexes.map((index) => ({
      key: keys[index]!,
      indexes: [index],
      again: sentBefore.has(index),
    }));
  }

  async #ask(chunk: Chunk, part: Part): Promise<readonly Learnt[]> {
    if (part.again && !(await this.#mayRepeat(chunk, part))) return part.indexes.map(() => SENT_BEFORE);
    const answer = await askPart(this.#remote, chunk, part);
    if ('results' in answer) return answer.results;
    const { failure, isDecided } = answer;
    return part.indexes.map((): Learnt => {
      if (part.again) return { status: 'unknown', reason: reason('E0001', failure.message) };
      return isDecided === true
        ? { status: 'refused', reason: failure }
        : { status: 'nothing', reason: failure };
    });
  }

  /** Whether the gateway still remembers what was sent under the key; then it may be on its way again. */
  async #mayRepeat({ instructions }: Chunk, { indexes }: Part): Promise<boolean> {
    const lines = indexes.map((index) => instructions[index]!.line);
    const sent = await remoteLinesOf(this.#database.reads, this.#origin.batchNumber, lines);
    if (!sent.every((line) => isRemembered(line, this.#remote, this.#clock()))) return false;
    await this.#intents.touch(lines);
    return true;
  }

  /** What of the chunk did not happen is sent another time; the rest is not. */
  async #keepForLater(
    chunk: Chunk,
    lines: readonly LineIntent[],
    learnt: ReadonlyMap<number, Learnt>,
  ): Promise<void> {
    const known = lines.map((line, index): LineIntent => {
      const one = learnt.get(index);
      if (one === undefined) return line;
      if (one.status === 'nothing') return 'kept';
      if (one.status === 'unknown') return 'sent';
      return packResult(one, usualResult(this.#origin, chunk.instructions[index]!));
    });
    // Also an earlier sending may have been answered in part.
    const isNothing = known.every((line) => line === 'kept' || (line !== 'sent' && !wentOut(line)));
    await (isNothing ? this.#intents.withdraw(chunk) : this.#intents.update(chunk, known));
  }
}

/** Its batch was stopped before it was sent. */
const STOPPED: Result = {
  status: 'refused',
  reason: reason('E0002', 'the batch was stopped before it was sent'),
};

const SENT_BEFORE: Learnt = {
  status: 'unknown',
  reason: reason('E0001', 'it was sent, and what became of it was not written down'),
};

/** What was decided here alone never went out. */
export function wentOut(result: PackedResult): boolean {
  return result === 1 || (result[0] !== 'repeat' && result[0] !== 'invalid');
}

/** Sends some of a chunk's instructions in one request. */
export function askPart(
  { gateway }: Pick<RemoteExecutor, 'gateway'>,
  { account, operation, instructions }: Chunk,
  { key, indexes, again }: Part,
): Promise<Answer> {
  const { merchantId, accountId } = account;
  const asked = indexes.map((index) => instructions[index]!);
  const options: CallOptions = { idempotencyKey: key, sentBefore: again };
  return operation === 'payout'
    ? gateway.payout({ merchantId, accountId, payout: payoutOf(asked[0]!) }, options)
    : gateway[operation]({ merchantId, accountId, entries: asked.map(entryOf) }, options);
}

function stateIn(id: string, found: { readonly state: State } | 'missing'): [string, State][] {
  return found === 'missing' ? [] : [[id, found.state]];
}
