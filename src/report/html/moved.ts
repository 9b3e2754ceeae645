/** What the batch moved on each account's balance. */
import type { BreakdownRow } from '../document.ts';
import { difference, grouped, sum } from './decimal.ts';
import { table } from './table.ts';
import type { Html, Part } from './template.ts';
import { given, section } from './words.ts';

export function moved(breakdown: readonly BreakdownRow[], figure: Part): Html | undefined {
  // Lines without a currency have moved nothing.
  const found = breakdown.filter(({ currency }) => currency !== '');
  if (found.length === 0) return undefined;
  const columns = [
    { title: 'Account', look: 'plain' },
    { title: 'Merchant', look: 'plain' },
    { title: 'Operation', look: 'plain' },
    { title: 'Currency', look: 'plain' },
    { title: 'In', look: 'number' },
    { title: 'Out', look: 'number' },
    { title: 'Fees', look: 'number' },
    { title: 'Net', look: 'number' },
  ] as const;
  const rows = found.map(({ account, merchant, operation, currency, moved_in, moved_out, fees }) => [
    given(account),
    given(merchant),
    operation,
    given(currency),
    ...[moved_in, moved_out, fees, difference(moved_in, sum([moved_out, fees]))].map(grouped),
  ]);
  return section(
    'moved',
    'Money moved',
    table('Money moved per account, operation and currency', columns, rows),
    figure,
  );
}
