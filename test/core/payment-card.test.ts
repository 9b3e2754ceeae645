/** Cards: what may be shown, until when they are good, and that an order never carries the number of its card. */
import fc from 'fast-check';
import '../support/seed.ts';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/core/payment.ts';
import {
  expiryOf,
  hasExpired,
  maskedCard,
  namesCard,
  withoutCardNumber,
} from '../../src/core/payment-card.ts';
import { newTransactionId, TRANSACTION_ID_BYTES } from '../../src/core/payment-id.ts';

const NUMBER = '4111111111111111';

test.each([
  [NUMBER, '411111******1111'],
  ['378282246310005', '378282*****0005'],
  ['501800000009', '501800**0009'],
  ['6759649826438453000', '675964*********3000'],
])('%s is shown as %s', (number, shown) => {
  expect(maskedCard(number)).toBe(shown);
});

test.each([
  [2026, 11, Date.UTC(2026, 11, 1) - 1, false],
  [2026, 11, Date.UTC(2026, 11, 1), true],
  [2026, 12, Date.UTC(2027, 0, 1) - 1, false],
  [2026, 12, Date.UTC(2027, 0, 1), true],
])('a card of %i-%i at %i has expired: %s', (year, month, now, expired) => {
  expect(hasExpired({ year, month }, now)).toBe(expired);
  expect(expiryOf({ year, month })).toMatch(/^2026(11|12)$/);
});

function order(note: string, orderNo = 'O1'): Order {
  const message = { order_no: orderNo, currency: 'USD', amount: '1.00', note };
  return {
    message,
    orderNo,
    currency: 'USD',
    amount: 100,
    items: [['a', note, '', '']],
    contractAmount: undefined,
  };
}

describe('an order', () => {
  test.each([
    ['card 4111111111111111', 'card 411111******1111'],
    ['4111 1111 1111 1111', '411111******1111'],
    ['4111-1111-1111-1111!', '411111******1111!'],
    ['x4111111111111111x', 'x411111******1111x'],
    ['4111111111111112', '4111111111111112'],
  ])('with the note %s is kept with %s', (note, kept) => {
    const clean = withoutCardNumber(order(note), NUMBER, true);
    expect(clean.message.note).toBe(kept);
    expect(clean.items[0]![1]).toBe(kept);
  });

  test('keeps nothing of a number that nobody issues', () => {
    expect(withoutCardNumber(order('4111111111111111'), NUMBER, false).message.note).toBe('*'.repeat(16));
  });

  test.each([
    ['O1', false],
    ['O-4111111111111111', true],
    ['4111 1111 1111 1111', true],
  ])('%s names the card: %s', (orderNo, names) => {
    expect(namesCard(order('', orderNo), NUMBER)).toBe(names);
  });
});

test('ids of transactions sort by their time', () => {
  const at = fc.integer({ min: 0, max: 2 ** 50 - 1 });
  const random = fc.uint8Array({ minLength: TRANSACTION_ID_BYTES, maxLength: TRANSACTION_ID_BYTES });
  fc.assert(
    fc.property(at, at, random, random, (one, other, r1, r2) => {
      const [first, second] = [newTransactionId(one, r1), newTransactionId(other, r2)];
      expect(first).toMatch(/^T[0-9A-Z]{22}$/);
      if (one !== other) expect(first < second).toBe(one < other);
    }),
  );
});
