/** Who may ask: signatures, addresses, the rate of requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addKey, allow, revokeKey } from '../../src/batch/accounts.ts';
import type { Gateway } from '../../src/core/gateway.ts';
import { signMessage } from '../../src/wire/signature.ts';
import { Api, JSON_TYPE, makeKey } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make({}, [{}, { allow_ip: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'] }]);
});
afterAll(() => api.remove());

const message = {
  capture_orders: [{ transaction_id: 'T1', order_no: 'O', currency: 'USD', amount: '1.00' }],
};
const signed = () => api.signed(message);
const bodyOf = (change: object) => JSON.stringify({ ...signed(), ...change });

test.each([
  ['no signature', { encryption_data: undefined }],
  ['a signature of another type', { encryption_data: 12 }],
  ['a short signature', { encryption_data: 'abc' }],
  ['one that is not hex', { encryption_data: 'z'.repeat(64) }],
  ['a wrong signature', { encryption_data: 'a'.repeat(64) }],
  ['an unknown account', { account_id: 'A9' }],
  ['an unknown merchant', { merchant_id: 'M9' }],
  ['no merchant', { merchant_id: undefined }],
  ['ids of another type', { merchant_id: 1, account_id: null }],
  ['another account, with the signature of the first', { account_id: 'A2' }],
  ['a changed order', { capture_orders: [] }],
  ['a further field', { more: '1' }],
  ['fields that look like a refusal', { status: 200, reasons: [{ code: 'V0000' }], retryAfter: null }],
])('F76 %s is 401', async (_, change) => {
  const got = await api.post('/v1/capture', bodyOf(change), { headers: JSON_TYPE });
  expect(got.status).toBe(401);
  expect(got.json.return_message).toBe(
    'I0013:The merchant or account is unknown, or the signature is wrong.',
  );
  expect(got.json.encryption_data).toBeUndefined();
});

test('F76 F81 an unknown merchant and a wrong signature get the same bytes, but for the id of the request', async () => {
  const ask = (encryption_data: string, account_id: string) =>
    api.post('/v1/capture', bodyOf({ encryption_data, account_id }), { headers: JSON_TYPE });
  const [unknown, wrong] = [await ask('b'.repeat(64), 'A9'), await ask('b'.repeat(64), 'A1')];
  const plain = ({ text }: typeof unknown) =>
    text.replace(/request-\d+/, '').replace(/"account_id":"A\d"/, '');
  expect(plain(unknown)).toBe(plain(wrong));
  const names = ({ headers }: typeof unknown) => [...headers.keys()];
  expect(names(unknown)).toEqual(names(wrong));
});

test('F81 an unknown merchant is looked up as often, and in the same places, as a wrong signature', async () => {
  const asked: string[] = [];
  const own = api.with({
    merchants: {
      find: (merchantId, accountId, where) => {
        asked.push(`${accountId} ${where ?? 'ledger'}`);
        return api.merchants.find(merchantId, accountId, where);
      },
    },
  });
  for (const account_id of ['A9', 'A1'])
    await own.post('/v1/capture', bodyOf({ account_id, encryption_data: 'c'.repeat(64) }), {
      headers: JSON_TYPE,
    });
  expect(asked).toEqual(['A9 memory', 'A9 ledger', 'A1 memory', 'A1 ledger']);
});

test('F81 an unknown merchant takes as long as a wrong signature', async () => {
  const bodies = ['A9', 'A1'].map((account_id) => bodyOf({ account_id, encryption_data: 'c'.repeat(64) }));
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 150; round += 1) {
    for (const [which, body] of bodies.entries()) {
      const began = performance.now();
      await api.post('/v1/capture', body, { headers: JSON_TYPE });
      times[which]!.push(performance.now() - began);
    }
  }
  const [unknown, wrong] = times.map((all) => all.sort((a, b) => a - b)[75]!);
  expect(unknown! / wrong!).toBeGreaterThan(0.4);
  expect(unknown! / wrong!).toBeLessThan(2.5);
});

test('F76 upper-case digits are the same signature', async () => {
  const upper = String(signed().encryption_data).toUpperCase();
  expect(
    (await api.post('/v1/capture', bodyOf({ encryption_data: upper }), { headers: JSON_TYPE })).status,
  ).toBe(200);
});

test('a new account and a new key work at once, a revoked key stops within a second', async () => {
  const { sandbox } = api;
  const acting = { database: sandbox.database, clock: () => sandbox.now, actor: 'test' };
  const account = { merchantId: 'M1', accountId: 'A3' };
  const first = makeKey(sandbox, 'A3.1.key', 'first key of A3, long enough to be one');
  const second = makeKey(sandbox, 'A3.2.key', 'second key of A3, long enough to be one');
  const ask = (key: typeof first) => {
    const body = { merchant_id: 'M1', account_id: 'A3', ...message };
    return api.post('/v1/capture', JSON.stringify({ ...body, encryption_data: signMessage(body, key.key) }), {
      headers: JSON_TYPE,
    });
  };
  expect((await ask(first)).status).toBe(401);
  await sandbox.account({ keys: [first.named] });
  expect((await ask(first)).status).toBe(200);
  expect(await addKey(acting, account, second.named)).toBeUndefined();
  expect((await ask(second)).status).toBe(200);
  expect((await ask(first)).status).toBe(200);
  await revokeKey(acting, account, first.named.fingerprint);
  await expect.poll(async () => (await ask(first)).status, { timeout: 2000 }).toBe(401);
  expect((await ask(second)).status).toBe(200);
});

test.each([
  ['203.0.113.7', undefined, 200],
  ['::ffff:203.0.113.7', undefined, 200],
  ['198.51.100.200', undefined, 200],
  ['2001:db8::5', undefined, 200],
  ['203.0.113.8', undefined, 403],
  ['203.0.113.8', '203.0.113.7', 403],
  ['203.0.113.8', '203.0.113.7, 10.0.0.5', 403],
  ['10.0.0.5', '203.0.113.7', 200],
  ['10.0.0.5', '203.0.113.7, 10.0.0.9', 200],
  ['10.0.0.5', '203.0.113.7, 192.0.2.1', 403],
  ['10.0.0.5', 'nonsense', 403],
  ['10.0.0.5', undefined, 403],
  [undefined, '203.0.113.7', 403],
] as const)('F80 a query from %s that says it is forwarded for %s is %i', async (ip, forwarded, status) => {
  const gateway = { query: async () => ({ records: [], cursor: undefined }) } as unknown as Gateway;
  const behind = api.with({ gateway, behindProxy: ['10.0.0.0/24'] });
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
  const got = await behind.send(
    '/v1/retrievalTrans',
    {},
    { ...(ip === undefined ? {} : { ip }), headers, account: 'A2' },
  );
  expect(got.status).toBe(status);
  if (status === 403) expect(behind.isSigned(got, 'A2')).toBe(true);
});

test('F80 an account without registered addresses is queried by nobody, until one is registered', async () => {
  const gateway = { query: async () => ({ records: [], cursor: undefined }) } as unknown as Gateway;
  const own = await Api.make({ gateway });
  expect((await own.send('/v1/retrievalTrans', {}, { ip: '127.0.0.1' })).status).toBe(403);
  const acting = { database: own.sandbox.database, clock: () => 0, actor: 'test' };
  await allow(acting, { merchantId: 'M1', accountId: 'A1' }, 'ip', '127.0.0.1');
  await expect
    .poll(async () => (await own.send('/v1/retrievalTrans', {}, { ip: '127.0.0.1' })).status, {
      timeout: 2000,
    })
    .toBe(200);
  await own.remove();
});

test('the rate of requests is limited for each account alone', async () => {
  const limited = await Api.make({ rateLimit: { requests: 2, seconds: 60 } }, [{}, {}]);
  const statuses = [];
  for (const account of ['A1', 'A1', 'A1', 'A2'])
    statuses.push((await limited.send('/v1/capture', message, { account })).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
  const got = await limited.send('/v1/capture', message);
  expect(got.json.return_message).toMatch(/^E0002:/);
  expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(50);
  expect(limited.isSigned(got)).toBe(true);
  await limited.remove();
});
