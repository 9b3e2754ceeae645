/**
 * Loss of power: what was not synced is gone in part or as a whole, and a sync that has failed once has kept nothing.
 * FAULT_POINTS=all visits every point, FAULT_SEED repeats those that were drawn.
 */
import { afterAll, beforeAll, test } from 'vitest';
import { Chance } from '../support/chance.ts';
import { KINDS } from './harness/scene.ts';
import { expectAllHeld, openStage, type Point, type Stage, sitAt } from './harness/sitting.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const POINTS = process.env.FAULT_POINTS ?? '15';
const LANES = Number(process.env.FAULT_LANES ?? 2);
const HOUR = 60 * 60 * 1000;

/** The library is built, the program loaded and each file executed once. */
const SETUP = 300_000;

let opened: Stage | { readonly missing: string };

beforeAll(async () => {
  opened = await openStage();
}, SETUP);

afterAll(() => {
  if ('scene' in opened) opened.scene.remove();
});

/** As many of them as were asked for. */
function chosen(points: readonly Point[]): readonly Point[] {
  return POINTS === 'all' ? points : new Chance(SEED).shuffled(points).slice(0, Number(POINTS));
}

/** One point for each call of the small file. */
function atEachCall({ references }: Stage, plans: (call: number) => readonly string[]): Point[] {
  return Array.from({ length: references.small.calls }, (_, at) => ({ kind: 'small', plans: plans(at + 1) }));
}

test('F53 the power goes after the end: what was said to be complete is complete, for files of every kind', {
  timeout: HOUR,
}, async ({ skip }) => {
  if ('missing' in opened) return skip(opened.missing);
  const times = POINTS === 'all' ? 20 : 2;
  const points = KINDS.flatMap((kind) =>
    Array.from({ length: times }, () => ({ kind, plans: ['power@end'] })),
  );
  expectAllHeld('power after the end', await sitAt(opened, points, LANES));
});

test('F47, F53 the power goes twice: while the file is executed, and while that is mended', {
  timeout: HOUR,
}, async ({ skip }) => {
  if ('missing' in opened) return skip(opened.missing);
  const chance = new Chance(SEED);
  const { calls } = opened.references.small;
  const points = atEachCall(opened, (call) => [`power@${call}`, `power@${chance.between(1, calls)}`]);
  expectAllHeld(`power twice (FAULT_SEED=${SEED})`, await sitAt(opened, chosen(points), LANES));
});

test('F54 a call fails once, then the power goes: a sync that has failed is never believed', {
  timeout: HOUR,
}, async ({ skip }) => {
  if ('missing' in opened) return skip(opened.missing);
  const points = atEachCall(opened, (call) => [`eio@${call},power@end`]);
  expectAllHeld(`failed, then no power (FAULT_SEED=${SEED})`, await sitAt(opened, chosen(points), LANES));
});
