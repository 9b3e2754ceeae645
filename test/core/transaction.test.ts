import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/core/code.ts';
import type { Entry } from '../../src/core/gateway.ts';
import { formatAmount, parseAmount } from '../../src/core/money.ts';
import type { EntryOperation } from '../../src/core/operation.ts';
import { isState, STATES, type State } from '../../src/core/state.ts';
import {
  type AccountRules,
  AUTHORISATION_LIFETIME,
  applyTransfer,
  decide,
  expiresNow,
  overdueTransfer,
  stateOf,
  type Transaction,
} from '../../src/core/transaction.ts';

const DAY = 24 * 60 * 60 * 1000;
const AUTHORISED_AT = 1_000 * DAY;
const NOW = AUTHORISED_AT + DAY;
const TOO_LATE = AUTHORISED_AT + 7 * DAY;

const MANUAL: AccountRules = { capture: 'manual', lifetime: AUTHORISATION_LIFETIME };
const AUTOMATIC: AccountRules = { capture: 'automatic', lifetime: AUTHORISATION_LIFETIME };

/** A transaction of 100.00 USD; what has happened to it is written as decimals. */
function transaction(
  standing: State,
  past: {
    captured?: string;
    refunded?: string;
    cancelled?: string;
    expired?: string;
    review?: 'accepted' | 'rejected';
  } = {},
): Transaction {
  return {
    transactionId: 'T1',
    orderNo: 'ORD-1',
    currency: 'USD',
    amount: 10000,
    standing,
    captured: minor(past.captured ?? '0.00'),
    refunded: minor(past.refunded ?? '0.00'),
    cancelled: minor(past.cancelled ?? '0.00'),
    expired: minor(past.expired ?? '0.00'),
    review: past.review,
    authorisedAt: AUTHORISED_AT,
  };
}

function minor(text: string): number {
  const parsed = parseAmount(text, 2);
  if (parsed === 'not_positive') return 0;
  if (typeof parsed === 'string') throw new Error(`${text} is ${parsed}`);
  return parsed;
}

/** An instruction in words: `capture 10.00`, `cancel 10.00`, `accept 100.00`, `reject 100.00`, `refund 10.00 of 100.00`. */
function instruction(words: string): { operation: EntryOperation; entry: Entry } {
  const [verb, first, , whole] = words.split(' ') as [string, string, string?, string?];
  const entry: Entry = {
    transactionId: 'T1',
    orderNo: 'ORD-1',
    currency: 'USD',
    amount: minor(whole ?? first),
    refundAmount: verb === 'refund' ? minor(first) : undefined,
    reviewFlag: verb === 'accept' ? 1 : verb === 'reject' ? 0 : undefined,
    refundReason: undefined,
    reference: undefined,
    line: 2,
    repeatOf: undefined,
  };
  const operation = verb === 'accept' || verb === 'reject' ? 'review' : (verb as EntryOperation);
  return { operation, entry };
}

/** The decision in words: the transfers, or the code and what is particular about the case. */
function decision(
  words: string,
  on: Transaction | undefined,
  {
    now = NOW,
    rules = MANUAL,
    changes = {},
  }: { now?: number; rules?: AccountRules; changes?: Partial<Entry> } = {},
): string {
  const { operation, entry } = instruction(words);
  const decided = decide(operation, { ...entry, ...changes }, on, now, rules);
  if ('code' in decided) {
    const detail = decided.message.slice(CODES[decided.code].sentence.length).replace(/^: |\.$/g, '');
    return detail === '' ? decided.code : `${decided.code} ${detail}`;
  }
  return decided.map(({ kind, amount }) => `${kind} ${formatAmount(amount, 2)}`).join(', ');
}

/** One transaction in each of the states. */
const IN: Readonly<Record<State, Transaction>> = {
  created: transaction('created'),
  in_doubt: transaction('in_doubt'),
  challenge: transaction('challenge'),
  in_review: transaction('in_review'),
  authorised: transaction('authorised'),
  partially_captured: transaction('authorised', { captured: '40.00' }),
  captured: transaction('authorised', { captured: '100.00' }),
  partially_refunded: transaction('authorised', { captured: '100.00', refunded: '30.00' }),
  refunded: transaction('authorised', { captured: '100.00', refunded: '100.00' }),
  cancelled: transaction('authorised', { cancelled: '100.00' }),
  declined: transaction('declined'),
  expired: transaction('authorised', { expired: '100.00' }),
  rejected: transaction('in_review', { review: 'rejected' }),
};

const DECISIONS: readonly (readonly [State, string, string])[] = [
  ['created', 'capture 100.00', 'V0007 it is created'],
  ['created', 'cancel 100.00', 'V0007 it is created'],
  ['created', 'accept 100.00', 'V0009 it is created'],
  ['created', 'refund 100.00 of 100.00', 'V0007 it is created'],

  ['in_doubt', 'capture 100.00', 'V0007 it is in doubt'],
  ['in_doubt', 'cancel 100.00', 'V0007 it is in doubt'],
  ['in_doubt', 'accept 100.00', 'V0009 it is in doubt'],
  ['in_doubt', 'refund 100.00 of 100.00', 'V0007 it is in doubt'],

  ['challenge', 'capture 100.00', 'V0007 it is challenge'],
  ['challenge', 'cancel 100.00', 'V0007 it is challenge'],
  ['challenge', 'accept 100.00', 'V0009 it is challenge'],
  ['challenge', 'refund 100.00 of 100.00', 'V0007 it is challenge'],

  ['in_review', 'capture 100.00', 'V0007 it is in review'],
  ['in_review', 'cancel 100.00', 'V0007 it is in review'],
  ['in_review', 'accept 100.00', 'review_accepted 100.00'],
  ['in_review', 'accept 99.99', 'V0004 the transaction has 100.00 USD'],
  ['in_review', 'accept 100.01', 'V0004 the transaction has 100.00 USD'],
  ['in_review', 'reject 100.00', 'review_rejected 100.00'],
  ['in_review', 'reject 99.99', 'V0004 the transaction has 100.00 USD'],
  ['in_review', 'refund 100.00 of 100.00', 'V0007 it is in review'],

  ['authorised', 'capture 100.00', 'capture 100.00'],
  ['authorised', 'capture 0.01', 'capture 0.01'],
  ['authorised', 'capture 100.01', 'V0005 100.00 USD is left'],
  ['authorised', 'cancel 100.00', 'cancel 100.00'],
  ['authorised', 'cancel 99.99', 'V0004 100.00 USD is not captured'],
  ['authorised', 'cancel 100.01', 'V0004 100.00 USD is not captured'],
  ['authorised', 'accept 100.00', 'V0009 it is authorised'],
  ['authorised', 'reject 100.00', 'V0009 it is authorised'],
  ['authorised', 'refund 100.00 of 100.00', 'V0007 it is authorised'],

  ['partially_captured', 'capture 60.00', 'capture 60.00'],
  ['partially_captured', 'capture 10.00', 'capture 10.00'],
  ['partially_captured', 'capture 60.01', 'V0005 60.00 USD is left'],
  ['partially_captured', 'cancel 60.00', 'cancel 60.00'],
  ['partially_captured', 'cancel 59.99', 'V0004 60.00 USD is not captured'],
  ['partially_captured', 'cancel 100.00', 'V0004 60.00 USD is not captured'],
  ['partially_captured', 'accept 100.00', 'V0009 it is partially captured'],
  ['partially_captured', 'refund 40.00 of 100.00', 'refund 40.00'],
  ['partially_captured', 'refund 0.01 of 100.00', 'refund 0.01'],
  ['partially_captured', 'refund 40.01 of 100.00', 'V0006 40.00 USD is left'],
  ['partially_captured', 'refund 40.00 of 40.00', 'V0004 the transaction has 100.00 USD'],

  ['captured', 'capture 0.01', 'V0007 it is captured'],
  ['captured', 'cancel 100.00', 'V0007 it is captured'],
  ['captured', 'accept 100.00', 'V0009 it is captured'],
  ['captured', 'refund 100.00 of 100.00', 'refund 100.00'],
  ['captured', 'refund 30.00 of 100.00', 'refund 30.00'],
  ['captured', 'refund 100.01 of 100.00', 'V0006 100.00 USD is left'],
  ['captured', 'refund 100.01 of 100.01', 'V0004 the transaction has 100.00 USD'],

  ['partially_refunded', 'capture 0.01', 'V0007 it is partially refunded'],
  ['partially_refunded', 'cancel 70.00', 'V0007 it is partially refunded'],
  ['partially_refunded', 'accept 100.00', 'V0009 it is partially refunded'],
  ['partially_refunded', 'refund 70.00 of 100.00', 'refund 70.00'],
  ['partially_refunded', 'refund 30.00 of 100.00', 'refund 30.00'],
  ['partially_refunded', 'refund 70.01 of 100.00', 'V0006 70.00 USD is left'],
  ['partially_refunded', 'refund 70.00 of 70.00', 'V0004 the transaction has 100.00 USD'],

  ['refunded', 'capture 0.01', 'V0007 it is refunded'],
  ['refunded', 'cancel 100.00', 'V0007 it is refunded'],
  ['refunded', 'accept 100.00', 'V0009 it is refunded'],
  ['refunded', 'refund 0.01 of 100.00', 'V0006 0.00 USD is left'],
  ['refunded', 'refund 0.01 of 99.99', 'V0004 the transaction has 100.00 USD'],

  ['cancelled', 'capture 100.00', 'V0007 it is cancelled'],
  ['cancelled', 'cancel 100.00', 'V0007 it is cancelled'],
  ['cancelled', 'accept 100.00', 'V0009 it is cancelled'],
  ['cancelled', 'refund 100.00 of 100.00', 'V0007 it is cancelled'],

  ['declined', 'capture 100.00', 'V0007 it is declined'],
  ['declined', 'cancel 100.00', 'V0007 it is declined'],
  ['declined', 'accept 100.00', 'V0009 it is declined'],
  ['declined', 'refund 100.00 of 100.00', 'V0007 it is declined'],

  ['expired', 'capture 100.00', 'V0008'],
  ['expired', 'cancel 100.00', 'V0008'],
  ['expired', 'accept 100.00', 'V0009 it is expired'],
  ['expired', 'refund 100.00 of 100.00', 'V0007 it is expired'],

  ['rejected', 'capture 100.00', 'V0007 it is rejected'],
  ['rejected', 'cancel 100.00', 'V0007 it is rejected'],
  ['rejected', 'accept 100.00', 'V0009 it is rejected'],
  ['rejected', 'refund 100.00 of 100.00', 'V0007 it is rejected'],
];

describe('decisions by state', () => {
  test.each(DECISIONS)('%s, %s: %s', (state, words, expected) => {
    expect(stateOf(IN[state], NOW, AUTHORISATION_LIFETIME)).toBe(state);
    expect(decision(words, IN[state])).toBe(expected);
  });

  test('the table has every state with every operation', () => {
    const rows = new Set(DECISIONS.map(([state, words]) => `${state} ${instruction(words).operation}`));
    expect(rows.size).toBe(13 * 4);
  });
});

describe('an authorisation that runs out', () => {
  const partly = transaction('authorised', { captured: '40.00' });
  const partlyWritten = transaction('authorised', { captured: '40.00', expired: '60.00' });
  const accepted = { ...transaction('in_review', { review: 'accepted' }), authorisedAt: AUTHORISED_AT + DAY };

  test.each<[string, Transaction, number, string, string]>([
    ['one millisecond before', IN.authorised, TOO_LATE - 1, 'capture 100.00', 'capture 100.00'],
    ['at the end of its life', IN.authorised, TOO_LATE, 'capture 100.00', 'V0008'],
    ['', IN.authorised, TOO_LATE, 'cancel 100.00', 'V0008'],
    ['', IN.authorised, TOO_LATE, 'refund 1.00 of 100.00', 'V0007 it is expired'],
    ['', IN.authorised, TOO_LATE, 'accept 100.00', 'V0009 it is expired'],
    ['before any amount is looked at', IN.authorised, TOO_LATE, 'capture 999.00', 'V0008'],
    ['the remainder of a partial capture', partly, TOO_LATE, 'capture 60.00', 'V0008'],
    ['', partly, TOO_LATE, 'cancel 60.00', 'V0008'],
    ['what was captured can be refunded', partly, TOO_LATE, 'refund 40.00 of 100.00', 'refund 40.00'],
    ['', partly, TOO_LATE, 'refund 40.01 of 100.00', 'V0006 40.00 USD is left'],
    ['a remainder written down as expired', partlyWritten, NOW, 'capture 60.00', 'V0008'],
    ['', partlyWritten, NOW, 'cancel 60.00', 'V0008'],
    ['', partlyWritten, NOW, 'refund 40.00 of 100.00', 'refund 40.00'],
    ['imported as expired', transaction('expired'), NOW, 'capture 100.00', 'V0008'],
    ['', transaction('expired'), NOW, 'cancel 100.00', 'V0008'],
    ['', transaction('expired'), NOW, 'refund 1.00 of 100.00', 'V0007 it is expired'],
    [
      'a review does not run out',
      IN.in_review,
      TOO_LATE + 300 * DAY,
      'accept 100.00',
      'review_accepted 100.00',
    ],
    ['a review starts the life', accepted, TOO_LATE, 'capture 100.00', 'capture 100.00'],
    ['', accepted, TOO_LATE + DAY, 'capture 100.00', 'V0008'],
    [
      'captured whole, nothing is left to run out',
      IN.captured,
      TOO_LATE,
      'capture 0.01',
      'V0007 it is captured',
    ],
    [
      'cancelled, nothing is left to run out',
      IN.cancelled,
      TOO_LATE,
      'capture 0.01',
      'V0007 it is cancelled',
    ],
    ['declined', IN.declined, TOO_LATE, 'capture 0.01', 'V0007 it is declined'],
    ['waiting for the shopper', IN.created, TOO_LATE, 'capture 0.01', 'V0007 it is created'],
  ])('%s %j at %i, %s: %s', (_, on, now, words, expected) => {
    expect(decision(words, on, { now })).toBe(expected);
  });

  test('is written down once, with what was open', () => {
    expect(expiresNow(partly, TOO_LATE - 1, AUTHORISATION_LIFETIME)).toBe(false);
    expect(expiresNow(partly, TOO_LATE, AUTHORISATION_LIFETIME)).toBe(true);
    expect(overdueTransfer(partly, TOO_LATE, AUTHORISATION_LIFETIME)).toEqual({
      kind: 'expire',
      amount: 6000,
    });
    expect(applyTransfer(partly, 'expire', 6000, TOO_LATE)).toEqual(partlyWritten);
    expect(expiresNow(partlyWritten, TOO_LATE, AUTHORISATION_LIFETIME)).toBe(false);
  });
});

describe('a partial capture whose remainder was cancelled', () => {
  const closed = transaction('authorised', { captured: '40.00', cancelled: '60.00' });

  test.each([
    ['capture 60.00', 'V0007 it is captured'],
    ['cancel 60.00', 'V0007 it is captured'],
    ['refund 40.00 of 100.00', 'refund 40.00'],
    ['refund 40.01 of 100.00', 'V0006 40.00 USD is left'],
  ])('%s: %s', (words, expected) => {
    expect(decision(words, closed)).toBe(expected);
    expect(decision(words, closed, { now: TOO_LATE })).toBe(expected);
  });
});

describe('an account that captures automatically', () => {
  test.each([
    ['accept 100.00', 'review_accepted 100.00, capture 100.00'],
    ['reject 100.00', 'review_rejected 100.00'],
    ['accept 99.99', 'V0004 the transaction has 100.00 USD'],
  ])('%s: %s', (words, expected) => {
    expect(decision(words, IN.in_review, { rules: AUTOMATIC })).toBe(expected);
  });

  test('other operations do not differ', () => {
    expect(decision('capture 10.00', IN.authorised, { rules: AUTOMATIC })).toBe('capture 10.00');
  });
});

describe('states', () => {
  const afterwards: readonly (readonly [string, Transaction, number, State])[] = [
    ['open, and captured in part', IN.partially_captured, NOW, 'partially_captured'],
    [
      'open, whatever was refunded',
      transaction('authorised', { captured: '40.00', refunded: '40.00' }),
      NOW,
      'partially_captured',
    ],
    [
      'the same, run out',
      transaction('authorised', { captured: '40.00', refunded: '40.00' }),
      TOO_LATE,
      'refunded',
    ],
    ['captured in part, run out', IN.partially_captured, TOO_LATE, 'captured'],
    [
      'captured in part, the rest cancelled',
      transaction('authorised', { captured: '40.00', cancelled: '60.00' }),
      NOW,
      'captured',
    ],
    [
      'the same, refunded in part',
      transaction('authorised', { captured: '40.00', cancelled: '60.00', refunded: '1.00' }),
      NOW,
      'partially_refunded',
    ],
    [
      'the same, refunded whole',
      transaction('authorised', { captured: '40.00', cancelled: '60.00', refunded: '40.00' }),
      NOW,
      'refunded',
    ],
    ['nothing captured, run out', IN.authorised, TOO_LATE, 'expired'],
    ['accepted by review', transaction('in_review', { review: 'accepted' }), NOW, 'authorised'],
    ['accepted by review, run out', transaction('in_review', { review: 'accepted' }), TOO_LATE, 'expired'],
    ['rejected by review, however long ago', IN.rejected, TOO_LATE, 'rejected'],
    ['imported as captured', transaction('captured', { captured: '100.00' }), TOO_LATE, 'captured'],
    [
      'imported as partially captured',
      transaction('partially_captured', { captured: '40.00' }),
      NOW,
      'partially_captured',
    ],
    [
      'imported as refunded',
      transaction('refunded', { captured: '100.00', refunded: '100.00' }),
      NOW,
      'refunded',
    ],
    ['imported as cancelled', transaction('cancelled', { cancelled: '100.00' }), TOO_LATE, 'cancelled'],
    ['imported as rejected', transaction('rejected'), TOO_LATE, 'rejected'],
    ['declined', IN.declined, TOO_LATE, 'declined'],
  ];

  test.each(afterwards)('%s (%j at %i) is %s', (_, on, now, state) => {
    expect(stateOf(on, now, AUTHORISATION_LIFETIME)).toBe(state);
  });

  test('have the numbers of the API', () => {
    expect(Object.values(STATES)).toEqual([
      1000, 1050, 1100, 1200, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 6100, 6200,
    ]);
    expect(['captured', 'Captured', 'constructor', ''].map(isState)).toEqual([true, false, false, false]);
  });
});

describe('precedence: V0001 V0002 V0003, then V0009 V0008 V0007, then V0004 V0005 V0006', () => {
  const wrongOrder = { orderNo: 'ORD-2' };
  const wrongCurrency = { currency: 'EUR' };

  test.each<[string, Transaction | undefined, string, Partial<Entry>, string]>([
    ['no transaction', undefined, 'capture 999.00', { ...wrongOrder, ...wrongCurrency }, 'V0001'],
    [
      'order before currency',
      IN.declined,
      'capture 999.00',
      { ...wrongOrder, ...wrongCurrency },
      'V0002 it has ORD-1',
    ],
    ['order before state', IN.created, 'accept 1.00', wrongOrder, 'V0002 it has ORD-1'],
    ['currency before state', IN.declined, 'capture 999.00', wrongCurrency, 'V0003 it has USD'],
    ['currency before review', IN.authorised, 'accept 1.00', wrongCurrency, 'V0003 it has USD'],
    ['currency before amount', IN.captured, 'refund 999.00 of 1.00', wrongCurrency, 'V0003 it has USD'],
    ['review before amount', IN.authorised, 'accept 1.00', {}, 'V0009 it is authorised'],
    ['expiry before amount', IN.expired, 'cancel 1.00', {}, 'V0008'],
    ['state before amount', IN.declined, 'cancel 1.00', {}, 'V0007 it is declined'],
    ['state before what is left', IN.created, 'refund 999.00 of 1.00', {}, 'V0007 it is created'],
    [
      'amount before what is left to refund',
      IN.captured,
      'refund 999.00 of 1.00',
      {},
      'V0004 the transaction has 100.00 USD',
    ],
    [
      'ids are compared byte by byte',
      IN.authorised,
      'capture 1.00',
      { orderNo: 'ord-1' },
      'V0002 it has ORD-1',
    ],
  ])('%s (%j, %s, %j): %s', (_, on, words, changes, expected) => {
    expect(decision(words, on, { changes })).toBe(expected);
  });
});

test('messages have the digits of the currency', () => {
  const yen: Transaction = { ...IN.authorised, currency: 'JPY', amount: 500 };
  expect(decision('capture 9.00', yen, { changes: { currency: 'JPY' } })).toBe('V0005 500 JPY is left');
});

test('property: whatever is instructed, 0 ≤ refunded ≤ captured and captured + cancelled + expired ≤ amount', () => {
  const words = fc.tuple(fc.constantFrom('capture', 'cancel', 'refund'), fc.integer({ min: 1, max: 12000 }));
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.nat(12), (instructions, days) => {
      let on = transaction('authorised');
      instructions.forEach(([verb, amount], index) => {
        const now = AUTHORISED_AT + Math.floor((index * days * DAY) / 30);
        const { operation, entry } = instruction(`${verb} 1.00 of 100.00`);
        const asked = verb === 'refund' ? { refundAmount: amount } : { amount };
        if (expiresNow(on, now, MANUAL.lifetime))
          on = applyTransfer(on, 'expire', overdueTransfer(on, now, MANUAL.lifetime)!.amount, now);
        const decided = decide(operation, { ...entry, ...asked }, on, now, MANUAL);
        if ('code' in decided) return;
        for (const { kind, amount: moved } of decided) on = applyTransfer(on, kind, moved, now);
        expect(on.refunded).toBeLessThanOrEqual(on.captured);
        expect(on.captured + on.cancelled + on.expired).toBeLessThanOrEqual(on.amount);
      });
    }),
  );
});

describe('the transaction after a transfer', () => {
  const later = AUTHORISED_AT + 3 * DAY;

  test.each<
    [
      State,
      'capture' | 'cancel' | 'refund' | 'expire' | 'review_accepted' | 'review_rejected',
      Partial<Transaction>,
    ]
  >([
    ['partially_captured', 'capture', { captured: 5000 }],
    ['authorised', 'cancel', { cancelled: 1000 }],
    ['partially_refunded', 'refund', { refunded: 4000 }],
    ['authorised', 'expire', { expired: 1000 }],
    ['in_review', 'review_accepted', { review: 'accepted', authorisedAt: later }],
    ['in_review', 'review_rejected', { review: 'rejected' }],
  ])('%s, %s of 10.00: %j', (state, kind, changed) => {
    expect(applyTransfer(IN[state], kind, 1000, later)).toEqual({ ...IN[state], ...changed });
  });
});

test('a transfer of the merchant does not belong to a transaction', () => {
  expect(() => applyTransfer(IN.captured, 'payout', 1, NOW)).toThrow(
    'a payout transfer does not belong to a transaction',
  );
});
