/** The documents that other programs read: keys and meanings are fixed by the contract. Amounts are decimal strings. */
import type { Outcome } from '../core/outcome.ts';

export type LineCounts = Readonly<Record<'total' | Outcome, number>>;
export type Amounts = Readonly<Record<'instructed' | Outcome, string>>;

export type BatchStatus =
  | 'completed'
  | 'rejected'
  | 'awaiting_approval'
  | 'interrupted'
  | 'stopped'
  | 'unknown';

export interface BreakdownRow {
  readonly account: string;
  readonly merchant: string;
  readonly operation: string;
  readonly currency: string;
  readonly lines: LineCounts;
  readonly amounts: Amounts;
  readonly moved_in: string;
  readonly moved_out: string;
  readonly fees: string;
  readonly unreadable_amounts: number;
}

export interface ReportError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
  readonly column?: string | number;
}

export interface ReportPaths {
  readonly result: string | null;
  readonly fixme: string | null;
  readonly held: string | null;
  /** Only of a payment initiation: its status report. */
  readonly pain002?: string;
  readonly json: string | null;
  readonly html: string | null;
}

/** One element of `batches` in `run --json`. */
export interface BatchDocument {
  readonly batch: string;
  readonly file: string;
  readonly sha256: string;
  readonly repeat: boolean;
  readonly gateway: string;
  readonly operation: string;
  readonly status: BatchStatus;
  readonly revision: number;
  readonly read: {
    readonly encoding: string;
    readonly delimiter: string | null;
    readonly decimal: string;
    readonly rows: number;
  };
  readonly lines: LineCounts;
  readonly totals: Readonly<Record<string, Amounts>> | null;
  readonly breakdown: readonly BreakdownRow[];
  readonly chunks: { readonly planned: number; readonly done: number };
  readonly reports: ReportPaths;
  readonly errors: readonly ReportError[];
  readonly exit: number;
}

/** `run --json`: written on every exit. */
export interface RunDocument {
  readonly environment: string;
  readonly exit: number;
  readonly batches: readonly BatchDocument[];
}

/** How a file was read, as `validate --json` and `plan --json` have it. */
export interface ReadFile {
  readonly file: string;
  readonly sha256: string;
  readonly operation: string;
  readonly read: {
    /** `csv`, `pain001`, or the form of JSON: `envelope`, `array`, `ndjson`, `object`; empty when it could not be read. */
    readonly format: string;
    readonly encoding: string;
    readonly delimiter: string | null;
    readonly decimal: string;
    readonly thousands: string;
    readonly rows: number;
    readonly blank: number;
    readonly columns: Readonly<Record<'understood' | 'kept' | 'ignored', readonly string[]>>;
  };
  /** Sums of the acted-on amounts per currency: what `--expect-total` is compared with. */
  readonly totals_calculated: Readonly<Record<string, string>>;
  readonly chunks: number;
  /** Why the file is rejected, then its invalid lines up to a cap. */
  readonly errors: readonly ReportError[];
  /** How many invalid lines `errors` leaves out. */
  readonly unlisted: number;
  readonly exit: number;
}

type Validity = 'total' | 'valid' | 'invalid';

/** One element of `files` in `validate --json`. */
export interface CheckedFile extends ReadFile {
  readonly lines: Readonly<Record<Validity, number>>;
  readonly breakdown: readonly (Pick<
    BreakdownRow,
    'merchant' | 'account' | 'operation' | 'currency' | 'unreadable_amounts'
  > & {
    readonly lines: Readonly<Record<Validity, number>>;
    readonly amounts: Readonly<Record<Validity, string>>;
  })[];
}

/** How many lines would meet one code. */
export type ForeseenCode = Pick<ExceptionRow, 'code' | 'sentence' | 'hint' | 'lines'>;

/** One element of `files` in `plan --json`: outcomes as they would be now. */
export interface PlannedFile extends ReadFile {
  readonly gateway: string;
  readonly lines: LineCounts;
  readonly totals: Readonly<Record<string, Amounts>> | null;
  readonly breakdown: readonly BreakdownRow[];
  readonly foreseen: readonly ForeseenCode[];
  /** Pending lines that would be sent, and of which nothing can be foreseen: above all payouts at a remote gateway. */
  readonly unforeseen: number;
  /** The batch that executed the file before; its outcomes are the ones shown. */
  readonly executed_before: string | null;
  /** The unfinished batch with which running the file would go on. */
  readonly goes_on_with: string | null;
  /** The file earlier in the same plan that is the same. */
  readonly same_as: string | null;
}

/** What backs a report: who, when, from what, against which ledger. */
export interface Evidence {
  readonly submitted_by: string;
  readonly submitted_from: string;
  readonly received_at: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly program_version: string;
  readonly control_totals: {
    readonly stated: {
      readonly rows: number | null;
      readonly totals: Readonly<Record<string, string>>;
    } | null;
    readonly calculated: { readonly rows: number; readonly totals: Readonly<Record<string, string>> };
  };
  readonly ledger_sequence: { readonly from: number; readonly to: number };
  readonly balances: readonly {
    readonly merchant: string;
    readonly account: string;
    readonly currency: string;
    readonly before: string;
    readonly after: string;
  }[];
  readonly audit_head: string;
}

/** How many lines, and how much money, met one code. */
export interface ExceptionRow {
  readonly outcome: Outcome;
  readonly code: string;
  readonly sentence: string;
  readonly hint: string;
  readonly lines: number;
  /** Amounts of those lines, per currency, as decimal strings. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** One line as the HTML report lists it. */
export interface ListedLine {
  readonly line: number;
  readonly outcome: Outcome;
  readonly operation: string;
  readonly subject: string;
  readonly order: string;
  readonly currency: string;
  readonly amount: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What a new revision changed against the one before. */
export interface Change {
  readonly line: number;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly code: string;
}

/** `report.json`, and all that `report.html` shows. */
export interface ReportDocument extends BatchDocument {
  readonly schema_version: 1;
  readonly environment: string;
  readonly evidence: Evidence;
  readonly exceptions: readonly ExceptionRow[];
  readonly changes: readonly Change[];
  /** Exceptions first, then the others, up to a cap. */
  readonly listed: readonly ListedLine[];
  /** How many lines `listed` leaves out. */
  readonly unlisted: number;
}
