/** Breaks on the terminal. */
import type { BreakState, Severity } from '../../../core/break.ts';
import { digitsOf } from '../../../core/currency.ts';
import { formatAmount } from '../../../core/money.ts';
import type { AccountBreak } from '../../../reconcile/decisions/find.ts';
import { counted, printable } from '../../output.ts';
import type { Colors } from '../../summary.ts';
import { type Column, table } from '../../table.ts';

/** The breaks under one another, figures aligned. */
export function breakTable(breaks: readonly AccountBreak[], colors: Colors): string {
  const several = new Set(breaks.map(({ merchant, account }) => `${merchant}/${account}`)).size > 1;
  const columns: readonly Column[] = [
    'break',
    'severity',
    'state',
    'kind',
    ...(several ? ['account'] : []),
    'reference',
    'currency',
    ['ledger', 'right'],
    ['statement', 'right'],
    ['difference', 'right'],
    ['days', 'right'],
    'assignee',
  ];
  const row = (one: AccountBreak): readonly string[] => [
    one.id,
    severityText(one.severity, colors),
    one.state,
    one.kind,
    ...(several ? [shortened(printable(`${one.merchant}/${one.account}`), 24)] : []),
    shortened(printable(one.reference), 28),
    currencyText(one),
    one.ledger ?? '–',
    one.statement ?? '–',
    one.difference ?? '–',
    String(one.age_days),
    shortened(printable(one.assignee ?? '–'), 16),
  ];
  return table(columns, breaks.map(row));
}

export function severityText(severity: Severity, colors: Colors): string {
  return severity === 'high'
    ? colors.red(severity)
    : severity === 'medium'
      ? colors.yellow(severity)
      : severity;
}

export function kindText(kind: string): string {
  return kind.replaceAll('_', ' ');
}

function currencyText({ currency, statement_currency }: AccountBreak): string {
  if (currency === null) return 'lines';
  return statement_currency === null || statement_currency === currency
    ? currency
    : `${currency}, ${statement_currency}`;
}

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** How many there are of each, in words. */
export function countsText(
  breaks: readonly { readonly severity: Severity; readonly state: BreakState }[],
): string {
  const part = (name: string, count: number) => (count === 0 ? [] : [`${count} ${name}`]);
  const severities = (['high', 'medium', 'low'] as const).flatMap((severity) =>
    part(severity, breaks.filter((one) => one.severity === severity).length),
  );
  const states = (['open', 'expected', 'resolved', 'closed'] as const).flatMap((state) =>
    part(state, breaks.filter((one) => one.state === state).length),
  );
  return `${counted(breaks.length, 'break')}: ${states.join(', ')}; ${severities.join(', ')}`;
}

/** Minor units by currency as decimals by currency, in alphabetical order. */
export function decimals(net: ReadonlyMap<string, bigint>): Readonly<Record<string, string>> {
  const named = [...net].map(
    ([currency, minor]) => [currency, formatAmount(minor, digitsOf(currency) ?? 0)] as const,
  );
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What is at stake, in a line; empty where no money is. */
export function netText(net: ReadonlyMap<string, bigint>): string {
  const parts = Object.entries(decimals(net)).map(([currency, amount]) => `${currency} ${amount}`);
  return parts.length === 0 ? '' : `statements less ledger: ${parts.join(', ')}`;
}
