/** Whatever bytes come back: the client never throws, and never says `done` without a signed entry that says so. */
import { createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GatewayClient } from '../../src/client/gateway-client.ts';
import type { Answer } from '../../src/core/gateway.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { byCard, CARDS, checkout } from '../engine/payments/shop.ts';
import { captured, captures, clientOf, entry, envelope, M1, refusal } from './fake-gateway.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 150);

/** What the server sends, on whatever it is asked, and then ends the connection. */
let bytes: Buffer = Buffer.alloc(0);
let server: Server;
let client: GatewayClient;
beforeAll(async () => {
  server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const breaker = { failures: Number.POSITIVE_INFINITY, coolMs: 1, longestMs: 1 };
  client = clientOf(`http://127.0.0.1:${port}`, { attempts: 1, breaker, deadlineMs: 1000 });
});
afterAll(async () => {
  await client.close();
  await new Promise((resolve) => server.close(resolve));
});

const GOOD = JSON.stringify(captures(captured('T1'), captured('T2')));
const REQUEST = { ...M1, entries: [entry('T1'), entry('T2')] };

function http(status: string, type: string, body: string | Buffer): Buffer {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

async function answerTo(sent: Buffer): Promise<Answer> {
  bytes = sent;
  return client.capture(REQUEST, { idempotencyKey: 'k' });
}

function done(answer: Answer): number {
  return 'failure' in answer ? 0 : answer.results.filter(({ status }) => status === 'done').length;
}

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      status: fc.constantFrom(
        '200 OK',
        '200',
        '204',
        '302',
        '400',
        '401',
        '404',
        '429',
        '500',
        '503',
        '999',
        'x',
      ),
      type: fc.constantFrom('application/json', 'application/xml', 'text/html', '', 'a/b;charset=utf-16'),
      body: fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(GOOD.slice(0, -10), '<respon>', JSON.stringify(refusal('E0002'))),
        fc
          .dictionary(
            fc.constantFrom('merchant_id', 'account_id', 'capture_orders', 'encryption_data'),
            fc.jsonValue(),
          )
          .map((fields) => JSON.stringify(envelope(fields as JsonFields))),
      ),
    })
    .map(({ status, type, body }) => http(status, type, body)),
);

test('bytes of any kind are no success and no exception', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (sent) => {
      expect(done(await answerTo(sent))).toBe(0);
    }),
    { numRuns: RUNS },
  );
});

test('a right answer with one byte changed is no success, unless it still says the same', async () => {
  const body = Buffer.from(GOOD);
  expect(done(await answerTo(http('200 OK', 'application/json', body)))).toBe(2);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const forged = Buffer.from(body);
      forged[at] = forged[at]! ^ change;
      const answer = await answerTo(http('200 OK', 'application/json', forged));
      expect(done(answer)).toBe(saysTheSame(forged) ? 2 : 0);
    }),
    { numRuns: RUNS },
  );
});

/** Hex digits of the signature may be of either case. */
function saysTheSame(forged: Buffer): boolean {
  return (
    forged.toString('latin1').toLowerCase() === GOOD.toLowerCase() &&
    withoutSignature(forged) === withoutSignature(GOOD)
  );
}

/** The text without its signature. */
function withoutSignature(text: string | Buffer): string {
  return text.toString('latin1').replace(/"encryption_data":"[^"]*"/, '');
}

test('a right answer cut off anywhere is no success', async () => {
  const whole = http('200 OK', 'application/json', GOOD);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
      expect(done(await answerTo(whole.subarray(0, length)))).toBe(0);
    }),
    { numRuns: RUNS },
  );
});

test('no other operation throws, or believes anything of it', async () => {
  const selection = { by: 'newest' } as const;
  await fc.assert(
    fc.asyncProperty(anything, async (sent) => {
      bytes = sent;
      const answers = await Promise.all([
        client.authorise({ ...byCard(CARDS.approved), ip: '' }),
        client.checkout(checkout()),
        client.query({ ...M1, selection }),
      ]);
      for (const answer of answers)
        expect(Object.keys(answer)).toEqual([expect.stringMatching(/^(failure|notFound)$/)]);
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});
