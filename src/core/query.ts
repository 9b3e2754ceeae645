/** The query of transactions: what is asked for and what is known of each. Specification, "Transaction query record". */
import type { Reason } from './code.ts';
import type { ContractState, RiskVerdict } from './payment.ts';
import type { PaymentMessage } from './payment-message.ts';
import type { State } from './state.ts';

/** Transactions in one answer at most; specification, "Limits". */
export const MOST_QUERIED = 100;

/** Which transactions: named ones, those of a span of time (epoch milliseconds, `to` excluded), or the newest. */
export type Selection =
  | { readonly by: 'name'; readonly orderNos: readonly string[]; readonly transactionIds: readonly string[] }
  | { readonly by: 'date'; readonly from: number; readonly to: number; readonly cursor: string | undefined }
  | { readonly by: 'newest' };

export interface QueryRequest {
  readonly merchantId: string;
  readonly accountId: string;
  readonly selection: Selection;
}

/** A transaction as the account may know it. */
export interface QueriedTransaction {
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  readonly state: State;
  /** The connector's reference; empty for what was imported. */
  readonly referenceNo: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly is3ds: boolean;
  /** What was asked for; undefined for what was imported. */
  readonly message: PaymentMessage | undefined;
  /** An answer of another gateway tells the reasons alone. */
  readonly risk: (Partial<RiskVerdict> & Pick<RiskVerdict, 'reasons'>) | undefined;
  readonly contract: ContractState | undefined;
}

/** What was asked for by name and is not there. */
export interface Unfound {
  readonly orderNo: string | undefined;
  readonly transactionId: string | undefined;
}

export type QueryRecord = { readonly found: QueriedTransaction } | { readonly missing: Unfound };

export type QueryAnswer =
  | {
      readonly records: readonly QueryRecord[];
      /** Where the next page of a span of time begins. */
      readonly cursor: string | undefined;
    }
  | { readonly failure: Reason };
