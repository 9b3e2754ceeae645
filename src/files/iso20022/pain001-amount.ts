/** Amounts of a payment initiation as the lines of a file write theirs. */
import { digitsOf } from '../../core/currency.ts';
import { type AmountStyle, formatAmount } from '../../core/money.ts';
import { parseDecimal } from './iso-values.ts';

/**
 * An amount with the decimals of its currency, as far as zeros are all that this adds or takes away: messages may write
 * five of them.
 * @param style what the amount is written in afterwards; in XML there is always a dot
 * @returns undefined when it is no decimal number
 */
export function rewrittenAmount(
  text: string,
  currency: string | undefined,
  style: AmountStyle,
): string | undefined {
  const read = parseDecimal(text);
  if (read === undefined) return undefined;
  let { unscaled, decimals } = read;
  const wanted = (currency === undefined ? undefined : digitsOf(currency)) ?? decimals;
  for (; decimals < wanted; decimals += 1) unscaled *= 10n;
  for (; decimals > wanted && unscaled % 10n === 0n; decimals -= 1) unscaled /= 10n;
  const plain = formatAmount(unscaled, decimals);
  return style.decimal === 'comma' ? plain.replace('.', ',') : plain;
}
