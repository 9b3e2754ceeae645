/**
 * Cutting a stream of instructions into chunks. A chunk has one operation and one account; two instructions on one
 * transaction never share a chunk, and the chunks that carry them are closed in the order of the file. The cut depends
 * on nothing but the stream, so that preflight, execution, resumption and report all see the same chunks.
 */
import type { Account } from './gateway.ts';
import { getOrSet } from './get-or-set.ts';
import type { Instruction } from './instruction.ts';
import { OPERATIONS, type Operation } from './operation.ts';

export interface Chunk {
  /** From 1, in the order of the chunks' first lines. */
  readonly number: number;
  readonly operation: Operation;
  readonly account: Account;
  readonly instructions: readonly Instruction[];
  /** What its instructions act on: transactions, or a payout's request_id. */
  readonly subjects: ReadonlySet<string>;
}

interface OpenChunk extends Chunk {
  readonly instructions: Instruction[];
  readonly subjects: Set<string>;
}

/**
 * How many instructions may wait in open chunks: this bounds memory (about 60 MB) for a file that names thousands of
 * accounts in turn. Beyond it the chunk opened first is closed early.
 */
const MOST_WAITING = 100_000;

export class Chunker {
  #number = 0;
  #waiting = 0;
  /** By account number and operation; a Map keeps the order of opening. */
  readonly #open = new Map<string, OpenChunk>();
  /** The open chunks of an account. */
  readonly #ofAccount = new Map<number, OpenChunk[]>();

  /** Takes one instruction; returns the chunks that are closed by it, in the order in which they must be executed. */
  add(instruction: Instruction, account: Account): readonly Chunk[] {
    const subject = subjectOf(instruction);
    const closed: Chunk[] = [];
    const holder = this.#ofAccount.get(account.number)?.find((chunk) => chunk.subjects.has(subject));
    if (holder !== undefined) closed.push(this.#close(holder));
    const chunk = this.#chunkFor(instruction.operation, account);
    chunk.instructions.push(instruction);
    chunk.subjects.add(subject);
    this.#waiting += 1;
    if (chunk.instructions.length === OPERATIONS[chunk.operation].limit) closed.push(this.#close(chunk));
    if (this.#waiting > MOST_WAITING) closed.push(this.#close(this.#open.values().next().value!));
    return closed;
  }

  /** The chunks that are still open at the end of the stream. */
  end(): readonly Chunk[] {
    return [...this.#open.values()].map((chunk) => this.#close(chunk));
  }

  #chunkFor(operation: Operation, account: Account): OpenChunk {
    const key = `${account.number}/${operation}`;
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    this.#number += 1;
    const chunk: OpenChunk = {
      number: this.#number,
      operation,
      account,
      instructions: [],
      subjects: new Set(),
    };
    this.#open.set(key, chunk);
    getOrSet(this.#ofAccount, account.number, () => []).push(chunk);
    return chunk;
  }

  #close(chunk: OpenChunk): Chunk {
    this.#open.delete(`${chunk.account.number}/${chunk.operation}`);
    const siblings = this.#ofAccount.get(chunk.account.number)!;
    if (siblings.length === 1) this.#ofAccount.delete(chunk.account.number);
    else siblings.splice(siblings.indexOf(chunk), 1);
    this.#waiting -= chunk.instructions.length;
    return chunk;
  }
}

/** What the instruction acts on, within its account. An id has no line end, so a payout's name never meets a transaction's. */
export function subjectOf(instruction: Instruction): string {
  return instruction.operation === 'payout'
    ? `payout\n${instruction.payout.requestId}`
    : instruction.entry.transactionId;
}
