/** Amounts as statements write them: with a sign, zero allowed, in the scale that the mapping states. */

import { type AmountFault, type AmountStyle, DOT, MAX_MINOR, parseAmount } from '../../core/money.ts';
import { quote } from '../../core/quote.ts';

/** How the numbers of a file are written. */
export interface AmountScale extends AmountStyle {
  /** `decimal`: `10.50`; `minor`: the same as `1050`. */
  readonly amounts: 'decimal' | 'minor';
  /** Whether zeros beyond the digits of the currency may stand there (`10.5000`); they change nothing. */
  readonly excessZeros: boolean;
}

/** Why a text is no amount. */
export type MinorFault = Exclude<AmountFault, 'not_positive'> | 'signed';

const MINUS = 0x2d;
const PLUS = 0x2b;

/**
 * Reads an amount with a sign or without one.
 * @param digits decimal digits of its currency
 * @returns minor units, or why not
 */
export function readSigned(text: string, digits: number, scale: AmountScale): number | MinorFault {
  const first = text.charCodeAt(0);
  if (first !== MINUS && first !== PLUS) return readPlain(text, digits, scale);
  const minor = readPlain(text.slice(1), digits, scale);
  return first === MINUS && typeof minor === 'number' && minor !== 0 ? -minor : minor;
}

/** Reads an amount whose direction stands elsewhere: it has no sign. */
export function readUnsigned(text: string, digits: number, scale: AmountScale): number | MinorFault {
  const first = text.charCodeAt(0);
  return first === MINUS || first === PLUS ? 'signed' : readPlain(text, digits, scale);
}

function readPlain(text: string, digits: number, scale: AmountScale): number | MinorFault {
  const minor =
    scale.amounts === 'minor'
      ? parseAmount(text, 0, DOT)
      : parseAmount(scale.excessZeros ? withoutExcess(text, digits, scale) : text, digits, scale);
  return minor === 'not_positive'
    ? 0
    : minor === 'too_many_decimals' && scale.amounts === 'minor'
      ? 'malformed'
      : minor;
}

/** `10.5000` with two digits is `10.50`. */
function withoutExcess(text: string, digits: number, { decimal }: AmountStyle): string {
  const mark = text.lastIndexOf(decimal === 'dot' ? '.' : ',');
  if (mark === -1) return text;
  let end = text.length;
  while (end > mark + 1 + digits && text.charCodeAt(end - 1) === 0x30) end--;
  return text.slice(0, end === mark + 1 ? mark : end);
}

/** The fault in words that follow the name of the column. */
export function amountFault(
  fault: MinorFault,
  text: string,
  currency: string,
  digits: number,
  scale: AmountScale,
): string {
  switch (fault) {
    case 'malformed':
      return `${quote(text)} is no amount ${styleText(scale)}`;
    case 'too_many_decimals':
      return `${quote(text)} has more decimals than ${currency} has (${digits})`;
    case 'too_large':
      return `${quote(text)} is above ${MAX_MINOR} minor units`;
    case 'signed':
      return `${quote(text)} has a sign, but its direction is said elsewhere`;
  }
}

function styleText({ amounts, decimal, thousands }: AmountScale): string {
  if (amounts === 'minor') return 'in minor units (digits only)';
  return `with a decimal ${decimal}${thousands === 'none' ? '' : ` and ${thousands} between thousands`}`;
}
