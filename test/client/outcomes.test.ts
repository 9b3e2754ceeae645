/** What the client makes of every answer to a capture of two transactions: done, nothing happened, or unknown. */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayClient } from '../../src/client/gateway-client.ts';
import type { GatewayClientOptions } from '../../src/client/options.ts';
import type { Answer, CallOptions, Result } from '../../src/core/gateway.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import {
  bareRefusal,
  captured,
  captures,
  clientOf,
  entry,
  envelope,
  FakeGateway,
  FakeTime,
  keyOf,
  M1,
  refusal,
  type Script,
  sendJson,
  signed,
} from './fake-gateway.ts';

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

const TWO = { ...M1, entries: [entry('T1'), entry('T2')] };

/** Captures T1 and T2. */
async function capture(
  script: Script,
  options: Partial<GatewayClientOptions> = {},
  call: CallOptions = { idempotencyKey: 'key-1' },
): Promise<Answer> {
  gateway.script = script;
  client = clientOf(gateway.url, options);
  return client.capture(TWO, call);
}

/** An answer in few words, such as `done done` or `nothing E0002`; `!` is an alarm. */
function inWords(answer: Answer): string {
  if ('failure' in answer) return `nothing ${answer.failure.code}${answer.failure.alarm ? ' !' : ''}`;
  return answer.results.map(resultInWords).join(' ');
}

function resultInWords(result: Result): string {
  if (!('reason' in result)) return result.status;
  const { code, alarm } = result.reason;
  return `${result.status}${result.status === 'refused' ? `:${code}` : ''}${alarm ? '!' : ''}`;
}

const json =
  (fields: JsonFields, status?: number, headers?: Readonly<Record<string, string>>): Script =>
  (response) =>
    sendJson(response, fields, status, headers);

const html =
  (status: number, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<h1>Hello</h1>');

const GOOD = captures(captured('T1'), captured('T2'));
const OTHER_KEY = keyOf('the key of somebody else entirely!!');
const NO_SIGNATURE = envelope({ capture_orders: [captured('T1'), captured('T2')] });

describe('a signed answer', () => {
  test.each<[string, JsonFields, string]>([
    ['says that both are done', GOOD, 'done done'],
    [
      'F66 in another order is matched by transaction and order',
      captures(captured('T2'), captured('T1', { capture_status: '0', error_message: 'V0005:too much' })),
      'refused:V0005 done',
    ],
    ['F63 without an entry leaves that line unknown', captures(captured('T2')), 'unknown done'],
    ['F63 without any entry leaves all unknown', captures(), 'unknown unknown'],
    [
      'F64 with an entry nobody asked for is an alarm for all',
      captures(captured('T1'), captured('T2'), captured('T3')),
      'unknown! unknown!',
    ],
    [
      'F64 with the order of another transaction is an alarm for all',
      captures(captured('T1'), captured('T2', { order_no: 'O-T1' })),
      'unknown! unknown!',
    ],
    [
      'F65 with the same entry twice counts it once',
      captures(captured('T1'), captured('T1'), captured('T2')),
      'done done',
    ],
    [
      'F65 with two entries that contradict each other leaves that line unknown',
      captures(
        captured('T1'),
        captured('T1', { capture_status: '0', error_message: 'V0005:x' }),
        captured('T2'),
      ),
      'unknown done',
    ],
    [
      'F67 with another amount is an alarm',
      captures(captured('T1', { amount: '10.01' }), captured('T2')),
      'unknown! done',
    ],
    [
      'F67 with another currency is an alarm',
      captures(captured('T1', { currency: 'EUR' }), captured('T2')),
      'unknown! done',
    ],
    [
      'F67 that writes the same amount otherwise is none',
      captures(captured('T1', { amount: '10.0' }), captured('T2')),
      'done done',
    ],
    [
      'that is done and has a reason is unknown',
      captures(captured('T1', { error_message: 'V0005:x' }), captured('T2')),
      'unknown done',
    ],
    [
      'that is refused without a reason is unknown',
      captures(captured('T1', { capture_status: '0' }), captured('T2')),
      'unknown done',
    ],
    ['that is pending', captures(captured('T1', { capture_status: '2' }), captured('T2')), 'pending done'],
    [
      'that does not know itself',
      captures(captured('T1', { capture_status: '2', error_message: 'E0001:?' }), captured('T2')),
      'unknown done',
    ],
    [
      'with a code of its own is refused',
      captures(captured('T1', { capture_status: '0', error_message: 'V9123:no' }), captured('T2')),
      'refused:V0007 done',
    ],
    [
      'with a field that nobody agreed on is unknown',
      captures(captured('T1', { extra: '' }), captured('T2')),
      'unknown unknown',
    ],
    [
      'with a status that nobody agreed on is unknown',
      captures(captured('T1', { capture_status: '7' }), captured('T2')),
      'unknown unknown',
    ],
    ['for another account is an alarm', signed({ ...NO_SIGNATURE, account_id: 'A2' }), 'unknown! unknown!'],
    ['that refuses the request with 200', refusal('I0051'), 'nothing I0051'],
  ])('%s', async (_, fields, expected) => {
    expect(inWords(await capture(json(fields)))).toBe(expected);
    expect(gateway.asked).toHaveLength(1);
  });
});

describe('F62 the signature', () => {
  test.each<[string, JsonFields, number, string]>([
    ['of somebody else on a success', signed(NO_SIGNATURE, OTHER_KEY), 200, 'unknown! unknown!'],
    ['missing from a success', NO_SIGNATURE, 200, 'unknown! unknown!'],
    ['that is no signature', { ...NO_SIGNATURE, encryption_data: 'yes' }, 200, 'unknown! unknown!'],
    ['of somebody else on a refusal', refusal('I0002', OTHER_KEY), 400, 'unknown! unknown!'],
    ['of somebody else on E0002', refusal('E0002', OTHER_KEY), 503, 'unknown! unknown!'],
    ['missing from 400', bareRefusal('I0051'), 400, 'nothing I0051'],
    ['missing from 401', bareRefusal('I0013'), 401, 'nothing I0013'],
    ['missing from 403', bareRefusal('I0013'), 403, 'nothing I0013'],
    ['missing from 404', bareRefusal('I0002'), 404, 'nothing I0002'],
    ['missing from 413', bareRefusal('I0002'), 413, 'nothing I0002'],
    ['missing from 415', bareRefusal('I0002'), 415, 'nothing I0002'],
    ['missing from 429', bareRefusal('E0002'), 429, 'nothing E0002'],
    ['missing from 409', bareRefusal('V0015'), 409, 'unknown unknown'],
    ['missing from 400 that does not know itself', bareRefusal('E0001'), 400, 'unknown unknown'],
    ['right on 409', refusal('V0015'), 409, 'nothing V0015'],
    ['right on a request in progress', refusal('I0062'), 409, 'unknown unknown'],
  ])('%s', async (_, fields, status, expected) => {
    expect(inWords(await capture(json(fields, status), { attempts: 1 }))).toBe(expected);
  });

  test.each([400, 401, 403, 404, 413, 415, 429])(
    'a bare %i, whatever it says: nothing happened',
    async (status) => {
      expect(inWords(await capture(html(status), { attempts: 1 }))).toMatch(/^nothing (I0002|I0013|E0002)$/);
    },
  );

  test('a refused connection: nothing happened', async () => {
    const closed = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
    });
    client = clientOf(`http://127.0.0.1:${closed}`);
    expect(inWords(await client.capture(TWO))).toBe('nothing E0002');
  });

  test('what was sent before stays unknown, whatever it is answered now', async () => {
    const sent = { idempotencyKey: 'key-1', sentBefore: true };
    for (const status of [400, 401, 429, 503]) {
      const answer = await capture(json(refusal('E0002'), status), { attempts: 1 }, sent);
      expect(inWords(answer)).toBe('unknown unknown');
    }
    expect(inWords(await capture(json(GOOD), {}, sent))).toBe('done done');
  });

  test('an older key of the account verifies, the newest signs', async () => {
    const keysOf = () => [OTHER_KEY, keyOf('the newest key of the account, M1/A1')];
    expect(inWords(await capture(json(signed(NO_SIGNATURE, OTHER_KEY)), { keysOf }))).toBe('done done');
  });
});

describe('F58 an answer that does not come', () => {
  const scripts: readonly (readonly [string, Script])[] = [
    ['a reset', (response) => (response.socket as unknown as { resetAndDestroy(): void }).resetAndDestroy()],
    ['an end', (response) => response.socket!.destroy()],
    ['a time-out', () => undefined],
    ['F61 half an answer', (response) => half(response, { 'Content-Length': '1000' })],
    ['F61 half a chunked answer', (response) => half(response, { 'Transfer-Encoding': 'chunked' })],
    ['F61 half an answer that nothing says is half', (response) => half(response, { Connection: 'close' })],
    ['F68 an answer byte by byte', drip],
  ];

  test.each(scripts)('%s is unknown', async (_, script) => {
    const begun = Date.now();
    const answer = await capture(script, { deadlineMs: 300, attempts: 1 });
    expect(inWords(answer)).toBe('unknown unknown');
    expect(Date.now() - begun).toBeLessThan(3000);
  });

  test.each(scripts)(
    '%s is sent again under the same key where the gateway is known to allow it',
    async (_, script) => {
      const first: Script = (response, asked) =>
        asked.number === 1 ? script(response, asked) : sendJson(response, GOOD);
      const answer = await capture(first, { deadlineMs: 300, idempotent: true });
      expect(inWords(answer)).toBe('done done');
      const [one, other] = gateway.asked;
      expect(gateway.asked).toHaveLength(2);
      expect(other!.message).toEqual(one!.message);
      expect([one, other].map((asked) => asked!.headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
    },
  );

  test('is not sent again without a key', async () => {
    const answer = await capture((response) => response.socket!.destroy(), { idempotent: true }, {});
    expect(inWords(answer)).toBe('unknown unknown');
    expect(gateway.asked).toHaveLength(1);
  });

  test('stays unknown when the second attempt is refused', async () => {
    const script: Script = (response, { number }) =>
      number === 1 ? response.socket!.destroy() : sendJson(response, bareRefusal('I0013'), 401);
    const answer = await capture(script, { idempotent: true });
    expect(inWords(answer)).toBe('unknown unknown');
    expect(gateway.asked).toHaveLength(2);
  });
});

function half(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
  response.write('{"merchant_id":"M1","account', () => response.socket?.destroy());
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

describe('F59 a failing gateway', () => {
  test.each<[string, Script, string]>([
    ['500 without a signature', html(500), 'unknown unknown'],
    ['502 of a proxy', html(502), 'unknown unknown'],
    ['503 without a signature', json(bareRefusal('E0002'), 503), 'unknown unknown'],
    ['500 with a signature', json(refusal('E0003'), 500), 'unknown unknown'],
    ['503 with a signature and another code', json(refusal('E0003'), 503), 'unknown unknown'],
    ['503 with a signature and E0002', json(refusal('E0002'), 503), 'nothing E0002'],
  ])('%s', async (_, script, expected) => {
    expect(inWords(await capture(script, { attempts: 1 }))).toBe(expected);
  });

  test('is asked again under the same key, each time later, at most so often', async () => {
    const timing = new FakeTime();
    const answer = await capture(html(500), { idempotent: true, timing });
    expect(inWords(answer)).toBe('unknown unknown');
    expect(gateway.asked.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('key-1'));
    expect(timing.slept).toEqual([150, 300, 600]);
  });

  test('is asked once where nothing is known of its keys', async () => {
    await capture(html(500));
    expect(gateway.asked).toHaveLength(1);
  });

  test('that was too busy is asked again', async () => {
    const script: Script = (response, { number }) =>
      number === 1 ? sendJson(response, refusal('E0002'), 503) : sendJson(response, GOOD);
    expect(inWords(await capture(script))).toBe('done done');
  });
});

describe('F60 429', () => {
  const once =
    (retryAfter: string): Script =>
    (response, { number }) =>
      number === 1
        ? sendJson(response, bareRefusal('E0002'), 429, { 'Retry-After': retryAfter })
        : sendJson(response, GOOD);

  test.each<[string, string, number]>([
    ['seconds', '7', 7000],
    ['a date', new Date(1_000_000 + 9000).toUTCString(), 9000],
  ])('Retry-After with %s is honoured', async (_, header, least) => {
    const timing = new FakeTime();
    expect(inWords(await capture(once(header), { timing }))).toBe('done done');
    expect(timing.now - 1_000_000).toBeGreaterThanOrEqual(least);
    expect(timing.now - 1_000_000).toBeLessThan(least + 1000);
  });

  test('a wait beyond all patience is not begun, and others wait with it', async () => {
    const timing = new FakeTime();
    const answer = await capture(once('3600'), { timing });
    expect(inWords(answer)).toBe('nothing E0002');
    expect(inWords(await client!.capture(TWO))).toBe('nothing E0002');
    expect(gateway.asked).toHaveLength(1);
    timing.now += 3_600_000;
    expect(inWords(await client!.capture(TWO))).toBe('done done');
  });
});

describe('F69 what is no answer of the API', () => {
  test.each<[string, Script]>([
    ['HTML with 200', html(200)],
    ['a redirect', html(302, { Location: '/v1/capture' })],
    ['a redirect that keeps the method', html(307, { Location: '/v1/capture' })],
    ['204', (response) => response.writeHead(204).end()],
    ['201', json(GOOD, 201)],
    [
      'an answer under another type',
      (response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(JSON.stringify(GOOD)),
    ],
    ['a list', (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')],
    [
      'a key twice',
      (response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(`{"merchant_id":"M1",${JSON.stringify(GOOD).slice(1)}`),
    ],
    ['nothing', (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end()],
    [
      'XML with a success',
      (response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/xml' })
          .end('<respon><merchant_id>M1</merchant_id></respon>'),
    ],
  ])('%s is unknown, asked once', async (_, script) => {
    expect(inWords(await capture(script, { idempotent: true }))).toMatch(/^unknown!? unknown!?$/);
    expect(gateway.asked).toHaveLength(1);
  });
});

const PIECE = Buffer.alloc(64 * 1024, 0x20);

describe('F70 a body that is too much', () => {
  test('is not read to its end', async () => {
    let written = 0;
    const endless: Script = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = () => {
        for (let goesOn = true; goesOn && !response.destroyed; written += PIECE.length) {
          goesOn = response.write(PIECE);
        }
      };
      response.on('drain', more);
      more();
    };
    expect(inWords(await capture(endless, { attempts: 1, deadlineMs: 20_000 }))).toBe('unknown unknown');
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('is never unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 });
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await capture((response) => response.writeHead(200, headers).end(bomb), { attempts: 1 });
    expect(inWords(answer)).toBe('unknown unknown');
    expect(gateway.asked[0]!.headers['accept-encoding']).toBe('identity');
  });
});

describe('F72 a gateway that is down', () => {
  test('is left alone after some failures, and asked again after a while', async () => {
    const timing = new FakeTime();
    let up = false;
    gateway.script = (response) => (up ? sendJson(response, GOOD) : response.socket!.destroy());
    client = clientOf(gateway.url, { timing, attempts: 1 });
    const words: string[] = [];
    for (let minute = 0; minute < 60; minute += 1) {
      for (let chunk = 0; chunk < 20; chunk += 1) words.push(inWords(await client.capture(TWO)));
      timing.now += 60_000;
    }
    // Five until it opens, then one try each time that the breaker has waited long enough.
    expect(words.filter((word) => word === 'unknown unknown').length).toBeLessThan(25);
    expect(gateway.asked.length).toBe(words.filter((word) => word === 'unknown unknown').length);
    expect(words.at(-1)).toBe('nothing E0002');
    up = true;
    timing.now += 300_000;
    expect(inWords(await client.capture(TWO))).toBe('done done');
    expect(inWords(await client.capture(TWO))).toBe('done done');
  });
});
