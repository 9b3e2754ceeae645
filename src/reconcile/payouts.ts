/**
 * What an acquirer has paid out, against the lines that it says are in it: payments less refunds, chargebacks, fees and
 * what was held back. What is paid out is then due at the bank.
 */
import type { FoundBreak } from '../core/break.ts';
import { getOrSet } from '../core/get-or-set.ts';
import type { PayoutLine, PayoutSum, StatementNet } from '../ledger/compared-lines.ts';
import type { StoredStatement } from '../ledger/statements.ts';
import type { Due } from './bank.ts';
import { breakId } from './found.ts';

export interface PaidOutCheck {
  readonly name: string;
  readonly currency: string;
  /** On which it was paid out, or reaches the bank where that is said; empty where nobody says. */
  readonly day: string;
  readonly references: readonly string[];
  readonly lines: number;
  /** Nets by kind of line, minor units. */
  readonly parts: ReadonlyMap<string, bigint>;
  readonly calculated: bigint;
  /** What is paid out as the balance says it, else as the list of payouts does; undefined where neither does. */
  readonly stated: bigint | undefined;
}

interface Views {
  balance: bigint | undefined;
  payouts: bigint | undefined;
  day: string;
  readonly references: Set<string>;
}

/** Every payout that is stated or has lines, in the order of names. */
export function paidOutChecks(
  sums: readonly PayoutSum[],
  lines: readonly PayoutLine[],
): readonly PaidOutCheck[] {
  const stated = new Map<string, Views>();
  for (const line of lines) {
    const name = line.payout ?? line.references[0];
    if (name === undefined) continue;
    const views = getOrSet(stated, keyOf(name, line.currency), () => ({
      balance: undefined,
      payouts: undefined,
      day: '',
      references: new Set<string>(),
    }));
    // The balance loses what the merchant receives.
    const received = line.subject === 'balance' ? -BigInt(line.net) : BigInt(line.net);
    views[line.subject] = (views[line.subject] ?? 0n) + received;
    const day = line.valued ?? line.booked;
    if (day > views.day) views.day = day;
    for (const reference of line.references) views.references.add(reference);
  }
  const parts = new Map<string, PayoutSum[]>();
  for (const sum of sums) getOrSet(parts, keyOf(sum.payout, sum.currency), () => []).push(sum);
  return [...new Set([...stated.keys(), ...parts.keys()])].toSorted().map((key) => {
    const [name, currency] = key.split('\n') as [string, string];
    const views = stated.get(key);
    const members = parts.get(key) ?? [];
    return {
      name,
      currency,
      day: views?.day ?? '',
      references: [...new Set([name, ...(views?.references ?? [])])],
      lines: members.reduce((count, sum) => count + sum.lines, 0),
      parts: new Map(members.map((sum) => [sum.kind, sum.net])),
      calculated: members.reduce((total, { net }) => total + net, 0n),
      stated: views?.balance ?? views?.payouts,
    };
  });
}

/** stated − calculated; undefined where one of the two is missing. */
export function residualOf({ stated, calculated, lines }: PaidOutCheck): bigint | undefined {
  return stated === undefined || lines === 0 ? undefined : stated - calculated;
}

/** A payout that is not what its lines add up to, as a break. */
export function residualBreaks(
  owner: readonly string[],
  checks: readonly PaidOutCheck[],
): readonly FoundBreak[] {
  return checks.flatMap((check) => {
    const residual = residualOf(check);
    if (residual === undefined || residual === 0n) return [];
    const { name, currency, day, lines, calculated, stated } = check;
    return [
      {
        id: breakId(owner, 'acquirer', ['payout', name, currency]),
        side: 'acquirer',
        kind: 'control_total',
        reference: name,
        currency,
        statementCurrency: null,
        ledger: calculated,
        statement: stated!,
        compared: false,
        day,
        due: null,
        why: `The ${lines === 1 ? 'one line' : `${lines} lines`} of this payout do not add up to what was paid out: a residual is left.`,
        place: null,
      },
    ];
  });
}

/** What should reach the bank, or be taken from it. */
export function settlementDues(
  checks: readonly PaidOutCheck[],
  nets: readonly StatementNet[],
  statements: ReadonlyMap<number, StoredStatement>,
): readonly Due[] {
  const paid = checks
    .filter(({ stated }) => stated !== undefined && stated !== 0n)
    .map(
      ({ name, currency, day, references, stated }): Due => ({
        name: keyOf(name, currency),
        is: 'settlement',
        references,
        currency,
        amount: Number(stated),
        day,
      }),
    );
  const whole = nets
    .filter(({ net }) => net !== 0n)
    .map(({ statement, currency, net, lastBooked }): Due => {
      const { id, file, sha256, place, lastDay } = statements.get(statement)!;
      return {
        name: keyOf(`${sha256} ${place}`, currency),
        is: 'settlement',
        references: id === null ? [file] : [id, file],
        currency,
        amount: Number(net),
        day: lastDay ?? lastBooked,
      };
    });
  return [...paid, ...whole];
}

function keyOf(name: string, currency: string): string {
  return `${name}\n${currency}`;
}
