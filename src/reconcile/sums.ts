/** The breaks of some books, added up and listed: what is left of every equation when the matches are taken away. */
import { BREAK_STATES, type Break, type BreakState, differenceOf, type Side } from '../core/break.ts';
import { getOrSet } from '../core/get-or-set.ts';
import { breaksAfter } from '../ledger/breaks.ts';
import type { Statements } from '../ledger/database.ts';
import { hasDay, type Period } from './period.ts';
import { scaledWeight } from './weight.ts';

const BLOCK = 1_000;

/** States of breaks that are not explained. */
const LEFT: readonly BreakState[] = ['open', 'expected', 'resolved'];

type Amounts = Record<'open' | 'expected' | 'resolved', bigint>;

export interface BreakSums {
  /** By side and currency: what breaks have of the ledger's and of the statement's sum, minor units. */
  readonly amounts: ReadonlyMap<string, { readonly ledger: Amounts; readonly statement: Amounts }>;
  /** What open breaks of either side differ by, without signs, by currency. */
  readonly open: ReadonlyMap<string, bigint>;
  readonly counts: Readonly<Record<BreakState, number>>;
  /** The first ones to look at: open before expected before resolved, the weightiest first. */
  readonly first: readonly Break[];
}

export function sumKey(side: Side, currency: string): string {
  return `${side}\n${currency}`;
}

/** @param most how many are listed */
export async function sumBreaks(
  reads: Pick<Statements, 'json'>,
  books: number,
  period: Period,
  most: number,
): Promise<BreakSums> {
  const amounts = new Map<string, { ledger: Amounts; statement: Amounts }>();
  const counts: Record<BreakState, number> = { open: 0, expected: 0, resolved: 0, closed: 0 };
  const open = new Map<string, bigint>();
  let first: Break[] = [];
  const sum = (side: Side, currency: string) =>
    getOrSet(amounts, sumKey(side, currency), () => ({ ledger: nothing(), statement: nothing() }));
  for await (const block of allBreaks(reads, books, period)) {
    for (const one of block) {
      const { state, side, currency, statementCurrency, ledger, statement, compared } = one;
      counts[state] += 1;
      if (!compared || currency === null || state === 'closed') continue;
      if (state === 'open')
        for (const [of, amount] of differencesIn(one)) open.set(of, (open.get(of) ?? 0n) + amount);
      if (ledger !== null) sum(side, currency).ledger[state] += ledger;
      if (statement !== null) sum(side, statementCurrency ?? currency).statement[state] += statement;
    }
    first.push(...block);
    if (first.length > 4 * most + BLOCK) first = firstOf(first, most);
  }
  return { amounts, open, counts, first: firstOf(first, most) };
}

/** All that are not explained and lie in a period, in blocks. */
export async function* allBreaks(
  reads: Pick<Statements, 'json'>,
  books: number,
  period: Period,
): AsyncGenerator<readonly Break[]> {
  for (let after = ''; ; ) {
    const block = await breaksAfter(reads, books, LEFT, after, BLOCK);
    const last = block.at(-1);
    if (last === undefined) return;
    yield block.filter(({ day }) => hasDay(period, day));
    after = last.id;
  }
}

function firstOf(breaks: readonly Break[], most: number): Break[] {
  return breaks
    .map((one) => ({ one, weight: scaledWeight(one) ?? 0n }))
    .toSorted(
      (a, b) =>
        BREAK_STATES.indexOf(a.one.state) - BREAK_STATES.indexOf(b.one.state) ||
        (a.weight === b.weight ? (a.one.id < b.one.id ? -1 : 1) : a.weight > b.weight ? -1 : 1),
    )
    .slice(0, most)
    .map(({ one }) => one);
}

/** What is open of a break, without a sign: between two currencies, both amounts. */
function differencesIn(one: Break): readonly (readonly [currency: string, amount: bigint])[] {
  const { currency, statementCurrency, ledger, statement } = one;
  const difference = differenceOf(one);
  if (difference !== null) return [[currency!, abs(difference)]];
  return [
    [currency!, abs(ledger!)],
    [statementCurrency!, abs(statement!)],
  ];
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function nothing(): Amounts {
  return { open: 0n, expected: 0n, resolved: 0n };
}
