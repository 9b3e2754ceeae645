/** What every answer carries, what the log and the figures say, and what becomes of errors that nobody expected. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverLog } from '../../src/cli/server-log.ts';
import type { Gateway } from '../../src/core/gateway.ts';
import type { RequestRecord } from '../../src/http/ports.ts';
import { randomRequestId } from '../../src/http/request-id.ts';
import { Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make();
  await api.sandbox.given({ id: 'T1' });
});
afterAll(() => api.remove());

const ORDERS = {
  capture_orders: [
    { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00' },
    { transaction_id: 'T9', order_no: 'O-T9', currency: 'USD', amount: '1.00' },
  ],
};
const REFUND = {
  refund_orders: [
    { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00', refund_amount: '1.00' },
  ],
};

test.each([
  ['/v1/capture', 'POST'],
  ['/v1/capture', 'GET'],
  ['/v1/nothing', 'POST'],
  ['/healthz', 'GET'],
  ['/readyz', 'GET'],
  ['/metrics', 'GET'],
  ['/docs', 'GET'],
  ['/openapi.json', 'GET'],
  ['/hosted/unknown-session', 'GET'],
])(
  '%s by %s says its id and the environment; an id that the client sends is not believed',
  async (path, method) => {
    const got = await api.ask(path, { method, headers: { 'X-Request-Id': 'mine' } });
    expect(got.headers.get('x-request-id')).toMatch(/^request-\d+$/);
    expect(got.headers.get('x-batchgate-environment')).toBe('sandbox');
  },
);

test('the log has one record for each request, with the route instead of the path', async () => {
  const own = api.with({});
  await own.send('/v1/capture', ORDERS);
  await own.post('/v1/capture?card=4111111111111111', '{');
  await own.ask('/hosted/a-secret-session/card', { method: 'POST' });
  await own.ask('/4111111111111111');
  await own.ask('/healthz/../metrics', { method: 'PURGE' });
  const plain = own.records.map(({ milliseconds, requestId, ...rest }) => rest);
  expect(plain).toEqual([
    { method: 'POST', route: '/v1/capture', status: 200, merchantId: 'M1', accountId: 'A1', entries: 2 },
    { method: 'POST', route: '/v1/capture', status: 415, code: 'I0002' },
    { method: 'POST', route: '/hosted', status: 404 },
    { method: 'GET', route: 'other', status: 404 },
    { method: 'other', route: '/metrics', status: 404 },
  ]);
});

test('the figures count requests by route and status, and instructions by what became of them', async () => {
  const own = api.with({});
  await own.send('/v1/capture', ORDERS);
  await own.ask('/any/thing');
  const { text, headers } = await own.ask('/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain('batchgate_http_requests_total{route="/v1/capture",status="200"} 1');
  expect(text).toContain('batchgate_http_requests_total{route="other",status="404"} 1');
  expect(text).toContain('batchgate_entries_total{operation="capture",status="done"} 1');
  expect(text).toContain('batchgate_entries_total{operation="capture",status="refused"} 1');
  expect(text).toContain('batchgate_http_request_duration_seconds_count{route="/v1/capture"} 1');
  expect(text).toContain('batchgate_http_requests_in_flight 1');
});

test('an error of a gateway that may have acted is E0001, without a word of it, and in the log', async () => {
  const broken = () => Promise.reject(new TypeError('something private'));
  const own = api.with({ gateway: { refund: broken, query: broken } as unknown as Gateway });
  const got = await own.send('/v1/refund', REFUND);
  expect([got.status, got.json.return_message]).toEqual([500, 'E0001:The outcome is unknown.']);
  expect(got.text).not.toContain('private');
  expect(own.isSigned(got)).toBe(true);
  expect(own.errors).toHaveLength(1);
});

test('an error before any gateway was asked is E0003', async () => {
  const merchants = { find: () => Promise.reject(new Error('something private')) };
  const got = await api.with({ merchants }).send('/v1/refund', REFUND);
  expect([got.status, got.json.return_message]).toEqual([500, 'E0003:Internal error; nothing happened.']);
  expect(got.text).not.toContain('private');
});

test('readyz says 503 when the database does not answer', async () => {
  expect((await api.ask('/readyz')).status).toBe(200);
  expect((await api.with({ ready: async () => false }).ask('/readyz')).status).toBe(503);
  expect((await api.with({ ready: () => Promise.reject(new Error()) }).ask('/readyz')).status).toBe(503);
  expect((await api.with({ ready: async () => false }).ask('/healthz')).status).toBe(200);
});

test('ids of requests are 26 letters, each its own', () => {
  const ids = Array.from({ length: 1000 }, randomRequestId);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.filter((id) => !/^[a-z]{26}$/.test(id))).toEqual([]);
});

const RECORD: RequestRecord = {
  requestId: 'r',
  method: 'POST',
  route: '/v1/capture',
  status: 200,
  milliseconds: 1.5,
};

test('log lines hold what is listed and nothing else, and no card number', () => {
  const lines: string[] = [];
  const log = serverLog((line) => lines.push(line));
  log.request({ ...RECORD, merchantId: '4111111111111111', secret: 'x' } as RequestRecord);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/\n$/);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    method: 'POST',
    route: '/v1/capture',
    status: 200,
    ms: 1.5,
    request: 'r',
    merchant: '411111******1111',
  });
});

test('an error is logged by its kind and place: its message may hold what was sent', () => {
  const lines: string[] = [];
  const log = serverLog((line) => lines.push(line));
  log.error('r', new RangeError('security code 987 of 4111111111111111'));
  log.task('a task', 'text');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    request: 'r',
    error: 'RangeError',
    stack: expect.stringContaining('observe.test.ts'),
  });
  expect(lines.join('')).not.toMatch(/987|4111/);
});
