/** The script that a merchant's developer starts from, against a real server, and the types that come with the library. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';
import { Served } from '../support/served.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let sandbox: CliSandbox;
let served: Served;
beforeAll(async () => {
  sandbox = await makeSandbox();
  await sandbox.run('account', 'allow-ip', '127.0.0.1');
  served = await Served.start(sandbox.data);
});
afterAll(async () => {
  await served?.stop();
  sandbox.remove();
});

/** The key of the only account. */
function keyFile(): string {
  const keys = join(sandbox.data, 'keys');
  return join(keys, readdirSync(keys).find((name) => name.startsWith('M1'))!);
}

test('samples/client.mjs captures a part, and finds it captured; again it is the same', async () => {
  const script = join(ROOT, 'samples', 'client.mjs');
  const { stdout } = await run(process.execPath, [script, served.url, keyFile()]);
  expect(stdout).toMatch(/status: 'done'/);
  expect(stdout).toMatch(/state: 'partially_captured'/);
  const again = await run(process.execPath, [script, served.url, keyFile()]);
  expect(again.stdout).toBe(stdout);
  expect((await sandbox.run('verify')).exit).toBe(0);
});

test('it has at most a dozen lines of code', () => {
  const lines = readFileSync(join(ROOT, 'samples', 'client.mjs'), 'utf8').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(12);
});

test('a project in TypeScript that uses the library knows its types', { timeout: 120_000 }, async () => {
  const project = mkdtempSync(join(tmpdir(), 'batchgate-typed-'));
  try {
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(ROOT, join(project, 'node_modules', 'batchgate'));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'shop.ts'), SHOP);
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const types = ['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node'];
    await run(process.execPath, [tsc, ...options, ...types, 'shop.ts'], { cwd: project });
  } finally {
    rmSync(project, { recursive: true });
  }
});

const SHOP = `
import { type Answer, type Gateway, GatewayClient, type Key, type Reason, parseKey } from 'batchgate';
const parsed = parseKey('x');
const keys: readonly Key[] = 'key' in parsed ? [parsed.key] : [];
const gateway: Gateway = new GatewayClient({ url: 'https://gateway.example', keysOf: () => keys });
export const why = (answer: Answer): Reason | undefined => ('failure' in answer ? answer.failure : undefined);
// @ts-expect-error an account is needed
void gateway.capture({ entries: [] });
`;
