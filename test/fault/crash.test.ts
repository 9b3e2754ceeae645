/**
 * F46, F47: killed before each single step that changes something on the disk, and in the middle of recovering from that.
 * FAULT_STEPS=all visits every step; otherwise as many as it says, at random (FAULT_SEED).
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchContext } from '../../src/batch/context.ts';
import { Folders } from '../../src/batch/folders.ts';
import { runFile } from '../../src/batch/run.ts';
import { verify } from '../../src/batch/verify.ts';
import { Engine } from '../../src/engine/engine.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import { Database } from '../../src/ledger/database.ts';
import { csvOf, newLedger } from '../property/files.ts';
import { effects, reportBytes } from '../property/state.ts';
import { Chance } from '../support/chance.ts';
import { NOON, type Sandbox, submissionOf } from '../support/ledger.ts';
import { mixedLines } from './mixed-lines.ts';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const STEPS = process.env.FAULT_STEPS ?? '10';

let template: string;
let file: string;

beforeAll(async () => {
  const sandbox = await newLedger();
  await sandbox.database.close();
  template = sandbox.folders.root;
  file = join(mkdtempSync(join(tmpdir(), 'batchgate-sender-')), 'lines.csv');
  writeFileSync(file, csvOf(mixedLines()));
});

afterAll(() => {
  rmSync(template, { recursive: true });
  rmSync(join(file, '..'), { recursive: true });
});

/** A data directory of its own. */
function copy(): string {
  const root = mkdtempSync(join(tmpdir(), 'batchgate-crash-'));
  cpSync(template, root, { recursive: true });
  return root;
}

/** @returns how many steps there were, or undefined when it was killed */
async function child(root: string, step: number, concurrency: number): Promise<number | undefined> {
  const args = [CHILD, root, file, String(step), String(concurrency), String(NOON)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return Number(stdout);
  } catch (error) {
    const { signal, stderr } = error as { signal?: string; stderr?: string };
    expect(signal, stderr).toBe('SIGKILL');
    return undefined;
  }
}

/** Runs the file to its end in this process; all that can be seen afterwards. */
async function finish(root: string) {
  const folders = new Folders(root);
  const database = await Database.open(folders.database);
  try {
    const clock = () => NOON;
    const gateway = new Engine(database, { schedule: new PayoutSchedule([], []), clock });
    const context: BatchContext = {
      folders,
      database,
      executor: () => ({ is: 'engine', gateway }),
      environment: 'sandbox',
      version: 'test',
      keysOf: async () => [],
      keyedHash: (text: string) => `keyed ${text.length}`,
      clock,
      actor: 'test',
      concurrency: 3,
      out: undefined,
      interruption: () => undefined,
      onProgress: undefined,
    };
    const document = await runFile(context, submissionOf(file), file);
    const findings = await verify({ database, folders });
    const { batch, status, lines, exit } = document;
    return {
      document: { batch, status, lines, exit },
      reports: reportBytes(document),
      effects: await effects({ database } as Sandbox),
      wrong: findings.filter(({ ok }) => !ok).map(({ name, named }) => ({ name, named })),
      batches: await database.reads.all('SELECT id, status, revision FROM batch'),
      temporary: existsSync(folders.reportsOf(batch))
        ? readdirSync(folders.reportsOf(batch)).filter((name) => name.endsWith('.tmp'))
        : [],
    };
  } finally {
    await database.close();
  }
}

/** What has a report's name is whole: it is the report, or it is not there at all. */
function expectNoHalfReport(
  root: string,
  reports: Readonly<Record<string, string | null>>,
  where: readonly string[],
): void {
  const folder = join(root, 'reports');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const named = names.filter((name) => /\.(?:csv|json|html)$/.test(name));
  for (const name of named) {
    const kind = /\.(result|fixme|held|report\.json|report\.html)/.exec(name)![1]!.replace('report.', '');
    expect(readFileSync(join(folder, name), 'utf8'), where.join(', ')).toBe(reports[kind]);
  }
}

test('F46, F47 killed at any step, and again while recovering: as if nothing had happened', {
  timeout: 1_800_000,
}, async () => {
  const reference = copy();
  const expected = await finish(reference);
  expect(expected.wrong).toEqual([]);
  expect(expected.document.lines).toMatchObject({ total: 30, invalid: 2 });
  const untouched = copy();
  const steps = (await child(untouched, -1, 2))!;
  expect(steps).toBeGreaterThan(50);
  console.log(`crash: FAULT_SEED=${SEED}, ${STEPS} of ${steps} steps`);
  const chance = new Chance(SEED);
  const all = Array.from({ length: steps }, (_, step) => step);
  const chosen = STEPS === 'all' ? all : chance.shuffled(all).slice(0, Number(STEPS));
  for (const step of chosen) {
    const root = copy();
    const where = [`step ${step} of ${steps}, FAULT_SEED=${SEED}, ${basename(root)}`];
    // Two runs of the same steps may differ by a few: the last ones may not be there.
    if ((await child(root, step, 2)) !== undefined) where.push('not killed');
    expectNoHalfReport(root, expected.reports, where);
    if (chance.percent(30)) {
      const again = chance.below(steps);
      where.push(`then step ${again}`);
      await child(root, again, chance.pick([1, 3, 8]));
      expectNoHalfReport(root, expected.reports, where);
    }
    expect(await finish(root), where.join(', ')).toEqual(expected);
    rmSync(root, { recursive: true });
  }
  rmSync(reference, { recursive: true });
  rmSync(untouched, { recursive: true });
});
