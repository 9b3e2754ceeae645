import { mkdtempSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Hints } from '../../../src/files/inbox/hints.ts';

/** Longer than any of these tests may take: whoever waits that long was not woken by a hint. */
const FOREVER_MS = 3_600_000;

let inbox: string;
let hints: Hints;

beforeEach(() => {
  inbox = mkdtempSync(join(tmpdir(), 'hints-'));
  hints = new Hints();
});

afterEach(async () => {
  hints.close();
  await rm(inbox, { recursive: true, force: true });
});

/** Follows the folders and waits until what the beginning itself hints at is over. */
async function follow(...folders: string[]): Promise<void> {
  hints.follow(folders);
  await hints.next(FOREVER_MS);
}

test.for<[what: string, act: (folder: string) => Promise<void>]>([
  ['a file is written', (folder) => writeFile(join(folder, 'a.csv'), 'x\n')],
  ['F4 a file is renamed in', (folder) => rename(join(folder, 'a.part'), join(folder, 'a.csv'))],
  ['a file goes away', (folder) => rm(join(folder, 'a.part'))],
  ['a folder is made', (folder) => mkdir(join(folder, 'M1'))],
])('a hint when %s', async ([, act]) => {
  await writeFile(join(inbox, 'a.part'), 'x\n');
  await follow(inbox);
  const hinted = hints.next(FOREVER_MS);
  await act(inbox);
  await hinted;
});

test('F37 a folder that was deleted and made again is watched again', async () => {
  await follow(inbox);
  await rm(inbox, { recursive: true });
  await hints.next(FOREVER_MS);
  await mkdir(inbox);
  await follow(inbox);
  const hinted = hints.next(FOREVER_MS);
  await writeFile(join(inbox, 'a.csv'), 'x\n');
  await hinted;
});

test('every folder that is followed gives hints, and one that is no longer followed none', async () => {
  const [one, other] = [join(inbox, 'one'), join(inbox, 'other')];
  await mkdir(one);
  await mkdir(other);
  await follow(one, other);
  const hinted = hints.next(FOREVER_MS);
  await writeFile(join(other, 'a.csv'), 'x\n');
  await hinted;
  hints.follow([one]);
  await writeFile(join(other, 'b.csv'), 'x\n');
  await setTimeout(200);
  let isWoken = false;
  const woken = hints.next(FOREVER_MS).then(() => {
    isWoken = true;
  });
  await setTimeout(200);
  expect(isWoken).toBe(false);
  hints.wake();
  await woken;
});

test('a folder that is not there is no trouble, and waiting ends with its time', async () => {
  hints.follow([join(inbox, 'absent')]);
  await hints.next(50);
});

test('somebody who wakes it ends the waiting at once', async () => {
  const woken = hints.next(FOREVER_MS);
  hints.wake();
  await woken;
});
