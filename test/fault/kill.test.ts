/**
 * Signals and kills. A file whose run was ended at any moment is run again to its end, and then everything is as if
 * nothing had happened. FAULT_SEED repeats the moments, FAULT_KILLS makes more of them.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../src/ledger/database.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import { Chance } from '../support/chance.ts';
import {
  copyOf,
  documentIn,
  type Ended,
  type EndState,
  endState,
  type Prepared,
  prepare,
  type Started,
  start,
} from './program.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const KILLS = Number(process.env.FAULT_KILLS ?? 6);

let prepared: Prepared;
/** Mostly waits for half a minute, so it is begun before everything else. */
let busy: Promise<Busy>;

beforeAll(async () => {
  console.log(`kills: FAULT_SEED=${SEED} FAULT_KILLS=${KILLS}`);
  prepared = await prepare(100_000, 1);
  busy = runWhileBusy(join(prepared.files, 'cancel.csv'));
}, 120_000);

afterAll(() => rmSync(join(prepared.data, '..'), { recursive: true, force: true }));

/** Runs a file on a data directory. */
function run(data: string, file: string, ...options: readonly string[]): Started {
  return start('run', file, '--data', data, '--json', '--quiet', ...options);
}

async function runToEnd(data: string, file: string): Promise<EndState> {
  const { stdout, stderr, code } = await run(data, file).ended;
  expect(stderr).toBe('');
  const document = documentIn({ stdout });
  expect(document.exit).toBe(code);
  return endState(data, document);
}

/** Until the journal has so many chunks, or the process has ended. */
async function untilChunks(data: string, started: Started, chunks: number): Promise<void> {
  await reading(data, async (count) => {
    while ((await count()) < chunks && !started.isOver()) await sleep(3);
  });
}

function chunksDone(data: string): Promise<number> {
  return reading(data, (count) => count());
}

/** @param work is given a way to count the chunks in the journal */
async function reading<T>(data: string, work: (count: () => Promise<number>) => Promise<T>): Promise<T> {
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  try {
    return await work(async () => {
      const [row] = await database.all<{ chunks: number }>('SELECT count(*) AS chunks FROM chunk');
      return row!.chunks;
    });
  } finally {
    await database.close();
  }
}

/** Until something that looks so and was not there before is there, or the process has ended. */
async function untilThere(started: Started, folder: string, pattern: RegExp): Promise<void> {
  const found = () => {
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    return names
      .filter((name) => pattern.test(name))
      .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs}`);
  };
  const before = new Set(found());
  while (found().every((one) => before.has(one)) && !started.isOver()) await sleep(1);
}

describe('a file of 100,000 lines', () => {
  let expected: EndState;
  const file = () => join(prepared.files, 'capture.csv');

  test('F107 a second process writes while it is executed, and never waits for a second', {
    timeout: 120_000,
  }, async () => {
    // A machine that is busy with other things may be slow once.
    for (let tries = 1; ; tries += 1) {
      const data = copyOf(prepared);
      const started = run(data, file());
      const waits = await writesWhile(data, started);
      const { stdout, code } = await started.ended;
      expect(code).toBe(0);
      expected = await endState(data, documentIn({ stdout }));
      rmSync(data, { recursive: true });
      const longest = Math.max(...waits);
      if (longest >= 1000 && tries === 1) continue;
      expect(waits.length).toBeGreaterThanOrEqual(5);
      expect(longest).toBeLessThan(1000);
      break;
    }
    expect(expected.batch.lines.succeeded).toBe(100_000);
    expect(expected.transfers).toBe(100_000);
  });

  test('F48 SIGTERM in the middle: exit 143 within 5 s with a document; run again it ends the same', {
    timeout: 120_000,
  }, async () => {
    const data = copyOf(prepared);
    const started = run(data, file());
    await untilChunks(data, started, 500);
    const before = performance.now();
    started.process.kill('SIGTERM');
    const ended = await started.ended;
    expect(performance.now() - before).toBeLessThan(5000);
    expect([ended.code, ended.signal]).toEqual([143, null]);
    const document = documentIn(ended);
    expect(document.exit).toBe(143);
    const { status, lines, chunks, reports } = document.batches[0]!;
    expect(status).toBe('interrupted');
    expect(chunks.done).toBeGreaterThanOrEqual(500);
    expect(chunks.done).toBeLessThan(2000);
    expect(lines.succeeded).toBe(chunks.done * 50);
    expect(lines.succeeded + lines.not_sent).toBe(100_000);
    expect(reports.result).toBeNull();
    expect(await runToEnd(data, file())).toEqual(expected);
    rmSync(data, { recursive: true });
  });

  test('F48 SIGTERM while it is read or reported on: exit 143 or the end within 5 s', {
    timeout: 120_000,
  }, async () => {
    const data = copyOf(prepared);
    for (const when of ['reading', 'reporting'] as const) {
      const started = run(data, file());
      if (when === 'reading') await untilThere(started, join(data, 'work'), /input/);
      else await untilThere(started, join(data, 'reports'), /\.tmp$/);
      const before = performance.now();
      started.process.kill('SIGTERM');
      const ended = await started.ended;
      expect(performance.now() - before).toBeLessThan(5000);
      expect([0, 143]).toContain(ended.code);
      expect(documentIn(ended).exit).toBe(ended.code);
    }
    const { ledger, result, fixme } = await runToEnd(data, file());
    expect({ ledger, result, fixme }).toEqual({
      ledger: expected.ledger,
      result: expected.result,
      fixme: expected.fixme,
    });
    rmSync(data, { recursive: true });
  });
});

describe('smaller files', () => {
  test('F48 SIGTERM while it waits for standard input: exit 143 at once, and nothing is left behind', async () => {
    const data = copyOf(prepared);
    const started = start('run', '-', '--operation', 'capture', '--data', data, '--json', '--quiet');
    await untilThere(started, join(data, 'work'), /input/);
    const before = performance.now();
    started.process.kill('SIGTERM');
    const ended = await started.ended;
    expect(performance.now() - before).toBeLessThan(2000);
    expect(ended.code).toBe(143);
    expect(documentIn(ended)).toMatchObject({ exit: 143, batches: [] });
    expect(readdirSync(join(data, 'work'))).toEqual([]);
    rmSync(data, { recursive: true });
  });

  test('F48 a second signal ends it at once', { timeout: 120_000 }, async () => {
    const file = join(prepared.files, 'refund.csv');
    const reference = copyOf(prepared);
    const alone = await runToEnd(reference, file);
    const data = copyOf(prepared);
    const started = run(data, file, '--concurrency', '4');
    await untilChunks(data, started, 20);
    started.process.kill('SIGTERM');
    // Two signals of one kind that come together count as one.
    await sleep(5);
    const before = performance.now();
    started.process.kill('SIGTERM');
    const ended = await started.ended;
    expect(ended.code).toBe(143);
    expect(performance.now() - before).toBeLessThan(1000);
    expect(await runToEnd(data, file)).toEqual(alone);
    rmSync(data, { recursive: true });
    rmSync(reference, { recursive: true });
  });

  test('F46, F47 kill -9 at any moment, again and again: no line lost, none doubled, the same reports', {
    timeout: 240_000,
  }, async () => {
    // Refunds of captures that are not there are refused; the others succeed: there is a fixme file to compare.
    const files = ['refund', 'review'].map((name) => join(prepared.files, `${name}.csv`));
    const reference = copyOf(prepared);
    const before = performance.now();
    const expected: EndState[] = [];
    for (const file of files) expected.push(await runToEnd(reference, file));
    expect(expected[0]!.fixme).not.toBeNull();
    const duration = (performance.now() - before) / files.length;
    const chance = new Chance(SEED);
    const moments: string[] = [];
    const data = copyOf(prepared);
    for (const [at, file] of files.entries()) {
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Fewer chunks in flight make more and smaller commits, with more moments between them.
        const started = run(data, file, '--concurrency', chance.pick(['8', '20', '60']));
        moments.push(await killAtSomeMoment(data, started, chance, duration));
        const { signal } = await started.ended;
        expectReportsWholeOrAbsent(data);
        // It has got to its end between two kills; there is nothing left to kill.
        if (signal === null) break;
      }
      expect(await runToEnd(data, file), `FAULT_SEED=${SEED}: ${moments.join(', ')}`).toEqual(expected[at]);
    }
    console.log(moments.join(', '));
    const verified = await start('verify', '--data', data).ended;
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    rmSync(data, { recursive: true });
    rmSync(reference, { recursive: true });
  });

  test('F50 two processes execute the same instructions at once: each of them once', {
    timeout: 120_000,
  }, async () => {
    const file = join(prepared.files, 'refund.csv');
    const reference = copyOf(prepared);
    const alone = await runToEnd(reference, file);
    const data = copyOf(prepared);
    // Other bytes make it another batch, which meets the first one line by line.
    const other = join(data, 'refund-again.csv');
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(other, `${header},kommentar\n${lines.map((line) => `${line},again\n`).join('')}`);
    // The very same bytes at the same time are executed by one of two processes.
    const started = [file, file, other].map((path) => run(data, path, '--concurrency', '20'));
    const [first, second, third] = await Promise.all(started.map(async (one) => (await one.ended).code));
    // One of two that are the same may come when the other has ended already, and only repeats what that one said.
    expect([`${first} ${second}`, third]).toEqual([expect.stringMatching(/^(?:3 5|5 3|3 3)$/), 3]);
    const ends = [await runToEnd(data, file), await runToEnd(data, other)];
    const sum = (outcome: 'succeeded' | 'duplicate') =>
      ends.reduce((total, { batch }) => total + batch.lines[outcome], 0);
    expect(sum('succeeded')).toBe(alone.batch.lines.succeeded);
    expect(sum('duplicate')).toBe(alone.batch.lines.succeeded);
    expect(ends[0]!.transfers).toBe(alone.transfers);
    const verified = await start('verify', '--data', data).ended;
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    rmSync(data, { recursive: true });
    rmSync(reference, { recursive: true });
  });

  test('F51 a database that another process keeps: exit 5, and the same command completes later', {
    timeout: 120_000,
  }, async () => {
    const { ended, afterwards, expected } = await busy;
    expect(ended.code).toBe(5);
    expect(documentIn(ended).exit).toBe(5);
    expect(afterwards).toEqual(expected);
  });
});

interface Busy {
  readonly ended: Ended;
  readonly afterwards: EndState;
  readonly expected: EndState;
}

/** Runs a file while another connection is in the middle of a long write, then again, and on an untouched copy. */
async function runWhileBusy(file: string): Promise<Busy> {
  const data = copyOf(prepared);
  const reference = copyOf(prepared);
  const other = await Connection.open(join(data, 'batchgate.db'), 'write');
  await other.exec('BEGIN IMMEDIATE');
  const ended = await run(data, file).ended;
  await other.exec('ROLLBACK');
  await other.close();
  const [afterwards, expected] = [await runToEnd(data, file), await runToEnd(reference, file)];
  rmSync(data, { recursive: true });
  rmSync(reference, { recursive: true });
  return { ended, afterwards, expected };
}

/** Waits of a second process's writes, from the first commit of the run on, in milliseconds. */
async function writesWhile(data: string, started: Started): Promise<number[]> {
  await untilChunks(data, started, 1);
  const database = await Database.open(join(data, 'batchgate.db'));
  const waits: number[] = [];
  while (waits.length < 20 && !started.isOver()) {
    const before = performance.now();
    await database.write((statements) => statements.run('UPDATE setting SET value = value WHERE 0'));
    waits.push(performance.now() - before);
    await sleep(20);
  }
  await database.close();
  return waits;
}

/** @returns when it was, in words */
async function killAtSomeMoment(
  data: string,
  started: Started,
  chance: Chance,
  duration: number,
): Promise<string> {
  const when = chance.pick(['any time', 'taking', 'executing', 'executing', 'reporting']);
  const delay = chance.below(when === 'any time' ? duration : 80);
  if (when === 'taking') await untilThere(started, join(data, 'work'), /incoming-/);
  if (when === 'executing') await untilChunks(data, started, (await chunksDone(data)) + 1);
  if (when === 'reporting') await untilThere(started, join(data, 'reports'), /\.tmp$/);
  await sleep(delay);
  started.process.kill('SIGKILL');
  return `${when} + ${delay} ms`;
}

/** Nobody ever sees half a report: what is there has its name only when it is whole. */
function expectReportsWholeOrAbsent(data: string): void {
  for (const name of readdirSync(join(data, 'reports'), { recursive: true, encoding: 'utf8' })) {
    expect(name).toMatch(/(?:^B[0-9A-Z]{16}$|\.tmp$|\.(?:result|fixme|held)\.csv$|\.report\.(?:json|html)$)/);
  }
}
