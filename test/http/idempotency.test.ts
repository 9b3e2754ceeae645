/** The header Idempotency-Key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, EntriesRequest, Gateway } from '../../src/core/gateway.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make({}, [{}, {}]);
});
afterAll(() => api.remove());

const order = (id: string, change: JsonFields = {}): JsonFields => ({
  transaction_id: id,
  order_no: `O-${id}`,
  currency: 'USD',
  amount: '100.00',
  ...change,
});
const refund = (id: string, amount: string) => ({ refund_orders: [order(id, { refund_amount: amount })] });
const under = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const refundsOf = async (id: string) =>
  (await api.sandbox.transfers()).filter((one) => one.startsWith(`${id} refund`));

test('F77 the same request under its key gets the first answer, and acts once', async () => {
  await api.sandbox.given({ id: 'T1', state: 'captured' });
  const first = await api.send('/v1/refund', refund('T1', '1.00'), under('k1'));
  const again = await api.send('/v1/refund', refund('T1', '1.00'), under('k1'));
  expect(first.status).toBe(200);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(await refundsOf('T1')).toEqual(['T1 refund 100']);
  // Without the key it is meant twice.
  await api.send('/v1/refund', refund('T1', '1.00'));
  expect(await refundsOf('T1')).toHaveLength(2);
});

test('F77 another body under the same key is 409 and does nothing', async () => {
  await api.sandbox.given({ id: 'T2', state: 'captured' });
  await api.send('/v1/refund', refund('T2', '1.00'), under('k2'));
  const other = await api.send('/v1/refund', refund('T2', '2.00'), under('k2'));
  expect(other.status).toBe(409);
  expect(other.json).toMatchObject({
    return_status: '0',
    errors: [{ code: 'V0015', path: 'Idempotency-Key' }],
  });
  expect(api.isSigned(other)).toBe(true);
  expect(await refundsOf('T2')).toEqual(['T2 refund 100']);
});

test('a key belongs to one account and one operation', async () => {
  await api.sandbox.given({ id: 'T3' }, { id: 'T3', account: 2 });
  for (const account of ['A1', 'A2']) {
    const got = await api.send(
      '/v1/capture',
      { capture_orders: [order('T3', { amount: '1.00' })] },
      { ...under('k3'), account },
    );
    expect((got.json.capture_orders as readonly JsonFields[])[0]!.capture_status).toBe('1');
  }
  const got = await api.send(
    '/v1/refund',
    { refund_orders: [order('T3', { refund_amount: '1.00' })] },
    under('k3'),
  );
  expect((got.json.refund_orders as readonly JsonFields[])[0]!.refund_status).toBe('1');
});

test('an answer in which every order was malformed is kept too', async () => {
  const bad = { refund_orders: [order('T1', { amount: '1e2', refund_amount: '1.00' })] };
  const first = await api.send('/v1/refund', bad, under('k4'));
  expect(first.status).toBe(200);
  expect((await api.send('/v1/refund', bad, under('k4'))).text).toBe(first.text);
  expect((await api.send('/v1/refund', refund('T1', '1.00'), under('k4'))).status).toBe(409);
});

test('F77 while the first request has no answer the second is 409 with Retry-After, and the first goes on', async () => {
  await api.sandbox.given({ id: 'T5', state: 'captured' });
  const engine = api.sandbox.engine();
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let asked: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const gateway = {
    async refund(request: EntriesRequest, options: object): Promise<Answer> {
      asked();
      await held;
      return engine.refund(request, options);
    },
  } as unknown as Gateway;
  const slow = api.with({ gateway });
  const first = slow.send('/v1/refund', refund('T5', '1.00'), under('k5'));
  await reached;
  const second = await slow.send('/v1/refund', refund('T5', '1.00'), under('k5'));
  expect([second.status, second.json.return_message, second.headers.get('retry-after')]).toEqual([
    409,
    expect.stringMatching(/^I0062:/),
    '1',
  ]);
  const other = await slow.send('/v1/refund', refund('T5', '2.00'), under('k5'));
  expect([other.status, other.json.return_message]).toEqual([409, expect.stringMatching(/^V0015:/)]);
  go();
  expect((await first).status).toBe(200);
  expect((await slow.send('/v1/refund', refund('T5', '1.00'), under('k5'))).text).toBe((await first).text);
  expect(await refundsOf('T5')).toEqual(['T5 refund 100']);
});

test('a failure is not kept: the same key works afterwards', async () => {
  await api.sandbox.given({ id: 'T6', state: 'captured' });
  const gateway = {
    refund: async () => ({ failure: { code: 'E0002', message: 'busy' } }),
  } as unknown as Gateway;
  const failed = await api.with({ gateway }).send('/v1/refund', refund('T6', '1.00'), under('k6'));
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await api.send('/v1/refund', refund('T6', '1.00'), under('k6'))).status).toBe(200);
});

test.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const headers = { 'Idempotency-Key': new TextDecoder('latin1').decode(new TextEncoder().encode(key)) };
  const got = await api.send('/v1/refund', refund('T1', '1.00'), { headers });
  expect([got.status, got.json.errors]).toEqual([
    400,
    [expect.objectContaining({ path: 'Idempotency-Key' })],
  ]);
});

test('F87 a key that holds the number of the card is refused: keys are kept as they are', async () => {
  const card = {
    card: '4111111111111111',
    expiration_month: '12',
    expiration_year: '2031',
    security_code: '987',
  };
  const fields = { order_no: 'O-pan', currency: 'USD', amount: '1.00', ...card };
  const got = await api.send('/v1/authorise', fields, under('order-4111111111111111'));
  expect([got.status, got.json.errors]).toEqual([
    400,
    [expect.objectContaining({ path: 'Idempotency-Key' })],
  ]);
  expect(got.text).not.toContain('4111111111111111');
});

test('card data takes no part in the hash of a request', async () => {
  const hashed: string[] = [];
  const keyedHash = (text: string) => {
    hashed.push(text);
    return 'hash';
  };
  const gateway = {
    authorise: async () => ({ failure: { code: 'E0002', message: 'busy' } }),
  } as unknown as Gateway;
  const card = {
    card: '4111111111111111',
    expiration_month: '12',
    expiration_year: '2031',
    security_code: '987',
  };
  const fields = { order_no: 'O1', currency: 'USD', amount: '1.00', ...card };
  await api.with({ keyedHash, gateway }).send('/v1/authorise', fields, under('k7'));
  expect(hashed).toEqual([
    '{"account_id":"A1","amount":"1.00","currency":"USD","merchant_id":"M1","order_no":"O1"}',
  ]);
});
