/** The listening server against clients that break the rules, by raw sockets. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Gateway } from '../../src/core/gateway.ts';
import { HttpMetrics } from '../../src/http/metrics.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { Api } from '../http/api.ts';

let api: Api;
let server: RunningServer;

beforeAll(async () => {
  api = await Api.make();
  server = await serving(api);
});
afterAll(async () => {
  await server.stop(1000);
  await api.remove();
});

function serving({ app, records }: Api): Promise<RunningServer> {
  let ids = 0;
  return startServer({
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    limits: { requestTimeoutMs: 1500, headersTimeoutMs: 800 },
    observation: {
      environment: 'sandbox',
      requestId: () => `bare-${++ids}`,
      log: { request: (record) => records.push(record), error: () => undefined },
      metrics: new HttpMetrics(),
    },
    app: () => app,
  });
}

/** A connection, and all that comes back on it until it is closed. */
function dial(): { readonly socket: Socket; readonly all: Promise<string> } {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const all = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(text)).on('close', () => resolve(text));
  });
  return { socket, all };
}

function exchange(...lines: readonly string[]): Promise<string> {
  const { socket, all } = dial();
  socket.write(lines.join('\r\n'));
  return all;
}

const HOST = 'Host: gateway.example';
const JSON_LINE = 'Content-Type: application/json';

function captureBody(): string {
  const order = { transaction_id: 'none', order_no: 'O', currency: 'USD', amount: '1.00' };
  return JSON.stringify(api.signed({ capture_orders: [order] }));
}

test.each([
  [
    'a length and chunks',
    [HOST, JSON_LINE, 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', '', ''],
  ],
  ['two lengths', [HOST, JSON_LINE, 'Content-Length: 2', 'Content-Length: 3', '', '{}', '']],
  ['two hosts', [HOST, 'Host: other.example', JSON_LINE, 'Content-Length: 2', '', '{}']],
  ['the same host twice', [HOST, HOST, JSON_LINE, 'Content-Length: 2', '', '{}']],
  ['no host', [JSON_LINE, 'Content-Length: 2', '', '{}']],
  ['a malformed host', ['Host: a b', JSON_LINE, 'Content-Length: 2', '', '{}']],
  ['a header that is none', [HOST, 'Content Length 5', '', '']],
  ['chunks of no size', [HOST, JSON_LINE, 'Transfer-Encoding: chunked', '', 'zz', '', '']],
  ['an encoding that is not known', [HOST, JSON_LINE, 'Transfer-Encoding: gzip', '', '']],
])('F83 %s: 400, and the connection ends', async (_, lines) => {
  const text = await exchange('POST /v1/capture HTTP/1.1', ...lines);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/\r\nX-Request-Id: \S+/i);
  expect(text).toMatch(/\r\nX-Batchgate-Environment: sandbox\r\n/i);
  expect(text).toContain('"return_status":"0"');
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('F83 a head of 20 KiB is 431', async () => {
  const text = await exchange('GET /healthz HTTP/1.1', HOST, `X-Long: ${'x'.repeat(20_000)}`, '', '');
  expect(text).toMatch(/^HTTP\/1\.1 431 /);
});

test('F84 a head that does not end is 408', async () => {
  const began = performance.now();
  const text = await exchange('POST /v1/capture HTTP/1.1', HOST, 'X-Slow: ');
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('F84 a body that does not end is 408, and others are served meanwhile', async () => {
  const { socket, all } = dial();
  const body = captureBody();
  socket.write(
    [
      'POST /v1/capture HTTP/1.1',
      HOST,
      JSON_LINE,
      `Content-Length: ${body.length}`,
      '',
      body.slice(0, 20),
    ].join('\r\n'),
  );
  let over = false;
  void all.then(() => {
    over = true;
  });
  let served = 0;
  while (!over) {
    const response = await fetch(`${server.url}/v1/capture`, {
      method: 'POST',
      body: captureBody(),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    served += 1;
    await sleep(20);
  }
  expect(await all).toMatch(/^HTTP\/1\.1 408 /);
  expect(served).toBeGreaterThan(1);
});

test('F84 a body that trickles is 408 by the deadline of the whole request', async () => {
  const { socket, all } = dial();
  const began = performance.now();
  socket.write(['POST /v1/capture HTTP/1.1', HOST, JSON_LINE, 'Content-Length: 1000', '', '{'].join('\r\n'));
  const trickle = setInterval(() => socket.write(' '), 50);
  expect(await all).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(trickle);
  expect(performance.now() - began).toBeLessThan(6000);
});

test('F75 a body above 1 MiB gets its 413 although nobody reads it to the end', async () => {
  const { socket, all } = dial();
  socket.write(
    [
      'POST /v1/capture HTTP/1.1',
      HOST,
      JSON_LINE,
      'Connection: close',
      'Content-Length: 3000000',
      '',
      '',
    ].join('\r\n'),
  );
  socket.write('x'.repeat(3_000_000));
  expect(await all).toMatch(/^HTTP\/1\.1 413 /);
});

test('F75 a body above 1 MiB in chunks gets its 413', async () => {
  const { socket, all } = dial();
  socket.write(
    [
      'POST /v1/capture HTTP/1.1',
      HOST,
      JSON_LINE,
      'Connection: close',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n'),
  );
  for (let chunk = 0; chunk < 40; chunk += 1) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  socket.write('0\r\n\r\n');
  expect(await all).toMatch(/^HTTP\/1\.1 413 /);
});

test('several requests on one connection are answered in turn', async () => {
  const body = captureBody();
  const one = [
    'POST /v1/capture HTTP/1.1',
    HOST,
    JSON_LINE,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
  const last = ['GET /healthz HTTP/1.1', HOST, 'Connection: close', '', ''].join('\r\n');
  const text = await exchange(one + one + last);
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
});

test('F83 what follows a request and is none never answers that request', async () => {
  const body = captureBody();
  const head = ['POST /v1/capture HTTP/1.1', HOST, JSON_LINE, `Content-Length: ${Buffer.byteLength(body)}`];
  const text = await exchange([...head, '', body].join('\r\n'), 'garbage', '', '');
  expect(text).not.toMatch(/HTTP\/1\.1 400/);
});

test('a server that ends answers what it is asked, and accepts nothing more', async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const capture = async (): Promise<Answer> => {
    await held;
    return { results: [{ status: 'done', reference: 'R', moved: [] }], at: 0 };
  };
  const ending = await serving(api.with({ gateway: { capture } as unknown as Gateway }));
  const post = () =>
    fetch(`${ending.url}/v1/capture`, {
      method: 'POST',
      body: captureBody(),
      headers: { 'Content-Type': 'application/json' },
    });
  const inFlight = post();
  await sleep(100);
  const stopped = ending.stop(3000);
  await sleep(50);
  await expect(post()).rejects.toThrow();
  answer();
  expect((await inFlight).status).toBe(200);
  await stopped;
});

test('a server that ends waits no longer than it is told', async () => {
  const ending = await serving(
    api.with({ gateway: { capture: () => new Promise(() => undefined) } as unknown as Gateway }),
  );
  const inFlight = fetch(`${ending.url}/v1/capture`, {
    method: 'POST',
    body: captureBody(),
    headers: { 'Content-Type': 'application/json' },
  });
  const failed = expect(inFlight).rejects.toThrow();
  await sleep(100);
  const began = performance.now();
  await ending.stop(300);
  expect(performance.now() - began).toBeLessThan(1500);
  await failed;
});
