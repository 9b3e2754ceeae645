/** Every sample file, executed in the order of the demo: what becomes of each line, and that a plan foresees just that. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_FILES, DEMO_STATEMENTS } from '../../src/cli/demo.ts';
import type { BatchDocument, PlannedFile } from '../../src/report/document.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';
import { outcomes } from '../support/ledger.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** Outcome and code of each line; a rejected file has the codes of its reasons. */
const EXPECTED: Readonly<Record<(typeof DEMO_FILES)[number], readonly string[]>> = {
  'capture.csv': [
    ...Array.from({ length: 10 }, () => 'succeeded'),
    'duplicate B0001',
    'refused V0005',
    'invalid I0021',
    'refused V0008',
    'refused V0007',
    'refused V0001',
    'refused V0002',
    'refused V0003',
  ],
  'cancel.csv': [
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'refused V0004',
    'refused V0007',
    'invalid I0001',
  ],
  'review.json': [
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'refused V0004',
    'refused V0009',
    'invalid I0002',
  ],
  'refunds-2026-11-20.csv': [
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'duplicate B0001',
    'succeeded',
    'succeeded',
    'succeeded',
    'refused V0006',
    'refused V0006',
    'refused V0004',
    'refused V0007',
    'invalid I0022',
  ],
  'refund.json': ['succeeded', 'duplicate B0001', 'invalid I0002'],
  'payout.csv': [
    'succeeded',
    'succeeded',
    'succeeded',
    'pending',
    'refused V0011',
    'refused V0012',
    'refused V0013',
    'invalid B0014',
    'invalid I0001',
  ],
  'payout.ndjson': ['succeeded', 'duplicate B0001', 'invalid I0002'],
  'payouts-2026-11-20.xml': ['succeeded', 'invalid V0013', 'succeeded'],
  'mixed.csv': [
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'refused V0006',
    'invalid I0002',
  ],
  'cancel-rejected.csv': ['B0007'],
};

describe('the sample files', () => {
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await makeSandbox();
  });
  afterAll(() => sandbox.remove());

  test('are all there, and all known here', () => {
    const files = readdirSync(SAMPLES).filter((name) => /\.(?:csv|json|ndjson|xml)$/.test(name));
    expect(files.sort()).toEqual([...DEMO_FILES, ...DEMO_STATEMENTS, 'rates.csv', 'transactions.csv'].sort());
  });

  test.each(DEMO_FILES)('%s ends as it says, and as the plan says', async (name) => {
    const path = sandbox.sample(name);
    const planned = await sandbox.json<{ exit: number; files: [PlannedFile] }>('plan', path);
    const ran = await sandbox.json<{ exit: number; batches: [BatchDocument] }>('run', path);
    const [plan] = planned.files;
    const [batch] = ran.batches;
    const rejected = batch.status === 'rejected';
    expect(rejected ? batch.errors.map(({ code }) => code) : outcomes(batch)).toEqual(EXPECTED[name]);
    expect(ran.exit).toBe(rejected ? 6 : 3);
    expect(plan).toMatchObject({
      lines: batch.lines,
      totals: batch.totals,
      exit: ran.exit,
      executed_before: null,
    });
    const [valid] = (await sandbox.json<{ files: [{ lines: { invalid: number } }] }>('validate', path)).files;
    const foundEarly =
      batch.errors.length === 0 ? outcomes(batch).filter((one) => /^invalid (?!B0014)/.test(one)).length : 0;
    expect(valid.lines.invalid).toBe(foundEarly);
  });

  test('and then everything adds up', async () => {
    expect((await sandbox.run('verify')).exit).toBe(0);
  });
});

describe('the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'batchgate-demo-'));
  const demo = () =>
    spawnSync(process.execPath, [join(SAMPLES, 'demo.mjs')], { cwd: folder, encoding: 'utf8' });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('never removes a folder that it did not make', () => {
    mkdirSync(join(folder, 'demo-data', 'mine'), { recursive: true });
    expect(demo()).toMatchObject({ status: 1, stderr: expect.stringContaining('was not made by this demo') });
    expect(existsSync(join(folder, 'demo-data', 'mine'))).toBe(true);
  });

  test('removes what it made before and runs', () => {
    writeFileSync(join(folder, 'demo-data', '.made-by-npm-run-demo'), '');
    const { status, stdout } = demo();
    expect(stdout).toContain('everything agrees');
    expect(stdout.match(/file:\/\/\S+\.report\.html/g)).toHaveLength(DEMO_FILES.length - 1);
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'demo-data', 'mine'))).toBe(false);
  });
});
