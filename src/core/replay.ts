/**
 * Replaying the ledger: whether each transfer was allowed by what stood before it. The decisions are those of
 * transaction.ts, asked the other way round. Faults, invariants 2, 3 and 9.
 */

import type { State } from './state.ts';
import { expiresNow, SHOPPER_LIFETIME, stateOf, type Transaction } from './transaction.ts';
import type { TransferKind } from './transfer.ts';

/** Why a transaction's own row cannot be, in words; undefined when it can. */
export function openingFault({
  amount,
  captured,
  refunded,
  cancelled,
  standing,
}: Transaction): string | undefined {
  if (refunded > captured) return 'more is refunded than captured';
  if (captured + cancelled > amount) return 'more is captured and cancelled than its amount';
  return standing === 'cancelled' && captured > 0
    ? 'it was cancelled before any capture, and yet something is captured'
    : undefined;
}

/** Before a payment is decided. */
const UNDECIDED: ReadonlySet<State> = new Set(['created', 'in_doubt', 'challenge']);

function inWords(kind: TransferKind): string {
  return kind.replaceAll('_', ' ');
}

/**
 * Why a transfer could not happen to the transaction as it was, in words; undefined when it could.
 * @param at epoch milliseconds of the transfer
 * @param lifetime of an authorisation, milliseconds
 */
export function transferFault(
  before: Transaction,
  kind: TransferKind,
  amount: number,
  at: number,
  lifetime: number,
): string | undefined {
  const open = before.amount - before.captured - before.cancelled - before.expired;
  const state = stateOf(before, at, lifetime);
  switch (kind) {
    case 'capture':
      if (state !== 'authorised' && state !== 'partially_captured') return `captured while ${state}`;
      return amount > open ? 'more is captured than was open' : undefined;
    case 'cancel':
      if (state !== 'authorised' && state !== 'partially_captured') return `cancelled while ${state}`;
      return amount === open ? undefined : 'another amount is cancelled than was open';
    case 'refund':
      return amount > before.captured - before.refunded ? 'more is refunded than was captured' : undefined;
    case 'review_accepted':
    case 'review_rejected':
      if (state !== 'in_review') return `reviewed while ${state}`;
      return amount === before.amount ? undefined : 'another amount is reviewed than the transaction has';
    case 'expire':
      if (!expiresNow(before, at, lifetime)) return 'it expired before its time';
      return amount === open ? undefined : 'another amount has expired than was open';
    case 'authorise':
    case 'hold_for_review':
      if (!UNDECIDED.has(before.standing)) return `${inWords(kind)} while ${state}`;
      return amount === before.amount ? undefined : 'another amount is authorised than was asked for';
    case 'ask':
    case 'challenge':
    case 'decline':
    case 'leave':
      if (!UNDECIDED.has(before.standing)) return `${inWords(kind)} while ${state}`;
      return amount === 0 ? undefined : `a ${kind} moves money`;
    case 'lapse':
      if (!UNDECIDED.has(before.standing)) return `lapsed while ${state}`;
      if (at < before.authorisedAt + SHOPPER_LIFETIME) return 'it lapsed before its time';
      return amount === 0 ? undefined : 'a lapse moves money';
    default:
      return `a ${kind} belongs to no transaction`;
  }
}
