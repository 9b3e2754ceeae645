/**
 * Faults of the machine at every point of the way from inbox to done/: each call that changes something on the disk is
 * killed, torn, or refused by a disk that fails or is full. FAULT_POINTS=all visits every point in every mode.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Folders } from '../../src/batch/folders.ts';
import { verify } from '../../src/batch/verify.ts';
import { Database } from '../../src/ledger/database.ts';
import { Chance } from '../support/chance.ts';
import { drop } from '../support/inbox.ts';
import { csv, ENTRY, NOON, Sandbox } from '../support/ledger.ts';
import { type Ended, Forked } from './harness/forked.ts';
import { filesUnder } from './harness/inspect.ts';
import { planOf } from './harness/plans.ts';
import { BUILT } from './harness/scene.ts';
import { buildShim, whyNoShim } from './harness/shim.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const POINTS = process.env.FAULT_POINTS ?? '24';

/** Loss of power is left out: a claim is a rename, and no file system loses half of one. */
const MODES = ['kill', 'torn', 'eio', 'eio+', 'enospc', 'enospc+'] as const;

const CHILD = fileURLToPath(new URL('watch-child.mjs', import.meta.url));
const TEMPORARY = process.env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The files, and what each of them meets: captures of an account, refunds of them, twins, nonsense. */
const FILES: Readonly<Record<string, string>> = {
  'M1/A1/capture.csv': csv(ENTRY, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,100.00', 'T9,O-T9,USD,1.00'),
  'refund.csv': csv(`${ENTRY},refund_amount`, 'T1,O-T1,USD,100.00,40.00'),
  'capture-1.csv': csv(ENTRY, 'T3,O-T3,USD,100.00'),
  'capture-2.csv': csv(ENTRY, 'T3,O-T3,USD,100.00'),
  'cancel.csv': 'nonsense\n',
};
const BESIDE: Readonly<Record<string, string>> = {
  'M1/A1/capture.csv.control.json': '{"rows":3}',
  'refund.csv.done': '',
};

/** All that must be the same in the end. */
interface State {
  readonly where: readonly string[];
  readonly results: Readonly<Record<string, string>>;
  readonly transfers: readonly unknown[];
  readonly findings: readonly string[];
}

const missing = whyNoShim();
let folder: string;
let prepared: string;
let forked: Forked;
let calls: number;
let expected: State;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = mkdtempSync(join(TEMPORARY, 'batchgate-points-'));
  prepared = join(folder, 'prepared');
  const sandbox = await Sandbox.make();
  await sandbox.given(...['T1', 'T2', 'T3'].map((id) => ({ id })));
  for (const [at, [path, text]] of Object.entries({ ...FILES, ...BESIDE }).entries())
    utimesSync(drop(sandbox, path, text), 1_000 + at, 1_000 + at);
  await sandbox.database.close();
  cpSync(sandbox.folders.root, prepared, { recursive: true, preserveTimestamps: true });
  rmSync(sandbox.folders.root, { recursive: true });
  forked = await Forked.start(buildShim(folder), BUILT, folder, job(copy(), ''), CHILD);
  const root = copy();
  const undisturbed = await forked.run(job(root, ''));
  expect(undisturbed).toMatchObject({ exit: 6, met: 0 });
  calls = undisturbed.calls;
  expected = await stateOf(root);
  expect(expected.transfers).toHaveLength(4);
}, 120_000);

afterAll(() => {
  if (missing !== undefined) return;
  forked?.close();
  rmSync(folder, { recursive: true, force: true });
});

function copy(): string {
  const root = mkdtempSync(join(folder, 'data-'));
  cpSync(prepared, root, { recursive: true, preserveTimestamps: true });
  return root;
}

function job(root: string, plan: string) {
  return { root, path: '', plan, seed: SEED, concurrency: 2, now: NOON, held: false };
}

/** A path without what differs from run to run: claims and watchers. */
function plain(path: string): string {
  return path.replaceAll(/\d{6}-[0-9a-f]{16}/g, 'CLAIM').replaceAll(/watcher-[0-9a-f]{16}/g, 'WATCHER');
}

/** What people find: paths of all that has a name. */
function visible(root: string, ...names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => filesUnder(join(root, name)))
    .map((path) => relative(root, path))
    .filter((path) => !basename(path).startsWith('.'));
}

async function stateOf(root: string): Promise<State> {
  const folders = new Folders(root);
  const database = await Database.open(folders.database);
  try {
    const results = visible(root, 'outbox').filter((path) => /\.(result|fixme|held)\.csv$/.test(path));
    const findings = await verify({ database, folders });
    return {
      where: [
        ...visible(root, 'inbox', 'processing', 'outbox', 'done', 'rejected'),
        // Of locks and notes nothing depends: whoever needs one makes it anew.
        ...visible(root, 'work').filter(
          (path) => !/\/(input|owner\.db(-journal)?|running\.json)$/.test(path),
        ),
      ]
        .map(plain)
        .sort(),
      results: Object.fromEntries(
        results.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]),
      ),
      transfers: await database.reads.all('SELECT txn, kind, amount FROM transfer ORDER BY txn, sequence'),
      findings: findings.filter(({ ok }) => !ok).flatMap(({ named }) => named),
    };
  } finally {
    await database.close();
  }
}

/** What must hold however the watcher was disturbed: nothing is half there, and no file is lost. */
function breachesNow(root: string, ended: Ended): readonly string[] {
  const breaches: string[] = [];
  if (ended.lost !== undefined) breaches.push(`it ended by ${ended.lost}`);
  if (ended.exit !== undefined && ![0, 3, 5, 6].includes(ended.exit))
    breaches.push(`exit ${ended.exit} ${ended.message}`);
  for (const path of visible(root, 'outbox', 'done', 'rejected')) {
    const text = readFileSync(join(root, path), 'utf8');
    if (/\.json$|\/OK$/.test(path) && !isJson(text)) breaches.push(`half of ${path}`);
    const whole = expected.results[path];
    if (whole !== undefined && text !== whole) breaches.push(`half of ${path}`);
  }
  const kept = visible(root, 'inbox', 'processing', 'done', 'rejected').map(plain);
  for (const path of Object.keys(FILES)) {
    const stem = basename(path, '.csv');
    if (!kept.some((one) => basename(one).startsWith(stem) && one.endsWith('.csv')))
      breaches.push(`${path} is lost`);
  }
  return breaches;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Which of two twins is executed depends on which of them was disturbed. */
function anyTwin({ where, ...state }: State): string {
  const twins = where.map((path) => path.replace(/capture-[12](\.CLAIM)?/, 'capture-N')).sort();
  return JSON.stringify({ where: twins, ...state }).replaceAll(/capture-[12]/g, 'capture-N');
}

async function cycle(plan: string): Promise<readonly string[]> {
  const root = copy();
  const ended = await forked.run(job(root, plan));
  const breaches: string[] = [...breachesNow(root, ended)];
  const last = await forked.run(job(root, ''));
  if (last.exit === undefined || ![0, 3, 6].includes(last.exit))
    breaches.push(`afterwards exit ${last.exit} ${last.message}`);
  const state = await stateOf(root);
  if (anyTwin(state) !== anyTwin(expected)) breaches.push(differenceOf(state));
  rmSync(root, { recursive: true });
  return breaches.map((breach) => `${plan} (${ended.what}): ${breach}`);
}

function differenceOf(state: State): string {
  const parts = (Object.keys(expected) as (keyof State)[]).filter(
    (name) => anyTwin({ ...expected, [name]: state[name] }) !== anyTwin(expected),
  );
  return parts
    .map((name) => `${name}: ${JSON.stringify(state[name])} instead of ${JSON.stringify(expected[name])}`)
    .join('\n');
}

test('F36, F46, F54, F56 a fault at each point of a watch: afterwards every file is done once', {
  timeout: 60 * 60 * 1000,
}, async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const every = MODES.flatMap((mode) => Array.from({ length: calls }, (_, at) => planOf(mode, at + 1)));
  const chosen = POINTS === 'all' ? every : new Chance(SEED).shuffled(every).slice(0, Number(POINTS));
  const found: string[] = [];
  for (const plan of chosen) found.push(...(await cycle(plan)));
  console.log(`FAULT_SEED=${SEED}: ${chosen.length} of ${every.length} points, ${found.length} breaches`);
  expect(found.join('\n')).toBe('');
});
