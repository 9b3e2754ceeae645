/** What a reconciliation says: `reconcile --json`, reconciliation.json, and all that the HTML report shows. */
import type { BreakKind, BreakState, Severity, Side } from '../../core/break.ts';

/** A statement that was named, or all that are loaded where none was. Contract, `reconcile --json`. */
export interface StatementSummary {
  readonly file: string;
  readonly profile: string;
  /** `balance`, `payouts` or `bank`. */
  readonly of: string;
  /** Its own id, where it has one. */
  readonly id: string | null;
  readonly lines: number;
  readonly period: readonly [from: string, to: string] | null;
  readonly sha256: string;
  /** It was loaded by an earlier run: nothing of it was loaded again. */
  readonly repeat: boolean;
  /** Lines that stand in another statement too, and count once. */
  readonly counted_elsewhere: number;
}

/** Decimal sums of one currency. `total = matched + open + expected + resolved`, on both sides. */
export interface SideTotals {
  readonly total: string;
  readonly matched: string;
  readonly open: string;
  readonly expected: string;
  readonly resolved: string;
  /** Entries or lines. */
  readonly count: number;
}

/** One comparison in one currency. */
export interface Comparison {
  readonly side: Side;
  readonly currency: string;
  readonly ledger: SideTotals;
  readonly statement: SideTotals;
}

/**
 * Per currency, of the comparison with acquirers, or with the bank where there is no other. `open` adds up, without signs,
 * what open breaks of both differ by: it is zero only when nothing is open.
 */
export interface CurrencyTotals {
  readonly ledger: string;
  readonly statement: string;
  readonly matched: string;
  readonly open: string;
}

/** How many matches one rule made. */
export interface RuleCount {
  readonly side: Side;
  readonly rule: string;
  /** What the rule says, in words. */
  readonly meaning: string;
  readonly matches: number;
  readonly entries: number;
  readonly lines: number;
}

/** From gross to the bank's credit: each part is added, and a sum says what there is by then. */
export interface WaterfallStep {
  readonly name: string;
  /** Decimal, with sign. */
  readonly amount: string;
  readonly lines: number;
  /** `sum`: what the steps before add up to. */
  readonly is: 'part' | 'sum';
}

export interface Waterfall {
  readonly currency: string;
  readonly steps: readonly WaterfallStep[];
}

/** A payout or batch of an acquirer and the lines in it. Decimal sums. */
export interface PayoutCheck {
  readonly reference: string;
  readonly currency: string;
  readonly day: string;
  readonly lines: number;
  /** Payments, refunds, chargebacks, fees, reserve and adjustments; they add up to `calculated`. */
  readonly parts: Readonly<Record<string, string>>;
  readonly calculated: string;
  /** What was paid out; null where no payout is stated. */
  readonly stated: string | null;
  /** stated − calculated. */
  readonly residual: string | null;
  /** Day of the bank's credit; null while it has not come, or no bank statement is loaded. */
  readonly credited: string | null;
}

export interface ListedBreak {
  readonly id: string;
  readonly state: BreakState;
  readonly side: Side;
  readonly kind: BreakKind;
  readonly reference: string;
  /** Null for a number of lines. */
  readonly currency: string | null;
  /** Decimal, or a number of lines; null where that side has nothing. */
  readonly ledger: string | null;
  readonly statement: string | null;
  /** Of the statement's amount, where it is another currency. */
  readonly statement_currency: string | null;
  /** Null between two currencies. */
  readonly difference: string | null;
  /** Since its day, else since it was found. */
  readonly age_days: number;
  readonly severity: Severity;
  readonly day: string;
  readonly found: string;
  readonly due: string | null;
  readonly closed: string | null;
  readonly place: string | null;
  readonly why: string;
  readonly assignee: string | null;
  readonly resolution: string | null;
}

/** A file that could not be used: nothing of it counts. */
export interface UnusableStatement {
  readonly file: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
  readonly column?: string;
}

export interface ReconciliationDocument {
  readonly schema_version: 1;
  readonly environment: string;
  readonly merchant: string;
  readonly account: string;
  readonly gateway: string;
  /** The day that it was made for, in the account's time zone. */
  readonly day: string;
  /** What was asked for with --from and --to. */
  readonly period: { readonly from: string | null; readonly to: string | null };
  readonly statements: readonly StatementSummary[];
  readonly errors: readonly UnusableStatement[];
  readonly totals: Readonly<Record<string, CurrencyTotals>>;
  readonly comparisons: readonly Comparison[];
  readonly waterfall: readonly Waterfall[];
  readonly rules: readonly RuleCount[];
  /** Up to a cap, newest first. */
  readonly payouts: readonly PayoutCheck[];
  /** Open and expected ones, then those that people resolved; up to a cap, the weightiest first. */
  readonly breaks: readonly ListedBreak[];
  /** How many of them `breaks` leaves out. */
  readonly unlisted: number;
  /** Breaks by state, also those that are not listed; `closed` counts what this run closed. */
  readonly counts: Readonly<Record<BreakState, number>>;
  readonly reports: { readonly json: string; readonly csv: string; readonly html: string };
  readonly program_version: string;
  readonly exit: number;
}
