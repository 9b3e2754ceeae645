/** What somebody hands in: a file and how it is to be read, bounded and executed. */
import type { AmountStyle } from '../core/money.ts';
import type { Operation } from '../core/operation.ts';
import type { GivenTerms } from '../files/iso20022/pain001-terms.ts';

/** How the user says the file is to be read; the rest is detected. */
export interface ReadingOptions {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly style: AmountStyle;
  /** What payouts must say, and the transfers of a payment initiation do not. */
  readonly pain001?: GivenTerms;
}

/** What the sender states and the tool must find equal. */
export interface ControlTotals {
  readonly rows?: number;
  /** Decimal strings by currency. */
  readonly totals?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  readonly sequence?: number;
  readonly environment?: string;
}

export interface Submission {
  /** Where the file lies. */
  readonly path: string;
  /** What its sender calls it. */
  readonly name: string;
  /** Flags, or the folder it was dropped in: every line must agree. */
  readonly merchantId?: string;
  readonly accountId?: string;
  readonly operation?: Operation;
  readonly reading: ReadingOptions;
  readonly gateway: string;
  readonly policy: 'valid-lines' | 'atomic';
  readonly repeats: 'hold' | 'allow';
  readonly control: readonly ControlTotals[];
  /** Name of the claim by which the file was taken out of an inbox: after a crash the same file comes with it again. */
  readonly claim?: string;
  readonly submittedBy: string;
  readonly submittedFrom: string;
}
