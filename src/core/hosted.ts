/**
 * The port of the hosted pages: where a shopper pays, is challenged, approves or leaves. The engine implements it, the
 * pages serve it. Engine decisions, "Redirect" and "APM".
 */

import type { Reason } from './code.ts';
import type { Card, Item } from './payment.ts';

/** What a page shows of an order: all of it from the stored order, nothing from posted fields. */
export interface HostedOrder {
  readonly merchantId: string;
  readonly accountId: string;
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  readonly items: readonly Item[];
  /** The shopper's language as the browser said it, for example `pt-BR`. */
  readonly language: string | undefined;
  readonly kind: 'card' | 'apm';
  /** The method of an APM payment, for example `pix`. */
  readonly method: string | undefined;
  /** Last 4 digits of the stored card that the merchant has named for this shopper; another card may be used all the same. */
  readonly storedCard: string | undefined;
  /** Origins that may show the page in a frame. */
  readonly storefronts: readonly string[];
}

/** Where the shopper is. */
export type HostedStep =
  /** Nothing is decided: the card form, or the buttons of the APM. */
  | { readonly is: 'open' }
  /** The issuer wants to see the shopper, in a window of this size (`01` to `05`). */
  | { readonly is: 'challenge'; readonly windowSize: string }
  /** The connector has not answered yet. */
  | { readonly is: 'asked' }
  /** Decided: the shopper goes back. */
  | {
      readonly is: 'over';
      readonly returnTo: string;
      readonly orderStatus: 0 | 1 | 2;
      readonly reason: Reason | undefined;
    };

export interface HostedView {
  readonly order: HostedOrder;
  readonly step: HostedStep;
}

/** Each call answers with where the shopper is after it; undefined when there is no such session, or no longer. */
export interface HostedPayments {
  open(session: string): Promise<HostedView | undefined>;
  /** @param ip address of the shopper */
  submitCard(session: string, card: Card, ip: string): Promise<HostedView | undefined>;
  /** Pays with the stored card that the order names. */
  submitStoredCard(session: string, securityCode: string, ip: string): Promise<HostedView | undefined>;
  answerChallenge(session: string, passed: boolean): Promise<HostedView | undefined>;
  /** The shopper's word on an APM payment. */
  decideApm(session: string, approved: boolean): Promise<HostedView | undefined>;
  leave(session: string): Promise<HostedView | undefined>;
}
