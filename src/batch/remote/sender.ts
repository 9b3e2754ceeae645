/**
 * To a remote gateway: the intent is committed, then the request goes out, then its results are committed with the
 * journal. What may have been executed, and is not proven either way, is unknown; it is never sent afresh. Faults, F58 to
 * F72.
 */
import { lineReference, packResult, unpackResult, usualMovement } from '../../core/answer.ts';
import type { Chunk } from '../../core/chunk.ts';
import { type Reason, reason } from '../../core/code.ts';
import type { Answer, CallOptions, Origin, Result } from '../../core/gateway.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { State } from '../../core/state.ts';
import type { Database, Statements } from '../../ledger/database.ts';
import { deleteIntents, deleteRemoteLines, type LineIntent, remoteLinesOf } from '../../ledger/remote.ts';
import type { RemoteExecutor } from '../executor.ts';
import { type ChunkSender, type Concluded, entryOf, idempotencyKeys, payoutOf } from '../send.ts';
import { Intents, type StatesBefore } from './intents.ts';
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
  readonly #executor: RemoteExecutor;
  readonly #origin: Origin;
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #intents: Intents;
  /** A gateway that does not answer queries is not asked for every chunk. */
  #answersQueries = true;

  /** @param clock epoch milliseconds */
  constructor(executor: RemoteExecutor, origin: Origin, database: Database, clock: () => number) {
    this.#executor = executor;
    this.#origin = origin;
    this.#database = database;
    this.#clock = clock;
    this.#intents = new Intents(database, origin, clock);
  }

  async send(chunk: Chunk): Promise<Answer> {
    const intent = await this.#intents.open(chunk, await this.#statesBefore(chunk));
    if ('failure' in intent) return intent;
    const lines: LineIntent[] = [...intent.lines];
    const learnt = new Map<number, Learnt>();
    await Promise.all(
      this.#partsOf(chunk, intent.lines, intent.sentBefore).map(async (part) => {
        const results = await this.#ask(chunk, part);
        for (const [place, index] of part.indexes.entries()) learnt.set(index, results[place]!);
      }),
    );
    const failed = [...learnt.values()].find((one) => one.status === 'nothing');
    if (failed !== undefined) {
      await this.#keepForLater(chunk, lines, learnt);
      return { failure: failed.reason };
    }
    const results = chunk.instructions.map((instruction, index) => {
      const line = lines[index]!;
      if (line === 'kept') throw new Error(`line ${instruction.line} was neither sent nor decided`);
      return line === 'sent' ? (learnt.get(index) as Result) : unpackResult(line, this.#usualOf(instruction));
    });
    return { results, at: this.#clock() };
  }

  wasSent(chunk: Chunk): Promise<boolean> {
    return this.#intents.isOpen(chunk);
  }

  /** The intents are over, and what did not happen holds no identity. */
  async conclude(statements: Statements, concluded: readonly Concluded[]): Promise<void> {
    const { batchNumber, attempt } = this.#origin;
    const gone = concluded.flatMap(({ chunk, results }) =>
      chunk.instructions.filter((_, index) => results[index]!.status === 'refused'),
    );
    await deleteIntents(
      statements,
      batchNumber,
      attempt,
      concluded.map(({ chunk }) => chunk.number),
    );
    await deleteRemoteLines(
      statements,
      batchNumber,
      gone.map(({ line }) => line),
      attempt,
    );
  }

  /** Only a gateway that honours no keys is asked: there, states before and after are the only evidence. */
  async #statesBefore(chunk: Chunk): Promise<StatesBefore | undefined> {
    if (this.#executor.idempotentMs > 0 || !this.#answersQueries || chunk.operation === 'payout')
      return undefined;
    const states = await statesOf(this.#executor.gateway, chunk.account, [...chunk.subjects]);
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
    const answer = await askPart(this.#executor, chunk, part);
    if ('results' in answer) return answer.results;
    const { failure } = answer;
    return part.indexes.map(() =>
      part.again
        ? { status: 'unknown', reason: reason('E0001', failure.message) }
        : { status: 'nothing', reason: failure },
    );
  }

  /** Whether the gateway still remembers what was sent under the key. */
  async #mayRepeat({ instructions }: Chunk, { indexes }: Part): Promise<boolean> {
    const { idempotentMs } = this.#executor;
    if (idempotentMs === 0) return false;
    const lines = indexes.map((index) => instructions[index]!.line);
    const sent = await remoteLinesOf(this.#database.reads, this.#origin.batchNumber, lines);
    return sent.every(({ at }) => this.#clock() - at < idempotentMs);
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
      return packResult(one, this.#usualOf(chunk.instructions[index]!));
    });
    const isNothing = [...learnt.values()].every(({ status }) => status === 'nothing');
    await (isNothing ? this.#intents.withdraw(chunk) : this.#intents.update(chunk, known));
  }

  #usualOf({ line, operation, amount, currency }: Instruction) {
    return {
      reference: lineReference(this.#origin, line),
      moved: usualMovement(operation, amount, currency),
    };
  }
}

const SENT_BEFORE: Learnt = {
  status: 'unknown',
  reason: reason('E0001', 'it was sent, and what became of it was not written down'),
};

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
