/** Finding breaks: those that fit a filter, the weightiest first, and what a list says of them. */
import { type BreakKind, type BreakState, SEVERITIES, type Severity, type Side } from '../../core/break.ts';
import { breaksNamed, breaksWith, type StoredBreak } from '../../ledger/breaks.ts';
import type { Statements } from '../../ledger/database.ts';
import type { ListedBreak } from '../../report/reconciliation/document.ts';
import { listedBreak } from '../listed.ts';
import { scaledWeight } from '../weight.ts';
import type { AllBooks, Books } from './books.ts';

/** Which breaks are meant; what is undefined, or empty, may be anything. */
export interface BreakFilter {
  readonly states: readonly BreakState[];
  readonly kinds: readonly BreakKind[];
  readonly side: Side | undefined;
  readonly currency: string | undefined;
  readonly severity: Severity | undefined;
  /** Null: nobody. */
  readonly assignee: string | null | undefined;
  /** A part of the reference. */
  readonly reference: string | undefined;
  /** What differs or is missing is at least so much, in ten thousandths of whatever currency it is in. */
  readonly minAmount: bigint | undefined;
  /** Older than so many days. */
  readonly olderThan: number | undefined;
  readonly merchant: string | undefined;
  readonly account: string | undefined;
}

/** A break that was found, with what it is sorted by. */
export interface WeighedBreak {
  readonly id: string;
  readonly severity: Severity;
  readonly state: BreakState;
  /** In ten thousandths of its currency. */
  readonly weight: bigint;
  readonly age: number;
}

/** A break as lists show it, with whose it is. */
export type AccountBreak = ListedBreak & {
  readonly merchant: string;
  readonly account: string;
  readonly gateway: string;
};

/** Breaks read at a time. */
export const BLOCK = 1_000;

type Reads = Pick<Statements, 'json'>;

/** Those that fit, the weightiest first. Only what they are sorted by is kept: there may be very many. */
export async function findBreaks(
  statements: Reads,
  all: AllBooks,
  filter: BreakFilter,
): Promise<readonly WeighedBreak[]> {
  const found: WeighedBreak[] = [];
  for (const books of all.values()) {
    const { merchantId, accountId } = books.account;
    if (merchantId !== (filter.merchant ?? merchantId) || accountId !== (filter.account ?? accountId))
      continue;
    for (let after = ''; ; ) {
      const block = await breaksWith(statements, books.number, filter, after, BLOCK);
      for (const one of block) {
        const fitting = fits(one, books, filter);
        if (fitting !== undefined) found.push(fitting);
      }
      if (block.length < BLOCK) break;
      after = block.at(-1)!.id;
    }
  }
  return found.sort(byWeight);
}

function fits(one: StoredBreak, books: Books, filter: BreakFilter): WeighedBreak | undefined {
  const { age_days: age, severity } = listedBreak(one, books.today, books.severity);
  if (severity !== (filter.severity ?? severity) || age <= (filter.olderThan ?? -1)) return undefined;
  const weight = scaledWeight(one);
  if (filter.minAmount !== undefined && (weight ?? -1n) < filter.minAmount) return undefined;
  return { id: one.id, severity, state: one.state, weight: weight ?? 0n, age };
}

function byWeight(one: WeighedBreak, other: WeighedBreak): number {
  if (one.severity !== other.severity)
    return SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
  if (one.weight !== other.weight) return one.weight > other.weight ? -1 : 1;
  return other.age - one.age || (one.id < other.id ? -1 : 1);
}

/** What lists say of breaks, in the order of their ids here. One that is gone meanwhile is left out. */
export async function* listedBlocks(
  statements: Reads,
  all: AllBooks,
  ids: readonly string[],
): AsyncGenerator<readonly AccountBreak[]> {
  for (let from = 0; from < ids.length; from += BLOCK) {
    const wanted = ids.slice(from, from + BLOCK);
    const byId = new Map((await breaksNamed(statements, wanted)).map((one) => [one.id, one]));
    yield wanted.flatMap((id) => {
      const one = byId.get(id);
      return one === undefined ? [] : [listed(one, all)];
    });
  }
}

export function listed(one: StoredBreak, all: AllBooks): AccountBreak {
  const { account, gateway, today, severity } = all.get(one.reconciliation)!;
  return {
    ...listedBreak(one, today, severity),
    merchant: account.merchantId,
    account: account.accountId,
    gateway,
  };
}
