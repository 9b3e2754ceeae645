/** The chunks of an attempt that the journal has, looked up by number in nearly ascending order. */
import type { PackedResult } from '../core/answer.ts';
import type { Origin } from '../core/gateway.ts';
import type { Statements } from '../ledger/database.ts';
import { chunkNumbers, chunksAfter } from '../ledger/journal.ts';

/** Chunks read from the journal at a time. */
const PAGE = 200;

export class DoneChunks {
  readonly #statements: Pick<Statements, 'all'>;
  readonly #origin: Origin;
  readonly #numbers: ReadonlySet<number>;
  #page: ReadonlyMap<number, string> = new Map();

  private constructor(statements: Pick<Statements, 'all'>, origin: Origin, numbers: readonly number[]) {
    this.#statements = statements;
    this.#origin = origin;
    this.#numbers = new Set(numbers);
  }

  static async load(statements: Pick<Statements, 'all' | 'json'>, origin: Origin): Promise<DoneChunks> {
    return new DoneChunks(
      statements,
      origin,
      await chunkNumbers(statements, origin.batchNumber, origin.attempt),
    );
  }

  /** The chunk's results, or undefined when it is not done. */
  async results(number: number): Promise<readonly PackedResult[] | undefined> {
    if (!this.#numbers.has(number)) return undefined;
    if (!this.#page.has(number)) {
      const { batchNumber, attempt } = this.#origin;
      const chunks = await chunksAfter(this.#statements, batchNumber, attempt, number - 1, PAGE);
      this.#page = new Map(chunks.map((chunk) => [chunk.number, chunk.results]));
    }
    return JSON.parse(this.#page.get(number)!) as PackedResult[];
  }
}
