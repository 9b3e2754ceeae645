/**
 * Files against a remote gateway: `batchgate run --gateway URL` against `batchgate serve` in another process on the same
 * cores, and beside it, in the same run, the same file against the embedded engine. Usage: node bench/remote.mjs
 * [lines] [rounds]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serving } from './http.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'batchgate.js');
const CURRENCIES = ['USD', 'EUR', 'JPY'].flatMap((currency) => ['--currency', currency]);

/** Measures and prints. A round is a fresh ledger for the embedded run, and another one behind a fresh server. */
export async function measureRemote(out, lines, rounds) {
  const folder = join(out, 'remote');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = join(folder, 'files');
  const base = join(folder, 'base');
  batchgate('generate', '--transactions', String(lines), '--seed', '1', '--ids', 'ordered', '--out', files);
  batchgate('init', '--data', base);
  batchgate('account', 'add', '--data', base, '--merchant', 'M1', '--account', 'A1', ...CURRENCIES);
  batchgate('import', join(files, 'transactions.csv'), '--data', base);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(folder, base, lines));
  const by = (pick) => measured.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
  const embedded = by((one) => one.embedded);
  const remote = by((one) => one.remote);
  console.log(`\n${lines} captures, ${rounds} rounds, medians; seconds from start to exit`);
  console.log(`embedded ${embedded.toFixed(1)} s (${Math.round(lines / embedded)} lines/s)`);
  console.log(`remote   ${remote.toFixed(1)} s (${Math.round(lines / remote)} lines/s)`);
  console.log(`rate of remote / rate of embedded: ${by((one) => one.embedded / one.remote).toFixed(2)}`);
  rmSync(folder, { recursive: true });
}

async function measureRound(folder, base, lines) {
  const file = join(folder, 'files', 'capture.csv');
  const [here, there, local] = ['here', 'there', 'local'].map((name) => join(folder, name));
  for (const data of [here, there, local]) rmSync(data, { recursive: true, force: true });
  for (const data of [here, there]) cpSync(base, data, { recursive: true });
  spawnSync('sync');
  const embedded = batchgate('run', file, '--data', here, '--quiet', '--json');
  const [key] = readdirSync(join(base, 'keys')).filter((name) => name.startsWith('M1'));
  batchgate('init', '--data', local);
  const account = ['--merchant', 'M1', '--account', 'A1', ...CURRENCIES];
  batchgate('account', 'add', '--data', local, ...account, '--key-file', join(base, 'keys', key));
  const remote = await serving(folder, [bin, 'serve', '--port', '0', '--data', there], (url) => {
    writeFileSync(join(local, 'batchgate.yaml'), `gateway: { url: "${url}", idempotent: true }\n`);
    spawnSync('sync');
    return batchgate('run', file, '--data', local, '--quiet', '--json');
  });
  for (const { document } of [embedded, remote])
    if (document.batches[0].lines.succeeded !== lines) throw new Error('some lines did not succeed');
  return { embedded: embedded.seconds, remote: remote.seconds };
}

function batchgate(...args) {
  const started = performance.now();
  const done = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const seconds = (performance.now() - started) / 1000;
  if (done.status !== 0) throw new Error(`${args.join(' ')} ended with ${done.status}\n${done.stderr}`);
  return { seconds, document: args.includes('--json') ? JSON.parse(done.stdout) : undefined };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [lines = '100000', rounds = '3'] = process.argv.slice(2);
  await measureRemote(join(root, 'bench', 'out'), Number(lines), Number(rounds));
}
