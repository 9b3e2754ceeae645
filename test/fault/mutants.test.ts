/** The harness is worth something only if it sees what is wrong: each fault planted in the program is caught. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Breach, runCycle } from './harness/cycle.ts';
import type { Forked } from './harness/forked.ts';
import { MUTANTS, type Mutant, plansFor, plant } from './harness/mutants.ts';
import { runPair } from './harness/pair.ts';
import { openStage, type Stage } from './harness/sitting.ts';

/** The library is built, the program loaded and each file executed once. */
const SETUP = 300_000;

let opened: Stage | { readonly missing: string };

beforeAll(async () => {
  opened = await openStage();
}, SETUP);

afterAll(() => {
  if ('scene' in opened) opened.scene.remove();
});

/** What is said of the mutant first, and after which fault; undefined when nothing is. */
async function caught(
  stage: Stage,
  mutant: Mutant,
  load: () => Promise<Forked>,
): Promise<{ breach: Breach; after: string } | undefined> {
  const { scene, references } = stage;
  const forked = await load();
  const kind = 'small';
  const calm = { seed: 1, kind, concurrency: 2, plans: [] } as const;
  // A fault that shows by itself would prove nothing.
  expect((await runCycle(scene, forked, references[kind], calm)).breaches).toEqual([]);
  try {
    for (const { plan, seed } of plansFor(mutant, references[kind].calls)) {
      const cycle = { ...calm, seed, plans: [plan] };
      const { breaches } = await runCycle(scene, forked, references[kind], cycle);
      if (breaches.length > 0) return { breach: breaches[0]!, after: plan };
    }
    return mutant.by.includes('pair') ? await caughtInPair(stage, forked, load) : undefined;
  } finally {
    forked.close();
  }
}

async function caughtInPair({ scene, references }: Stage, first: Forked, load: () => Promise<Forked>) {
  const second = await load();
  try {
    for (let seed = 0; seed < 60; seed += 1) {
      const { breaches, story } = await runPair(scene, [first, second], references, seed);
      if (breaches.length > 0) return { breach: breaches[0]!, after: story.join('; ') };
    }
    return undefined;
  } finally {
    second.close();
  }
}

test.concurrent.each(MUTANTS.map((mutant, at) => ({ ...mutant, at })))(
  'is caught: $name',
  {
    timeout: 300_000,
  },
  async ({ at, ...mutant }) => {
    if ('missing' in opened) return console.log(`skipped: ${opened.missing}`);
    const { scene, library } = opened;
    const dist = plant(scene, mutant, at);
    const found = await caught(opened, mutant, () => scene.load(library, dist));
    expect(found, 'the harness does not see it').toBeDefined();
    console.log(`${mutant.name}: ${found!.after} → ${found!.breach.slice(0, 120)}`);
    expect(mutant.caughtBy).toContain(found!.breach.slice(0, found!.breach.indexOf(':')));
  },
);
