/** Synthetic transactions, and what the synthetic files do with each of them: one stream, in the order of time. */
import type { Random } from './random.ts';

export type Currency = 'USD' | 'EUR' | 'JPY';

/** What becomes of a transaction: which file names it, or that it was captured before it was imported. */
export type Fate = 'capture' | 'cancel' | 'accept' | 'reject' | 'captured';

export interface SyntheticTransaction {
  readonly id: string;
  readonly orderNo: string;
  readonly currency: Currency;
  /** This and the others in minor units. */
  readonly amount: number;
  readonly fate: Fate;
  /** Refunded after all of it is captured; 0 for nothing. */
  readonly refund: number;
  /** Paid out after the import; 0 for nothing. */
  readonly payout: number;
}

/** One in ten of the captures: transactions to cancel, to review, and captured ones. */
const CAPTURES_PER_OTHER = 10;

/** One in twenty of what capture.csv captures is refunded in part. */
const CAPTURES_PER_REFUND = 20;

/**
 * The transactions of one set: `captures` to capture whole, and after every ten of them one to cancel, one to review
 * and one captured, which is refunded and pays for a payout.
 * @param orderPrefix what order numbers begin with
 * @param nextId gives a new id at every call
 */
export function* syntheticTransactions(
  captures: number,
  random: Random,
  orderPrefix: string,
  nextId: () => string,
): Generator<SyntheticTransaction> {
  const purse = new Purse(random);
  let orders = 0;
  const next = (fate: Fate): SyntheticTransaction => {
    orders += 1;
    return {
      id: nextId(),
      orderNo: `${orderPrefix}-${orders}`,
      currency: currencyOf(random.below(100)),
      amount: random.between(500, 50_000),
      fate,
      refund: 0,
      payout: 0,
    };
  };
  for (let index = 1; index <= captures; index += 1) {
    const captured = next('capture');
    yield index % CAPTURES_PER_REFUND === 0
      ? { ...captured, refund: partOf(captured.amount, random) }
      : captured;
    if (index % CAPTURES_PER_OTHER === 0) {
      yield next('cancel');
      yield next(random.chance(90) ? 'accept' : 'reject');
      yield purse.spend(next('captured'));
    }
  }
}

function currencyOf(percent: number): Currency {
  if (percent < 90) return 'USD';
  return percent < 98 ? 'EUR' : 'JPY';
}

/** Ten to sixty per cent. */
function partOf(amount: number, random: Random): number {
  return Math.floor((amount * random.between(10, 60)) / 100);
}

/**
 * What the imported captures bring in, less their refunds and payouts, per currency. No payout takes more than half of
 * it, so that payout.csv is within the balance right after the import, whichever other files ran before it.
 */
class Purse {
  readonly #random: Random;
  readonly #left: Record<Currency, number> = { USD: 0, EUR: 0, JPY: 0 };

  constructor(random: Random) {
    this.#random = random;
  }

  /** The captured transaction with its refund, whole or in part, and the payout that follows it. */
  spend(captured: SyntheticTransaction): SyntheticTransaction {
    const { amount, currency } = captured;
    const isWhole = this.#random.chance(30) && this.#left[currency] >= 100;
    const refund = isWhole ? amount : partOf(amount, this.#random);
    const left = this.#left[currency] + amount - refund;
    const payout = Math.max(1, Math.floor((left * this.#random.between(10, 50)) / 100));
    this.#left[currency] = left - payout;
    return { ...captured, refund, payout };
  }
}

/** Ids as gateways make them that keep their order in time: a counter in base 36, with small gaps; 20 characters. */
export function orderedIds(random: Random): () => string {
  let counter = random.below(2 ** 32) * 2 ** 16;
  return () => {
    counter += random.between(1, 1000);
    return `T${counter.toString(36).toUpperCase().padStart(19, '0')}`;
  };
}

/** Ids without any order; 23 characters. */
export function randomIds(random: Random): () => string {
  return () => `T${random.base36(22)}`;
}
