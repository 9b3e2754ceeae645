/** The tasks that a server runs beside its requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startUpkeep } from '../../src/cli/upkeep.ts';

test('a task runs again and again, and never twice at the same time', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    runs += 1;
  };
  const upkeep = startUpkeep([{ name: 'a', everyMs: 1, run }], () => undefined);
  await expect.poll(() => runs).toBeGreaterThan(3);
  await upkeep.stop();
  const after = runs;
  await sleep(30);
  expect([most, running, runs]).toEqual([1, 0, after]);
});

test('a task that fails is told of and tried again; the others go on', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const upkeep = startUpkeep(
    [
      { name: 'bad', everyMs: 1, run: () => Promise.reject(new Error('no')) },
      { name: 'good', everyMs: 1, run: async () => ++runs },
    ],
    (task) => errors.push(task),
  );
  await expect.poll(() => errors.length > 1 && runs > 1).toBe(true);
  await upkeep.stop();
  expect(new Set(errors)).toEqual(new Set(['bad']));
});

test('an end waits for what runs, not for what is to come', async () => {
  let ended = false;
  const run = async () => {
    await sleep(50);
    ended = true;
  };
  const upkeep = startUpkeep([{ name: 'slow', everyMs: 3_600_000, run }], () => undefined);
  await upkeep.stop();
  expect(ended).toBe(true);
});
