import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reason } from '../../../src/core/code.ts';
import type { Result } from '../../../src/core/gateway.ts';
import { type EntryOperation, OPERATIONS } from '../../../src/core/operation.ts';
import { canonicalJson, type JsonFields, type JsonValue } from '../../../src/wire/canonical.ts';
import { readEntries, writeEntries } from '../../../src/wire/messages/entries.ts';

const ORDER = { transaction_id: 'T1', order_no: 'ORD-1', currency: 'USD', amount: '10.00' };

/** One valid order of every operation, with its required fields only. */
const VALID: Readonly<Record<EntryOperation, JsonFields>> = {
  capture: ORDER,
  cancel: ORDER,
  review: { ...ORDER, review_flag: '1' },
  refund: { ...ORDER, refund_amount: '4.00' },
};

const OPERATION_LIST = Object.keys(VALID) as EntryOperation[];

function request(operation: EntryOperation, ...orders: readonly JsonValue[]): JsonFields {
  return { [OPERATIONS[operation].list]: orders };
}

/** What is said of the request, or of its only entry: `CODE column: message`; `valid` when nothing is. */
function verdict(operation: EntryOperation, fields: JsonFields): string {
  const read = readEntries(operation, fields);
  const reasons =
    'reasons' in read ? read.reasons : read.entries.flatMap((one) => ('reason' in one ? one.reason : []));
  return reasons.map(({ code, column, message }) => `${code} ${column}: ${message}`).join('\n') || 'valid';
}

type Changes = Readonly<Record<string, JsonValue | undefined>>;

function entryVerdict(operation: EntryOperation, changes: Changes): string {
  const given = Object.entries({ ...VALID[operation], ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  return verdict(operation, request(operation, Object.fromEntries(given) as JsonFields));
}

describe('an entry', () => {
  test.each<[EntryOperation, JsonFields, object]>([
    ['capture', {}, {}],
    ['capture', { reference: 'R1' }, { reference: 'R1' }],
    ['capture', { reference: '', amount: '10' }, { reference: undefined }],
    ['capture', { reference: null }, {}],
    ['cancel', {}, {}],
    ['review', {}, { reviewFlag: 1 }],
    ['review', { review_flag: '0' }, { reviewFlag: 0 }],
    ['refund', {}, { refundAmount: 400 }],
    [
      'refund',
      { refund_reason: 'torn\nin transit' },
      { refundAmount: 400, refundReason: 'torn\nin transit' },
    ],
  ])('of %s %j', (operation, changes, particular) => {
    const read = readEntries(operation, request(operation, { ...VALID[operation], ...changes }));
    expect(read).toEqual({
      entries: [
        {
          transactionId: 'T1',
          orderNo: 'ORD-1',
          currency: 'USD',
          amount: 1000,
          refundAmount: undefined,
          reviewFlag: undefined,
          refundReason: undefined,
          reference: undefined,
          line: 0,
          repeatOf: undefined,
          ...particular,
        },
      ],
    });
  });

  test('alone is refused, the others are not', () => {
    const read = readEntries('capture', request('capture', ORDER, { ...ORDER, amount: '1.001' }, ORDER));
    expect(read).toMatchObject({
      entries: [{ amount: 1000 }, { reason: { code: 'I0022' } }, { amount: 1000 }],
    });
  });
});

test.each<[EntryOperation, Changes, string]>([
  ['capture', { transaction_id: '' }, 'I0001 transaction_id: A required field is missing: transaction_id.'],
  ['capture', { order_no: null, amount: 1 }, 'I0001 order_no: A required field is missing: order_no.'],
  ['review', { review_flag: null }, 'I0001 review_flag: A required field is missing: review_flag.'],
  ['refund', { refund_amount: ' ' }, 'I0001 refund_amount: A required field is missing: refund_amount.'],
  // F41: text only.
  ['capture', { amount: 10 }, 'I0002 amount: A field is malformed or unknown: amount must be a string.'],
  [
    'capture',
    { transaction_id: 5 },
    'I0002 transaction_id: A field is malformed or unknown: transaction_id must be a string.',
  ],
  [
    'review',
    { review_flag: 1 },
    'I0002 review_flag: A field is malformed or unknown: review_flag must be a string.',
  ],
  [
    'review',
    { review_flag: true },
    'I0002 review_flag: A field is malformed or unknown: review_flag must be a string.',
  ],
  [
    'refund',
    { refund_reason: ['a'] },
    'I0002 refund_reason: A field is malformed or unknown: refund_reason must be a string.',
  ],
  [
    'review',
    { review_flag: '2' },
    'I0002 review_flag: A field is malformed or unknown: review_flag is "2"; expected 0 (reject) or 1 (accept).',
  ],
  [
    'capture',
    { order_no: 'a\u0000' },
    'I0002 order_no: A field is malformed or unknown: order_no is "a\\u0000"; expected 1 to 64 printable characters.',
  ],
  // Names: what a file's line may say, another operation's fields, and slips.
  [
    'capture',
    { repeat_of: 'B1:2' },
    'I0002 repeat_of: A field is malformed or unknown: repeat_of does not belong to this operation.',
  ],
  [
    'capture',
    { refund_amount: '1.00' },
    'I0002 refund_amount: A field is malformed or unknown: refund_amount does not belong to this operation.',
  ],
  [
    'capture',
    { refernce: 'R1' },
    'I0002 refernce: A field is malformed or unknown: refernce does not belong to this operation, reference does.',
  ],
  [
    'refund',
    { refund_amount: undefined, refund_amout: '4.00' },
    'I0002 refund_amout: A field is malformed or unknown: refund_amout does not belong to this operation, refund_amount does.',
  ],
  [
    'capture',
    { x4111111111111111: '1' },
    'I0002 x…: A field is malformed or unknown: x… does not belong to this operation.',
  ],
  // Amounts.
  ['capture', { amount: '10,00' }, 'I0021 amount: The amount is malformed: amount is "10,00".'],
  ['capture', { amount: '0.00' }, 'I0021 amount: The amount is malformed: amount is "0.00", not above zero.'],
  ['capture', { amount: '-1' }, 'I0021 amount: The amount is malformed: amount is "-1".'],
  ['capture', { amount: '1e3' }, 'I0021 amount: The amount is malformed: amount is "1e3".'],
  [
    'refund',
    { refund_amount: '1.001' },
    'I0022 refund_amount: The amount has more decimals than its currency, or there is no such currency: refund_amount is "1.001", but USD has 2 decimals.',
  ],
  [
    'capture',
    { currency: 'usd' },
    'I0022 currency: The amount has more decimals than its currency, or there is no such currency: "usd" is no active ISO 4217 currency with a minor unit.',
  ],
])('F41 %s %j: %s', (operation, changes, expected) => {
  expect(entryVerdict(operation, changes)).toBe(expected);
});

test.each<[JsonValue, string]>([
  ['T1', 'I0002 undefined: A field is malformed or unknown: the entry must be an object.'],
  [null, 'I0002 undefined: A field is malformed or unknown: the entry must be an object.'],
  [[], 'I0002 undefined: A field is malformed or unknown: the entry must be an object.'],
  [{}, 'I0001 transaction_id: A required field is missing: transaction_id.'],
])('%j is no entry', (order, expected) => {
  expect(verdict('capture', request('capture', order))).toBe(expected);
});

test.each<[EntryOperation, JsonFields, string]>([
  [
    'capture',
    {},
    'I0051 capture_orders: There are no orders, or too many, in one request: capture_orders is missing.',
  ],
  [
    'capture',
    { capture_orders: [] },
    'I0051 capture_orders: There are no orders, or too many, in one request: capture_orders is empty.',
  ],
  [
    'capture',
    request('capture', ...Array(51).fill(ORDER)),
    'I0051 capture_orders: There are no orders, or too many, in one request: capture_orders has 51 orders, at most 50 are allowed.',
  ],
  [
    'review',
    request('review', ...Array(101).fill(ORDER)),
    'I0051 review_orders: There are no orders, or too many, in one request: review_orders has 101 orders, at most 100 are allowed.',
  ],
  [
    'refund',
    { refund_orders: ORDER },
    'I0002 refund_orders: A field is malformed or unknown: refund_orders must be a list.',
  ],
  [
    'refund',
    { refund_order: [ORDER] },
    'I0051 refund_orders: There are no orders, or too many, in one request: refund_orders is missing.\n' +
      'I0002 refund_order: A field is malformed or unknown: refund_order does not belong to this operation, refund_orders does.',
  ],
  [
    'capture',
    { capture_orders: [ORDER], notify_url: 'https://shop.example' },
    'I0002 notify_url: A field is malformed or unknown: notify_url does not belong to this operation.',
  ],
])('as a whole %s is refused', (operation, fields, expected) => {
  expect(verdict(operation, fields)).toBe(expected);
});

test.each<[EntryOperation, number]>([
  ['capture', 50],
  ['cancel', 50],
  ['review', 100],
  ['refund', 50],
])('%s takes %i orders', (operation, limit) => {
  const read = readEntries(operation, request(operation, ...Array(limit).fill(VALID[operation])));
  expect('entries' in read && read.entries.every((entry) => 'amount' in entry)).toBe(true);
});

/** The specification's "Entry fields (response)". */
const RESPONSE_FIELDS: Readonly<Record<EntryOperation, string>> = {
  capture: 'amount, capture_status, currency, error_message, order_no, transaction_id',
  cancel: 'amount, cancel_status, currency, error_message, order_no, transaction_id',
  review: 'amount, currency, error_message, order_no, review_flag, review_status, transaction_id',
  refund:
    'amount, currency, order_no, refund_amount, refund_message, refund_reason, refund_reference, refund_reference_id, refund_status, transaction_id',
};

const DONE: Result = { status: 'done', reference: 'T1-1', moved: [] };
const REFUSED: Result = { status: 'refused', reason: reason('V0006', '0.00 USD is left') };

describe('a response entry', () => {
  test.each(OPERATION_LIST)('of %s has the fields of the specification', (operation) => {
    for (const result of [DONE, REFUSED]) {
      const [entry] = writeEntries(operation, request(operation, VALID[operation]), [result]);
      expect(Object.keys(entry!).join(', ')).toBe(RESPONSE_FIELDS[operation]);
      expect(entry).toMatchObject(VALID[operation]);
    }
  });

  test.each<[Result, string, string]>([
    [DONE, '1', ''],
    [{ ...DONE, status: 'pending' }, '2', ''],
    [REFUSED, '0', 'V0006:The amount is more than is left to refund: 0.00 USD is left.'],
    [
      { status: 'invalid', reason: reason('I0001', 'order_no') },
      '0',
      'I0001:A required field is missing: order_no.',
    ],
    [{ status: 'unknown', reason: reason('E0001') }, '2', 'E0001:The outcome is unknown.'],
  ])('says what became of it: %j', (result, status, message) => {
    const write = (operation: EntryOperation) =>
      writeEntries(operation, request(operation, VALID[operation]), [result])[0]!;
    expect(write('capture')).toMatchObject({ capture_status: status, error_message: message });
    expect(write('cancel')).toMatchObject({ cancel_status: status, error_message: message });
    expect(write('review')).toMatchObject({ review_status: status, error_message: message });
    expect(write('refund')).toMatchObject({ refund_status: status, refund_message: message || 'V0000:OK' });
  });

  test('of a refund names both references', () => {
    const orders = request('refund', { ...VALID.refund, reference: 'R-7' }, VALID.refund, {
      ...VALID.refund,
      reference: 'R-8',
    });
    const written = writeEntries('refund', orders, [DONE, DONE, REFUSED]);
    const references = written.map((entry) => `${entry.refund_reference} ${entry.refund_reference_id}`);
    expect(references).toEqual(['T1-1 R-7', 'T1-1 ', ' R-8']);
  });

  test('echoes of a malformed entry what was text, and so much of it as a sound one could have', () => {
    const orders = request(
      'refund',
      { transaction_id: 'x'.repeat(100_000), order_no: 5, amount: { a: 1 }, currency: `${'y'.repeat(63)}😀` },
      'no object',
      { refund_reason: 'z'.repeat(5000) },
    );
    const [first, second, third] = writeEntries('refund', orders, [REFUSED, REFUSED, REFUSED]);
    expect(first).toMatchObject({
      transaction_id: 'x'.repeat(64),
      order_no: '',
      amount: '',
      currency: 'y'.repeat(63),
    });
    expect(second).toMatchObject({ transaction_id: '', refund_amount: '', refund_status: '0' });
    expect(third).toMatchObject({ refund_reason: 'z'.repeat(4096) });
  });
});

test('property: whatever is in the list, there is one answer per order, of bounded size', () => {
  const field = fc.constantFrom(
    ...Object.keys(VALID.refund),
    'reference',
    'refund_reason',
    'review_flag',
    'refernce',
    '__proto__',
  );
  const order = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(field, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...OPERATION_LIST),
      fc.array(order, { minLength: 1, maxLength: 5 }),
      (operation, orders) => {
        const fields = request(operation, ...(orders as JsonValue[]));
        const read = readEntries(operation, fields);
        if ('reasons' in read) throw new Error('the list was refused');
        const results = read.entries.map(
          (entry): Result => ('reason' in entry ? { status: 'refused', ...entry } : DONE),
        );
        const written = writeEntries(operation, fields, results);
        expect(written.length).toBe(orders.length);
        expect(canonicalJson(written).length).toBeLessThan(orders.length * 10_000);
      },
    ),
  );
});

test('property: whatever message comes in, it is read or refused for a few reasons', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OPERATION_LIST),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (operation, fields) => {
        const read = readEntries(operation, fields as JsonFields);
        if ('reasons' in read) expect(read.reasons.length).toBeGreaterThan(0);
        if ('reasons' in read) expect(read.reasons.length).toBeLessThanOrEqual(20);
      },
    ),
  );
});

test('F88 a hundred thousand unknown fields are refused in bounded time', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, '1']));
  const began = performance.now();
  expect(readEntries('capture', { ...many, capture_orders: [many] })).toMatchObject({
    reasons: { length: 20 },
  });
  expect(readEntries('capture', request('capture', many))).toMatchObject({
    entries: [{ reason: { code: 'I0002' } }],
  });
  expect(performance.now() - began).toBeLessThan(2000);
});
