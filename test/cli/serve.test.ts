/** What `batchgate serve` refuses before it listens; its life as a process is tested among the faults. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { CliSandbox, makeSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

test.each([
  ['a host that others reach needs encryption', ['--port', '0', '--host', '0.0.0.0'], /0\.0\.0\.0.*\n.*tls/],
  ['so does one with a name', ['--port', '0', '--host', 'gateway.example'], /gateway\.example/],
  ['a port is a number', ['--port', 'x'], /--port/],
  ['a port ends at 65535', ['--port', '65536'], /65535/],
])('%s: exit 2', async (_, flags, said) => {
  const { exit, err } = await sandbox.run('serve', ...flags);
  expect([exit, err]).toEqual([2, expect.stringMatching(said)]);
});

test('a port that is in use: exit 2', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port));
  });
  const { exit, err } = await sandbox.run('serve', '--port', String(port));
  other.close();
  expect([exit, err]).toEqual([2, expect.stringContaining('in use')]);
});

test('a live directory is never served by the simulator: exit 2', async () => {
  const live = new CliSandbox();
  await live.run('init', '--environment', 'live');
  const { exit, err } = await live.run('serve', '--port', '0');
  expect([exit, err]).toEqual([2, expect.stringContaining('B0023')]);
  live.remove();
});

test.each([
  ['behind_proxy: nonsense', /behind_proxy/],
  ['behind_proxy: [10.0.0.0/33]', /behind_proxy/],
  ['tls: { key: a.pem }', /tls\.cert/],
  ['public_url: "javascript:alert(1)"', /public_url/],
  ['rate_limit: { requests: 0 }', /rate_limit\.requests/],
  ['serve: { port: 70000 }', /serve\.port/],
])('%s in batchgate.yaml: exit 2, naming the setting', async (line, said) => {
  const copy = sandbox.copy();
  appendFileSync(join(copy.data, 'batchgate.yaml'), `${line}\n`);
  const { exit, err } = await copy.run('serve', '--port', '0');
  expect([exit, err]).toEqual([2, expect.stringMatching(said)]);
  copy.remove();
});

test('a missing certificate is named: exit 2', async () => {
  const copy = sandbox.copy();
  appendFileSync(join(copy.data, 'batchgate.yaml'), 'tls: { key: no.pem, cert: no.pem }\n');
  const { exit, err } = await copy.run('serve', '--port', '0', '--host', '0.0.0.0');
  expect([exit, err]).toEqual([2, expect.stringContaining(join(copy.data, 'no.pem'))]);
  copy.remove();
});

test('settings come from flags, then the file, then defaults', () => {
  const copy = sandbox.copy();
  const read = (flags: object) => loadConfig({ data: copy.data, ...flags }).serve;
  expect(read({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    limits: { requestTimeoutMs: 30_000, headersTimeoutMs: 10_000 },
    publicUrl: undefined,
    tls: undefined,
    behindProxy: [],
    rateLimit: undefined,
  });
  const lines = [
    'serve: { port: 9000, request_timeout: 5 }',
    'public_url: https://pay.example/',
    'behind_proxy: 10.0.0.0/8',
    'rate_limit: { requests: 20 }',
  ];
  appendFileSync(join(copy.data, 'batchgate.yaml'), `${lines.join('\n')}\n`);
  expect(read({ port: '0' })).toMatchObject({
    port: 0,
    limits: { requestTimeoutMs: 5000, headersTimeoutMs: 5000 },
    publicUrl: 'https://pay.example',
    behindProxy: ['10.0.0.0/8'],
    rateLimit: { requests: 20, seconds: 1 },
  });
  expect(read({}).port).toBe(9000);
  copy.remove();
});
