/** Finding one line of a batch, in the kept copy of its file and in the journal. */
import { amountOf } from '../../core/instruction.ts';
import type { BatchRecord } from '../../ledger/journal.ts';
import type { BatchContext } from '../context.ts';
import { keptFile, openKept } from '../kept-file.ts';
import type { Line } from '../lines.ts';
import { type ExecutedLine, JournalWalk, type Settled } from '../outcomes.ts';

/** A line, where the journal says that it went, and what became of it. */
export interface Found {
  readonly line: Line;
  readonly executed: ExecutedLine | undefined;
  /** Undefined when nothing was executed. */
  readonly settled: Settled | undefined;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
}

export interface NoSuchLine {
  readonly is: 'no such line';
  /** The last line that there is. */
  readonly last: number;
}

/** Reads the kept copy and the journal side by side up to the line. */
export async function findLine(
  { database, folders }: Pick<BatchContext, 'database' | 'folders'>,
  record: BatchRecord,
  wanted: number,
): Promise<Found | NoSuchLine> {
  const kept = await keptFile(database.reads, folders, record);
  const { submission } = kept;
  const { opened, reader } = await openKept(kept);
  const journal = await JournalWalk.begin(database.reads, record, record.revision);
  let last = 0;
  for await (const rows of opened.rows()) {
    last = rows.at(-1)?.line ?? last;
    await journal.readTo(last);
    for (const row of rows) {
      const executed = journal.take(row.line);
      if (row.line !== wanted) continue;
      const line = reader.read(row);
      const operation = executed?.chunk.operation ?? line.operation;
      const { amount, currency } = amountOf(operation, row.fields, submission.reading.style);
      const isSettled = executed !== undefined && amount !== undefined && currency !== undefined;
      return {
        line,
        executed,
        amount,
        currency,
        settled: isSettled ? journal.outcome(wanted, executed, amount, currency) : undefined,
      };
    }
  }
  return { is: 'no such line', last };
}
