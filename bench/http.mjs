/**
 * The HTTP gateway under load: captures of fifty orders over 32 connections, durable, against `batchgate serve`; beside
 * it, in the same run, the same adapter with a gateway that answers without a ledger. The load comes from a process of
 * its own on the same cores. Usage: node bench/http.mjs [requests] [rounds]
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Connection } from '../dist/ledger/sqlite.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'batchgate.js');
const ORDERS = 50;

/** Measures and prints. A round is a fresh ledger, `serve` on it, and then the adapter alone. */
export async function measureHttp(out, requests, rounds) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await measureRound(join(out, 'http'), requests));
  const by = (pick) => measured.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
  print(requests, rounds, {
    serve: by(({ serve }) => serve.orders),
    floor: by(({ floor }) => floor.orders),
    ratio: by(({ serve, floor }) => serve.orders / floor.orders),
    p50: by(({ serve }) => serve.p50),
    p99: by(({ serve }) => serve.p99),
  });
}

async function measureRound(out, requests) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const data = join(out, 'data');
  const files = join(out, 'files');
  const transactions = String(requests * ORDERS);
  batchgate('generate', '--transactions', transactions, '--seed', '1', '--ids', 'ordered', '--out', files);
  batchgate('init', '--data', data);
  const currencies = ['USD', 'EUR', 'JPY'].flatMap((currency) => ['--currency', currency]);
  batchgate('account', 'add', '--data', data, '--merchant', 'M1', '--account', 'A1', ...currencies);
  batchgate('import', join(files, 'transactions.csv'), '--data', data);
  const load = { key: keyFile(data), orders: join(files, 'capture.csv'), requests };
  const serve = await underLoad(out, [bin, 'serve', '--port', '0', '--data', data], load);
  await checkCaptured(join(data, 'batchgate.db'), requests * ORDERS);
  const floor = await underLoad(out, [join(root, 'bench', 'http-floor.mjs'), load.key], load);
  rmSync(out, { recursive: true });
  return { serve, floor };
}

/** Starts a server, loads it and stops it. */
function underLoad(out, command, { key, orders, requests }) {
  return serving(out, command, (url, log) => {
    const load = join(root, 'bench', 'http-load.mjs');
    const done = spawnSync(process.execPath, [load, url, key, orders, String(requests)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    if (done.status !== 0) throw new Error(`${done.stderr}\n${readFileSync(log, 'utf8').slice(-2000)}`);
    return JSON.parse(done.stdout);
  });
}

/** Does `work` with a server's address while it runs. */
export async function serving(out, command, work) {
  const log = join(out, 'log');
  const descriptor = openSync(log, 'w');
  const server = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', descriptor] });
  closeSync(descriptor);
  try {
    const url = await listeningAt(log, server);
    return await work(url, log);
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()));
  }
}

async function listeningAt(log, server) {
  for (let waited = 0; waited < 10_000; waited += 50) {
    const url = /listening on (\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (url !== undefined) return url;
    if (server.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error(`the server did not start\n${readFileSync(log, 'utf8')}`);
}

/** What was acknowledged is in the ledger. */
async function checkCaptured(database, expected) {
  const connection = await Connection.open(database, 'read');
  const [{ captured }] = await connection.all('SELECT count(*) AS captured FROM transfer WHERE kind = 1');
  await connection.close();
  if (captured !== expected) throw new Error(`the ledger has ${captured} captures, not ${expected}`);
}

function keyFile(data) {
  const name = readdirSync(join(data, 'keys')).find((one) => one.startsWith('M1.A1.'));
  return join(data, 'keys', name);
}

function batchgate(...args) {
  const done = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${args.join(' ')} ended with ${done.status}\n${done.stderr}`);
}

function print(requests, rounds, { serve, floor, ratio, p50, p99 }) {
  console.log(
    `\n${requests} requests of ${ORDERS} captures over HTTP, 32 connections, ${rounds} rounds, medians\n`,
  );
  console.log('orders/s | without a ledger | serve / without | p50 ms | p99 ms | p99 / p50');
  console.log('---------|------------------|-----------------|--------|--------|----------');
  const cells = [
    String(Math.round(serve)).padStart(8),
    String(Math.round(floor)).padStart(16),
    ratio.toFixed(2).padStart(15),
    p50.toFixed(0).padStart(6),
    p99.toFixed(0).padStart(6),
    (p99 / p50).toFixed(1).padStart(9),
  ];
  console.log(cells.join(' | '));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [requests = '4000', rounds = '3'] = process.argv.slice(2);
  await measureHttp(join(root, 'bench', 'out'), Number(requests), Number(rounds));
}
