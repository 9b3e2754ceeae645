/**
 * A settlement report against the ledger: `batchgate reconcile`, and beside it, in the same run, its floor. Usage:
 * node bench/reconcile.mjs [transactions] [rounds]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'batchgate.js');
const CURRENCIES = ['USD', 'EUR', 'JPY'].flatMap((currency) => ['--currency', currency]);

/** Measures and prints. Every round is a fresh copy of a ledger that has executed what the statement tells of. */
export async function measureReconciling(out, transactions, rounds) {
  const folder = join(out, 'reconcile');
  const rows = ['ordered', 'random'].map((ids) => measure(join(folder, ids), ids, transactions, rounds));
  console.log(
    `\n${transactions} transactions captured, ${rounds} rounds, medians; seconds from start to exit`,
  );
  console.log('ids      | lines   | floor s | reconcile s | lines/s | reconcile / floor | peak MB');
  console.log('---------|---------|---------|-------------|---------|-------------------|--------');
  for (const { ids, lines, floor, run, ratio, memory } of rows) {
    const cells = [
      ids.padEnd(8),
      String(lines).padStart(7),
      floor.toFixed(1).padStart(7),
      run.toFixed(1).padStart(11),
      String(Math.round(lines / run)).padStart(7),
      ratio.toFixed(2).padStart(17),
      String(memory).padStart(7),
    ];
    console.log(cells.join(' | '));
  }
  rmSync(folder, { recursive: true });
}

function measure(folder, ids, transactions, rounds) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [files, base] = [join(folder, 'files'), join(folder, 'base')];
  const settlement = join(files, 'settlement.csv');
  const size = ['--transactions', String(transactions), '--seed', '1', '--ids', ids];
  command(folder, [0], bin, 'generate', ...size, '--out', files);
  command(folder, [0], bin, 'init', '--data', base);
  command(
    folder,
    [0],
    bin,
    'account',
    'add',
    '--data',
    base,
    '--merchant',
    'M1',
    '--account',
    'A1',
    ...CURRENCIES,
  );
  command(folder, [0], bin, 'import', join(files, 'transactions.csv'), '--data', base);
  for (const name of ['capture.csv', 'refund.csv'])
    command(folder, [0], bin, 'run', join(files, name), '--data', base, '--quiet', '--json');
  const planted = JSON.parse(readFileSync(join(files, 'breaks.json'), 'utf8')).breaks;
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const data = copyOf(base, folder);
    const floor = command(
      folder,
      [0],
      join(root, 'bench', 'reconcile-floor.mjs'),
      join(data, 'batchgate.db'),
      settlement,
    );
    const fresh = copyOf(base, folder);
    const run = command(
      folder,
      [10],
      bin,
      'reconcile',
      '--statement',
      settlement,
      '--data',
      fresh,
      '--quiet',
      '--json',
    );
    const document = JSON.parse(run.output);
    if (document.counts.open !== planted.length)
      throw new Error(`${planted.length} breaks were planted, ${document.counts.open} were found`);
    measured.push({ floor, run, lines: document.statements[0].lines });
  }
  const median = (pick) => measured.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
  return {
    ids,
    lines: measured[0].lines,
    floor: median(({ floor }) => floor.seconds),
    run: median(({ run }) => run.seconds),
    ratio: median(({ floor, run }) => run.seconds / floor.seconds),
    memory: Math.max(...measured.map(({ run }) => run.megabytes)),
  };
}

/** A copy of the data directory that nothing else has touched. */
function copyOf(base, folder) {
  const data = join(folder, 'copy');
  rmSync(data, { recursive: true, force: true });
  cpSync(base, data, { recursive: true });
  spawnSync('sync');
  return data;
}

/** @param expected exit codes that are no failure */
function command(folder, expected, ...args) {
  const rss = join(folder, 'rss');
  const preload = new URL('./peak-memory.mjs', import.meta.url).href;
  const started = performance.now();
  const done = spawnSync(process.execPath, ['--import', preload, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, BENCH_RSS: rss },
  });
  const seconds = (performance.now() - started) / 1000;
  if (!expected.includes(done.status))
    throw new Error(`${args.join(' ')} ended with ${done.status}\n${done.stderr}`);
  return { seconds, megabytes: Number(readFileSync(rss, 'utf8')), output: done.stdout };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , transactions = '1000000', rounds = '3'] = process.argv;
  await measureReconciling(join(root, 'bench', 'out'), Number(transactions), Number(rounds));
}
