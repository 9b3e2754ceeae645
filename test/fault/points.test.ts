/**
 * Faults of the machine at every point of a file's way: each call that changes something on the disk is killed, torn,
 * refused by a disk that fails or is full, or meets a loss of power. FAULT_POINTS=all visits every point in every mode,
 * FAULT_CYCLES says how many cycles by chance there are, FAULT_SEED repeats them; `npm run test:crash` sets them.
 */
import { afterAll, beforeAll, test } from 'vitest';
import { Chance } from '../support/chance.ts';
import { MODES, planOf } from './harness/plans.ts';
import { expectAllHeld, openStage, type Point, type Stage, sitAt, sitBySeed } from './harness/sitting.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
/** Cycles by chance. */
const CYCLES = Number(process.env.FAULT_CYCLES ?? 40);
/** Points of the enumeration: `all`, or so many by chance. */
const POINTS = process.env.FAULT_POINTS ?? '40';
/** Processes at a time. */
const LANES = Number(process.env.FAULT_LANES ?? 2);

const HOUR = 60 * 60 * 1000;

/** The library is built, the program loaded and each file executed once. */
const SETUP = 300_000;

let opened: Stage | { readonly missing: string };

beforeAll(async () => {
  opened = await openStage();
  if ('missing' in opened) console.log(`skipped: ${opened.missing}`);
}, SETUP);

afterAll(() => {
  if ('scene' in opened) opened.scene.remove();
});

/** Every call of the small file and a few beyond its last, in every mode: the last ones meet nothing. */
function everyPoint({ references }: Stage): Point[] {
  const calls = Array.from({ length: references.small.calls + 3 }, (_, at) => at + 1);
  return MODES.flatMap((mode) =>
    calls.map((call) => ({ kind: 'small', plans: [planOf(mode, call)] }) as const),
  );
}

test('F36, F46, F53, F54 a fault at each point of a small file: afterwards as if nothing had happened', {
  timeout: HOUR,
}, async ({ skip }) => {
  if ('missing' in opened) return skip(opened.missing);
  const every = everyPoint(opened);
  const chosen = POINTS === 'all' ? every : new Chance(SEED).shuffled(every).slice(0, Number(POINTS));
  const what = `points (FAULT_SEED=${SEED}, ${chosen.length} of ${every.length})`;
  expectAllHeld(what, await sitAt(opened, chosen, LANES));
});

test('F46, F47, F50, F53, F54 files of every kind, faults by chance, again while that is mended, two processes', {
  timeout: 2 * HOUR,
}, async ({ skip }) => {
  if ('missing' in opened) return skip(opened.missing);
  expectAllHeld(`cycles (FAULT_SEED=${SEED})`, await sitBySeed(opened, SEED, CYCLES, LANES));
});
