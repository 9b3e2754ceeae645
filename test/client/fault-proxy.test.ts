/** The client and a real gateway with a bad network between them: what the client says, and what the ledger knows. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayClient } from '../../src/client/gateway-client.ts';
import type { GatewayClientOptions } from '../../src/client/options.ts';
import type { Answer, Payout } from '../../src/core/gateway.ts';
import type { RunningServer } from '../../src/http/server.ts';
import { readPayout } from '../../src/wire/messages/payout.ts';
import { Api, JSON_TYPE } from '../http/api.ts';
import { FAULT_NAMES, type FaultName, FaultProxy, type FaultProxyOptions } from '../support/fault-proxy.ts';
import { serveApp } from '../support/serve-app.ts';
import { clientOf, entry, M1 } from './fake-gateway.ts';

/** Long enough for a busy machine, and short enough to wait for its end. */
const DEADLINE_MS = 1000;

let api: Api;
let server: RunningServer;
beforeAll(async () => {
  api = await Api.make({}, [{ allow_ip: ['127.0.0.1'] }]);
  server = await serveApp(api.app);
});
afterAll(async () => {
  await server.stop(1000);
  await api.remove();
});

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function proxyWith(change: Partial<FaultProxyOptions>): Promise<FaultProxy> {
  const keysOf = () => [api.key()];
  const usual = { upstream: server.url, keysOf, seed: 1, rate: 1, deadlineMs: DEADLINE_MS };
  const proxy = await FaultProxy.start({ ...usual, ...change });
  opened.push(() => proxy.close());
  return proxy;
}

/** It asks once, unless a test says otherwise. */
function clientAt({ url }: FaultProxy, change: Partial<GatewayClientOptions> = {}): GatewayClient {
  const usual = { keysOf: () => [api.key()], deadlineMs: DEADLINE_MS, attempts: 1 };
  const client = clientOf(url, { ...usual, ...change });
  opened.push(() => client.close());
  return client;
}

/** What a client makes of its requests, sorted: `done done`, or `nothing E0002`; `!` is an alarm. */
function inWords(answer: Answer): string {
  if ('failure' in answer) return `nothing ${answer.failure.code}${answer.failure.alarm ? '!' : ''}`;
  const words = answer.results.map((result) =>
    'reason' in result && result.reason.alarm ? `${result.status}!` : result.status,
  );
  return words.sort().join(' ');
}

/** Transfers of these transactions, or of this payout. */
async function transfersOf(...ids: readonly string[]): Promise<readonly string[]> {
  const transfers = await api.sandbox.transfers();
  return transfers.filter((transfer) => ids.includes(transfer.split(' ')[0]!));
}

/** Makes transactions, and what captures all of each. */
async function authorised(...ids: readonly string[]) {
  await api.sandbox.given(...ids.map((id) => ({ id })));
  return { ...M1, entries: ids.map((id) => entry(id, { amount: 10_000 })) };
}

const NOT_KNOWN = 'unknown unknown';

const NEVER_OPEN = { failures: Number.POSITIVE_INFINITY, coolMs: 1, longestMs: 1 };

/** Of a capture of two transactions: the rows it covers, what the client says, whether the gateway has executed it. */
const EXPECTED: Readonly<Record<FaultName, readonly [rows: string, says: string, executed: boolean]>> = {
  'delay-request': ['F58, in time', 'done done', true],
  'delay-answer': ['F58, in time', 'done done', true],
  'reset-before': ['F58', NOT_KNOWN, false],
  'reset-after': ['F58', NOT_KNOWN, true],
  'half-answer': ['F61', NOT_KNOWN, true],
  'half-unframed': ['F61', NOT_KNOWN, true],
  'hold-answer': ['F58', NOT_KNOWN, true],
  'refuse-429': ['F60', 'nothing E0002', false],
  'refuse-503': ['F59', NOT_KNOWN, false],
  'refuse-500': ['F59', NOT_KNOWN, false],
  'refuse-502': ['F59', NOT_KNOWN, false],
  'refuse-200': ['F69', NOT_KNOWN, false],
  redirect: ['F69', NOT_KNOWN, false],
  'executed-500': ['F59', NOT_KNOWN, true],
  'executed-502': ['F59', NOT_KNOWN, true],
  'executed-200': ['F69', NOT_KNOWN, true],
  'forge-status': ['F62', 'unknown! unknown!', true],
  'forge-amount': ['F62', 'unknown! unknown!', true],
  'drop-entry': ['F63', 'done unknown', true],
  'add-entry': ['F64', 'unknown! unknown!', true],
  'repeat-entry': ['F65', 'done done', true],
  'contradict-entry': ['F65', 'done unknown', true],
  'reorder-entries': ['F66', 'done done', true],
  'change-amount': ['F67', 'done unknown!', true],
  'change-currency': ['F67', 'done unknown!', true],
  drip: ['F68', NOT_KNOWN, true],
  'huge-body': ['F70', NOT_KNOWN, true],
  'gzip-bomb': ['F70', NOT_KNOWN, true],
  'send-twice': ['F58, sent again by the network', 'done done', true],
};

describe('a capture that meets', () => {
  test.each(FAULT_NAMES.map((fault) => [fault, ...EXPECTED[fault]] as const))(
    '%s (%s): the client says %s',
    async (fault, _, says, executed) => {
      const ids = [`${fault}-1`, `${fault}-2`];
      const request = await authorised(...ids);
      const once = ids.map((id) => `${id} capture 10000`);
      const proxy = await proxyWith({ only: [fault] });
      const client = clientAt(proxy);
      const began = performance.now();
      const answer = await client.capture(request, { idempotencyKey: fault });
      // Whatever comes, it ends soon after the deadline.
      expect(performance.now() - began).toBeLessThan(DEADLINE_MS * 3);
      expect(inWords(answer)).toBe(says);
      expect(await transfersOf(...ids)).toEqual(executed ? once : []);
      expect(proxy.faults).toEqual([
        { fault, path: '/v1/capture', idempotencyKey: fault, reached: executed ? 'yes' : 'no' },
      ]);

      // In a calm network the same key settles it, whatever it was.
      proxy.calm();
      const sentBefore = says !== 'done done' && !says.startsWith('nothing');
      expect(inWords(await client.capture(request, { idempotencyKey: fault, sentBefore }))).toBe('done done');
      expect(await transfersOf(...ids)).toEqual(once);
      expect(proxy.faults.at(-1)).toMatchObject({ fault: 'none', reached: 'yes' });
    },
  );

  test('nothing that its answer has a place for passes as it is', async () => {
    const request = await authorised('alone');
    const proxy = await proxyWith({ only: ['reorder-entries'] });
    const answer = await clientAt(proxy).capture(request, { idempotencyKey: 'alone' });
    expect(inWords(answer)).toBe('done');
    expect(proxy.faults).toMatchObject([{ fault: 'none', reached: 'yes' }]);
  });
});

describe('what has no bound, and unpacks what is packed, gets from', () => {
  async function bodyOf(fault: FaultName): Promise<string> {
    const { url } = await proxyWith({ only: [fault] });
    const order = { transaction_id: 'T404', order_no: 'O-T404', currency: 'USD', amount: '1.00' };
    const body = JSON.stringify(api.signed({ capture_orders: [order] }));
    const response = await fetch(`${url}/v1/capture`, { method: 'POST', headers: JSON_TYPE, body });
    return response.text();
  }

  test.each<[FaultName, number]>([
    ['huge-body', 9],
    ['gzip-bomb', 32],
  ])('%s: the right answer behind %i MiB of blanks', async (fault, mebibytes) => {
    const text = await bodyOf(fault);
    expect(text.length).toBeGreaterThan(mebibytes * 1024 * 1024);
    expect(api.isSigned({ json: JSON.parse(text) })).toBe(true);
  });

  test('half-unframed: half a message, which HTTP does not show', async () => {
    const text = await bodyOf('half-unframed');
    expect(text).toMatch(/^\{"/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('half-answer: half a message, which HTTP shows', async () => {
    await expect(bodyOf('half-answer')).rejects.toThrow('terminated');
  });
});

function payout(requestId: string): Payout {
  const read = readPayout({
    request_id: requestId,
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    payment_amount: '12.50',
    fee_paid_by: 'SHARED',
    beneficiary: {
      entity_type: 'COMPANY',
      company_name: 'Acme',
      bank_details: { iban: 'DE89370400440532013000', bank_country_code: 'DE', bank_code: 'x' },
    },
  });
  if ('reasons' in read) throw new Error(JSON.stringify(read));
  return read;
}

describe('a payout that meets', () => {
  test.each<[FaultName, string, string]>([
    ['forge-status', 'F62', 'unknown!'],
    ['forge-amount', 'F62', 'unknown!'],
    ['change-amount', 'F67', 'unknown!'],
    ['change-currency', 'F67', 'unknown!'],
    ['send-twice', 'F58, sent again by the network', 'done'],
    ['drop-entry', 'it has none', 'done'],
  ])('%s (%s): the client says %s', async (fault, _, says) => {
    const proxy = await proxyWith({ only: [fault] });
    const answer = await clientAt(proxy).payout(
      { ...M1, payout: payout(`P-${fault}`) },
      { idempotencyKey: `P-${fault}` },
    );
    expect(inWords(answer)).toBe(says);
    expect(await transfersOf(`P-${fault}`)).toEqual([`P-${fault} payout 1250`]);
  });
});

describe('chance', () => {
  /** Those that take no time. */
  const QUICK = { 'hold-answer': 0, drip: 0, 'huge-body': 0, 'gzip-bomb': 0 };

  async function faultsOf(seed: number): Promise<readonly string[]> {
    const proxy = await proxyWith({ seed, rate: 0.8, weights: { ...QUICK, 'reset-after': 5 } });
    const client = clientAt(proxy, { breaker: NEVER_OPEN });
    const request = { ...M1, entries: [entry('same-1'), entry('same-2')] };
    for (let index = 0; index < 40; index += 1)
      await client.capture(request, { idempotencyKey: `same-${index}` });
    expect(proxy.faults).toHaveLength(40);
    return proxy.faults.map(({ fault, reached }) => `${fault} ${reached}`);
  }

  test('that has the same seed makes the same faults', async () => {
    const first = await faultsOf(7);
    expect(await faultsOf(7)).toEqual(first);
    expect(await faultsOf(8)).not.toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(8);
    expect(first).toContain('none yes');
    expect(first.some((fault) => /^(hold|drip|huge|gzip)/.test(fault))).toBe(false);
  });

  test('spares queries where it is told so', async () => {
    await api.sandbox.given({ id: 'asked' });
    const selection = { by: 'name', orderNos: [], transactionIds: ['asked'] } as const;
    const spared = clientAt(await proxyWith({ only: ['refuse-500'], sparesQueries: true }));
    expect(await spared.query({ ...M1, selection })).toMatchObject({ records: [{}] });
    const forged = clientAt(await proxyWith({ only: ['forge-status'] }));
    expect(await forged.query({ ...M1, selection })).toMatchObject({
      failure: { code: 'E0002', alarm: true },
    });
  });

  test('and a client that asks again: what it says is true, and each is done once (F58 to F70)', async () => {
    const chunks = Array.from({ length: 16 }, (_, chunk) =>
      ['a', 'b', 'c'].map((id) => `storm-${chunk}${id}`),
    );
    const ids = chunks.flat();
    await authorised(...ids);
    const proxy = await proxyWith({ seed: 2026, rate: 0.6 });
    const client = clientAt(proxy, { attempts: 6, idempotent: true, breaker: NEVER_OPEN });
    const ask = (chunk: readonly string[], sentBefore: boolean) => {
      const entries = chunk.map((id) => entry(id, { amount: 10_000 }));
      return client.capture({ ...M1, entries }, { idempotencyKey: chunk[0]!, sentBefore });
    };

    const answers = await Promise.all(chunks.map((chunk) => ask(chunk, false)));
    await proxy.settled();
    const executed = new Set(await transfersOf(...ids));
    for (const [place, answer] of answers.entries()) {
      for (const [index, id] of chunks[place]!.entries()) {
        const said = 'failure' in answer ? 'nothing' : answer.results[index]!.status;
        // What is unknown may be either.
        if (said !== 'unknown') expect(executed.has(`${id} capture 10000`)).toBe(said === 'done');
      }
    }
    expect(proxy.faults.length).toBeGreaterThan(chunks.length);

    proxy.calm();
    for (const chunk of chunks) expect(inWords(await ask(chunk, true))).toBe('done done done');
    const once = ids.map((id) => `${id} capture 10000`);
    expect([...(await transfersOf(...ids))].sort()).toEqual(once.sort());
  });
});

test('closing ends what is held', async () => {
  const proxy = await proxyWith({ only: ['hold-answer'], deadlineMs: 60_000 });
  const client = clientAt(proxy, { deadlineMs: 60_000 });
  const answer = client.capture(await authorised('held'), { idempotencyKey: 'held' });
  await expect.poll(() => proxy.faults[0]?.reached, { timeout: 10_000 }).toBe('yes');
  const began = performance.now();
  await proxy.close();
  expect(performance.now() - began).toBeLessThan(2000);
  expect(inWords(await answer)).toBe('unknown');
});
