/** What two looks at a transaction prove of an instruction that nobody knows the end of. */
import { expect, test } from 'vitest';
import type { Entry } from '../../src/core/gateway.ts';
import { judgeInDoubt } from '../../src/core/in-doubt.ts';
import type { EntryOperation } from '../../src/core/operation.ts';
import { STATES, type State } from '../../src/core/state.ts';

/** The transaction has 100.00. */
const WHOLE = 10_000;

function entry(change: Partial<Entry>): Entry {
  return {
    transactionId: 'T1',
    orderNo: 'O-T1',
    currency: 'USD',
    amount: WHOLE,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 2,
    repeatOf: undefined,
    ...change,
  };
}

const ENTRIES = {
  'capture all': ['capture', entry({})],
  'capture a part': ['capture', entry({ amount: 4_000 })],
  cancel: ['cancel', entry({})],
  'refund all': ['refund', entry({ refundAmount: WHOLE })],
  'refund a part': ['refund', entry({ refundAmount: 4_000 })],
  accept: ['review', entry({ reviewFlag: 1 })],
  reject: ['review', entry({ reviewFlag: 0 })],
} as const satisfies Record<string, readonly [EntryOperation, Entry]>;

type Row = [what: keyof typeof ENTRIES, before: State, now: State, verdict: string];

test.for<Row>([
  ['capture all', 'authorised', 'captured', 'happened'],
  ['capture all', 'authorised', 'partially_captured', '-'],
  ['capture all', 'partially_captured', 'captured', '-'],
  ['capture all', 'captured', 'captured', '-'],
  ['capture a part', 'authorised', 'partially_captured', 'happened'],
  ['capture a part', 'authorised', 'captured', '-'],
  ['capture a part', 'partially_captured', 'partially_captured', '-'],
  ['cancel', 'authorised', 'cancelled', 'happened'],
  ['cancel', 'created', 'cancelled', '-'],
  ['cancel', 'partially_captured', 'captured', '-'],
  ['cancel', 'cancelled', 'cancelled', '-'],
  ['refund all', 'captured', 'refunded', 'happened'],
  ['refund all', 'captured', 'partially_refunded', '-'],
  ['refund all', 'partially_refunded', 'refunded', '-'],
  ['refund a part', 'captured', 'partially_refunded', 'happened'],
  ['refund a part', 'captured', 'refunded', '-'],
  ['refund a part', 'partially_refunded', 'partially_refunded', '-'],
  ['accept', 'in_review', 'authorised', 'happened'],
  ['accept', 'in_review', 'captured', 'happened'],
  ['accept', 'in_review', 'rejected', 'did not happen'],
  ['accept', 'authorised', 'authorised', '-'],
  ['reject', 'in_review', 'rejected', 'happened'],
  ['reject', 'in_review', 'authorised', 'did not happen'],
  ['reject', 'rejected', 'rejected', '-'],
])('%s: from %s to %s %s', ([what, before, now, verdict]) => {
  const [operation, asked] = ENTRIES[what];
  const looks = { before, now, amount: WHOLE, isSettled: false };
  expect(judgeInDoubt(operation, asked, looks) ?? '-').toBe(verdict);
  // Without the look before, nobody knows whose change it was.
  expect(judgeInDoubt(operation, asked, { ...looks, before: undefined })).toBeUndefined();
});

test.for<[what: keyof typeof ENTRIES, states: readonly State[]]>([
  ['capture all', ['authorised', 'in_review']],
  ['capture a part', ['authorised', 'in_review']],
  ['cancel', ['authorised', 'in_review']],
  ['refund all', ['authorised', 'in_review', 'captured']],
  ['refund a part', ['authorised', 'in_review', 'captured']],
  ['accept', ['in_review']],
  ['reject', ['in_review']],
])(
  'long after sending, %s cannot have happened in the states %s, and in no other that is proved',
  ([what, states]) => {
    const [operation, asked] = ENTRIES[what];
    for (const now of Object.keys(STATES) as State[]) {
      const looks = { before: undefined, now, amount: WHOLE };
      const verdict = judgeInDoubt(operation, asked, { ...looks, isSettled: true });
      expect([now, verdict]).toEqual([now, states.includes(now) ? 'did not happen' : undefined]);
      expect(judgeInDoubt(operation, asked, { ...looks, isSettled: false })).toBeUndefined();
    }
  },
);
