/**
 * One payment: its state, and what may be done to it. Pure: a transaction and a command in, transfers or a reason out.
 * Engine decisions, sections "Transaction states" and "Codes".
 */
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import type { Entry } from './gateway.ts';
import { formatAmount } from './money.ts';
import type { EntryOperation } from './operation.ts';
import type { State } from './state.ts';
import type { TransferKind } from './transfer.ts';

/** How long an authorisation lasts unless the account says otherwise: 7 days, in milliseconds. */
export const AUTHORISATION_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/** How long a payment waits for the shopper: 24 hours, in milliseconds. */
export const SHOPPER_LIFETIME = 24 * 60 * 60 * 1000;

/** A transaction with everything that has happened to it folded in. Amounts in minor units, times in epoch milliseconds. */
export interface Transaction {
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  readonly amount: number;
  /** What the payment came to: the state of its own row (a decision at its creation, or what was imported) until a transfer says more. */
  readonly standing: State;
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
  /** What was open when the authorisation ran out, once that is written down. */
  readonly expired: number;
  readonly review: 'accepted' | 'rejected' | undefined;
  /** Since when it counts as authorised. */
  readonly authorisedAt: number;
  /** Until when it waits for the shopper, where this gateway has sent the shopper to a page of its own. */
  readonly waitsUntil?: number | undefined;
}

/** The transaction after one more transfer. */
export function applyTransfer(
  before: Transaction,
  kind: TransferKind,
  amount: number,
  at: number,
): Transaction {
  switch (kind) {
    case 'capture':
      return { ...before, captured: before.captured + amount };
    case 'cancel':
      return { ...before, cancelled: before.cancelled + amount };
    case 'refund':
      return { ...before, refunded: before.refunded + amount };
    case 'expire':
      return { ...before, expired: before.expired + amount };
    case 'review_accepted':
      return { ...before, review: 'accepted', authorisedAt: at };
    case 'review_rejected':
      return { ...before, review: 'rejected' };
    case 'authorise':
      return { ...before, standing: 'authorised', authorisedAt: at };
    case 'hold_for_review':
      return { ...before, standing: 'in_review', authorisedAt: at };
    case 'ask':
      return { ...before, standing: 'in_doubt' };
    case 'challenge':
      return { ...before, standing: 'challenge' };
    case 'decline':
      return { ...before, standing: 'declined' };
    case 'leave':
      return { ...before, standing: 'cancelled', cancelled: before.amount };
    case 'lapse':
      return { ...before, standing: 'expired' };
    default:
      throw new Error(`a ${kind} transfer does not belong to a transaction`);
  }
}

/** What is neither captured nor given back, in minor units, whether or not it has expired by now. */
export function remainder(transaction: Transaction): number {
  return transaction.amount - transaction.captured - transaction.cancelled - transaction.expired;
}

const STANDS_STILL: ReadonlySet<State> = new Set([
  'created',
  'in_doubt',
  'challenge',
  'declined',
  'rejected',
  'expired',
]);

function wasAuthorised(transaction: Transaction): boolean {
  if (transaction.standing === 'in_review') return transaction.review === 'accepted';
  return !STANDS_STILL.has(transaction.standing);
}

/** True when an open remainder has outlived the authorisation and nothing says so in the ledger yet. */
export function expiresNow(transaction: Transaction, now: number, lifetime: number): boolean {
  return (
    wasAuthorised(transaction) && remainder(transaction) > 0 && now >= transaction.authorisedAt + lifetime
  );
}

/** True when the shopper has not come in time and nothing says so in the ledger yet. */
function lapsesNow({ standing, waitsUntil }: Transaction, now: number): boolean {
  return (
    (standing === 'created' || standing === 'challenge') && waitsUntil !== undefined && now >= waitsUntil
  );
}

/** The transfer that writes down what has run out by now, if anything has. */
export function overdueTransfer(
  transaction: Transaction,
  now: number,
  lifetime: number,
): PlannedTransfer | undefined {
  if (expiresNow(transaction, now, lifetime)) return { kind: 'expire', amount: remainder(transaction) };
  return lapsesNow(transaction, now) ? { kind: 'lapse', amount: 0 } : undefined;
}

/**
 * The state, derived from the transaction's own row and its transfers.
 * @param now epoch milliseconds
 * @param lifetime of an authorisation, milliseconds
 */
export function stateOf(transaction: Transaction, now: number, lifetime: number): State {
  if (lapsesNow(transaction, now)) return 'expired';
  if (STANDS_STILL.has(transaction.standing)) return transaction.standing;
  if (transaction.standing === 'in_review' && transaction.review !== 'accepted') {
    return transaction.review === 'rejected' ? 'rejected' : 'in_review';
  }
  const open = remainder(transaction) > 0 && !expiresNow(transaction, now, lifetime);
  if (transaction.captured === 0) {
    if (open) return 'authorised';
    return transaction.cancelled > 0 ? 'cancelled' : 'expired';
  }
  if (open) return 'partially_captured';
  if (transaction.refunded === 0) return 'captured';
  return transaction.refunded < transaction.captured ? 'partially_refunded' : 'refunded';
}

/** What an accepted instruction writes: kind and minor units. */
export interface PlannedTransfer {
  readonly kind: TransferKind;
  readonly amount: number;
}

/** What an account decides about its transactions. */
export interface AccountRules {
  /** `automatic`: an accepted review captures at once. */
  readonly capture: 'manual' | 'automatic';
  /** Lifetime of an authorisation, milliseconds. */
  readonly lifetime: number;
}

/**
 * Decides one instruction on one transaction.
 * @param transaction undefined when the account has none of this id
 * @returns the transfers to write, or the first reason against it in the order of codes
 */
export function decide(
  operation: EntryOperation,
  entry: Entry,
  transaction: Transaction | undefined,
  now: number,
  rules: AccountRules,
): readonly PlannedTransfer[] | Reason {
  if (transaction === undefined) return reason('V0001');
  if (entry.orderNo !== transaction.orderNo) return reason('V0002', `it has ${transaction.orderNo}`);
  if (entry.currency !== transaction.currency) return reason('V0003', `it has ${transaction.currency}`);
  return DECIDE[operation](entry, transaction, now, rules);
}

type Decide = (
  entry: Entry,
  transaction: Transaction,
  now: number,
  rules: AccountRules,
) => readonly PlannedTransfer[] | Reason;

const DECIDE: Readonly<Record<EntryOperation, Decide>> = {
  capture(entry, transaction, now, rules) {
    const closed = closedToCapture(transaction, now, rules);
    if (closed !== undefined) return closed;
    const left = remainder(transaction);
    if (entry.amount > left) return reason('V0005', `${money(left, transaction)} is left`);
    return [{ kind: 'capture', amount: entry.amount }];
  },

  cancel(entry, transaction, now, rules) {
    const closed = closedToCapture(transaction, now, rules);
    if (closed !== undefined) return closed;
    const left = remainder(transaction);
    if (entry.amount !== left) return reason('V0004', `${money(left, transaction)} is not captured`);
    return [{ kind: 'cancel', amount: left }];
  },

  review(entry, transaction, now, rules) {
    const state = stateOf(transaction, now, rules.lifetime);
    if (state !== 'in_review') return reason('V0009', `it is ${inWords(state)}`);
    const { amount } = transaction;
    if (entry.amount !== amount) return reason('V0004', `the transaction has ${money(amount, transaction)}`);
    if (entry.reviewFlag === 0) return [{ kind: 'review_rejected', amount }];
    const accepted = { kind: 'review_accepted', amount } as const;
    return rules.capture === 'automatic' ? [accepted, { kind: 'capture', amount }] : [accepted];
  },

  refund(entry, transaction, now, rules) {
    const state = stateOf(transaction, now, rules.lifetime);
    if (!REFUNDABLE.has(state)) return reason('V0007', `it is ${inWords(state)}`);
    const { amount } = transaction;
    if (entry.amount !== amount) return reason('V0004', `the transaction has ${money(amount, transaction)}`);
    const left = transaction.captured - transaction.refunded;
    const wanted = entry.refundAmount;
    if (wanted === undefined) throw new Error('a refund without refund_amount passed the schema');
    if (wanted > left) return reason('V0006', `${money(left, transaction)} is left`);
    return [{ kind: 'refund', amount: wanted }];
  },
};

/** `refunded` is here so that the answer says how much is left (nothing) instead of naming a state. */
const REFUNDABLE: ReadonlySet<State> = new Set([
  'partially_captured',
  'captured',
  'partially_refunded',
  'refunded',
]);

function closedToCapture(transaction: Transaction, now: number, rules: AccountRules): Reason | undefined {
  const state = stateOf(transaction, now, rules.lifetime);
  if (state === 'authorised' || state === 'partially_captured') return undefined;
  const ranOut =
    state === 'expired' || transaction.expired > 0 || expiresNow(transaction, now, rules.lifetime);
  return ranOut ? reason('V0008') : reason('V0007', `it is ${inWords(state)}`);
}

function inWords(state: State): string {
  return state.replace('_', ' ');
}

function money(minor: number, transaction: Transaction): string {
  const digits = digitsOf(transaction.currency);
  if (digits === undefined) throw new Error(`the ledger has a transaction in ${transaction.currency}`);
  return `${formatAmount(minor, digits)} ${transaction.currency}`;
}
