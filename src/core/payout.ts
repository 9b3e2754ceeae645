/**
 * What a payout costs, what its beneficiary gets, and whether the merchant can pay it. Pure, in whole minor units; rates
 * are exact fractions. Engine decisions, sections "Ledger" and "Payments: Payout".
 */
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import type { Payout } from './gateway.ts';
import { formatAmount, MAX_MINOR } from './money.ts';
import type { PayoutFigures } from './payout-record.ts';
import type { PlannedTransfer } from './transaction.ts';

/** Units of the payment currency for one unit of the source currency, as an exact fraction. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const PAR: Rate = { numerator: 1n, denominator: 1n };

/** Reads a rate such as `0.9213`; undefined when it is not a positive decimal number. */
export function parseRate(text: string): Rate | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  const numerator = BigInt(match[1]! + fraction);
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(fraction.length) };
}

export type FeePaidBy = 'PAYER' | 'BENEFICIARY' | 'SHARED';

/** What the engine knows beside the message. */
export interface PayoutTerms {
  /** Balance of the merchant in the source currency, minor units. */
  readonly balance: bigint;
  /** Fee by the schedule, minor units of the source currency. */
  readonly fee: number;
  /** Undefined when there is none for this pair of currencies and this day. */
  readonly rate: Rate | undefined;
  /** What is wrong with IBAN or BIC, in words. */
  readonly bankFault: string | undefined;
}

/** Decides a payout: its figures, or the first reason against it in the order of codes. */
export function decidePayout(payout: Payout, terms: PayoutTerms): PayoutFigures | Reason {
  const scaled = scaledRate(payout, terms.rate);
  const feePart = feePartOf(payout.message.fee_paid_by ?? 'PAYER', terms.fee);
  const source =
    payout.sourceAmount ??
    (scaled === undefined ? undefined : leastSource(payout.paymentAmount!, feePart, scaled));
  if (source !== undefined) {
    const short = BigInt(source + feePart.payerAdds) > terms.balance;
    if (short)
      return reason(
        'V0011',
        `${inSource(source + feePart.payerAdds, payout)} is needed, ${inSource(terms.balance, payout)} is there`,
      );
  }
  if (scaled === undefined || source === undefined) {
    return reason('V0012', `${payout.sourceCurrency} to ${payout.paymentCurrency}`);
  }
  if (terms.bankFault !== undefined) return reason('V0013', terms.bankFault);
  const converted = source + feePart.payerAdds - terms.fee;
  const receives = payout.sourceAmount === undefined ? payout.paymentAmount! : convert(converted, scaled);
  if (
    payout.paymentAmount !== undefined &&
    payout.sourceAmount !== undefined &&
    !agree(payout, feePart, scaled, receives)
  ) {
    return reason('V0014', `at this rate ${inSource(source, payout)} becomes ${inPayment(receives, payout)}`);
  }
  const beneficiaryReceives = payout.paymentAmount ?? receives;
  if (converted <= 0 || beneficiaryReceives <= 0) return reason('V0014', 'nothing is left after the fee');
  if (source > MAX_MINOR || beneficiaryReceives > MAX_MINOR)
    return reason('I0021', 'the converted amount is too large');
  return { sourceAmount: source, payerPays: source + feePart.payerAdds, fee: terms.fee, beneficiaryReceives };
}

/** The rows that an accepted payout writes: fee, then the money, by way of the fx book across currencies. */
export function payoutTransfers(
  payout: Payout,
  figures: PayoutFigures,
): readonly (PlannedTransfer & { readonly currency: string })[] {
  const { sourceCurrency, paymentCurrency } = payout;
  const paid = figures.payerPays - figures.fee;
  const fee =
    figures.fee === 0 ? [] : [{ kind: 'fee', amount: figures.fee, currency: sourceCurrency } as const];
  return sourceCurrency === paymentCurrency
    ? [...fee, { kind: 'payout', amount: paid, currency: sourceCurrency }]
    : [
        ...fee,
        { kind: 'exchange_out', amount: paid, currency: sourceCurrency },
        { kind: 'exchange_in', amount: figures.beneficiaryReceives, currency: paymentCurrency },
      ];
}

/** How the fee is shared: what the payer adds to the source amount, and what is taken from it. */
interface FeePart {
  readonly payerAdds: number;
  readonly taken: number;
}

/** PAYER pays S + F, BENEFICIARY gets F less, SHARED splits it with the odd unit on the payer. */
export function feePartOf(paidBy: FeePaidBy, fee: number): FeePart {
  const payerAdds = paidBy === 'PAYER' ? fee : paidBy === 'BENEFICIARY' ? 0 : Math.ceil(fee / 2);
  return { payerAdds, taken: fee - payerAdds };
}

/** The rate between minor units, or undefined without a rate. */
function scaledRate(payout: Payout, rate: Rate | undefined): Rate | undefined {
  const used = payout.sourceCurrency === payout.paymentCurrency ? PAR : rate;
  if (used === undefined) return undefined;
  const shift = digitsOf(payout.paymentCurrency)! - digitsOf(payout.sourceCurrency)!;
  return shift >= 0
    ? { numerator: used.numerator * 10n ** BigInt(shift), denominator: used.denominator }
    : { numerator: used.numerator, denominator: used.denominator * 10n ** BigInt(-shift) };
}

/** `minor` at the rate, half to even. */
export function convert(minor: number, rate: Rate): number {
  if (minor <= 0) return 0;
  const product = BigInt(minor) * rate.numerator;
  const floor = product / rate.denominator;
  const twiceRest = 2n * (product % rate.denominator);
  const up = twiceRest > rate.denominator || (twiceRest === rate.denominator && floor % 2n === 1n);
  return Number(up ? floor + 1n : floor);
}

/**
 * The least source amount whose conversion reaches `payment`. Where one source unit is worth several payment units no
 * source amount may hit it exactly; the beneficiary still gets what was asked for and the rest stays in the fx book.
 */
function leastSource(payment: number, feePart: FeePart, rate: Rate): number {
  // Half to even reaches an even target from p − ½ on, an odd one only beyond it.
  const [dividend, divisor] = [(2n * BigInt(payment) - 1n) * rate.denominator, 2n * rate.numerator];
  const floor = dividend / divisor;
  const exact = dividend % divisor === 0n;
  const least = exact && payment % 2 === 0 ? floor : floor + 1n;
  return Number(least) + feePart.taken;
}

function agree(payout: Payout, feePart: FeePart, rate: Rate, receives: number): boolean {
  return (
    receives === payout.paymentAmount ||
    payout.sourceAmount === leastSource(payout.paymentAmount!, feePart, rate)
  );
}

function inSource(minor: number | bigint, payout: Payout): string {
  return `${formatAmount(minor, digitsOf(payout.sourceCurrency)!)} ${payout.sourceCurrency}`;
}

function inPayment(minor: number, payout: Payout): string {
  return `${formatAmount(minor, digitsOf(payout.paymentCurrency)!)} ${payout.paymentCurrency}`;
}
