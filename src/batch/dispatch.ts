/**
 * Hands chunks to a gateway: a bounded number in flight, never two that touch the same transaction, and in the order of
 * the file wherever order matters.
 */
import pLimit from 'p-limit';
import type { Chunk } from '../core/chunk.ts';
import type { Reason } from '../core/code.ts';
import type { Answer, Result } from '../core/gateway.ts';
import { getOrSet } from '../core/get-or-set.ts';
import { weightOf } from '../core/operation.ts';

/** Weight of the instructions in flight at most, whatever the size of chunks: it bounds memory. */
const MOST_IN_FLIGHT = 20_000;

/** Why nothing more is to be sent. */
export type Halt = 'interrupted' | 'stopped';

/**
 * Sends a chunk and resolves with its answer.
 * @param more another chunk follows at once, without waiting for this answer
 */
export type Send = (chunk: Chunk, more: boolean) => Promise<Answer>;

export class Dispatcher {
  readonly #send: Send;
  readonly #onResults: (chunk: Chunk, results: readonly Result[]) => Promise<void>;
  readonly #halt: () => Halt | undefined;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #concurrency: number;
  /** The chunk handed in last waits here until it is known whether the next one can follow at once. */
  #held: Chunk | undefined;
  readonly #inFlight = new Set<Promise<void>>();
  /** Weight of what is in flight. */
  #weight = 0;
  /** Chunks in flight by account number and subject. */
  readonly #touched = new Map<number, Map<string, Promise<void>>>();
  #error: unknown;
  /**
   * Why nothing more is sent, once that is so. After a chunk that was not executed nothing may be: what comes later in
   * the file may build on it.
   */
  ended: Halt | { readonly failure: Reason } | undefined;

  /**
   * @param send never called for a chunk while another one is on its way that touches the same transaction
   * @param onResults takes the results of each chunk, which stays in flight until this has ended
   * @param halt asked before each chunk is sent
   */
  constructor(
    send: Send,
    concurrency: number,
    onResults: (chunk: Chunk, results: readonly Result[]) => Promise<void>,
    halt: () => Halt | undefined,
  ) {
    this.#send = send;
    this.#concurrency = concurrency;
    this.#limit = pLimit(concurrency);
    this.#onResults = onResults;
    this.#halt = halt;
  }

  /** Takes the next chunk; resolves when there is room for another. */
  async add(chunk: Chunk): Promise<void> {
    const held = this.#held;
    this.#held = chunk;
    if (held !== undefined) await this.#launch(held, this.#canFollow(chunk, held));
  }

  /** Resolves when everything handed in has its answer. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await this.#launch(held, false);
    await Promise.all(this.#inFlight);
    this.#throwFirstError();
  }

  /** Waits for what is in flight and forgets what is not. */
  async abandon(): Promise<void> {
    this.#held = undefined;
    await Promise.allSettled(this.#inFlight);
  }

  /** True when `next` could be launched right after `held`, without waiting for any answer. */
  #canFollow(next: Chunk, held: Chunk): boolean {
    if (this.#isFull(weightOfChunk(held))) return false;
    const shares =
      held.account.number === next.account.number && [...next.subjects].some((one) => held.subjects.has(one));
    return !shares && this.#conflicts(next).size === 0;
  }

  /** True when no more may be in flight, after one chunk of this weight. */
  #isFull(coming: number): boolean {
    const chunks = this.#inFlight.size + (coming > 0 ? 1 : 0);
    return chunks >= this.#concurrency || this.#weight + coming >= MOST_IN_FLIGHT;
  }

  #conflicts(chunk: Chunk): ReadonlySet<Promise<void>> {
    const touched = this.#touched.get(chunk.account.number);
    const found = new Set<Promise<void>>();
    if (touched === undefined || touched.size === 0) return found;
    for (const subject of chunk.subjects) {
      const flight = touched.get(subject);
      if (flight !== undefined) found.add(flight);
    }
    return found;
  }

  async #launch(chunk: Chunk, more: boolean): Promise<void> {
    while (this.#isFull(0)) await Promise.race(this.#inFlight);
    await Promise.all(this.#conflicts(chunk));
    this.#throwFirstError();
    this.ended ??= this.#halt();
    if (this.ended !== undefined) return;
    const flight = this.#limit(() => this.#execute(chunk, more));
    this.#inFlight.add(flight);
    this.#weight += weightOfChunk(chunk);
    this.#touch(chunk, flight);
    void flight.then(() => {
      this.#inFlight.delete(flight);
      this.#weight -= weightOfChunk(chunk);
      this.#release(chunk);
    });
  }

  /** Never rejects: the first error is kept and thrown to whoever hands in or waits next. */
  async #execute(chunk: Chunk, more: boolean): Promise<void> {
    try {
      const answer = await this.#send(chunk, more);
      if ('failure' in answer) this.ended ??= answer;
      else await this.#onResults(chunk, answer.results);
    } catch (error) {
      this.#error ??= error;
    }
  }

  #touch(chunk: Chunk, flight: Promise<void>): void {
    const touched = getOrSet(this.#touched, chunk.account.number, () => new Map<string, Promise<void>>());
    for (const subject of chunk.subjects) touched.set(subject, flight);
  }

  #release(chunk: Chunk): void {
    const touched = this.#touched.get(chunk.account.number)!;
    for (const subject of chunk.subjects) touched.delete(subject);
  }

  #throwFirstError(): void {
    if (this.#error !== undefined) throw this.#error;
  }
}

function weightOfChunk({ operation, instructions }: Chunk): number {
  return instructions.length * weightOf(operation);
}
