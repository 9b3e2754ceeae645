/**
 * The model test: random files of random instructions, executed by the whole pipeline, against a reference model. After
 * every file each line, the ledger and the balances are what the model says. MODEL_SEED repeats a run, MODEL_LEDGER one of
 * its ledgers, MODEL_STEPS (instructions) makes it longer.
 */
import { expect, test } from 'vitest';
import { Chance } from '../support/chance.ts';
import { Scenario } from './scenario.ts';

const STEPS = Number(process.env.MODEL_STEPS ?? 3000);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

const LEDGER = process.env.MODEL_LEDGER === undefined ? undefined : Number(process.env.MODEL_LEDGER);

/** Instructions on one ledger; then another one begins with other accounts. */
const STEPS_PER_LEDGER = [200, 500, 1000, 2000];

test('F23, F28, F29, F30, F31, F98: lines, ledger and balances are those of the reference model; invariants 1–6, 9, 11', {
  timeout: 120_000 + STEPS * 20,
}, async () => {
  console.log(`model test: MODEL_SEED=${SEED} MODEL_STEPS=${STEPS}`);
  const seeds = new Chance(SEED);
  const seen = new Map<string, number>();
  for (let steps = 0; steps < STEPS; ) {
    const seed = LEDGER ?? seeds.below(2 ** 31);
    const scenario = await Scenario.begin(seed);
    try {
      for (const end = steps + Math.min(seeds.pick(STEPS_PER_LEDGER), STEPS - steps); steps < end; ) {
        steps += await scenario.step();
      }
      await scenario.compareAll();
      await scenario.sandbox.remove();
    } catch (error) {
      const where = `MODEL_SEED=${SEED}, ledger ${seed}, after ${steps} of ${STEPS} instructions`;
      console.log(`${where}; data in ${scenario.sandbox.folders.root}; last: ${scenario.doing}`);
      throw error;
    }
    for (const [what, count] of scenario.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  }
  console.log(
    [...seen]
      .sort()
      .map(([what, count]) => `${what} ${count}`)
      .join(', '),
  );
  // A test that no longer reaches these has become blind.
  for (const what of [
    'succeeded',
    'refused V0006',
    'refused V0008',
    'duplicate B0001',
    'pending',
    'invalid B0014',
  ]) {
    expect(seen.get(what), what).toBeGreaterThan(0);
  }
});
