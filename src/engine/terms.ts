/** What payouts cost and at which rate currencies change: from the configuration and from rates.csv. */

import type { Payout } from '../core/gateway.ts';
import { parseRate, type Rate } from '../core/payout.ts';

/** One rule of the fee schedule; a field that is absent matches anything. The first rule that matches counts. */
export interface FeeRule {
  readonly method?: string | undefined;
  readonly swift_charge_option?: string | undefined;
  readonly fee_paid_by?: string | undefined;
  readonly currency: string;
  /** Minor units of `currency`, which is the payout's source currency. */
  readonly fee: number;
}

/** A rate as it stands in rates.csv: units of `payment` for one of `source`, from `date` (YYYY-MM-DD) on. */
export interface DatedRate {
  readonly date: string;
  readonly source: string;
  readonly payment: string;
  readonly rate: Rate;
}

export class PayoutSchedule {
  readonly #fees: readonly FeeRule[];
  readonly #newestFirst: readonly DatedRate[];

  constructor(fees: readonly FeeRule[], rates: readonly DatedRate[]) {
    this.#fees = fees;
    this.#newestFirst = [...rates].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
  }

  /** The fee in minor units of the source currency; 0 where no rule matches. */
  fee(payout: Payout): number {
    const { payment_method, swift_charge_option, fee_paid_by } = payout.message;
    const rule = this.#fees.find(
      (candidate) =>
        candidate.currency === payout.sourceCurrency &&
        (candidate.method ?? payment_method) === payment_method &&
        (candidate.swift_charge_option ?? swift_charge_option) === swift_charge_option &&
        (candidate.fee_paid_by ?? fee_paid_by ?? 'PAYER') === (fee_paid_by ?? 'PAYER'),
    );
    return rule?.fee ?? 0;
  }

  /** The newest rate that is not after `day`. */
  rate(payout: Payout, day: string): Rate | undefined {
    const { sourceCurrency, paymentCurrency } = payout;
    return this.#newestFirst.find(
      ({ date, source, payment }) => date <= day && source === sourceCurrency && payment === paymentCurrency,
    )?.rate;
  }
}

/** One line of rates.csv, or undefined when it is not one. */
export function readRateLine(cells: readonly string[]): DatedRate | undefined {
  const [date, source, payment, text] = cells;
  const rate = text === undefined ? undefined : parseRate(text);
  const complete =
    date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) && source !== undefined && payment !== undefined;
  return complete && rate !== undefined ? { date, source, payment, rate } : undefined;
}
