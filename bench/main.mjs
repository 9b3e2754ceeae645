/**
 * What README's figures come from: `npm run bench [-- --transactions N --requests N --lines N --rounds N]`.
 *
 * Every round runs the floor and batchgate on fresh copies of the same ledger, one after the other, and takes the ratio
 * of the two; the table shows medians. Times are from the start of the command to its exit.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureHttp } from './http.mjs';
import { measureReconciling } from './reconcile.mjs';
import { measureRemote } from './remote.mjs';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '4000' },
    lines: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'bench', 'out');
const bin = join(root, 'bin', 'batchgate.js');

const table = [];
for (const ids of ['ordered', 'random']) table.push(await measure(ids));
print(table);
await measureReconciling(out, Number(values.transactions), Number(values.rounds));
await measureHttp(out, Number(values.requests), Number(values.rounds));
await measureRemote(out, Number(values.lines), Number(values.rounds));
rmSync(out, { recursive: true, force: true });

async function measure(ids) {
  const files = join(out, ids);
  const base = join(out, `${ids}-base`);
  rmSync(files, { recursive: true, force: true });
  rmSync(base, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  command(
    bin,
    'generate',
    '--transactions',
    values.transactions,
    '--seed',
    '1',
    '--ids',
    ids,
    '--out',
    files,
  );
  command(bin, 'init', '--data', base);
  const currencies = ['USD', 'EUR', 'JPY'].flatMap((currency) => ['--currency', currency]);
  command(bin, 'account', 'add', '--data', base, '--merchant', 'M1', '--account', 'A1', ...currencies);
  const imported = command(bin, 'import', join(files, 'transactions.csv'), '--data', base);
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const file = join(files, 'capture.csv');
    const floor = onCopy(base, (data) =>
      command(join(root, 'bench', 'floor.mjs'), join(data, 'batchgate.db'), file),
    );
    const run = onCopy(base, (data) => command(bin, 'run', file, '--data', data, '--quiet'));
    rounds.push({ floor, run, ratio: run.seconds / floor.seconds });
  }
  const by = (pick) => median(rounds.map(pick));
  return {
    ids,
    import: imported.seconds,
    floor: by(({ floor }) => floor.seconds),
    run: by(({ run }) => run.seconds),
    ratio: by(({ ratio }) => ratio),
    memory: Math.max(...rounds.map(({ run }) => run.megabytes)),
  };
}

/** Runs `work` on a copy of the data directory that nothing else has touched. */
function onCopy(base, work) {
  const data = join(out, 'copy');
  rmSync(data, { recursive: true, force: true });
  cpSync(base, data, { recursive: true });
  spawnSync('sync');
  return work(data);
}

function command(...args) {
  const rss = join(out, 'rss');
  const preload = new URL('./peak-memory.mjs', import.meta.url).href;
  const started = performance.now();
  const done = spawnSync(process.execPath, ['--import', preload, ...args], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_RSS: rss },
  });
  const seconds = (performance.now() - started) / 1000;
  if (done.status !== 0) throw new Error(`${args.join(' ')} ended with ${done.status}\n${done.stderr}`);
  return { seconds, megabytes: Number(readFileSync(rss, 'utf8')) };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function print(rows) {
  const lines = Number(values.transactions);
  console.log(`\n${lines} captures against ${lines * 1.3} transactions, ${values.rounds} rounds, medians`);
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
  );
  console.log('ids      | import s | floor s | run s | lines/s | run / floor | peak MB');
  console.log('---------|----------|---------|-------|---------|-------------|--------');
  for (const { ids, import: seconds, floor, run, ratio, memory } of rows) {
    const cells = [
      ids.padEnd(8),
      seconds.toFixed(1).padStart(8),
      floor.toFixed(1).padStart(7),
      run.toFixed(1).padStart(5),
      String(Math.round(lines / run)).padStart(7),
      ratio.toFixed(2).padStart(11),
      String(memory).padStart(7),
    ];
    console.log(cells.join(' | '));
  }
}
