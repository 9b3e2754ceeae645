/**
 * The interface everything meets at. The embedded engine and the client for remote gateways implement it; the batch
 * runner and the HTTP adapter drive it, without knowing which one they have.
 */
import type { Reason } from './code.ts';
import type { EntryOperation } from './operation.ts';
import type { AuthoriseAnswer, AuthoriseRequest, CheckoutAnswer, CheckoutRequest } from './payment.ts';
import type { PayoutMessage } from './payout-message.ts';
import type { PayoutRecord } from './payout-record.ts';
import type { QueryAnswer, QueryRequest } from './query.ts';

/** What people call the embedded engine; every other gateway is a remote one. */
export const EMBEDDED = 'engine';

/** Where a request from a file comes from. The engine stores it and decides identities with it; the wire never carries it. */
export interface Origin {
  /** The batch's id, for references made from it. */
  readonly batch: string;
  /** The batch's number in the journal. */
  readonly batchNumber: number;
  /** Executions of a line that a person ordered, from 1. */
  readonly attempt: number;
  /** `allow`: repeats inside this batch may run. `release`: a person has said that all of these are meant. */
  readonly repeats: 'hold' | 'allow' | 'release';
}

/** One instruction on one transaction: amounts in minor units of `currency`. */
export interface Entry {
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  /** What the API calls `amount`: to capture, still uncaptured (cancel), or the transaction's own (review, refund). */
  readonly amount: number;
  /** Refunds: what to refund. Else undefined. */
  readonly refundAmount: number | undefined;
  /** Reviews: 1 accept, 0 reject. Else undefined. */
  readonly reviewFlag: 0 | 1 | undefined;
  readonly refundReason: string | undefined;
  /** The sender's own key of this instruction. */
  readonly reference: string | undefined;
  /** Line in the file it stands on; 0 outside files. */
  readonly line: number;
  /** `batch:line` of the true first line, when the sender says that a repeat is meant. */
  readonly repeatOf: string | undefined;
}

export interface EntriesRequest {
  readonly merchantId: string;
  readonly accountId: string;
  readonly entries: readonly Entry[];
  readonly origin?: Origin;
}

/** One payout: the message of the API, its amounts in minor units, and the line it stands on. */
export interface Payout {
  readonly message: PayoutMessage;
  readonly requestId: string;
  readonly sourceCurrency: string;
  readonly paymentCurrency: string;
  readonly sourceAmount: number | undefined;
  readonly paymentAmount: number | undefined;
  readonly line: number;
}

export interface PayoutRequest {
  readonly merchantId: string;
  readonly accountId: string;
  readonly payout: Payout;
  readonly origin?: Origin;
}

/** Money that an executed instruction moved on the merchant's balance, in minor units of one currency. */
export interface Movement {
  readonly currency: string;
  readonly movedIn: number;
  readonly movedOut: number;
  readonly fees: number;
}

/** What became of one instruction. `repeat` and `invalid` are answered only to requests with an origin. */
export type Result =
  | Accepted<'done'>
  | Accepted<'pending'>
  | { readonly status: 'refused'; readonly reason: Reason }
  | { readonly status: 'invalid'; readonly reason: Reason }
  | { readonly status: 'repeat'; readonly first: { readonly batchNumber: number; readonly line: number } }
  | { readonly status: 'unknown'; readonly reason: Reason };

interface Accepted<Status extends string> {
  readonly status: Status;
  /** The gateway's own id of what it did. */
  readonly reference: string;
  readonly moved: readonly Movement[];
  /** Payouts asked for by a request without origin: everything that is known of it. */
  readonly payout?: PayoutRecord;
}

/** Either every instruction has its result, in the order of the request, or nothing happened at all. */
export type Answer =
  | {
      readonly results: readonly Result[];
      /** When it was decided, epoch milliseconds. */
      readonly at: number;
    }
  | {
      readonly failure: Reason;
      /** It is the gateway's own, proven decision on this request: the same again would be refused again. */
      readonly isDecided?: true;
    };

export interface CallOptions {
  /** The first answer under a key is kept, and given again to the same request. */
  readonly idempotencyKey?: string;
  /** What makes the request the same as the first one under its key; without it, its content. */
  readonly requestHash?: string;
  /** The same request may have been sent before, under the same key: that nothing happens now says nothing of then. */
  readonly sentBefore?: boolean;
  /** Id of the request by which it came, for the ledger. */
  readonly requestId?: string;
  /** The caller hands over more at once, without waiting for this answer: the gateway may gather. */
  readonly more?: boolean;
}

export type EntriesCall = (request: EntriesRequest, options?: CallOptions) => Promise<Answer>;

/** The operations that files can ask for. */
export interface InstructionGateway extends Record<EntryOperation, EntriesCall> {
  payout(request: PayoutRequest, options?: CallOptions): Promise<Answer>;
}

/** All eight operations. */
export interface Gateway extends InstructionGateway {
  authorise(request: AuthoriseRequest, options?: CallOptions): Promise<AuthoriseAnswer>;
  checkout(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutAnswer>;
  query(request: QueryRequest): Promise<QueryAnswer>;
}

/** An account that instructions may name. */
export interface Account {
  readonly number: number;
  readonly merchantId: string;
  readonly accountId: string;
}
