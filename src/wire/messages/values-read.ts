/** Times and amounts of answers read back, as values.ts writes them. */
import { digitsOf } from '../../core/currency.ts';
import { parseAmount } from '../../core/money.ts';

/** Epoch milliseconds of `2026-11-20T08:02:03+0000`; undefined for no moment of the calendar. */
export function readDateTime(text: string): number | undefined {
  // Only with a colon does the standard know an offset.
  const at = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(at) ? undefined : at;
}

/** Epoch milliseconds of `20261120080203`, UTC; undefined for no moment of the calendar. */
export function readCompactTime(text: string): number | undefined {
  return readDateTime(text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6+0000'));
}

/** Minor units of a decimal amount; undefined for one that the currency cannot have. */
export function readAmountText(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const minor = digits === undefined ? undefined : parseAmount(text, digits);
  return typeof minor === 'number' ? minor : undefined;
}
