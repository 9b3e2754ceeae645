/**
 * What an acquirer has paid out, against the lines that it says are in it: payments less refunds, chargebacks, fees and
 * what was held back. What is paid out is then due at the bank.
 */
import type { FoundBreak } from '../core/break.ts';
import { getOrSet } from '../core/get-or-set.ts';
import type { PayoutLine, PayoutSum, StatementNet } from '../ledger/compared-lines.ts';
import type { StoredStatement } from '../ledger/statements.ts';
import type { Due } from './bank.ts';
import { breakId, placeOf } from './found.ts';

export interface PaidOutCheck {
  /** Tells it from all others, whatever it is called. */
  readonly key: string;
  /** What the acquirer calls it, else where it stands. */
  readonly name: string;
  readonly currency: string;
  /** On which it was paid out, or reaches the bank where that is said; empty where nobody says. */
  readonly day: string;
  readonly references: readonly string[];
  readonly lines: number;
  /** Nets by kind of line, minor units. */
  readonly parts: ReadonlyMap<string, bigint>;
  readonly calculated: bigint;
  /** What the balance loses for it, else what the list of payouts says; undefined where neither does. */
  readonly stated: bigint | undefined;
  /** What reaches the bank of it: less than stated where paying out costs something. */
  readonly received: bigint;
  /** What the list of payouts says, where the balance says it, too. */
  readonly listed: bigint | undefined;
}

interface Views {
  readonly name: string;
  readonly currency: string;
  balance: bigint | undefined;
  payouts: bigint | undefined;
  received: bigint;
  day: string;
  readonly references: Set<string>;
}

/** Every payout that is stated or has lines, in the order of names. */
export function paidOutChecks(
  sums: readonly PayoutSum[],
  lines: readonly PayoutLine[],
): readonly PaidOutCheck[] {
  const stated = new Map<string, Views>();
  for (const line of lines) view(line, stated);
  const parts = new Map<string, PayoutSum[]>();
  for (const sum of sums) getOrSet(parts, keyOf(sum.payer, sum.payout, sum.currency), () => []).push(sum);
  return [...new Set([...stated.keys(), ...parts.keys()])].toSorted().map((key) => {
    const views = stated.get(key);
    const members = parts.get(key) ?? [];
    const { name, currency } = views ?? { name: members[0]!.payout, currency: members[0]!.currency };
    return {
      key,
      name,
      currency,
      day: views?.day ?? '',
      references: [...new Set([name, ...(views?.references ?? [])])],
      lines: members.reduce((count, sum) => count + sum.lines, 0),
      parts: new Map(members.map((sum) => [sum.kind, sum.net])),
      calculated: members.reduce((total, { net }) => total + net, 0n),
      stated: views?.balance ?? views?.payouts,
      received: views?.received ?? 0n,
      listed: views?.balance === undefined ? undefined : views.payouts,
    };
  });
}

function view(line: PayoutLine, stated: Map<string, Views>): void {
  const { payer, currency, sha256, file, place } = line;
  const called = line.payout ?? line.references[0];
  // One that has no name is told by its place alone.
  const key = keyOf(payer, called ?? `${sha256} ${place} ${line.line}`, currency);
  const views = getOrSet(stated, key, () => ({
    name: called ?? placeOf(file, line.line),
    currency,
    balance: undefined,
    payouts: undefined,
    received: 0n,
    day: '',
    references: new Set<string>(),
  }));
  // The balance loses what the merchant receives.
  const sign = line.subject === 'balance' ? -1n : 1n;
  const isFirstView = line.subject === 'balance' || views.balance === undefined;
  if (line.subject === 'balance' && views.balance === undefined) views.received = 0n;
  if (isFirstView) views.received += sign * BigInt(line.gross);
  views[line.subject] = (views[line.subject] ?? 0n) + sign * BigInt(line.net);
  const day = line.valued ?? line.booked;
  if (day > views.day) views.day = day;
  for (const reference of line.references) views.references.add(reference);
}

/** stated − calculated; undefined where one of the two is missing. */
export function residualOf({ stated, calculated, lines }: PaidOutCheck): bigint | undefined {
  return stated === undefined || lines === 0 ? undefined : stated - calculated;
}

/** Payouts that are not what their lines add up to, or not what the list of payouts says, as breaks. */
export function residualBreaks(
  owner: readonly string[],
  checks: readonly PaidOutCheck[],
): readonly FoundBreak[] {
  return checks.flatMap((check) => {
    const { stated, listed, calculated, lines } = check;
    const residual = residualOf(check);
    const sum = lines === 1 ? 'The one line of this payout does' : `The ${lines} lines of this payout do`;
    return [
      ...(residual === undefined || residual === 0n
        ? []
        : [
            breakOf(
              owner,
              check,
              'lines',
              calculated,
              stated!,
              `${sum} not add up to what was paid out: a residual is left.`,
            ),
          ]),
      ...(listed === undefined || listed === stated
        ? []
        : [
            breakOf(
              owner,
              check,
              'list',
              stated!,
              listed,
              'The list of payouts says another amount than the balance.',
            ),
          ]),
    ];
  });
}

function breakOf(
  owner: readonly string[],
  { key, name, currency, day }: PaidOutCheck,
  what: 'lines' | 'list',
  expected: bigint,
  stated: bigint,
  why: string,
): FoundBreak {
  return {
    id: breakId(owner, 'acquirer', ['payout', key, what]),
    side: 'acquirer',
    kind: 'control_total',
    reference: name,
    currency,
    statementCurrency: null,
    ledger: expected,
    statement: stated,
    compared: false,
    day,
    due: null,
    why,
    place: null,
  };
}

/** What was paid out should reach the bank, or be taken from it. */
export function payoutDues(checks: readonly PaidOutCheck[]): readonly Due[] {
  return checks
    .filter(({ received }) => received !== 0n)
    .map(({ key, currency, day, references, received }) => ({
      name: key,
      is: 'settlement',
      references,
      currency,
      amount: Number(received),
      day,
    }));
}

/** So should what a statement comes to that tells of no payouts. */
export function statementDues(
  nets: readonly StatementNet[],
  statements: ReadonlyMap<number, StoredStatement>,
): readonly Due[] {
  return nets
    .filter(({ net }) => net !== 0n)
    .map(({ statement, currency, net, lastBooked }) => {
      const { id, file, sha256, place, lastDay } = statements.get(statement)!;
      return {
        name: keyOf('', `${sha256} ${place}`, currency),
        is: 'settlement',
        references: id === null ? [file] : [id, file],
        currency,
        amount: Number(net),
        day: lastDay ?? lastBooked,
      };
    });
}

function keyOf(payer: string, name: string, currency: string): string {
  return JSON.stringify([name, currency, payer]);
}
