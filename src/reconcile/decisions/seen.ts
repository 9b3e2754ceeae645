/**
 * What a person saw of a break when deciding about it: a row that was written some time ago and has been through a
 * spreadsheet since, which writes amounts in its own way (`1,234.50`, `1.234,5`, `12.5` for `12.50`).
 */
import type { Break } from '../../core/break.ts';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';

/** Cells as they stand in the row; empty where there is nothing. */
export interface Seen {
  readonly state: string;
  readonly ledger: string;
  readonly statement: string;
}

/** Columns of what was seen. */
export type SeenColumn = keyof Seen;

const STYLES = [
  { shape: /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/, thousands: ',', decimal: '.' },
  { shape: /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/, thousands: '.', decimal: ',' },
] as const;

/** Everything that the cell may mean, in minor units; nothing where it is no amount. */
export function readingsOf(cell: string, digits: number): readonly bigint[] {
  const [, sign, figure] = /^([-+−]?)(.*)$/su.exec(cell.replace(/[\s\u00a0\u202f'’]/g, ''))!;
  return STYLES.flatMap(({ shape, thousands, decimal }) => {
    if (!shape.test(figure!)) return [];
    const [whole, fraction = ''] = figure!.replaceAll(thousands, '').split(decimal);
    const kept = fraction.replace(/0+$/, '');
    if (kept.length > digits) return [];
    const minor = BigInt(whole! + kept.padEnd(digits, '0'));
    return [sign === '-' || sign === '−' ? -minor : minor];
  });
}

/** Column in which the break is another one than it was seen; undefined where nothing has changed. */
export function changedSince(one: Break, seen: Seen): SeenColumn | undefined {
  if (seen.state.trim().toLowerCase() !== one.state) return 'state';
  if (!isAmount(seen.ledger, one.ledger, one.currency)) return 'ledger';
  if (!isAmount(seen.statement, one.statement, one.statementCurrency ?? one.currency)) return 'statement';
  return undefined;
}

/** Whether a cell cannot be meant as any amount at all. */
export function isNoAmount(cell: string): boolean {
  return cell.trim() !== '' && readingsOf(cell, MOST_DECIMALS).length === 0;
}

/** More than any currency has. */
const MOST_DECIMALS = 20;

function isAmount(cell: string, amount: bigint | null, currency: string | null): boolean {
  if (cell.trim() === '' || amount === null) return cell.trim() === '' && amount === null;
  return readingsOf(cell, digitsIn(currency)).includes(amount);
}

/** What a break is, or was seen to be, in a sentence. */
export function seenText({ state, ledger, statement }: Seen): string {
  const figure = (cell: string) => cell.trim() || 'nothing';
  return `${state.trim() || 'no state'}, ledger ${figure(ledger)}, statement ${figure(statement)}`;
}

export function asSeen(one: Break): Seen {
  const decimal = (minor: bigint | null, currency: string | null) =>
    minor === null ? '' : formatAmount(minor, digitsIn(currency));
  return {
    state: one.state,
    ledger: decimal(one.ledger, one.currency),
    statement: decimal(one.statement, one.statementCurrency ?? one.currency),
  };
}

function digitsIn(currency: string | null): number {
  return currency === null ? 0 : (digitsOf(currency) ?? 0);
}
