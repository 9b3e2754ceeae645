/**
 * Breaks: differences between the ledger and a statement, from the day on which they are found to the day on which they
 * are explained. What is found follows from ledger and statements alone; what people say of it is kept beside it.
 */

/** What is wrong. */
export const BREAK_KINDS = [
  'missing_in_statement',
  'missing_in_ledger',
  'amount_differs',
  'currency_differs',
  'duplicate_in_statement',
  /** Several could explain it, so none is taken. */
  'ambiguous',
  /** A statement's balances do not fit its movements, or the balance before. */
  'balance_gap',
  /** A count or sum that a statement states is not that of its lines. */
  'control_total',
  /** The acquirer kept another fee than was agreed. */
  'fee_differs',
] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

/** What is compared: transactions with an acquirer's report, or payouts and settled nets with a bank's statement. */
export const SIDES = ['acquirer', 'bank'] as const;

export type Side = (typeof SIDES)[number];

/**
 * `expected`: missing, but not yet due. `open`: somebody has to explain it. `resolved`: a person has. `closed`: a later
 * statement or the ledger has explained it.
 */
export const BREAK_STATES = ['open', 'expected', 'resolved', 'closed'] as const;

export type BreakState = (typeof BREAK_STATES)[number];

/** Break as it is found now. Sums of minor units, or counts where no currency is named; null where a side has nothing. */
export interface FoundBreak {
  /** `K` and 16 characters; follows from what is wrong, never from when or in which order it was found. */
  readonly id: string;
  readonly side: Side;
  readonly kind: BreakKind;
  /** The transaction's or payout's id, else the statement's own reference. */
  readonly reference: string;
  /** Null for a number of lines. */
  readonly currency: string | null;
  /** Of the statement's amount, where it is another one. */
  readonly statementCurrency: string | null;
  readonly ledger: bigint | null;
  readonly statement: bigint | null;
  /** Whether its amounts are part of what was compared; false for what a statement says of itself, and for fees. */
  readonly compared: boolean;
  /** Day of the movement, `YYYY-MM-DD`; empty where nobody says. */
  readonly day: string;
  /** On this day it should be in a statement; until then it is expected. Null where it does not wait for anything. */
  readonly due: string | null;
  /** In a sentence, what is wrong. */
  readonly why: string;
  /** The statement's line, for people: `FILE:LINE`; null where there is none. */
  readonly place: string | null;
}

/** What people and earlier runs have made of a break. */
export interface Carried {
  readonly state: BreakState;
  /** Day on which it was found first, and on which it went away. */
  readonly found: string;
  readonly closed: string | null;
  readonly assignee: string | null;
  /** Why a person resolved it; kept when it is closed. */
  readonly resolution: string | null;
}

export type Break = FoundBreak & Carried;

/** The statement's amount less the ledger's; null where that means nothing: between two currencies. */
export function differenceOf({
  ledger,
  statement,
  currency,
  statementCurrency,
}: Pick<FoundBreak, 'ledger' | 'statement' | 'currency' | 'statementCurrency'>): bigint | null {
  if (ledger !== null && statement !== null && currency !== (statementCurrency ?? currency)) return null;
  return (statement ?? 0n) - (ledger ?? 0n);
}

/**
 * What becomes of a break that is found, given how it was left.
 * @param today `YYYY-MM-DD`
 */
export function carry(found: FoundBreak, before: Break | undefined, today: string): Break {
  const fresh = found.due !== null && today < found.due ? 'expected' : 'open';
  if (before === undefined)
    return { ...found, state: fresh, found: today, closed: null, assignee: null, resolution: null };
  // Somebody's word stands for the figures that it was said of, also when they were explained for a while.
  const stands = before.resolution !== null && saysTheSame(found, before);
  const { assignee, resolution } = before;
  return {
    ...found,
    state: stands ? 'resolved' : fresh,
    found: before.state === 'closed' ? today : before.found,
    closed: null,
    assignee,
    resolution: stands ? resolution : null,
  };
}

function saysTheSame(one: FoundBreak, other: FoundBreak): boolean {
  return (
    one.kind === other.kind &&
    one.currency === other.currency &&
    one.statementCurrency === other.statementCurrency &&
    one.ledger === other.ledger &&
    one.statement === other.statement
  );
}

/** A break that is not found any more. */
export function close(before: Break, today: string): Break {
  return { ...before, state: 'closed', closed: today };
}

/** Whole days from one day to another, both `YYYY-MM-DD`; 0 where there is no first day, and never less. */
export function daysBetween(from: string, to: string): number {
  if (from === '') return 0;
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}

/** The day so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export const SEVERITIES = ['high', 'medium', 'low'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** From which amount (whole units of its currency) or age (days) on a break is severe. */
export interface SeverityTerms {
  readonly medium: { readonly amount: number; readonly days: number };
  readonly high: { readonly amount: number; readonly days: number };
}

/**
 * How much somebody should mind.
 * @param weight minor units, without a sign; 0 where no money is meant
 * @param digits decimals of its currency
 */
export function severityOf(weight: bigint, digits: number, ageDays: number, terms: SeverityTerms): Severity {
  const reaches = ({ amount, days }: SeverityTerms['high']) =>
    weight >= BigInt(amount) * 10n ** BigInt(digits) || ageDays >= days;
  return reaches(terms.high) ? 'high' : reaches(terms.medium) ? 'medium' : 'low';
}
