import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATES, type State } from '../../src/core/state.ts';
import { BOOKS, BookSums, kindOfCode, TRANSFER_KINDS, type TransferKind } from '../../src/core/transfer.ts';

const KINDS = Object.keys(TRANSFER_KINDS) as TransferKind[];

/** The books that are not even, as `book +credit` or `book -debit`. */
function shown(sums: BookSums): string {
  return BOOKS.map((book) => [book, sums.of(book)] as const)
    .filter(([, sum]) => sum !== 0n)
    .map(([book, sum]) => `${book} ${sum > 0n ? '+' : ''}${sum}`)
    .join(', ');
}

function total(sums: BookSums): bigint {
  return BOOKS.reduce((sum, book) => sum + sums.of(book), 0n);
}

describe('postings of a transfer of 100', () => {
  test.each<[TransferKind, string]>([
    ['capture', 'issuer -100, holds +100, acquirer -100, merchant +100'],
    ['cancel', 'issuer -100, holds +100'],
    ['expire', 'issuer -100, holds +100'],
    ['refund', 'acquirer +100, merchant -100'],
    ['review_accepted', 'holds -100, in_review +100'],
    ['review_rejected', 'issuer -100, in_review +100'],
    ['fee', 'merchant -100, fees +100'],
    ['payout', 'merchant -100, payouts +100'],
    ['exchange_out', 'merchant -100, fx +100'],
    ['exchange_in', 'payouts +100, fx -100'],
    ['authorise', 'issuer +100, holds -100'],
    ['hold_for_review', 'issuer +100, in_review -100'],
    ['ask', ''],
    ['challenge', ''],
    ['decline', ''],
    ['leave', ''],
    ['lapse', ''],
  ])('%s: %s', (kind, expected) => {
    const sums = new BookSums();
    sums.transfer(kind, 100);
    expect(shown(sums)).toBe(expected);
    expect(total(sums)).toBe(0n);
  });

  test('the table names every kind', () => {
    expect(KINDS).toHaveLength(17);
  });
});

describe('postings of an opening of 100', () => {
  test.each<[State, number, number, number, string]>([
    ['created', 0, 0, 0, ''],
    ['in_doubt', 0, 0, 0, ''],
    ['challenge', 0, 0, 0, ''],
    ['declined', 0, 0, 0, ''],
    ['rejected', 0, 0, 0, ''],
    ['expired', 0, 0, 0, ''],
    ['in_review', 0, 0, 0, 'issuer +100, in_review -100'],
    ['authorised', 0, 0, 0, 'issuer +100, holds -100'],
    ['partially_captured', 40, 0, 0, 'issuer +60, holds -60, acquirer -40, merchant +40'],
    ['captured', 100, 0, 0, 'acquirer -100, merchant +100'],
    ['captured', 40, 0, 60, 'acquirer -40, merchant +40'],
    ['partially_refunded', 100, 30, 0, 'acquirer -70, merchant +70'],
    ['refunded', 100, 100, 0, ''],
    ['cancelled', 0, 0, 100, ''],
  ])('%s, captured %i, refunded %i, cancelled %i: %s', (state, captured, refunded, cancelled, expected) => {
    const sums = new BookSums();
    sums.opening({ state, amount: 100, captured, refunded, cancelled });
    expect(shown(sums)).toBe(expected);
    expect(total(sums)).toBe(0n);
  });
});

test('property: debits are credits, whatever is posted', () => {
  const transfer = fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 999_999_999_999_999 }));
  const opening = fc.record({
    state: fc.constantFrom(...Object.keys(STATES)),
    amount: fc.nat(),
    captured: fc.nat(),
    refunded: fc.nat(),
    cancelled: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(transfer), fc.array(opening), (transfers, openings) => {
      const sums = new BookSums();
      for (const each of openings) sums.opening(each);
      for (const [kind, amount] of transfers) sums.transfer(kind, amount);
      expect(total(sums)).toBe(0n);
    }),
  );
});

test('codes in the database are distinct, and lead back to their kinds', () => {
  expect(new Set(KINDS.map((kind) => TRANSFER_KINDS[kind].code)).size).toBe(KINDS.length);
  for (const kind of KINDS) expect(kindOfCode(TRANSFER_KINDS[kind].code)).toBe(kind);
  expect(() => kindOfCode(99)).toThrow('transfer kind 99 is not in the table');
});
