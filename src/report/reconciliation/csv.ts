/** `reconciliation.csv`: every break, for spreadsheets. */
import { guard } from '../../core/guard.ts';
import type { Sink } from '../atomic.ts';
import { csvText } from '../csv-text.ts';
import { visible } from '../visible.ts';
import type { ListedBreak } from './document.ts';

const BOM = '\uFEFF';

const COLUMNS = [
  ...['id', 'state', 'side', 'kind', 'severity', 'reference', 'currency', 'ledger', 'statement'],
  ...['statement_currency', 'difference', 'age_days', 'day', 'found', 'due', 'closed', 'place', 'why'],
  ...['assignee', 'resolution'],
] as readonly (keyof ListedBreak)[];

/** In these a signed number is left to spreadsheets as a number. */
const NUMERIC: ReadonlySet<keyof ListedBreak> = new Set(['ledger', 'statement', 'difference', 'age_days']);

const NUMBER = /^-?\d+(\.\d+)?$/;

const DIALECT = { delimiter: ',', lineEnd: '\n' } as const;

/**
 * Writes the breaks as they come, each in one record.
 * @param breaks in blocks; some thousands at a time are fastest
 * @param empty names of columns at the end for people to fill in
 */
export async function reconciliationCsv(
  breaks: AsyncIterable<readonly ListedBreak[]>,
  sink: Sink,
  empty: readonly string[] = [],
): Promise<void> {
  const cells = empty.map(() => '');
  await sink.write(BOM + csvText([[...COLUMNS, ...empty]], DIALECT));
  for await (const block of breaks) {
    if (block.length > 0)
      await sink.write(
        csvText(
          block.map((one) => [...record(one), ...cells]),
          DIALECT,
        ),
      );
  }
}

function record(one: ListedBreak): readonly string[] {
  return COLUMNS.map((column) => {
    // The sentence is ours, but quotes what a statement may have put anything into.
    const text = column === 'why' ? visible(one.why) : String(one[column] ?? '');
    return NUMERIC.has(column) && NUMBER.test(text) ? text : guard(text);
  });
}
