/** What breaks weigh: amounts of different currencies in one scale, for an order that people expect; no sum is made of it. */
import { type Break, differenceOf } from '../core/break.ts';
import { digitsOf } from '../core/currency.ts';

/** No currency has more decimals. */
export const MOST_DIGITS = 4;

/** In ten thousandths of whatever currency it is in, between two the larger amount; undefined where no money is meant. */
export function scaledWeight(one: Break): bigint | undefined {
  if (one.currency === null) return undefined;
  const difference = differenceOf(one);
  if (difference !== null) return scaled(difference, one.currency);
  const [ledger, statement] = [
    scaled(one.ledger ?? 0n, one.currency),
    scaled(one.statement ?? 0n, one.statementCurrency ?? one.currency),
  ];
  return ledger > statement ? ledger : statement;
}

function scaled(amount: bigint, currency: string): bigint {
  return (amount < 0n ? -amount : amount) * 10n ** BigInt(MOST_DIGITS - (digitsOf(currency) ?? 0));
}
