/**
 * What becomes of a payment: what a connector said and what risk thinks in, transfers and a reason out. Engine decisions,
 * "Payments".
 */
import { type Code, type Reason, reason } from './code.ts';
import type { RiskVerdict, ThreeDsResult } from './payment.ts';
import type { Authentication } from './payment-threeds.ts';
import type { PlannedTransfer } from './transaction.ts';

/** What a connector says when it is asked for an authorisation, or about one. */
export type ConnectorAnswer =
  | { readonly is: 'approved'; readonly referenceNo: string; readonly threeDs: ThreeDsResult }
  | {
      readonly is: 'declined';
      readonly code: Code;
      readonly referenceNo: string;
      readonly threeDs: ThreeDsResult;
    }
  /** The issuer wants to see the shopper first. */
  | { readonly is: 'challenge'; readonly referenceNo: string }
  /** It did not answer in time: it may have been done or not. */
  | { readonly is: 'unknown' }
  /** It knows nothing of such a request, and never will: nothing happened. */
  | { readonly is: 'never asked' };

/** `left`: the shopper went away. */
export type Outcome = 'approved' | 'review' | 'declined' | 'challenge' | 'unknown' | 'left';

export interface Decision {
  readonly outcome: Outcome;
  /** Undefined for what is approved, and for a challenge. */
  readonly reason: Reason | undefined;
  readonly referenceNo: string | undefined;
  readonly threeDs: ThreeDsResult;
  readonly transfers: readonly PlannedTransfer[];
}

/** What a decision is made on besides the answer. */
export interface Case {
  /** Minor units. */
  readonly amount: number;
  readonly verdict: RiskVerdict;
  readonly authentication: Authentication;
  /** The shopper is on a page that can show a challenge. */
  readonly canChallenge: boolean;
  readonly capture: 'manual' | 'automatic';
}

/** The decision that needs nobody to be asked, if there is one: a card that cannot be, risk, or a failed authentication. */
export function decideUnasked(one: Case, isKnownCard: boolean): Decision | undefined {
  const { verdict, authentication } = one;
  if (!isKnownCard) return declined(reason('D0014'), authentication.result);
  if (verdict.action === 'reject') return declined(reason('R0001'), authentication.result);
  if (authentication.result === 'N')
    return declined(reason('D0065', 'the 3-D Secure result that came along says failed'), 'N');
  return undefined;
}

/** The decision on what the connector said. */
export function decidePayment(one: Case, answer: ConnectorAnswer): Decision {
  const { authentication } = one;
  switch (answer.is) {
    case 'approved':
      return approved(one, answer.referenceNo, answer.threeDs);
    case 'declined':
      return declined(reason(answer.code), answer.threeDs, answer.referenceNo);
    case 'challenge':
      if (one.canChallenge) {
        const transfers = [{ kind: 'challenge', amount: 0 }] as const;
        return {
          outcome: 'challenge',
          reason: undefined,
          referenceNo: answer.referenceNo,
          threeDs: '-',
          transfers,
        };
      }
      // Authentication was wanted and there was no place for it.
      return declined(reason('D0065'), authentication.asks ? 'U' : authentication.result, answer.referenceNo);
    case 'unknown':
      return { ...declined(reason('E0001'), authentication.result), outcome: 'unknown', transfers: [] };
    case 'never asked':
      return declined(reason('E0002', 'the connector was never asked'), authentication.result);
  }
}

/** The shopper's own word on a payment that no connector is asked for. */
export function decideByShopper(one: Case, word: 'approves' | 'declines' | 'leaves'): Decision {
  if (word === 'leaves') {
    const transfers = [{ kind: 'leave', amount: 0 }] as const;
    const why = reason('V0007', 'the shopper has cancelled it');
    return { outcome: 'left', reason: why, referenceNo: undefined, threeDs: '-', transfers };
  }
  if (word === 'declines') return declined(reason('D0005'), '-');
  return decideUnasked(one, true) ?? approved(one, undefined, '-');
}

/** Approved by whoever has the money; held when risk wants a person to look. */
function approved(
  { amount, verdict, capture }: Case,
  referenceNo: string | undefined,
  threeDs: ThreeDsResult,
): Decision {
  if (verdict.action === 'review') {
    const transfers = [{ kind: 'hold_for_review', amount }] as const;
    return { outcome: 'review', reason: reason('R0002'), referenceNo, threeDs, transfers };
  }
  const authorise = { kind: 'authorise', amount } as const;
  const transfers = capture === 'automatic' ? [authorise, { kind: 'capture', amount } as const] : [authorise];
  return { outcome: 'approved', reason: undefined, referenceNo, threeDs, transfers };
}

function declined(why: Reason, threeDs: ThreeDsResult, referenceNo?: string): Decision {
  const transfers = [{ kind: 'decline', amount: 0 }] as const;
  return { outcome: 'declined', reason: why, referenceNo, threeDs, transfers };
}

const ORDER_STATUS: Readonly<Record<Outcome, 0 | 1 | 2>> = {
  approved: 1,
  review: 2,
  declined: 0,
  challenge: 2,
  unknown: 2,
  left: 0,
};

/** `order_status`: 1 approved, 0 declined, 2 pending. */
export function orderStatusOf(outcome: Outcome): 0 | 1 | 2 {
  return ORDER_STATUS[outcome];
}
