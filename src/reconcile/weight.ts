/** What breaks weigh: amounts of different currencies in one scale, for an order that people expect; no sum is made of it. */
import { type Break, differenceOf, weightOf } from '../core/break.ts';
import { digitsOf } from '../core/currency.ts';

/** No currency has more decimals. */
export const MOST_DIGITS = 4;

/** The currency that a break is weighed in: between two, the statement's. Null where no money is meant. */
export function weighedIn(one: Break): string | null {
  return differenceOf(one) === null ? one.statementCurrency : one.currency;
}

/** In ten thousandths of whatever currency it is in; undefined where no money is meant. */
export function scaledWeight(one: Break): bigint | undefined {
  const currency = weighedIn(one);
  if (currency === null) return undefined;
  return weightOf(one) * 10n ** BigInt(MOST_DIGITS - (digitsOf(currency) ?? 0));
}
