/** Addresses, connections, TLS, concurrency, and how messages are signed. */
import { createHash } from 'node:crypto';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Breaker } from '../../src/client/breaker.ts';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import { addressFault } from '../../src/client/options.ts';
import type { Profile } from '../../src/client/profile.ts';
import { backoff, retryAfterMs } from '../../src/client/waiting.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../http/certificate.ts';
import {
  captured,
  captures,
  clientOf,
  entry,
  envelope,
  FakeGateway,
  KEY,
  M1,
  sendJson,
} from './fake-gateway.ts';

const ONE = { ...M1, entries: [entry('T1')] };

let gateway: FakeGateway;
let client: GatewayClient | undefined;
beforeAll(async () => {
  gateway = await FakeGateway.start(() => undefined);
});
afterAll(() => gateway.stop());
afterEach(async () => {
  await client?.close();
  client = undefined;
  gateway.asked.length = 0;
});

describe('the address', () => {
  test.each<[string, string | undefined]>([
    ['https://gateway.example', undefined],
    ['https://gateway.example/payments/', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['http://[::1]:8080', undefined],
    ['http://localhost', undefined],
    ['http://gateway.example', 'begins with http: only this machine is asked so'],
    ['http://127.0.0.1.example', 'begins with http: only this machine is asked so'],
    ['https://me:secret@gateway.example', 'must not hold a password'],
    ['https://gateway.example/?a=b', 'ends with a path: operations lie below it'],
    ['ftp://gateway.example', 'is no http or https address'],
    ['gateway.example', 'is no URL'],
  ])('%s', (url, fault) => {
    expect(addressFault(url, false)).toBe(fault);
  });

  test('a client is not made for one that cannot be used', () => {
    expect(() => new GatewayClient({ url: 'http://gateway.example', keysOf: () => [KEY] })).toThrow(
      TypeError,
    );
  });

  test('operations lie below it', async () => {
    gateway.script = (response) => sendJson(response, captures(captured('T1')));
    client = clientOf(`${gateway.url}/below/`);
    await client.capture(ONE);
    expect(gateway.asked.map(({ path }) => path)).toEqual(['/below/v1/capture']);
  });
});

describe('connections', () => {
  test('are used again, and never more than allowed at once', async () => {
    let now = 0;
    let most = 0;
    gateway.script = (response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        sendJson(response, captures(captured('T1')));
      }, 5);
    };
    client = clientOf(gateway.url, { concurrency: 3 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => client!.capture(ONE)));
    expect(answers.every((answer) => 'results' in answer && answer.results[0]!.status === 'done')).toBe(true);
    expect(most).toBe(3);
    expect(new Set(gateway.asked.map(({ port }) => port)).size).toBe(3);
  });

  test('F62 one that ends before it is answered by TLS: nothing happened', async () => {
    const server = createServer((socket) => socket.destroy());
    await listening(server);
    client = clientOf(`https://127.0.0.1:${portOf(server)}`, { attempts: 1 });
    expect(await client.capture(ONE)).toMatchObject({ failure: { code: 'E0002' } });
    await closed(server);
  });
});

describe('TLS', () => {
  const server = createTlsServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
    request.resume();
    sendJson(response, captures(captured('T1')));
  });
  beforeAll(() => listening(server));
  afterAll(() => closed(server));

  test('F62 a gateway that cannot prove who it is is sent nothing, and that is an alarm', async () => {
    let asked = 0;
    server.on('request', () => {
      asked += 1;
    });
    client = clientOf(`https://127.0.0.1:${portOf(server)}`);
    expect(await client.capture(ONE)).toMatchObject({ failure: { code: 'E0002', alarm: true } });
    expect(asked).toBe(0);
  });

  test('one whose authority is named is believed', async () => {
    client = clientOf(`https://127.0.0.1:${portOf(server)}`, { ca: CERTIFICATE });
    expect(await client.capture(ONE)).toMatchObject({ results: [{ status: 'done' }] });
  });
});

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}

function closed(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve));
}

describe('profile sha256-concat', () => {
  const profile: Profile = {
    name: 'sha256-concat',
    request: ['merchant_id', 'account_id', 'order_no'],
    answer: ['merchant_id', 'return_status', 'return_message'],
  };
  const hash = (text: string) =>
    createHash('sha256')
      .update(`${text}${KEY.export().toString('utf8')}`, 'utf8')
      .digest('hex');
  const answer = (encryption_data: string): JsonFields => ({
    ...envelope({ capture_orders: [captured('T1')] }),
    encryption_data,
  });

  test('signs the fields that are named, absent ones empty, the key last', async () => {
    gateway.script = (response) => sendJson(response, answer(hash('M11OK')));
    client = clientOf(gateway.url, { profile });
    expect(await client.capture(ONE)).toMatchObject({ results: [{ status: 'done' }] });
    expect(gateway.asked[0]!.message.encryption_data).toBe(hash('M1A1'));
  });

  test.each([hash('M10OK'), hash('M1'), '', 'f'.repeat(64)])('F62 does not believe %s', async (signature) => {
    gateway.script = (response) => sendJson(response, answer(signature));
    client = clientOf(gateway.url, { profile });
    expect(await client.capture(ONE)).toMatchObject({
      results: [{ status: 'unknown', reason: { alarm: true } }],
    });
  });
});

describe('F72 the breaker', () => {
  const breaker = () => new Breaker({ failures: 3, coolMs: 100, longestMs: 300 });

  test('opens after so many failures in a row, and lets one try through when it has waited', () => {
    const one = breaker();
    for (let time = 0; time < 3; time += 1) {
      expect(one.admits(time)).toBe(true);
      one.failed(time);
    }
    expect([one.admits(50), one.admits(101), one.admits(102)]).toEqual([false, false, true]);
    expect(one.admits(103)).toBe(false);
    one.succeeded();
    expect(one.admits(104)).toBe(true);
  });

  test('waits twice as long after every vain try, and at most so long', () => {
    const one = breaker();
    for (const time of [0, 0, 0]) one.failed(time);
    let now = 0;
    const waits: number[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const from = now;
      while (!one.admits(now)) now += 1;
      waits.push(now - from);
      one.failed(now);
    }
    expect(waits).toEqual([100, 200, 300, 300]);
  });

  test('counts failures in a row only', () => {
    const one = breaker();
    for (let time = 0; time < 20; time += 1) {
      one.failed(time);
      one.failed(time);
      one.succeeded();
      expect(one.admits(time)).toBe(true);
    }
  });
});

describe('F59 waiting', () => {
  test('grows, is capped, and takes up to half of it from chance', () => {
    const waits = (chance: number) => [1, 2, 3, 6, 20].map((attempt) => backoff(attempt, () => chance));
    expect(waits(0)).toEqual([100, 200, 400, 3200, 5000]);
    expect(waits(0.999999)).toEqual([200, 400, 800, 6400, 10_000]);
  });

  test.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['0', 0],
    ['120', 120_000],
    ['Fri, 20 Nov 2026 12:00:10 GMT', 10_000],
    ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['9999999999', undefined],
  ])('F60 Retry-After: %s', (header, expected) => {
    expect(retryAfterMs(header, Date.UTC(2026, 10, 20, 12))).toBe(expected);
  });
});
