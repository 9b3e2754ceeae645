/** How an account's books are compared with statements. */
import type { SeverityTerms } from './break.ts';

/** A fee that was agreed with the acquirer, of lines of a kind and currency. */
export interface AgreedFee {
  readonly currency: string;
  readonly kind: 'payment' | 'refund' | 'chargeback';
  /** Per cent of the gross, a decimal number such as `1.4`. */
  readonly percent: string;
  /** Minor units a line. */
  readonly fixed: number;
  /** What is done with parts of a minor unit. */
  readonly rounding: 'half-even' | 'half-up' | 'down' | 'up';
  /** Minor units by which a fee may differ without a break. */
  readonly tolerance: number;
}

export interface ReconcileTerms {
  /** The first day that is compared, `YYYY-MM-DD`: what the books have from before is missed by nobody. */
  readonly since: string | undefined;
  /** Days after which a movement of the ledger should be in the acquirer's statement, … */
  readonly lag: number;
  /** … and a payout in the bank's. */
  readonly bankLag: number;
  /** Days by which a statement's day may differ from the ledger's where only amount and day can tell. */
  readonly window: number;
  readonly severity: SeverityTerms;
  readonly fees: readonly AgreedFee[];
}
