/**
 * Where a contract stands: what is to be charged next, and from when on. Pure: the terms and the newest charge in, the
 * standing out. Nothing of it is stored; it follows from the rows of the ledger. Engine decisions, "Subscriptions".
 */
import { dayOf, startOfDay } from './calendar.ts';
import type { ContractState } from './payment.ts';
import { dueOf, periodOf, type Terms } from './subscription.ts';
import type { Transaction } from './transaction.ts';
import { momentOf, wallOf } from './wall-time.ts';

/** A declined charge is tried again so many days after it was due; after the last of them the contract is past due. */
export const RETRY_DAYS = [1, 3, 5] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What became of the attempt to charge a cycle. */
export type ChargeOutcome =
  /** It costs nothing: there is no payment. */
  | 'free'
  /** It is written down, and the card was not asked yet. */
  | 'begun'
  /** In doubt, or held for review. */
  | 'waiting'
  | 'approved'
  | 'declined';

/** An attempt to charge a cycle. */
export interface Charge {
  readonly cycle: number;
  /** From 1. */
  readonly attempt: number;
  /** When it was begun, epoch milliseconds. */
  readonly at: number;
  readonly outcome: ChargeOutcome;
}

/** Everything that decides where a contract stands. */
export interface ContractFacts {
  readonly terms: Terms;
  /** What became of the first payment. */
  readonly first: ChargeOutcome;
  /** The newest attempt after the first payment. */
  readonly last: Charge | undefined;
  /** When money was asked for last: of the newest attempt that was not free, or of the first payment. */
  readonly askedAt: number;
  /** A person has ended it. */
  readonly ended: boolean;
}

/** The next attempt. */
export interface PlannedCharge {
  readonly cycle: number;
  readonly attempt: number;
  /** When its cycle is due, epoch milliseconds. */
  readonly due: number;
  /** From when on it may be made: later than `due` where it is a retry, or comes late. */
  readonly from: number;
  readonly free: boolean;
}

export type Standing =
  | { readonly is: 'active'; readonly next: PlannedCharge }
  /** An answer is missing, and nothing is charged before it. */
  | { readonly is: 'waiting'; readonly due: number | undefined }
  /** Every retry was declined; a person may order this one. */
  | { readonly is: 'past due'; readonly next: PlannedCharge }
  | { readonly is: 'ended' };

const ENDED = { is: 'ended' } as const;

/** What the attempt that made this transaction came to. A payment that was approved counts, whatever was done with it later. */
export function outcomeOf({ standing, review }: Pick<Transaction, 'standing' | 'review'>): ChargeOutcome {
  switch (standing) {
    case 'created':
    case 'challenge':
    case 'in_doubt':
      return 'waiting';
    case 'in_review':
      return review === undefined ? 'waiting' : review === 'accepted' ? 'approved' : 'declined';
    case 'declined':
    case 'rejected':
    case 'expired':
      return 'declined';
    default:
      return 'approved';
  }
}

export function standingOf(facts: ContractFacts): Standing {
  const { terms, first, last, ended } = facts;
  if (ended || first === 'declined') return ENDED;
  if (first !== 'approved') return { is: 'waiting', due: dueOf(terms, 2) };
  switch (last?.outcome) {
    case undefined:
      return cycleAhead(facts, 2);
    case 'free':
    case 'approved':
      return cycleAhead(facts, last!.cycle + 1);
    case 'waiting':
      return { is: 'waiting', due: dueOf(terms, last!.cycle) };
    case 'begun':
      return { is: 'active', next: sameAgain(terms, last!) };
    case 'declined':
      return afterDecline(terms, last!);
  }
}

/** A contract is asked for money at most once a day, so that cycles that were missed are caught up with one by one. */
function cycleAhead({ terms, askedAt }: ContractFacts, cycle: number): Standing {
  const due = dueOf(terms, cycle);
  const isOver = terms.cycles > 0 && cycle > terms.cycles;
  if (isOver || due === undefined || due > (terms.end ?? due)) return ENDED;
  const free = cycle <= terms.freeCycles;
  const from = free ? due : Math.max(due, startOfDayAfter(askedAt, 1, terms.timeZone));
  return { is: 'active', next: { cycle, attempt: 1, due, from, free } };
}

/** The attempt that was begun is gone on with under its own number: whoever asks the card does so once for each number. */
function sameAgain(terms: Terms, { cycle, attempt }: Charge): PlannedCharge {
  const due = dueOf(terms, cycle)!;
  return { cycle, attempt, due, from: due, free: false };
}

function afterDecline(terms: Terms, { cycle, attempt, at }: Charge): Standing {
  const due = dueOf(terms, cycle)!;
  const days = RETRY_DAYS[attempt - 1];
  const next = { cycle, attempt: attempt + 1, due, from: due, free: false };
  if (days === undefined) return { is: 'past due', next };
  // An attempt that came late pushes the ones after it on: the days between them stay.
  const pause = days - (RETRY_DAYS[attempt - 2] ?? 0);
  const from = Math.max(daysLater(due, days, terms.timeZone), startOfDayAfter(at, pause, terms.timeZone));
  return { is: 'active', next: { ...next, from } };
}

/** The same time of day, days later. */
function daysLater(at: number, days: number, timeZone: string): number {
  return momentOf(wallOf(at, timeZone) + days * DAY_MS, timeZone);
}

/** When the day begins that comes so many days after the day of a moment. */
function startOfDayAfter(at: number, days: number, timeZone: string): number {
  return startOfDay(dayOf(daysLater(at, days, timeZone), timeZone), timeZone);
}

/** The contract as results and queries show it. */
export function contractState(recurringId: string, terms: Terms, standing: Standing): ContractState {
  return {
    name: terms.name,
    recurringId,
    period: periodOf(terms),
    next: nextOf(standing),
    status: standing.is === 'ended' ? 0 : standing.is === 'past due' ? 2 : 1,
  };
}

function nextOf(standing: Standing): number | undefined {
  if (standing.is === 'active') return standing.next.from;
  return standing.is === 'waiting' ? standing.due : undefined;
}
