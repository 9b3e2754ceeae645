/** `batchgate serve` as a process: how it begins, how it ends, and what a kill leaves behind. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Folders } from '../../src/batch/folders.ts';
import { verify } from '../../src/batch/verify.ts';
import { Database } from '../../src/ledger/database.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { type Key, parseKey, signMessage, verifySignature } from '../../src/wire/signature.ts';
import { copyOf, type Prepared, prepare, type Started, start } from './program.ts';

let prepared: Prepared;
const running: Started[] = [];
beforeAll(async () => {
  prepared = await prepare(400, 11);
});
afterAll(() => {
  for (const one of running) if (!one.isOver()) one.process.kill('SIGKILL');
});

interface Serving extends Started {
  readonly url: string;
}

/** Starts a server on a port of the system's choice, and waits until it listens. */
async function serve(data: string): Promise<Serving> {
  const started = start('serve', '--data', data, '--port', '0');
  running.push(started);
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    started.process.stderr!.on('data', (piece: string) => {
      text += piece;
      const found = /^listening on (http:\/\/\S+)$/m.exec(text);
      if (found !== null) resolve(found[1]!);
    });
    void started.ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { ...started, url };
}

function keyOf(data: string): Key {
  const parsed = parseKey(readFileSync(join(data, 'keys', 'M1.A1.1.key'), 'utf8'));
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}

/** Orders that capture what the generated file captures. */
function ordersOf({ files }: Prepared): readonly JsonFields[] {
  const [, ...lines] = readFileSync(join(files, 'capture.csv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , transaction_id, order_no, currency, amount] = line.trim().split(',') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return { transaction_id, order_no, currency, amount };
  });
}

async function capture(url: string, key: Key, orders: readonly JsonFields[], idempotencyKey: string) {
  const message = { merchant_id: 'M1', account_id: 'A1', capture_orders: orders };
  const response = await fetch(`${url}/v1/capture`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify({ ...message, encryption_data: signMessage(message, key) }),
  });
  return { status: response.status, json: (await response.json()) as JsonFields };
}

async function findingsOf(data: string): Promise<readonly string[]> {
  const folders = new Folders(data);
  const database = await Database.openSnapshot(folders.database);
  const findings = await verify({ database, folders });
  await database.close();
  return findings.filter(({ ok }) => !ok).flatMap(({ named }) => named);
}

test('it says where it listens, answers, logs JSON lines and ends at SIGTERM with 143', async () => {
  const data = copyOf(prepared);
  const serving = await serve(data);
  const key = keyOf(data);
  const { status, json } = await capture(serving.url, key, ordersOf(prepared).slice(0, 50), 'first');
  expect([status, json.return_status, verifySignature(json, json.encryption_data, key)]).toEqual([
    200,
    '1',
    true,
  ]);
  serving.process.kill('SIGTERM');
  const { code, stdout, stderr } = await serving.ended;
  expect([code, stdout]).toEqual([143, '']);
  const logged = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/v1/capture', status: 200, entries: 50 },
  ]);
  expect(await findingsOf(data)).toEqual([]);
});

test('F77 a killed server answers requests under their keys once more, and the money moved once', async () => {
  const data = copyOf(prepared);
  const key = keyOf(data);
  const orders = ordersOf(prepared);
  const requests = Array.from({ length: 8 }, (_, index) => orders.slice(index * 50, index * 50 + 50));
  const first = await serve(data);
  const sent = requests.map((part, index) =>
    capture(first.url, key, part, `key-${index}`).catch(() => undefined),
  );
  await Promise.race(sent);
  first.process.kill('SIGKILL');
  const before = await Promise.all(sent);
  const second = await serve(data);
  for (const [index, part] of requests.entries()) {
    const { status, json } = await capture(second.url, key, part, `key-${index}`);
    expect(status).toBe(200);
    if (before[index] !== undefined) expect(json).toEqual(before[index]!.json);
    const statuses = (json.capture_orders as readonly JsonFields[]).map(
      ({ capture_status }) => capture_status,
    );
    expect(new Set(statuses)).toEqual(new Set(['1']));
  }
  second.process.kill('SIGTERM');
  expect((await second.ended).code).toBe(143);
  expect(await findingsOf(data)).toEqual([]);
  const database = await Database.openSnapshot(new Folders(data).database);
  const [count] = await database.reads.all<{ captures: number }>(
    'SELECT count(*) AS captures FROM transfer WHERE reference IS NULL AND request IS NOT NULL',
  );
  await database.close();
  expect(count!.captures).toBe(400);
});

test('a second signal ends it at once', async () => {
  const serving = await serve(copyOf(prepared));
  const { hostname, port } = new URL(serving.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  // A request that has begun and does not end holds the server for five seconds.
  socket.write(
    'POST /v1/capture HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  await sleep(200);
  serving.process.kill('SIGTERM');
  await sleep(300);
  expect(serving.isOver()).toBe(false);
  const began = performance.now();
  serving.process.kill('SIGTERM');
  expect((await serving.ended).code).toBe(143);
  expect(performance.now() - began).toBeLessThan(2000);
});
