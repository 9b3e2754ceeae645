/** A payment's whole life over HTTP, with the embedded engine behind the adapter. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { paymentAnswer, queryAnswer } from '../../src/wire/responses.ts';
import { verifySignature } from '../../src/wire/signature.ts';
import { readXml } from '../../src/wire/xml.ts';
import { Api, type Got } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make({}, [{ allow_ip: ['127.0.0.1'] }]);
});
afterAll(() => api.remove());

const CARD = {
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2031',
  security_code: '987',
};
const ORDER = { currency: 'USD', amount: '50.00' };

function respon({ text }: Got): JsonFields {
  const read = readXml(text, 'respon');
  if ('fault' in read) throw new Error(`${read.fault}: ${text}`);
  return read.fields;
}

test('authorised, captured, refunded, queried', async () => {
  const paid = respon(
    await api.send('/v1/authorise', { ...ORDER, ...CARD, order_no: 'W1' }, { ip: '127.0.0.1' }),
  );
  expect(paymentAnswer.parse(paid)).toMatchObject({
    order_status: '1',
    card: '411111******1111',
    amount: '50.00',
  });
  expect(verifySignature(paid, paid.encryption_data, api.key())).toBe(true);
  const entry = { transaction_id: paid.transaction_id!, order_no: 'W1', ...ORDER };
  const captured = await api.capture([entry]);
  expect((captured.json.capture_orders as readonly JsonFields[])[0]).toMatchObject({ capture_status: '1' });
  const refunded = await api.send('/v1/refund', { refund_orders: [{ ...entry, refund_amount: '20.00' }] });
  expect((refunded.json.refund_orders as readonly JsonFields[])[0]).toMatchObject({ refund_status: '1' });
  const queried = await api.send('/v1/retrievalTrans', { order_no: 'W1' }, { ip: '127.0.0.1' });
  expect(queryAnswer.parse(queried.json).orders_list).toMatchObject([
    { transaction_id: paid.transaction_id, payment_status: '3500', query_result: '1' },
  ]);
});

test('the same payment under its key is charged once; without a key its order number is used', async () => {
  const fields = { ...ORDER, ...CARD, order_no: 'W2' };
  const under = { headers: { 'Idempotency-Key': 'w2' } };
  const [first, again] = [
    await api.send('/v1/authorise', fields, under),
    await api.send('/v1/authorise', fields, under),
  ];
  expect(again.text).toBe(first.text);
  const other = await api.send('/v1/authorise', { ...fields, security_code: '111' }, under);
  expect(other.text).toBe(first.text);
  const third = await api.send('/v1/authorise', fields);
  expect([third.status, third.json.return_message]).toEqual([409, expect.stringMatching(/^I0061:/)]);
});

test('a token that does not exist is 404', async () => {
  const got = await api.send('/v1/authorise', { ...ORDER, order_no: 'W3', token_id: 'none' });
  expect([got.status, got.json.errors]).toEqual([404, [expect.objectContaining({ path: 'token_id' })]]);
  expect(api.isSigned(got)).toBe(true);
});

test('a checkout leads to a hosted page that is there', async () => {
  const page = await api.send('/v1/checkout', {
    ...ORDER,
    order_no: 'W4',
    return_url: 'https://shop.example/back',
  });
  const path = /action="https:\/\/pay\.example(\/hosted\/[^"]+)"/.exec(page.text)?.[1];
  const hosted = await api.ask(path!, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'amount=0.01',
  });
  const shown =
    hosted.status === 303
      ? await api.ask(new URL(hosted.headers.get('location')!, 'https://pay.example').pathname)
      : hosted;
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('50.00');
});

test('of 30 payments under one order number at once one is charged', async () => {
  const fields = { ...ORDER, ...CARD, order_no: 'W5' };
  const got = await Promise.all(Array.from({ length: 30 }, () => api.send('/v1/authorise', fields)));
  expect(got.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(got.filter(({ status }) => status === 409)).toHaveLength(29);
});
