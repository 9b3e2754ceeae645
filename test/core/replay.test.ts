/** What a replay of the ledger lets pass, and what it finds. */
import { describe, expect, test } from 'vitest';
import { openingFault, transferFault } from '../../src/core/replay.ts';
import { AUTHORISATION_LIFETIME, type Transaction } from '../../src/core/transaction.ts';
import type { TransferKind } from '../../src/core/transfer.ts';

const NOW = Date.UTC(2026, 10, 20);
const LATER = NOW + AUTHORISATION_LIFETIME;

function transaction(change: Partial<Transaction> = {}): Transaction {
  return {
    transactionId: 'T1',
    orderNo: 'O1',
    currency: 'USD',
    amount: 1000,
    standing: 'authorised',
    captured: 0,
    refunded: 0,
    cancelled: 0,
    expired: 0,
    review: undefined,
    authorisedAt: NOW,
    ...change,
  };
}

const inReview = { standing: 'in_review' } as const;
const captured = { standing: 'captured', captured: 1000 } as const;

describe('an opening', () => {
  test.each<[Partial<Transaction>, string | undefined]>([
    [{}, undefined],
    [{ captured: 600, cancelled: 400, refunded: 600 }, undefined],
    [{ refunded: 1 }, 'more is refunded than captured'],
    [{ captured: 600, cancelled: 401 }, 'more is captured and cancelled than its amount'],
    [
      { standing: 'cancelled', captured: 1 },
      'it was cancelled before any capture, and yet something is captured',
    ],
  ])('%o: %s', (change, fault) => {
    expect(openingFault(transaction(change))).toBe(fault);
  });
});

describe('a transfer', () => {
  test.each<[TransferKind, number, number, Partial<Transaction>, string | undefined]>([
    ['capture', 1000, NOW, {}, undefined],
    ['capture', 1001, NOW, {}, 'more is captured than was open'],
    ['capture', 600, NOW, { captured: 500 }, 'more is captured than was open'],
    ['capture', 1, LATER, {}, 'captured while expired'],
    ['capture', 1, NOW, inReview, 'captured while in_review'],
    ['cancel', 400, NOW, { captured: 600 }, undefined],
    ['cancel', 300, NOW, { captured: 600 }, 'another amount is cancelled than was open'],
    ['cancel', 1000, NOW, captured, 'cancelled while captured'],
    ['refund', 1000, NOW, captured, undefined],
    ['refund', 1, NOW, { ...captured, refunded: 1000 }, 'more is refunded than was captured'],
    ['refund', 1, NOW, {}, 'more is refunded than was captured'],
    ['review_accepted', 1000, NOW, inReview, undefined],
    ['review_rejected', 999, NOW, inReview, 'another amount is reviewed than the transaction has'],
    ['review_accepted', 1000, NOW, { ...inReview, review: 'rejected' }, 'reviewed while rejected'],
    ['expire', 1000, LATER, {}, undefined],
    ['expire', 1000, LATER - 1, {}, 'it expired before its time'],
    ['expire', 999, LATER, {}, 'another amount has expired than was open'],
    ['payout', 1, NOW, {}, 'a payout belongs to no transaction'],
  ])('%s of %i at %i to %o: %s', (kind, amount, at, change, fault) => {
    expect(transferFault(transaction(change), kind, amount, at, AUTHORISATION_LIFETIME)).toBe(fault);
  });
});
