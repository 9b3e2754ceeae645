/**
 * A payment as it is asked for and as it is answered: the messages of authorise and checkout once parsed, amounts in
 * minor units. Specification, "Order / payment request" and "Direct payment result".
 */
import type { Reason } from './code.ts';
import type { PaymentMessage } from './payment-message.ts';

/** One of the goods in `items`: the four parts of an entry as they were written. */
export type Item = readonly [string, string, string, string];

/** An order to be paid. */
export interface Order {
  readonly message: PaymentMessage;
  readonly orderNo: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  readonly items: readonly Item[];
  /** A subscription's later charges, minor units; undefined means `amount`. */
  readonly contractAmount: number | undefined;
}

/** Card data. It lives from the request to the connector and is never written anywhere. */
export interface Card {
  readonly number: string;
  /** 1 to 12. */
  readonly month: number;
  /** Four digits. */
  readonly year: number;
  readonly securityCode: string | undefined;
}

/** By what an order is paid. */
export type Means =
  | { readonly by: 'card'; readonly card: Card }
  | { readonly by: 'token'; readonly tokenId: string; readonly securityCode: string | undefined }
  | { readonly by: 'apm'; readonly method: string };

export interface CheckoutRequest {
  readonly merchantId: string;
  readonly accountId: string;
  readonly order: Order;
  /** Address from which the request came. */
  readonly ip: string;
}

export interface AuthoriseRequest extends CheckoutRequest {
  readonly means: Means;
}

/** `threeds_result`: authenticated, attempted, failed, unavailable, or not asked. */
export type ThreeDsResult = 'Y' | 'A' | 'N' | 'U' | '-';

export interface RiskVerdict {
  readonly action: 'accept' | 'review' | 'reject';
  /** 0 to 100. */
  readonly score: number;
  /** One per rule. */
  readonly reasons: readonly { readonly name: string; readonly status: 'pass' | 'review' | 'fail' }[];
}

/** What a subscription is at the moment. */
export interface ContractState {
  readonly name: string;
  readonly recurringId: string;
  /** `recurring_deduction_period`, for example `1 month`. */
  readonly period: string;
  /** When the next charge is due, epoch milliseconds; undefined when there is none. */
  readonly next: number | undefined;
  /** `recurring_status`: 1 active, 0 ended, 2 past due. */
  readonly status: 0 | 1 | 2;
}

/** What became of a payment. */
export interface PaymentResult {
  readonly transactionId: string;
  /** 1 approved, 0 declined, 2 pending. */
  readonly orderStatus: 0 | 1 | 2;
  /** Why it is not approved; undefined is `0000:Success`. */
  readonly reason: Reason | undefined;
  /** First 6 and last 4 digits. */
  readonly maskedCard: string | undefined;
  readonly tokenId: string | undefined;
  readonly connector: string;
  readonly threeDs: ThreeDsResult;
  readonly risk: RiskVerdict;
  readonly contract: ContractState | undefined;
}

/** A place where the shopper goes on. */
export interface HostedSession {
  readonly transactionId: string;
  /** 256 random bits, base64url: whoever knows it may act as this order's shopper, for 24 hours. */
  readonly session: string;
  readonly kind: 'card' | 'apm';
  /** At another gateway: where the shopper goes on, and the page that leads there by itself, where it answers with one. */
  readonly elsewhere?: { readonly address: string; readonly page?: string };
}

/** `failure`: nothing was paid. `notFound`: the token that the request names is not there. */
export type AuthoriseAnswer =
  | { readonly payment: PaymentResult }
  | { readonly session: HostedSession }
  | { readonly failure: Reason }
  | { readonly notFound: Reason };

export type CheckoutAnswer = Exclude<AuthoriseAnswer, { readonly payment: PaymentResult }>;
