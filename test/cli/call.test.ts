/** `batchgate call`: what is sent, whether the answer is believed, and the exit code. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { type Key, parseKey, signMessage, verifySignature } from '../../src/wire/signature.ts';
import { type CliSandbox, command, makeSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
let key: Key;
let server: Server | undefined;

beforeAll(async () => {
  sandbox = await makeSandbox();
  const parsed = parseKey(readFileSync(keyFile(), 'utf8'));
  if ('fault' in parsed) throw new Error(parsed.fault);
  key = parsed.key;
});
afterAll(() => sandbox.remove());
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const keyFile = () => join(sandbox.data, 'keys', 'M1.A1.1.key');

/** A gateway that answers every request like this; resolves with its address. */
async function listening(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A gateway that answers with this status and body. */
function answering(status: number, body: string, type = 'application/json'): Promise<string> {
  return listening((_, response) => {
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'R1' }).end(body);
  });
}

const withSignature = (fields: JsonFields) =>
  JSON.stringify({ ...fields, encryption_data: signMessage(fields, key) });

function write(message: object): string {
  const path = join(sandbox.folder, 'message.json');
  writeFileSync(path, JSON.stringify(message));
  return path;
}

const call = (operation: string, message: object, url: string, ...more: readonly string[]) =>
  sandbox.run('call', operation, write(message), '--url', url, ...more);

const OK = { merchant_id: 'M1', account_id: 'A1', return_status: '1', return_message: 'OK' };

describe('what is sent', () => {
  interface Seen {
    readonly path: string | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly message: JsonFields;
  }

  async function sent(message: object, ...more: readonly string[]): Promise<Seen> {
    let seen: Seen | undefined;
    const url = await listening(async (request, response) => {
      const message = JSON.parse(await text(request)) as JsonFields;
      seen = { path: request.url, headers: request.headers, message };
      response.setHeader('content-type', 'application/json').end(withSignature(OK));
    });
    expect((await call('capture', message, `${url}/base/`, ...more)).exit).toBe(0);
    return seen!;
  }

  test('is signed, below the path of --url, and names the only account where the file names none', async () => {
    const { path, headers, message } = await sent({ capture_orders: [] });
    expect(path).toBe('/base/v1/capture');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['idempotency-key']).toBeUndefined();
    expect(message).toMatchObject({ merchant_id: 'M1', account_id: 'A1', capture_orders: [] });
    expect(verifySignature(message, message.encryption_data, key)).toBe(true);
  });

  test('keeps what the file says, replaces its signature and carries the idempotency key', async () => {
    const given = { merchant_id: 'M1', account_id: 'A1', note: 'é', encryption_data: 'old' };
    const { headers, message } = await sent(given, '--idempotency-key', '2026/7');
    expect(headers['idempotency-key']).toBe('2026/7');
    expect(message.note).toBe('é');
    expect(verifySignature(message, message.encryption_data, key)).toBe(true);
  });

  test('with a key file no data directory is needed, but the account must be named', async () => {
    const url = await answering(200, withSignature(OK));
    const args = ['call', 'capture', write({}), '--url', url, '--key-file', keyFile(), '--data', '/nowhere'];
    expect((await command(...args, '--merchant', 'M1', '--account', 'A1')).exit).toBe(0);
    const { exit, err } = await command(...args);
    expect(exit).toBe(2);
    expect(err).toContain('neither the message nor the flags say whose it is');
  });
});

describe('the exit code says how it ended', () => {
  const entry = (status: string) => ({ ...OK, capture_orders: [{ capture_status: status }] });
  const refused = { ...OK, return_status: '0', return_message: 'I0051:There are no orders' };
  const internal = { ...refused, return_message: 'E0003:Internal error' };
  const unknown = { ...refused, return_message: 'E0001:The outcome is unknown' };
  const down = { ...refused, return_message: 'E0002:The gateway is unavailable' };

  test.each<[string, number, string | JsonFields, number, string]>([
    ['done', 200, entry('1'), 0, '200, signature right, request R1'],
    ['an order is refused', 200, entry('0'), 3, 'signature right'],
    ['an order is pending', 200, entry('2'), 9, 'signature right'],
    ['a payout failed', 200, { ...OK, status: 'FAILED' }, 3, ''],
    ['a payout is scheduled', 200, { ...OK, status: 'SCHEDULED' }, 9, ''],
    ['a payment is declined', 200, { ...OK, order_status: '0' }, 3, ''],
    ['done, but nobody signed it', 200, JSON.stringify(OK), 7, 'signature missing'],
    ['done, but the signature is wrong', 200, JSON.stringify({ ...OK, encryption_data: '0' }), 7, 'WRONG'],
    ['done, but it is no JSON', 200, '{', 7, 'The outcome is unknown'],
    ['a redirect is not followed', 302, '', 7, 'The outcome is unknown'],
    ['the request is refused', 400, refused, 3, '400, signature right'],
    ['the signature is refused', 401, JSON.stringify(refused), 4, '401'],
    ['the address is refused', 403, refused, 4, '403'],
    ['too many requests', 429, refused, 5, '429'],
    ['internal error, nothing happened', 500, internal, 5, '500'],
    ['the same, but nobody signed it', 500, JSON.stringify(internal), 7, 'The outcome is unknown'],
    ['unknown outcome', 500, unknown, 7, 'The outcome is unknown'],
    ['unavailable, nothing happened', 503, down, 5, '503'],
    ['a page of something in between', 502, '<html>', 7, 'The outcome is unknown'],
  ])('%s', async (_, status, answer, expected, said) => {
    const body = typeof answer === 'string' ? answer : withSignature(answer);
    const { exit, err } = await call('capture', {}, await answering(status, body));
    expect(exit).toBe(expected);
    expect(err).toContain(said);
  });

  test('nobody listens: nothing happened', async () => {
    const url = await answering(200, '');
    await new Promise((resolve) => server!.close(resolve));
    const { exit, err } = await call('capture', {}, url);
    expect(exit).toBe(5);
    expect(err).toContain('there is no connection (ECONNREFUSED); nothing happened');
  });

  test('no answer in time, or half of one: nobody knows', async () => {
    const silent = await call('capture', {}, await listening(() => {}), '--deadline', '100ms', '--json');
    expect(silent.exit).toBe(7);
    expect(JSON.parse(silent.out)).toEqual({
      failure: 'no_answer',
      why: 'no whole answer within 100 ms',
      exit: 7,
    });
    const half = await listening((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    });
    const broken = await call('capture', {}, half);
    expect(broken.exit).toBe(7);
    expect(broken.err).toContain('the outcome is unknown');
  });

  test('an endless answer is cut off', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    const url = await listening((_, response) => {
      response.on('error', () => {});
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    const { exit, err } = await call('capture', {}, url);
    expect(exit).toBe(7);
    expect(err).toContain('its answer has more than 8388608 bytes');
  });
});

describe('what is shown', () => {
  test('the answer, as JSON that a person can read', async () => {
    const { out } = await call('capture', {}, await answering(200, withSignature(OK)));
    expect(out).toContain('\n  "return_message": "OK",\n');
  });

  test('with --json one document', async () => {
    const { out } = await call('capture', {}, await answering(200, withSignature(OK)), '--json');
    expect(JSON.parse(out)).toMatchObject({
      status: 200,
      content_type: 'application/json',
      request_id: 'R1',
      signature: 'right',
      answer: OK,
      exit: 0,
    });
  });
});

test.each([
  [['--url', 'ftp://x'], 'is no http or https address'],
  [['--deadline', 'soon'], 'is not a duration'],
  [['--idempotency-key', 'a b'], 'visible ASCII'],
])('%j is refused before anything is sent', async (flags, said) => {
  const { exit, err } = await sandbox.run('call', 'capture', write({}), ...flags);
  expect(exit).toBe(2);
  expect(err).toContain(said);
});
