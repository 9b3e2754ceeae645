/** Reads from the journal what became of each line, while somebody walks the file in its order. Memory stays flat. */
import { lineReference, type PackedResult, unpackResult, usualMovement } from '../core/answer.ts';
import { type Reason, reason } from '../core/code.ts';
import type { Movement, Result } from '../core/gateway.ts';
import { getOrSet } from '../core/get-or-set.ts';
import type { Operation } from '../core/operation.ts';
import type { LineOutcome, Outcome } from '../core/outcome.ts';
import type { Statements } from '../ledger/database.ts';
import { batchIdOf, type ChunkRecord, chunksAfter, lastAttempt, settlementsOf } from '../ledger/journal.ts';
import { unpackLines } from './line-ranges.ts';

/** A line's place in an executed chunk. */
export interface ExecutedLine {
  readonly chunk: ExecutedChunk;
  readonly index: number;
  /** The same line in an earlier attempt. */
  readonly before: ExecutedLine | undefined;
}

export interface ExecutedChunk {
  readonly attempt: number;
  readonly number: number;
  readonly revision: number;
  readonly account: number;
  readonly operation: Operation;
  readonly results: readonly PackedResult[];
}

/** What was found out about a line after it was executed, since a revision. */
interface Settlement {
  readonly revision: number;
  readonly result: PackedResult;
}

/** Chunks read from the journal at a time. */
const PAGE = 200;

export class JournalWalk {
  readonly #statements: Pick<Statements, 'all'>;
  readonly #batch: { readonly number: number; readonly id: string };
  readonly #revision: number;
  readonly #cursors: Cursor[];
  readonly #executed = new Map<number, ExecutedLine>();
  /** What was found out later about lines, by line and the oldest first. */
  readonly #settled: ReadonlyMap<number, readonly Settlement[]>;
  readonly #ids = new Map<number, string>();

  private constructor(
    statements: Pick<Statements, 'all'>,
    batch: { readonly number: number; readonly id: string },
    revision: number,
    attempts: number,
    settled: ReadonlyMap<number, readonly Settlement[]>,
  ) {
    this.#statements = statements;
    this.#batch = batch;
    this.#revision = revision;
    this.#cursors = Array.from(
      { length: attempts },
      (_, index) => new Cursor(statements, batch.number, index + 1, revision),
    );
    this.#settled = settled;
    this.#ids.set(batch.number, batch.id);
  }

  /** Begins a walk that sees what was known in a revision. */
  static async begin(
    statements: Pick<Statements, 'all'>,
    batch: { readonly number: number; readonly id: string },
    revision: number,
  ): Promise<JournalWalk> {
    const attempts = await lastAttempt(statements, batch.number, revision);
    const rows = await settlementsOf(statements, batch.number, revision);
    const settled = new Map<number, Settlement[]>();
    for (const { line, revision: since, result } of rows)
      getOrSet(settled, line, () => []).push({ revision: since, result: JSON.parse(result) as PackedResult });
    return new JournalWalk(statements, batch, revision, attempts, settled);
  }

  /** Reads on until every chunk that can hold a line up to this one is known. */
  async readTo(line: number): Promise<void> {
    for (const cursor of this.#cursors) {
      for (let chunk = await cursor.next(line); chunk !== undefined; chunk = await cursor.next(line)) {
        await this.#add(chunk);
      }
    }
  }

  /** The line's place in the last chunk that carried it; asked once per line. */
  take(line: number): ExecutedLine | undefined {
    const executed = this.#executed.get(line);
    if (executed !== undefined) this.#executed.delete(line);
    return executed;
  }

  /** What became of an executed line, and what it moved. */
  outcome(line: number, executed: ExecutedLine, amount: number, currency: string): Settled {
    const packed = this.#resultAt(line, executed, this.#revision);
    return this.#settledAs(
      line,
      executed,
      unpackResult(packed, this.#usual(line, executed, amount, currency)),
    );
  }

  /** True when this revision changed the line, and then what its outcome was before. */
  outcomeBefore(line: number, executed: ExecutedLine): Outcome | undefined {
    const earlier = this.#revision - 1;
    if (this.#settled.get(line)?.at(-1)?.revision === this.#revision)
      return outcomeOf(this.#resultAt(line, executed, earlier));
    if (executed.chunk.revision !== this.#revision) return undefined;
    const { before } = executed;
    return before === undefined ? 'not_sent' : outcomeOf(this.#resultAt(line, before, earlier));
  }

  /** What was known of an execution of the line in a revision. */
  #resultAt(line: number, { chunk, index }: ExecutedLine, revision: number): PackedResult {
    const later = this.#settled
      .get(line)
      ?.findLast((one) => one.revision > chunk.revision && one.revision <= revision);
    return later?.result ?? chunk.results[index]!;
  }

  #usual(line: number, { chunk }: ExecutedLine, amount: number, currency: string) {
    return {
      reference: lineReference({ batch: this.#batch.id, attempt: chunk.attempt }, line),
      moved: usualMovement(chunk.operation, amount, currency),
    };
  }

  #settledAs(line: number, { chunk }: ExecutedLine, result: Result): Settled {
    switch (result.status) {
      case 'done':
        return {
          outcome: lineOutcome(line, chunk, 'succeeded', undefined, result.reference),
          moved: result.moved,
        };
      case 'pending':
        return {
          outcome: lineOutcome(line, chunk, 'pending', undefined, result.reference),
          moved: result.moved,
        };
      case 'repeat': {
        const first = this.#nameOf(result.first.batchNumber, result.first.line);
        const why = reason('B0001', `the first is ${first}`);
        return {
          outcome: { ...lineOutcome(line, chunk, 'duplicate', why, undefined), first },
          moved: NOTHING_MOVED,
        };
      }
      default:
        return {
          outcome: lineOutcome(line, chunk, result.status, result.reason, undefined),
          moved: NOTHING_MOVED,
        };
    }
  }

  /** `batch:line`; what came in by the API has no batch. */
  #nameOf(batchNumber: number, line: number): string {
    return batchNumber === 0 ? 'a request to the API' : `${this.#ids.get(batchNumber)}:${line}`;
  }

  async #add(chunk: ChunkRecord): Promise<void> {
    const { attempt, number, revision, account, operation } = chunk;
    const results = JSON.parse(chunk.results) as PackedResult[];
    const executed: ExecutedChunk = {
      attempt,
      number,
      revision,
      account,
      operation: operation as Operation,
      results,
    };
    for (const result of results) if (result !== 1) await this.#learnName(result);
    unpackLines(chunk.lines).forEach((line, index) => {
      this.#executed.set(
        line,
        inOrder({ chunk: executed, index, before: undefined }, this.#executed.get(line)),
      );
    });
  }

  /** Looks up the batch that a repeat names, once. */
  async #learnName(result: PackedResult): Promise<void> {
    if (result === 1 || result[0] !== 'repeat') return;
    const [, batchNumber] = result;
    if (batchNumber === 0 || this.#ids.has(batchNumber)) return;
    const id = await batchIdOf(this.#statements, batchNumber);
    if (id === undefined) throw new Error(`the journal has no batch number ${batchNumber}`);
    this.#ids.set(batchNumber, id);
  }
}

/** One more attempt of a line among those read so far. A later attempt's chunk can begin earlier in the file and is read first then. */
function inOrder(one: ExecutedLine, others: ExecutedLine | undefined): ExecutedLine {
  if (others === undefined || others.chunk.attempt < one.chunk.attempt) return { ...one, before: others };
  return { ...others, before: inOrder(one, others.before) };
}

const NOTHING_MOVED: readonly Movement[] = [];

function lineOutcome(
  line: number,
  chunk: ExecutedChunk,
  outcome: Outcome,
  why: Reason | undefined,
  reference: string | undefined,
): LineOutcome {
  return {
    line,
    outcome,
    reason: why,
    chunk: chunk.number,
    attempt: chunk.attempt,
    reference,
    first: undefined,
  };
}

/** A line's outcome and the money that moved on the merchant's balance. */
export interface Settled {
  readonly outcome: LineOutcome;
  readonly moved: readonly Movement[];
}

/** The outcome that a packed result means. */
export function outcomeOf(packed: PackedResult): Outcome {
  if (packed === 1) return 'succeeded';
  const [status] = packed;
  return status === 'done' ? 'succeeded' : status === 'repeat' ? 'duplicate' : status;
}

/** Reads the chunks of one attempt in the order of their first lines. */
class Cursor {
  readonly #statements: Pick<Statements, 'all'>;
  readonly #batch: number;
  readonly #attempt: number;
  readonly #revision: number;
  #page: ChunkRecord[] = [];
  #at = 0;
  #after = 0;
  #ended = false;

  constructor(statements: Pick<Statements, 'all'>, batch: number, attempt: number, revision: number) {
    this.#statements = statements;
    this.#batch = batch;
    this.#attempt = attempt;
    this.#revision = revision;
  }

  /** The next chunk whose first line is at most `line`. */
  async next(line: number): Promise<ChunkRecord | undefined> {
    while (!this.#ended) {
      if (this.#at === this.#page.length) {
        await this.#turn();
        continue;
      }
      const chunk = this.#page[this.#at]!;
      if (Number.parseInt(chunk.lines, 10) > line) return undefined;
      this.#at += 1;
      if (chunk.revision <= this.#revision) return chunk;
    }
    return undefined;
  }

  async #turn(): Promise<void> {
    this.#page = await chunksAfter(this.#statements, this.#batch, this.#attempt, this.#after, PAGE);
    this.#at = 0;
    this.#after = this.#page.at(-1)?.number ?? this.#after;
    this.#ended = this.#page.length === 0;
  }
}
