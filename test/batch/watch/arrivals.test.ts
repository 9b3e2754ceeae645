/** Which files are ready, and in which order. Times are of a clock that the test turns. */
import { appendFileSync, chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Completion, Lookout } from '../../../src/batch/watch/arrivals.ts';
import { drop } from '../../support/inbox.ts';
import { Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

const SETTLE = 5_000;

const lookout = (completion: Completion = 'settle') =>
  new Lookout(sandbox.folders.inbox, SETTLE, () => completion);

const ready = async (looking: Lookout, now: number) =>
  (await looking.look(now)).ready.map(({ place, name }) => [...place, name].join('/'));

/** Drops files, each a second after the one before. */
function dropInOrder(...names: readonly string[]): void {
  for (const [at, name] of names.entries()) utimesSync(drop(sandbox, name, 'x\n'), 1_000 + at, 1_000 + at);
}

const numbered = (name: string, sequence: number) =>
  drop(sandbox, `${name}.control.json`, JSON.stringify({ sequence }));

describe('F1 a file is ready', () => {
  test('when nothing of it has changed for the settling time, and not a moment earlier', async () => {
    const looking = lookout();
    const path = drop(sandbox, 'capture.csv', 'a\n');
    expect(await ready(looking, 0)).toEqual([]);
    expect(await ready(looking, SETTLE - 1)).toEqual([]);
    appendFileSync(path, 'b\n');
    expect(await ready(looking, SETTLE)).toEqual([]);
    expect(await ready(looking, 2 * SETTLE - 1)).toEqual([]);
    expect(await ready(looking, 2 * SETTLE)).toEqual(['capture.csv']);
  });

  test.each([
    ['without a final line end', 'a\nb', 6 * SETTLE],
    ['that is UTF-16 and ends with a line end', Buffer.from('a\n', 'utf16le'), SETTLE],
    ['that is empty', '', 60_000],
  ])('%s: after its time', async (_, content, after) => {
    const looking = lookout();
    drop(sandbox, 'capture.csv', content);
    expect(await ready(looking, 0)).toEqual([]);
    expect(await ready(looking, after - 1)).toEqual([]);
    expect(await ready(looking, after)).toEqual(['capture.csv']);
  });

  test('only when its control file does not change any more either', async () => {
    const looking = lookout();
    drop(sandbox, 'capture.csv', 'a\n');
    await ready(looking, 0);
    const control = drop(sandbox, 'capture.csv.control.json', '{"rows"');
    expect(await ready(looking, SETTLE)).toEqual([]);
    appendFileSync(control, ':1}');
    expect(await ready(looking, 2 * SETTLE - 1)).toEqual([]);
    expect(await ready(looking, 3 * SETTLE)).toEqual(['capture.csv']);
  });

  test('with its marker, at once; without it never, and nobody waits for it', async () => {
    const looking = lookout('marker');
    drop(sandbox, 'capture.csv', 'a');
    expect(await looking.look(100 * SETTLE)).toMatchObject({ ready: [], settling: 0, unannounced: 1 });
    drop(sandbox, 'capture.csv.done', '');
    expect(await ready(looking, 100 * SETTLE)).toEqual(['capture.csv']);
  });
});

test('F3 what programs leave beside their files is not looked at', async () => {
  const ignored = [
    '.a',
    '~$a.xlsx',
    'a~',
    'a.tmp',
    'a.PART',
    'a.partial',
    'a.filepart',
    'a.crdownload',
    'a.swp',
  ];
  for (const name of [...ignored, 'a.done', 'a.control.json', 'desktop.ini', 'Thumbs.db'])
    drop(sandbox, name, 'a\n');
  expect(await lookout().look(0)).toMatchObject({ ready: [], settling: 0, unannounced: 0, left: [] });
});

test('what lies where nothing is taken is told', async () => {
  drop(sandbox, 'M1/capture.csv', 'a\n');
  drop(sandbox, 'M1/A1/november/capture.csv', 'a\n');
  mkdirSync(join(sandbox.folders.inbox, '.git'));
  const { left } = await lookout().look(0);
  expect(left.map(({ is, path }) => `${is} ${path.slice(sandbox.folders.inbox.length)}`).sort()).toEqual([
    'misplaced /M1/A1/november',
    'misplaced /M1/capture.csv',
  ]);
});

describe('the order', () => {
  test('is that of arrival', async () => {
    dropInOrder('refund-b.csv', 'capture-a.csv', 'M1/A1/cancel.csv');
    const looking = lookout();
    await looking.look(0);
    expect(await ready(looking, SETTLE)).toEqual(['refund-b.csv', 'capture-a.csv', 'M1/A1/cancel.csv']);
  });

  test('is that of their numbers where files of one operation are numbered', async () => {
    dropInOrder('capture-c.csv', 'capture-a.csv', 'capture-b.csv');
    for (const [name, sequence] of [
      ['capture-a.csv', 1],
      ['capture-b.csv', 2],
      ['capture-c.csv', 3],
    ] as const)
      numbered(name, sequence);
    const looking = lookout();
    await looking.look(0);
    expect(await ready(looking, SETTLE)).toEqual(['capture-a.csv', 'capture-b.csv', 'capture-c.csv']);
  });

  test('never lets a number of one operation or account overtake files of another', async () => {
    // The refunds give back what the captures before them took; their numbers are lower because there are fewer.
    dropInOrder('capture-17.csv', 'refund-3.csv', 'M1/A1/capture-1.csv', 'capture-16.csv');
    for (const [name, sequence] of [
      ['capture-17.csv', 17],
      ['refund-3.csv', 3],
      ['M1/A1/capture-1.csv', 1],
      ['capture-16.csv', 16],
    ] as const)
      numbered(name, sequence);
    const looking = lookout();
    await looking.look(0);
    expect(await ready(looking, SETTLE)).toEqual([
      'capture-16.csv',
      'refund-3.csv',
      'M1/A1/capture-1.csv',
      'capture-17.csv',
    ]);
  });
});

test.skipIf(process.getuid?.() === 0)('F35 what may not be read is told, and the rest is ready', async () => {
  chmodSync(drop(sandbox, 'a.csv', 'a\n'), 0o000);
  writeFileSync(join(sandbox.folders.inbox, 'b.csv'), 'b\n');
  const looking = lookout();
  await looking.look(0);
  const { ready: found, left, settling } = await looking.look(SETTLE);
  expect(found.map(({ name }) => name)).toEqual(['b.csv']);
  expect(left).toMatchObject([{ is: 'unreadable', why: 'EACCES' }]);
  expect(settling).toBe(0);
});
