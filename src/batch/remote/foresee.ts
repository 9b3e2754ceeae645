/**
 * Foreseeing what a remote gateway would do: it is asked for the transactions that a file names, and for nothing else.
 * Identities are decided as they would be before sending, the rest as this program's own engine decides, on figures that
 * `figures.ts` derives from the answers. Nothing is written, no money moves. What is asked once is not asked again, so
 * every transaction that the files of a plan name stays in memory while it is made.
 */
import { type PackedResult, unpackResult } from '../../core/answer.ts';
import { type Chunk, subjectOf } from '../../core/chunk.ts';
import { type Reason, reason } from '../../core/code.ts';
import type { Answer, Entry, Gateway, Origin, Result } from '../../core/gateway.ts';
import { getOrSet } from '../../core/get-or-set.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { EntryOperation } from '../../core/operation.ts';
import type { Database } from '../../ledger/database.ts';
import { findIntents, type LineIntent, type RemoteLine } from '../../ledger/remote.ts';
import type { Send } from '../dispatch.ts';
import { type Figures, figuresOf, foreseeEntry } from './figures.ts';
import { Held, keyOf, remoteLineOf } from './intents.ts';
import { statesOf } from './states.ts';

/** Foresees the files of one plan: each sees what the ones before it would do. */
export class RemoteForeseer {
  readonly #gateway: Pick<Gateway, 'query'>;
  readonly #reads: Database['reads'];
  /** What the gateway has told, with what has been foreseen since; by account and transaction. */
  readonly #known = new Map<string, Figures | 'missing'>();
  /** Lines that would be executed, by account and subject. */
  readonly #lines = new Map<string, RemoteLine[]>();

  /** @param reads the ledger, which knows what was sent before */
  constructor(gateway: Pick<Gateway, 'query'>, reads: Database['reads']) {
    this.#gateway = gateway;
    this.#reads = reads;
  }

  /**
   * Answers chunks of one file in the gateway's stead; `pending` is what a query does not tell, such as every payout. The
   * failure of a query is the answer's.
   */
  sendAs(origin: Origin): Send {
    return (chunk) => this.#foresee(chunk, origin);
  }

  async #foresee(chunk: Chunk, origin: Origin): Promise<Answer> {
    const begun = await this.#begun(chunk, origin);
    const held = await this.#heldBefore(chunk, origin);
    const verdicts = chunk.instructions.map((instruction, index) => {
      const known = begun[index] ?? 'kept';
      if (known === 'sent') return { is: 'known', result: IN_DOUBT } as const;
      return known === 'kept'
        ? held.decide(instruction, chunk, origin)
        : ({ is: 'known', result: known } as const);
    });
    const failure = await this.#ask(
      chunk,
      chunk.instructions.filter((_, index) => verdicts[index]!.is === 'new'),
    );
    if (failure !== undefined) return { failure };
    const results = chunk.instructions.map((instruction, index) => {
      const verdict = verdicts[index]!;
      if (verdict.is === 'known') return unpackResult(verdict.result, NOTHING);
      const result = this.#decide(chunk, instruction);
      const sending = { ...NOWHERE, repeatOf: verdict.repeatOf };
      if (result.status !== 'refused') this.#remember(remoteLineOf(chunk, instruction, origin, sending));
      return result;
    });
    return { results, at: 0 };
  }

  /** What is known of a chunk that was begun and is not in the journal. */
  async #begun({ number }: Chunk, { batchNumber, attempt }: Origin): Promise<readonly LineIntent[]> {
    const [intent] = await findIntents(this.#reads, [{ batch: batchNumber, attempt, chunk: number }]);
    return intent?.lines ?? [];
  }

  async #heldBefore(chunk: Chunk, origin: Origin): Promise<Held> {
    const held = await Held.load(this.#reads, [chunk], origin);
    for (const subject of chunk.subjects)
      for (const line of this.#lines.get(keyOf(chunk.account.number, subject)) ?? []) held.add(line);
    return held;
  }

  /** Asks for the transactions that are not known yet. */
  async #ask({ account }: Chunk, instructions: readonly Instruction[]): Promise<Reason | undefined> {
    const ids = instructions.flatMap((one) => (one.operation === 'payout' ? [] : [one.entry.transactionId]));
    const unknown = ids.filter((id) => !this.#known.has(keyOf(account.number, id)));
    const found = await statesOf(this.#gateway, account, unknown);
    if ('failure' in found) return found.failure;
    for (const [id, one] of found)
      this.#known.set(keyOf(account.number, id), one === 'missing' ? one : figuresOf(one));
    return undefined;
  }

  #decide({ account }: Chunk, instruction: Instruction): Result {
    if (instruction.operation === 'payout') return UNFORESEEN;
    const key = keyOf(account.number, subjectOf(instruction));
    const figures = this.#known.get(key);
    if (figures === undefined) return UNFORESEEN;
    const after = foreseen(instruction.operation, instruction.entry, figures);
    if ('code' in after) return { status: 'refused', reason: after };
    this.#known.set(key, after);
    return { status: 'done', ...NOTHING };
  }

  #remember(line: RemoteLine): void {
    getOrSet(this.#lines, keyOf(line.accountNumber, line.subject), () => []).push(line);
  }
}

/** It is not sent. */
const NOWHERE = { address: '', remembered: 0, states: undefined, at: 0 } as const;

/** Nothing is executed: there is nothing to refer to, and nothing moves. */
const NOTHING = { reference: '', moved: [] } as const;

/** It would be sent; the gateway decides. */
const UNFORESEEN: Result = { status: 'pending', ...NOTHING };

/** It was sent, and running the file asks for its outcome instead of sending it afresh. */
const IN_DOUBT: PackedResult = ['unknown', reason('E0001', 'it was sent, and its answer is not known')];

function foreseen(operation: EntryOperation, entry: Entry, figures: Figures | 'missing'): Figures | Reason {
  return figures === 'missing' ? reason('V0001') : foreseeEntry(operation, entry, figures);
}
