/** Values that all messages of ISO 20022 write alike: amounts, days, identifiers. */
import { digitsOf } from '../../core/currency.ts';
import type { Money } from '../../core/money.ts';
import { parseAmount } from '../../core/money.ts';
import { quote } from '../../core/quote.ts';
import { day } from '../../core/text.ts';
import { Unreadable } from '../unreadable.ts';
import { attribute, type Element, rawText } from './xml.ts';

const DECIMAL = /^\+?(\d{0,40})(?:\.(\d{0,20}))?$/;

/** A decimal number that is exact: `12.30` is 1230 with 2 decimals. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly decimals: number;
}

/** @returns undefined for what is no decimal number above or at zero */
export function parseDecimal(text: string): Decimal | undefined {
  const [match, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') return undefined;
  return { unscaled: BigInt(whole + fraction), decimals: fraction.length };
}

/**
 * An amount in minor units, from zero. More decimals than the currency has are right as long as they are zeros: the
 * messages may write five.
 * @returns in words why it is none
 */
export function minorUnits(text: string, currency: string): number | string {
  const digits = digitsOf(currency);
  if (digits === undefined) return `${quote(currency)} is no active ISO 4217 currency with a minor unit`;
  const [match, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') return `${quote(text)} is no amount`;
  const significant = fraction.replace(/0+$/, '');
  const minor = parseAmount(significant === '' ? whole || '0' : `${whole || '0'}.${significant}`, digits);
  if (minor === 'not_positive') return 0;
  if (minor === 'too_many_decimals') return `${quote(text)} has more decimals than ${currency} has`;
  return typeof minor === 'number' ? minor : `${quote(text)} is too large or no amount`;
}

/** An amount element with its attribute Ccy. @throws Unreadable */
export function moneyOf(amount: Element): Money {
  const currency = attribute(amount, 'Ccy');
  if (currency === undefined) throw new Unreadable('An amount has no currency (Ccy).');
  const minor = minorUnits(rawText(amount).trim(), currency);
  if (typeof minor === 'string') throw new Unreadable(`The amount ${minor}.`);
  return { currency, amount: minor };
}

/** `2026-11-20` of a date or a moment; its time and its offset are left out. @throws Unreadable */
export function dayOf(text: string): string {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2}|T[\d:.,Z+-]*)?$/.exec(text) ?? [];
  if (date === undefined || !day.safeParse(date).success) {
    throw new Unreadable(`${quote(text)} is no date.`);
  }
  return date;
}

/** What stands where an identifier is required and none was given. */
const NO_IDENTIFIER = /^(?:not ?provided|nonref)$/i;

/** The identifier, or undefined where the text says that there is none. */
export function identifier(text: string | undefined): string | undefined {
  return text === undefined || NO_IDENTIFIER.test(text) ? undefined : text;
}

/** Above zero for a credit. @throws Unreadable for another indicator */
export function signed(amount: number, indicator: string | undefined): number {
  if (indicator === 'CRDT') return amount;
  // Zero has no sign: -0 would be written as one.
  if (indicator === 'DBIT') return amount === 0 ? 0 : -amount;
  throw new Unreadable(
    indicator === undefined
      ? 'It lacks the element CdtDbtInd.'
      : `The credit or debit indicator is ${quote(indicator)}, not CRDT or DBIT.`,
  );
}

/** @throws Unreadable for what is neither */
export function truth(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new Unreadable(`${quote(text)} is neither true nor false.`);
}

/** A whole number from zero. @throws Unreadable */
export function countOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Unreadable(`${quote(text)} is no whole number.`);
  return Number(text);
}
