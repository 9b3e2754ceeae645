/** Two watchers on one inbox that are killed again and again, while files keep coming. WATCH_FILES=2000 for a full one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Chance } from '../support/chance.ts';
import { copyOf, prepare, type Started, start } from './program.ts';
import { configure, done, drop, figure, lying, split, watch } from './watching.ts';

const FILES = Number(process.env.WATCH_FILES ?? 100);
const LINES_EACH = 10;
const KILL_EVERY_MS = 1_000;

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);

test('F46, F49 each file is executed once and done once, and the ledger agrees', {
  timeout: 60_000 + FILES * 1_000,
}, async () => {
  const chance = new Chance(SEED);
  const prepared = await prepare(FILES * LINES_EACH, SEED);
  const data = copyOf(prepared);
  configure(data);
  const texts = split(join(prepared.files, 'capture.csv'), LINES_EACH);
  expect(texts).toHaveLength(FILES);
  const watchers: [Started, Started] = [watch(data, '--quiet'), watch(data, '--quiet')];
  let kills = 0;
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await sleep(chance.between(KILL_EVERY_MS / 2, (KILL_EVERY_MS * 3) / 2));
      const one = chance.below(2) as 0 | 1;
      watchers[one].process.kill('SIGKILL');
      await watchers[one].ended;
      kills += 1;
      watchers[one] = watch(data, '--quiet');
    }
  })();
  for (const [at, text] of texts.entries()) {
    drop(data, `${chance.percent(30) ? 'M1/A1/' : ''}capture-${at}.csv`, text);
    await sleep(chance.below(120));
  }
  isOver = true;
  await killing;
  for (const watcher of watchers) watcher.process.kill('SIGTERM');
  // One that has just been started does not listen yet, and has claimed nothing.
  for (const { code, signal } of await Promise.all(watchers.map(({ ended }) => ended)))
    expect(code ?? signal).toBeOneOf([143, 'SIGTERM']);
  console.log(`FAULT_SEED=${SEED}: ${kills} kills, ${done(data).length} of ${FILES} done before the end`);
  const last = await watch(data, '--once', '--quiet').ended;
  expect([last.code, last.stderr]).toEqual([0, '']);

  const names = done(data).map((path) => path.split('/').at(-1));
  expect(names.sort()).toEqual(texts.map((_, at) => `capture-${at}.csv`).sort());
  expect(lying(data, 'done').filter((path) => path.endsWith('/OK'))).toHaveLength(FILES);
  expect([...lying(data, 'inbox'), ...lying(data, 'processing'), ...lying(data, 'rejected')]).toEqual([]);
  for (const kind of ['ack.json', 'result.csv', 'report.json', 'report.html'])
    expect(
      lying(data, 'outbox').filter((path) => path.endsWith(kind)),
      kind,
    ).toHaveLength(FILES);
  expect(await figure(data, 'SELECT count(*) AS figure FROM transfer')).toBe(FILES * LINES_EACH);
  expect(await figure(data, 'SELECT count(DISTINCT txn) AS figure FROM transfer')).toBe(FILES * LINES_EACH);
  const verified = await start('verify', '--data', data).ended;
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  for (const folder of [data, join(prepared.data, '..')]) rmSync(folder, { recursive: true });
});
