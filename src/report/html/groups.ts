/** The breakdown by operation and currency: what the totals and the charts speak of. */
import { OUTCOMES } from '../../core/outcome.ts';
import type { Amounts, BreakdownRow, LineCounts } from '../document.ts';
import { sum } from './decimal.ts';

export interface Group {
  readonly operation: string;
  readonly currency: string;
  readonly lines: LineCounts;
  readonly amounts: Amounts;
  readonly unreadable: number;
}

/** One group per operation and currency that lines name, in the order of the breakdown, accounts added up. */
export function groupsOf(breakdown: readonly BreakdownRow[]): readonly Group[] {
  const byName = new Map<string, BreakdownRow[]>();
  // Without lines there is only money that moved in another currency than its line names.
  for (const row of breakdown.filter(({ lines }) => lines.total > 0)) {
    const name = JSON.stringify([row.operation, row.currency]);
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  return [...byName.values()].map((rows) => ({
    operation: rows[0]!.operation,
    currency: rows[0]!.currency,
    lines: addLines(rows.map((row) => row.lines)),
    amounts: addAmounts(rows.map((row) => row.amounts)),
    unreadable: rows.reduce((count, row) => count + row.unreadable_amounts, 0),
  }));
}

/** The name of a group as people say it: `refund · USD`. */
export function groupName({ operation, currency }: { operation: string; currency: string }): string {
  return `${operation || 'no operation'} · ${currency || 'no currency'}`;
}

export function addLines(counts: readonly LineCounts[]): LineCounts {
  return record(['total', ...OUTCOMES] as const, (key) =>
    counts.reduce((count, lines) => count + lines[key], 0),
  );
}

export function addAmounts(all: readonly Amounts[]): Amounts {
  return record(['instructed', ...OUTCOMES] as const, (key) => sum(all.map((amounts) => amounts[key])));
}

function record<Key extends string, Value>(
  keys: readonly Key[],
  value: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}
