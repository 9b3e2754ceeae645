/** Writes executed chunks to the journal, as many in one commit as have gathered since the last. */
import { type PackedResult, packResult, usualResult } from '../core/answer.ts';
import type { Chunk } from '../core/chunk.ts';
import type { Origin, Result } from '../core/gateway.ts';
import { together } from '../core/together.ts';
import type { Database } from '../ledger/database.ts';
import { type ChunkRecord, insertChunks, isStopRequested } from '../ledger/journal.ts';
import { packLines } from './line-ranges.ts';
import type { ChunkSender, Concluded } from './send.ts';

export class ChunkLog {
  readonly #database: Database;
  readonly #origin: Origin;
  readonly #revision: number;
  readonly #conclude: ChunkSender['conclude'];
  #waiting: (Concluded & { readonly record: ChunkRecord })[] = [];
  #writing: Promise<void> | undefined;
  /** Somebody has asked for the batch to stop. */
  stopRequested = false;

  /** @param conclude what belongs into the same commit */
  constructor(database: Database, origin: Origin, revision: number, conclude: ChunkSender['conclude']) {
    this.#database = database;
    this.#origin = origin;
    this.#revision = revision;
    this.#conclude = conclude;
  }

  /** Resolves, with the results as they are kept, when they are durable. */
  async record(chunk: Chunk, results: readonly Result[]): Promise<readonly PackedResult[]> {
    const packed = this.#packed(chunk, results);
    const record = {
      attempt: this.#origin.attempt,
      number: chunk.number,
      revision: this.#revision,
      account: chunk.account.number,
      operation: chunk.operation,
      lines: packLines(chunk.instructions.map(({ line }) => line)),
      results: JSON.stringify(packed),
    };
    this.#waiting.push({ chunk, results, record });
    this.#writing ??= this.#writeSoon();
    await this.#writing;
    return packed;
  }

  /** One turn of the event loop later, everything that one commit of the gateway has answered is there. */
  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const chunks = this.#waiting;
    this.#waiting = [];
    this.#writing = undefined;
    await this.#database.write(async (statements) => {
      const [, stop] = await together([
        insertChunks(
          statements,
          this.#origin.batchNumber,
          chunks.map(({ record }) => record),
        ),
        isStopRequested(statements, this.#origin.batchNumber),
        this.#conclude(statements, chunks),
      ]);
      this.stopRequested ||= stop;
    });
  }

  #packed(chunk: Chunk, results: readonly Result[]): PackedResult[] {
    return results.map((result, index) =>
      packResult(result, usualResult(this.#origin, chunk.instructions[index]!)),
    );
  }
}
