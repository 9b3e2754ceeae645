/** The reference model's payouts: figures by exact fractions, straight from the engine's decisions, "Ledger". */
import { DIGITS, type ReadLine } from './reading.ts';

export interface Fee {
  readonly method: string | undefined;
  readonly paidBy: string | undefined;
  readonly currency: string;
  readonly fee: bigint;
}

export interface DatedRate {
  readonly date: string;
  readonly source: string;
  readonly payment: string;
  /** As it stands in rates.csv. */
  readonly rate: string;
}

export interface Terms {
  /** The first that matches counts. */
  readonly fees: readonly Fee[];
  readonly rates: readonly DatedRate[];
  readonly validIbans: ReadonlySet<string>;
  readonly validBics: ReadonlySet<string>;
}

/** What a payout line asks for. */
export interface Ask {
  readonly requestId: string;
  readonly method: string;
  readonly source: string;
  readonly payment: string;
  readonly sourceAmount: bigint | undefined;
  readonly paymentAmount: bigint | undefined;
  readonly paidBy: string;
  readonly date: string | undefined;
  readonly iban: string | undefined;
  readonly bic: string | undefined;
  /** Everything in it, amounts as numbers. */
  readonly content: string;
}

const OUTSIDE = ['operation', 'merchant_id', 'account_id', 'repeat_of'];

export function askOf({ fields, amounts }: ReadLine): Ask {
  const content = Object.keys(fields)
    .filter((name) => !OUTSIDE.includes(name))
    .sort()
    .map((name) => [name, String(amounts[name] ?? fields[name])]);
  return {
    requestId: fields.request_id!,
    method: fields.payment_method!,
    source: fields.source_currency!,
    payment: fields.payment_currency!,
    sourceAmount: amounts.source_amount,
    paymentAmount: amounts.payment_amount,
    paidBy: fields.fee_paid_by ?? 'PAYER',
    date: fields.payment_date,
    iban: fields['beneficiary.bank_details.iban'],
    bic: fields['beneficiary.bank_details.swift_code'],
    content: JSON.stringify(content),
  };
}

const LARGEST = 999_999_999_999_999n;

/** What it costs and brings, or the first code against it. */
export function decidePayout(
  ask: Ask,
  balance: bigint,
  today: string,
  terms: Terms,
): { fee: bigint; paid: bigint; receives: bigint } | string {
  const fee = feeOf(ask, terms);
  const payerAdds = { PAYER: fee, BENEFICIARY: 0n, SHARED: (fee + 1n) / 2n }[ask.paidBy]!;
  const rate = rateOf(ask, ask.date ?? today, terms);
  const leastFor = (payment: bigint) => leastReaching(payment, rate!) + fee - payerAdds;
  const source = ask.sourceAmount ?? (rate === undefined ? undefined : leastFor(ask.paymentAmount!));
  if (source !== undefined && source + payerAdds > balance) return 'V0011';
  if (rate === undefined || source === undefined) return 'V0012';
  const isWrong =
    (ask.iban !== undefined && !terms.validIbans.has(ask.iban)) ||
    (ask.bic !== undefined && !terms.validBics.has(ask.bic));
  if (isWrong) return 'V0013';
  const paid = source + payerAdds - fee;
  const converted = halfEven(paid, rate);
  if (ask.sourceAmount !== undefined && ask.paymentAmount !== undefined) {
    if (converted !== ask.paymentAmount && source !== leastFor(ask.paymentAmount)) return 'V0014';
  }
  const receives = ask.paymentAmount ?? converted;
  if (paid <= 0n || receives <= 0n) return 'V0014';
  return source > LARGEST || receives > LARGEST ? 'I0021' : { fee, paid, receives };
}

function feeOf({ method, source, paidBy }: Ask, { fees }: Terms): bigint {
  const rule = fees.find(
    (one) =>
      one.currency === source &&
      (one.method === undefined || one.method === method) &&
      (one.paidBy === undefined || one.paidBy === paidBy),
  );
  return rule?.fee ?? 0n;
}

/** Minor units of the payment currency for one of the source currency. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function rateOf({ source, payment }: Ask, day: string, { rates }: Terms): Fraction | undefined {
  const scale = (over: bigint, under: bigint): Fraction => ({
    over: over * 10n ** BigInt(DIGITS[payment]!),
    under: under * 10n ** BigInt(DIGITS[source]!),
  });
  if (source === payment) return scale(1n, 1n);
  const newest = rates
    .filter((one) => one.source === source && one.payment === payment && one.date <= day)
    .sort((a, b) => (a.date < b.date ? 1 : -1))[0];
  if (newest === undefined) return undefined;
  const [whole, fraction = ''] = newest.rate.split('.');
  return scale(BigInt(whole! + fraction), 10n ** BigInt(fraction.length));
}

function halfEven(minor: bigint, { over, under }: Fraction): bigint {
  if (minor <= 0n) return 0n;
  const [floor, rest] = [(minor * over) / under, (minor * over) % under];
  if (rest * 2n === under) return floor + (floor % 2n);
  return rest * 2n > under ? floor + 1n : floor;
}

/** The least amount whose conversion is at least `payment`, found by trying. */
function leastReaching(payment: bigint, rate: Fraction): bigint {
  const near = (payment * rate.under) / rate.over;
  const steps = rate.under / rate.over + 3n;
  let least = near > steps ? near - steps : 1n;
  while (halfEven(least, rate) < payment) least += 1n;
  return least;
}
