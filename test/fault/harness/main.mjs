/**
 * `npm run test:crash`: every point of a small file in every mode. `-- --seeds 5000`: so many cycles by chance, from
 * `--seed` on; with one that has failed and `--seeds 1`, just that one.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, seed: { type: 'string' }, lanes: { type: 'string' } },
});
const bySeed = values.seeds !== undefined || values.seed !== undefined;
const settings = bySeed
  ? { FAULT_POINTS: '0', FAULT_CYCLES: values.seeds ?? '1' }
  : { FAULT_POINTS: 'all', FAULT_CYCLES: '0' };
if (values.seed !== undefined) settings.FAULT_SEED = values.seed;
if (values.lanes !== undefined) settings.FAULT_LANES = values.lanes;
const files = bySeed
  ? ['test/fault/points.test.ts']
  : ['test/fault/points.test.ts', 'test/fault/power.test.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ...settings },
});
process.exitCode = status ?? 1;
