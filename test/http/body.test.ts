/** What may be sent, in which form, and how much of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LARGEST_BODY } from '../../src/http/body.ts';
import { Api, JSON_TYPE } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make();
  await api.sandbox.given({ id: 'T1' }, { id: 'T2' }, { id: 'T3' });
});
afterAll(() => api.remove());

const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const capture = (id: string) => ({
  capture_orders: [{ transaction_id: id, order_no: `O-${id}`, currency: 'USD', amount: '1.00' }],
});

test.each([
  ['nothing', ''],
  ['half of it', '{"merchant_id":"M1","account_'],
  ['a list', '[]'],
  ['text', '"M1"'],
  ['a trailing comma', '{"merchant_id":"M1",}'],
  ['a key twice', '{"merchant_id":"M1","merchant_id":"M2"}'],
  ['a key twice inside', '{"a":{"b":1,"b":2}}'],
  ['__proto__', '{"__proto__":{}}'],
  ['a lone surrogate', '{"merchant_id":"\\ud800"}'],
  ['an unsafe number', '{"n":9007199254740993}'],
])('F73 %s is 400, in JSON, without a stack', async (_, body) => {
  const got = await api.post('/v1/capture', body, { headers: JSON_TYPE });
  expect(got.status).toBe(400);
  expect(got.json).toMatchObject({
    return_status: '0',
    return_message: expect.stringMatching(/^I0002:/),
    errors: [{ code: 'I0002', retry: 'no' }],
  });
  expect(got.json.encryption_data).toBeUndefined();
  expect(got.text).not.toMatch(/\bat .*\.ts|node_modules/);
});

test('F73 bytes that are not UTF-8 are 400', async () => {
  const got = await api.post('/v1/capture', new Uint8Array([0x7b, 0xff, 0x7d]), { headers: JSON_TYPE });
  expect([got.status, got.json.return_message]).toEqual([400, expect.stringContaining('not UTF-8')]);
});

test('F74 JSON under form-urlencoded is read as it stands, without percent-decoding', async () => {
  const message = api.signed({
    capture_orders: [{ ...capture('T1').capture_orders[0], reference: 'a%20b+c' }],
  });
  const got = await api.post('/v1/capture', JSON.stringify(message), { headers: FORM_TYPE });
  expect([got.status, got.json.return_status]).toEqual([200, '1']);
});

test('F74 true form fields hold their lists as JSON', async () => {
  const { capture_orders, ...envelope } = api.signed(capture('T2'));
  const form = new URLSearchParams({ ...envelope, capture_orders: JSON.stringify(capture_orders) } as never);
  const got = await api.post('/v1/capture', form.toString(), { headers: FORM_TYPE });
  expect([got.status, got.json.return_status]).toEqual([200, '1']);
});

test.each([
  ['text/plain', {}],
  ['multipart/form-data', {}],
  ['application/xml', {}],
  ['application/json; charset=utf-16', {}],
  ['application/json', { 'Content-Encoding': 'gzip' }],
  ['', {}],
])('F74 %j with %j is 415', async (type, headers) => {
  const body = new TextEncoder().encode(JSON.stringify(api.signed(capture('T3'))));
  const got = await api.post('/v1/capture', body, {
    headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers },
  });
  expect([got.status, got.json.return_status]).toEqual([415, '0']);
});

test.each(['application/json', 'application/json;charset=utf-8', 'Application/JSON; Charset="UTF-8"'])(
  'F74 %s is JSON',
  async (type) => {
    const got = await api.post('/v1/capture', JSON.stringify(api.signed(capture('T3'))), {
      headers: { 'Content-Type': type },
    });
    expect(got.status).toBe(200);
  },
);

test('F75 a length above 1 MiB is 413 before anything is read', async () => {
  let read = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { ...JSON_TYPE, 'Content-Length': String(LARGEST_BODY + 1) };
  const got = await api.ask('/v1/capture', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  expect(got.status).toBe(413);
  expect(read).toBe(0);
});

test('F75 a body without a length is 413 as soon as it is too large', async () => {
  let read = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    },
    { highWaterMark: 0 },
  );
  const got = await api.ask('/v1/capture', {
    method: 'POST',
    body,
    headers: JSON_TYPE,
    duplex: 'half',
  } as RequestInit);
  expect(got.status).toBe(413);
  expect(read).toBe(17);
});

test('F75 a body of exactly 1 MiB is read', async () => {
  const body = JSON.stringify({ merchant_id: 'M1', x: '' });
  const padded = body.replace('""', `"${'x'.repeat(LARGEST_BODY - body.length)}"`);
  expect(padded).toHaveLength(LARGEST_BODY);
  expect((await api.post('/v1/capture', padded, { headers: JSON_TYPE })).status).toBe(401);
});

test.each([
  [
    '200,000 keys',
    `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`.slice(0, LARGEST_BODY),
  ],
  ['deep lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['deep objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
  ['a form of 200,000 fields', Array.from({ length: 100_000 }, (_, index) => `k${index}=`).join('&')],
])('F88 %s: answered in bounded time and size', async (name, body) => {
  const began = performance.now();
  const got = await api.post('/v1/capture', body, {
    headers: name.startsWith('a form') ? FORM_TYPE : JSON_TYPE,
  });
  expect([400, 401]).toContain(got.status);
  expect(got.text.length).toBeLessThan(10_000);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('F88 a signed message with 50,000 unknown fields lists twenty of them', async () => {
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, '']));
  const got = await api.send('/v1/capture', { ...capture('T3'), ...fields });
  expect(got.status).toBe(400);
  expect(got.json.errors).toHaveLength(20);
  expect(got.text.length).toBeLessThan(20_000);
});

test('F88 one order with 20,000 unknown fields is refused alone, with a short message', async () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, '']));
  const got = await api.send('/v1/capture', {
    capture_orders: [{ ...capture('T3').capture_orders[0], ...fields }],
  });
  expect(got.status).toBe(200);
  expect(got.text.length).toBeLessThan(2000);
});

test('paths and methods that are not there', async () => {
  expect((await api.ask('/v1/captures', { method: 'POST' })).status).toBe(404);
  const got = await api.ask('/v1/capture');
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  expect(got.json).toMatchObject({ return_status: '0', errors: [{ code: 'I0002' }] });
});
