/** Fields that hold an amount: minor units of their currency, or the reason why not. */
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import { type AmountFault, type AmountStyle, MAX_MINOR, parseAmount } from './money.ts';
import { quote } from './quote.ts';

/**
 * Minor units of one field, or I0021 for what is no amount at all, or I0022 for one that its currency cannot have.
 * @param field name of the field, for the reason
 * @param currencyField name of the field that holds the currency
 */
export function readAmount(
  field: string,
  text: string,
  currencyField: string,
  currency: string,
  style: AmountStyle,
): number | Reason {
  const digits = digitsOf(currency);
  // Without a currency the shape of the number can still be judged, and that code comes first.
  const minor = parseAmount(text, digits ?? 20, style);
  if (digits === undefined) {
    return minor === 'malformed' || minor === 'not_positive'
      ? amountReason(minor, field, text, currency, style)
      : noSuchCurrency(currency, currencyField);
  }
  return typeof minor === 'number' ? minor : amountReason(minor, field, text, currency, style);
}

/** I0022 for a currency that no amount can be in. */
export function noSuchCurrency(currency: string, column: string): Reason {
  return reason('I0022', `${quote(currency)} is no active ISO 4217 currency with a minor unit`, { column });
}

function amountReason(
  fault: AmountFault,
  field: string,
  text: string,
  currency: string,
  style: AmountStyle,
): Reason {
  switch (fault) {
    case 'malformed':
      return reason('I0021', `${field} is ${quote(text)}`, { column: field, ...commaHint(text, style) });
    case 'not_positive':
      return reason('I0021', `${field} is ${quote(text)}, not above zero`, { column: field });
    case 'too_large':
      return reason('I0021', `${field} is ${quote(text)}, above ${MAX_MINOR} minor units`, { column: field });
    case 'too_many_decimals':
      return reason(
        'I0022',
        `${field} is ${quote(text)}, but ${currency} has ${digitsOf(currency)} decimals`,
        { column: field },
      );
  }
}

function commaHint(text: string, style: AmountStyle): { hint?: string } {
  if (style.decimal === 'dot' && /^[\d. ]*\d,\d{1,4}$/.test(text)) {
    return { hint: 'If this file writes amounts with a decimal comma, say so with --decimal comma.' };
  }
  return style.decimal === 'comma' && /^\d+\.\d+$/.test(text)
    ? {
        hint: 'This file is read with decimal commas (--decimal comma); a dot is not allowed then unless --thousands dot.',
      }
    : {};
}
