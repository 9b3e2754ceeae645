/** Breaks as a sheet in which people decide: the records of `reconciliation.csv`, each with three empty cells at its end. */
import type { Sink } from '../../report/atomic.ts';
import { reconciliationCsv } from '../../report/reconciliation/csv.ts';
import type { ListedBreak } from '../../report/reconciliation/document.ts';

/** What people fill in. */
export const DECISION_COLUMNS = ['decision', 'assign_to', 'comment'] as const;

/** @returns how many breaks were written */
export async function writeSheet(blocks: AsyncIterable<readonly ListedBreak[]>, sink: Sink): Promise<number> {
  let written = 0;
  await reconciliationCsv(counted(), sink, DECISION_COLUMNS);
  return written;

  async function* counted(): AsyncGenerator<readonly ListedBreak[]> {
    for await (const block of blocks) {
      written += block.length;
      yield block;
    }
  }
}
