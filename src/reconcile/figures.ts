/** What statements say of themselves, and of each other, that is not so. */
import type { FoundBreak } from '../core/break.ts';
import type { StoredStatement } from '../ledger/statements.ts';
import { type Contradiction, chainGap } from './checks.ts';
import { breakId, MEANINGS, placeOf } from './found.ts';

/** How the contradictions of a statement are stored: sums as text. */
type StoredContradiction = Omit<Contradiction, 'stated' | 'calculated'> & {
  readonly stated: string;
  readonly calculated: string;
};

/** @param statements those that count, in any order */
export function figureBreaks(
  owner: readonly string[],
  statements: readonly StoredStatement[],
): readonly FoundBreak[] {
  const own = statements.flatMap((statement) =>
    (JSON.parse(statement.contradictions) as StoredContradiction[]).map((one) =>
      breakOf(owner, statement, { ...one, stated: BigInt(one.stated), calculated: BigInt(one.calculated) }),
    ),
  );
  return [...own, ...chains(statements).flatMap((chain) => gapsIn(owner, chain))];
}

/** The statements of one account at one bank or acquirer, in the order of time. */
function chains(statements: readonly StoredStatement[]): readonly (readonly StoredStatement[])[] {
  const byAccount = new Map<string, StoredStatement[]>();
  for (const one of statements) {
    if (one.opening === null && one.closing === null) continue;
    const key = JSON.stringify([one.profile, one.whose, (one.opening ?? one.closing)!.currency]);
    const chain = byAccount.get(key);
    if (chain === undefined) byAccount.set(key, [one]);
    else chain.push(one);
  }
  return [...byAccount.values()].map((chain) => chain.toSorted(inTime));
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** First and last day of a statement, as far as anything in it tells. */
function daysOf(one: StoredStatement): readonly [first: string, last: string] {
  const made = one.made?.slice(0, 10) ?? '';
  return [one.firstDay ?? one.firstBooked ?? made, one.lastDay ?? one.lastBooked ?? made];
}

/** Pages of one statement have all but their ids in common. */
function inTime(one: StoredStatement, other: StoredStatement): number {
  const [[first, last], [otherFirst, otherLast]] = [daysOf(one), daysOf(other)];
  return (
    NUMERIC.compare(last, otherLast) ||
    NUMERIC.compare(first, otherFirst) ||
    (one.sequence ?? 0) - (other.sequence ?? 0) ||
    NUMERIC.compare(one.made ?? '', other.made ?? '') ||
    NUMERIC.compare(one.id ?? '', other.id ?? '') ||
    NUMERIC.compare(one.sha256, other.sha256) ||
    one.place - other.place
  );
}

/**
 * The statement that ends where this one begins: the last before it that does not tell of the same days. Of daily
 * statements and one of the month, each follows its own kind; pages of one day follow one another.
 */
function before(chain: readonly StoredStatement[], index: number): StoredStatement | undefined {
  const [first, last] = daysOf(chain[index]!);
  return chain.slice(0, index).findLast((one) => {
    const [otherFirst, otherLast] = daysOf(one);
    return otherLast < first || (otherFirst === first && otherLast === last);
  });
}

function gapsIn(owner: readonly string[], chain: readonly StoredStatement[]): readonly FoundBreak[] {
  return chain.flatMap((statement, index) => {
    const last = before(chain, index);
    if (last === undefined) return [];
    return chainGap(last.closing ?? undefined, statement.opening ?? undefined).map((gap) => ({
      ...breakOf(owner, statement, gap),
      why: `It does not begin with what ${nameOf(last)} ends with: a statement between them is missing, or one is wrong.`,
    }));
  });
}

function breakOf(
  owner: readonly string[],
  statement: StoredStatement,
  { kind, what, currency, stated, calculated, line, statedIn }: Contradiction,
): FoundBreak {
  const side = statement.subject === 'bank' ? 'bank' : 'acquirer';
  const { sha256, place, file, firstDay, lastDay, firstBooked, lastBooked } = statement;
  return {
    id: breakId(owner, side, ['figure', sha256, place, what, currency ?? null, line ?? null]),
    side,
    kind,
    reference: statement.id ?? file,
    currency: currency ?? null,
    statementCurrency: null,
    ledger: calculated,
    statement: stated,
    compared: false,
    day: (what === 'opening balance' ? (firstDay ?? firstBooked) : (lastDay ?? lastBooked)) ?? '',
    due: null,
    why: `${MEANINGS[kind]} It is about the ${what}${statedIn === undefined ? '' : `, which is stated in ${statedIn}`}.`,
    place: line === undefined ? file : placeOf(file, line),
  };
}

function nameOf({ id, file }: StoredStatement): string {
  return id ?? file;
}
