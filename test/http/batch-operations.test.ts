/** Capture, cancel, review and refund over HTTP, from the signed message to the signed answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { BATCH_ANSWERS } from '../../src/wire/responses.ts';
import { Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make();
});
afterAll(() => api.remove());

const order = (id: string, change: JsonFields = {}): JsonFields => ({
  transaction_id: id,
  order_no: `O-${id}`,
  currency: 'USD',
  amount: '100.00',
  ...change,
});

test('a capture of two orders is answered with one signed result each', async () => {
  await api.sandbox.given({ id: 'T1' }, { id: 'T2', state: 'cancelled' });
  const got = await api.capture([order('T1'), order('T2')]);
  expect(got.status).toBe(200);
  expect(got.json).toEqual({
    merchant_id: 'M1',
    account_id: 'A1',
    return_status: '1',
    return_message: 'OK',
    capture_orders: [
      {
        amount: '100.00',
        capture_status: '1',
        currency: 'USD',
        error_message: '',
        order_no: 'O-T1',
        transaction_id: 'T1',
      },
      {
        amount: '100.00',
        capture_status: '0',
        currency: 'USD',
        error_message: expect.stringMatching(/^V0007:/),
        order_no: 'O-T2',
        transaction_id: 'T2',
      },
    ],
    encryption_data: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(api.isSigned(got)).toBe(true);
  expect(BATCH_ANSWERS.capture.safeParse(got.json).success).toBe(true);
  expect(await api.sandbox.transfers()).toContain('T1 capture 10000');
});

test('a malformed order is refused alone, in its place', async () => {
  await api.sandbox.given({ id: 'T3' }, { id: 'T4' });
  const got = await api.capture([
    order('T3'),
    order('T4', { amount: '1e2' }),
    'no order' as never,
    order('T4'),
  ]);
  expect(got.status).toBe(200);
  const orders = got.json.capture_orders as readonly JsonFields[];
  expect(
    orders.map(({ capture_status, error_message }) => [capture_status, String(error_message).slice(0, 5)]),
  ).toEqual([
    ['1', ''],
    ['0', 'I0021'],
    ['0', 'I0002'],
    ['1', ''],
  ]);
});

test.each([
  ['capture', { id: 'C1' }, {}, 'C1 capture 10000'],
  ['cancel', { id: 'C2' }, {}, 'C2 cancel 10000'],
  ['review', { id: 'C3', state: 'in_review' }, { review_flag: '1' }, 'C3 review_accepted 10000'],
  ['refund', { id: 'C4', state: 'captured' }, { refund_amount: '0.01' }, 'C4 refund 1'],
] as const)(
  '%s does what it says and answers as the specification lists it',
  async (operation, given, change, transfer) => {
    await api.sandbox.given(given);
    const got = await api.send(`/v1/${operation}`, { [`${operation}_orders`]: [order(given.id, change)] });
    expect(got.status).toBe(200);
    expect(BATCH_ANSWERS[operation].parse(got.json)).toEqual(got.json);
    expect(api.isSigned(got)).toBe(true);
    expect(await api.sandbox.transfers()).toContain(transfer);
  },
);

test.each([
  ['capture', 0],
  ['capture', 51],
  ['cancel', 51],
  ['refund', 51],
  ['review', 101],
] as const)('F82 %s with %i orders is refused as a whole', async (operation, count) => {
  const orders = Array.from({ length: count }, (_, index) => order(`N${index}`));
  const got = await api.send(`/v1/${operation}`, { [`${operation}_orders`]: orders });
  expect(got.status).toBe(400);
  expect(got.json).toMatchObject({ return_status: '0', return_message: expect.stringMatching(/^I0051:/) });
  expect(api.isSigned(got)).toBe(true);
});

test('F82 as many orders as are allowed are answered', async () => {
  for (const [operation, count] of [
    ['capture', 50],
    ['review', 100],
  ] as const) {
    const orders = Array.from({ length: count }, (_, index) =>
      order(`N${index}`, operation === 'review' ? { review_flag: '1' } : {}),
    );
    const got = await api.send(`/v1/${operation}`, { [`${operation}_orders`]: orders });
    expect(got.status).toBe(200);
    expect(got.json[`${operation}_orders`]).toHaveLength(count);
  }
});

test('another field in the envelope is refused, and the answer names the field meant', async () => {
  const got = await api.send('/v1/capture', { capture_order: [order('T1')] });
  expect(got.status).toBe(400);
  expect(got.json.errors).toContainEqual(
    expect.objectContaining({
      path: 'capture_order',
      code: 'I0002',
      hint: expect.stringContaining('capture_orders'),
    }),
  );
});

test('entries under one reference give their first result again, other content is refused', async () => {
  await api.sandbox.given({ id: 'R1', state: 'captured' });
  const refund = (amount: string) => ({
    refund_orders: [order('R1', { refund_amount: amount, reference: 'mine' })],
  });
  const [first, again, other] = [
    await api.send('/v1/refund', refund('1.00')),
    await api.send('/v1/refund', refund('1.00')),
    await api.send('/v1/refund', refund('2.00')),
  ];
  expect(again.text).toBe(first.text);
  expect((other.json.refund_orders as readonly JsonFields[])[0]).toMatchObject({
    refund_status: '0',
    refund_message: expect.stringMatching(/^V0015:/),
  });
  expect((await api.sandbox.transfers()).filter((one) => one.startsWith('R1'))).toEqual(['R1 refund 100']);
});
