/** Many cycles, as many at a time as there are lanes; every one that fails can be run alone by its seed. */
import { expect } from 'vitest';
import { type Breach, type Cycled, runCycle } from './cycle.ts';
import type { Forked } from './forked.ts';
import { runPair } from './pair.ts';
import { cycleOf } from './plans.ts';
import { KINDS, type Kind, type Reference, Scene } from './scene.ts';
import { buildShim, whyNoShim } from './shim.ts';

/** One in so many cycles has two processes. */
const ONE_PAIR_IN = 12;

/** Failures that are listed; the others are counted. */
const MOST_LISTED = 20;

/** A long sitting says so often that it lives. */
const PROGRESS_EVERY = 500;

/** What all cycles share. */
export interface Stage {
  readonly scene: Scene;
  readonly library: string;
  readonly references: Readonly<Record<Kind, Reference>>;
}

/** Sets everything up, where that can be done; else says why not. */
export async function openStage(): Promise<Stage | { readonly missing: string }> {
  const missing = whyNoShim();
  if (missing !== undefined) return { missing };
  const scene = await Scene.make();
  const library = buildShim(scene.folder);
  const forked = await scene.load(library);
  const entries: [Kind, Reference][] = [];
  for (const kind of KINDS) entries.push([kind, await scene.reference(forked, kind)]);
  forked.close();
  return {
    scene,
    library,
    references: Object.fromEntries(entries) as Record<Kind, Reference>,
  };
}

/** What came of many cycles. */
export interface Sat {
  readonly cycles: number;
  /** How many of them met a fault in their first run; the others were over before. */
  readonly met: number;
  readonly seconds: number;
  readonly failed: number;
  /** The first failures, in words: how to repeat it, what was done, what did not hold. */
  readonly listed: readonly string[];
}

/** Runs `cycles` of them, a few at a time. */
async function sit<T>(
  { scene, library }: Stage,
  lanes: number,
  cycles: Iterable<T>,
  run: (two: Lane, cycle: T) => Promise<Cycled>,
  name: (cycle: T) => string,
): Promise<Sat> {
  const left = cycles[Symbol.iterator]();
  const began = performance.now();
  const listed: string[] = [];
  let [count, failed, met] = [0, 0, 0];
  const lane = async (): Promise<void> => {
    const own = new Lane(() => scene.load(library));
    for (let next = left.next(); next.done !== true; next = left.next()) {
      const { breaches, story, ...cycled } = await run(own, next.value);
      count += 1;
      met += Number(cycled.met);
      if (count % PROGRESS_EVERY === 0) console.log(`${count} cycles, ${failed} failed`);
      if (breaches.length === 0) continue;
      failed += 1;
      if (listed.length < MOST_LISTED) listed.push(told(name(next.value), story, breaches));
    }
    own.close();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { cycles: count, met, seconds: (performance.now() - began) / 1000, failed, listed };
}

function told(name: string, story: readonly string[], breaches: readonly Breach[]): string {
  return [name, ...story, ...breaches.map((breach) => `✗ ${breach.slice(0, 400)}`)].join('\n    ');
}

/** The processes of one lane, loaded when they are needed first. */
class Lane {
  readonly #load: () => Promise<Forked>;
  readonly #loaded: (Promise<Forked> | undefined)[] = [];

  constructor(load: () => Promise<Forked>) {
    this.#load = load;
  }

  get(at: 0 | 1): Promise<Forked> {
    this.#loaded[at] ??= this.#load();
    return this.#loaded[at];
  }

  close(): void {
    for (const one of this.#loaded) void one?.then((forked) => forked.close());
  }
}

/** Cycles by chance: seeds from `seed` on. */
export function sitBySeed(stage: Stage, seed: number, count: number, lanes: number): Promise<Sat> {
  const { scene, references } = stage;
  return sit(
    stage,
    lanes,
    Array.from({ length: count }, (_, at) => seed + at),
    async (lane, one) => {
      if (one % ONE_PAIR_IN === 0)
        return runPair(scene, [await lane.get(0), await lane.get(1)], references, one);
      const cycle = cycleOf(one, (kind) => references[kind].calls);
      return runCycle(scene, await lane.get(0), references[cycle.kind], cycle);
    },
    (one) => `npm run test:crash -- --seed ${one} --seeds 1`,
  );
}

/** A point of an enumeration: one file, and what goes wrong at one call. */
export interface Point {
  readonly kind: Kind;
  /** What goes wrong in the first run, the second and so on. */
  readonly plans: readonly string[];
}

/** One cycle for each point. */
export function sitAt(stage: Stage, points: readonly Point[], lanes: number): Promise<Sat> {
  const { scene, references } = stage;
  return sit(
    stage,
    lanes,
    points.entries(),
    async (lane, [at, { kind, plans }]) =>
      runCycle(scene, await lane.get(0), references[kind], { seed: at, kind, concurrency: 2, plans }),
    ([at, { kind, plans }]) => `point ${at}: ${kind} ${plans.join(' then ')}`,
  );
}

/** Says how long it took, and fails with what did not hold. */
export function expectAllHeld(what: string, { cycles, met, seconds, failed, listed }: Sat): void {
  const [took, rate] = [Math.round(seconds), Math.round((cycles / seconds) * 10) / 10];
  console.log(
    `${what}: ${cycles} cycles (${met} met a fault) in ${took} s, ${rate} per second, ${failed} failed`,
  );
  expect(listed.join('\n'), `${failed} of ${cycles} cycles`).toBe('');
}
