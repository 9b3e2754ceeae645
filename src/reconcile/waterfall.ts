/** From what was sold to what the bank has credited: every step an amount, so that nothing is lost between the two. */
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import type { KindSum } from '../ledger/compared-lines.ts';
import type { Waterfall, WaterfallStep } from '../report/reconciliation/document.ts';
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

/** Something that was paid out; minor units. */
export interface PaidStep {
  readonly currency: string;
  /** What the balance lost for it, and what of that was on its way to the bank. */
  readonly taken: bigint;
  readonly received: bigint;
  /** Whether the bank has it; undefined while no bank statement is loaded. */
  readonly isCredited: boolean | undefined;
}

export function waterfalls(sums: readonly KindSum[], paid: readonly PaidStep[]): readonly Waterfall[] {
  const currencies = [...new Set([...sums, ...paid].map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const steps = stepsOf(
      sums.filter((sum) => sum.currency === currency),
      paid.filter((one) => one.currency === currency),
    );
    return { currency, steps: steps.map((step) => written(step, digitsOf(currency) ?? 0)) };
  });
}

function stepsOf(sums: readonly KindSum[], paid: readonly PaidStep[]): readonly Step[] {
  const ofKind = ([kind, name]: readonly [LineKind, string]): readonly Step[] => {
    const sum = sums.find((one) => one.kind === kind);
    return sum === undefined ? [] : [{ name, amount: sum.gross, lines: sum.lines, is: 'part' }];
  };
  const traded = PARTS.flatMap(ofKind);
  const net = [...traded, ...feesIn(sums), ...HELD.flatMap(ofKind)];
  return [
    ...traded,
    ...(traded.length > 1 ? [total('Gross', traded)] : []),
    ...net.slice(traded.length),
    total('Net of fees', net),
    ...(paid.length === 0 ? [] : paidSteps(totalOf(net), paid)),
  ];
}

function paidSteps(net: bigint, paid: readonly PaidStep[]): readonly Step[] {
  const sum = (of: readonly PaidStep[], pick: (one: PaidStep) => bigint) =>
    of.reduce((all, one) => all + pick(one), 0n);
  const left = net - sum(paid, ({ taken }) => taken);
  const received = sum(paid, (one) => one.received);
  const cost = sum(paid, ({ taken }) => taken) - received;
  const credited = paid.filter(({ isCredited }) => isCredited === true);
  const seen = sum(credited, (one) => one.received);
  return [
    {
      name: left < 0n ? 'From earlier balances' : 'Left with the acquirer',
      amount: -left,
      lines: 0,
      is: 'part',
    },
    ...(cost === 0n ? [] : [{ name: 'Cost of paying out', amount: -cost, lines: 0, is: 'part' } as const]),
    { name: 'Paid out', amount: received, lines: paid.length, is: 'sum' },
    ...(paid[0]!.isCredited === undefined
      ? []
      : ([
          { name: 'Not seen at the bank', amount: seen - received, lines: 0, is: 'part' },
          { name: 'Credited by the bank', amount: seen, lines: credited.length, is: 'sum' },
        ] as const)),
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
