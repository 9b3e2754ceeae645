/** From what was sold to what the bank has credited: every step an amount, so that nothing is lost between the two. */
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import type { KindSum } from '../ledger/compared-lines.ts';
import type { Waterfall, WaterfallStep } from '../report/reconciliation/document.ts';
import type { PaidOutCheck } from './payouts.ts';
import type { LineKind } from './statement.ts';

/** What each kind of line is called, in the order of steps; fees stand behind them. */
const PARTS: readonly (readonly [LineKind, string])[] = [
  ['payment', 'Payments'],
  ['refund', 'Refunds'],
  ['chargeback', 'Chargebacks'],
  ['other', 'Other movements'],
];

const HELD: readonly (readonly [LineKind, string])[] = [
  ['reserve', 'Reserve'],
  ['adjustment', 'Adjustments'],
  ['transfer', 'Transfers'],
];

interface Step {
  readonly name: string;
  readonly amount: bigint;
  readonly lines: number;
  readonly is: 'part' | 'sum';
}

/** What the bank has of an acquirer's payouts, by currency; undefined while no bank statement is loaded. */
export type Settled = ReadonlyMap<string, { readonly amount: bigint; readonly lines: number }> | undefined;

export function waterfalls(
  sums: readonly KindSum[],
  checks: readonly PaidOutCheck[],
  settled: Settled,
): readonly Waterfall[] {
  const currencies = [...new Set([...sums, ...checks].map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const steps = stepsOf(
      sums.filter((sum) => sum.currency === currency),
      checks.filter((check) => check.currency === currency && check.stated !== undefined),
      settled && (settled.get(currency) ?? { amount: 0n, lines: 0 }),
    );
    return { currency, steps: steps.map((step) => written(step, digitsOf(currency) ?? 0)) };
  });
}

function stepsOf(
  sums: readonly KindSum[],
  payouts: readonly PaidOutCheck[],
  settled: { readonly amount: bigint; readonly lines: number } | undefined,
): readonly Step[] {
  const ofKind = ([kind, name]: readonly [LineKind, string]): readonly Step[] => {
    const sum = sums.find((one) => one.kind === kind);
    return sum === undefined ? [] : [{ name, amount: sum.gross, lines: sum.lines, is: 'part' }];
  };
  const traded = PARTS.flatMap(ofKind);
  const net = [...traded, ...feesIn(sums), ...HELD.flatMap(ofKind)];
  const steps = [
    ...traded,
    ...(traded.length > 1 ? [total('Gross', traded)] : []),
    ...net.slice(traded.length),
    total('Net of fees', net),
  ];
  if (payouts.length === 0) return steps;
  const paid = payouts.reduce((sum, { stated }) => sum + stated!, 0n);
  const left = totalOf(net) - paid;
  return [
    ...steps,
    {
      name: left < 0n ? 'From earlier balances' : 'Left with the acquirer',
      amount: -left,
      lines: 0,
      is: 'part',
    },
    { name: 'Paid out', amount: paid, lines: payouts.length, is: 'sum' },
    ...creditedSteps(paid, settled),
  ];
}

function creditedSteps(
  paid: bigint,
  settled: { readonly amount: bigint; readonly lines: number } | undefined,
): readonly Step[] {
  if (settled === undefined) return [];
  const { amount, lines } = settled;
  return [
    { name: 'Not seen at the bank', amount: amount - paid, lines: 0, is: 'part' },
    { name: 'Credited by the bank', amount, lines, is: 'sum' },
  ];
}

/** Kept back of lines, and on lines of their own. */
function feesIn(sums: readonly KindSum[]): readonly Step[] {
  const kept = sums.reduce((sum, { fee }) => sum + fee, 0n);
  const own = sums.find(({ kind }) => kind === 'fee');
  return [
    ...(kept === 0n ? [] : [{ name: 'Fees kept back', amount: -kept, lines: 0, is: 'part' } as const]),
    ...(own === undefined
      ? []
      : [{ name: 'Fees charged', amount: own.gross, lines: own.lines, is: 'part' } as const]),
  ];
}

function total(name: string, steps: readonly Step[]): Step {
  return { name, amount: totalOf(steps), lines: steps.reduce((sum, { lines }) => sum + lines, 0), is: 'sum' };
}

function totalOf(steps: readonly Step[]): bigint {
  return steps.reduce((sum, { amount }) => sum + amount, 0n);
}

function written({ name, amount, lines, is }: Step, digits: number): WaterfallStep {
  return { name, amount: formatAmount(amount, digits), lines, is };
}
