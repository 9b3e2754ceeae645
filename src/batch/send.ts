/** From a chunk to the requests of a gateway. */
import type { Chunk } from '../core/chunk.ts';
import type { Reason } from '../core/code.ts';
import type { Answer, Entry, InstructionGateway, Origin, Payout, Result } from '../core/gateway.ts';
import type { Instruction } from '../core/instruction.ts';
import { findAnswers } from '../ledger/answers.ts';
import type { Database, Statements } from '../ledger/database.ts';

/** A chunk with what became of it. */
export interface Concluded {
  readonly chunk: Chunk;
  readonly results: readonly Result[];
}

/** `sent before`: nothing that has not gone out goes out any more. */
export type Which = 'all' | 'sent before';

/** An answer, or a failure of a part of the chunk: what is known of each line all the same, undefined for what was not sent. */
export type Sent = Answer | { readonly failure: Reason; readonly partly: readonly (Result | undefined)[] };

/** How the chunks of one attempt reach their gateway. */
export interface ChunkSender {
  /** Chunks in flight at most, of as many as the caller allows. */
  limit(most: number): number;
  /**
   * Sends a chunk; sent again, it has no further effect.
   * @param more another chunk follows at once, without waiting for this answer
   */
  send(chunk: Chunk, more: boolean): Promise<Sent>;
  /** Whether the chunk, or a part of it, was handed to the gateway before. */
  wasSent(chunk: Chunk): Promise<boolean>;
  /** What has to be written in the same transaction as the results in the journal. */
  conclude(statements: Statements, concluded: readonly Concluded[]): Promise<void>;
}

/** To the embedded engine, which decides identities itself and keeps its answers in the same database. */
export class EngineSender implements ChunkSender {
  readonly #gateway: InstructionGateway;
  readonly #origin: Origin;
  readonly #database: Database;

  constructor(gateway: InstructionGateway, origin: Origin, database: Database) {
    this.#gateway = gateway;
    this.#origin = origin;
    this.#database = database;
  }

  limit(most: number): number {
    return most;
  }

  send(chunk: Chunk, more: boolean): Promise<Answer> {
    return sendChunk(this.#gateway, chunk, this.#origin, more);
  }

  async wasSent(chunk: Chunk): Promise<boolean> {
    const { account, operation } = chunk;
    const keys = idempotencyKeys(chunk, this.#origin).map((key) => ({
      accountNumber: account.number,
      operation,
      key,
    }));
    return (await findAnswers(this.#database.reads, keys)).length > 0;
  }

  conclude(): Promise<void> {
    return Promise.resolve();
  }
}

/** The keys of a chunk's requests, in the order of its lines: the same however often it is sent. */
export function idempotencyKeys(
  chunk: Chunk,
  { batch, attempt }: Pick<Origin, 'batch' | 'attempt'>,
): readonly string[] {
  const key = `${batch}.${attempt}.${chunk.number}`;
  return chunk.operation === 'payout' ? chunk.instructions.map(({ line }) => `${key}.${line}`) : [key];
}

/** Sends one chunk, each of its requests under its own idempotency key. */
export async function sendChunk(
  gateway: InstructionGateway,
  chunk: Chunk,
  origin: Origin,
  more: boolean,
): Promise<Answer> {
  const { merchantId, accountId } = chunk.account;
  const keys = idempotencyKeys(chunk, origin);
  if (chunk.operation !== 'payout') {
    const entries = chunk.instructions.map(entryOf);
    return gateway[chunk.operation](
      { merchantId, accountId, entries, origin },
      { idempotencyKey: keys[0]!, more },
    );
  }
  const last = chunk.instructions.length - 1;
  const answers = await Promise.allSettled(
    chunk.instructions.map((instruction, index) => {
      const request = { merchantId, accountId, payout: payoutOf(instruction), origin };
      return gateway.payout(request, { idempotencyKey: keys[index]!, more: more || index < last });
    }),
  );
  return joined(answers);
}

/** Payouts are a request each; a chunk of them failed when any of them did. Sent again, the others answer the same. */
function joined(answers: readonly PromiseSettledResult<Answer>[]): Answer {
  const results: Result[] = [];
  let at = 0;
  for (const settled of answers) {
    if (settled.status === 'rejected') throw settled.reason;
    if ('failure' in settled.value) return settled.value;
    results.push(...settled.value.results);
    at = Math.max(at, settled.value.at);
  }
  return { results, at };
}

export function entryOf(instruction: Instruction): Entry {
  if (instruction.operation === 'payout') throw new Error('a payout stands in a chunk of another operation');
  return instruction.entry;
}

export function payoutOf(instruction: Instruction): Payout {
  if (instruction.operation !== 'payout') throw new Error('another operation stands in a chunk of payouts');
  return instruction.payout;
}
