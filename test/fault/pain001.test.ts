/**
 * Payment initiations whose run is killed, or whose ledger is lost: afterwards every transfer is as if nothing had happened.
 * FAULT_SEED repeats the moments, FAULT_KILLS makes more of them.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../src/ledger/sqlite.ts';
import { Chance } from '../support/chance.ts';
import { makeSandbox } from '../support/cli.ts';
import { answerIn, initiation } from '../support/initiation.ts';
import { dropAndWatch, putOldDatabase } from '../support/restoring.ts';
import { call, documentIn, type EndState, endState, start } from './program.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
const KILLS = Number(process.env.FAULT_KILLS ?? 1);

const TRANSFERS = 300;

/** One in ten is no payment, one in thirty was there before. */
const FILE = initiation(
  ...Array.from({ length: TRANSFERS }, (_, index) => ({
    id: `P${index % 30 === 29 ? index - 1 : index}`,
    amount: '0.01',
    ...(index % 10 === 7 ? { iban: 'DE00' } : {}),
  })),
);

const root = mkdtempSync(join(tmpdir(), 'batchgate-pain001-'));
const file = join(root, 'bank.xml');

beforeAll(async () => {
  const data = join(root, 'data');
  writeFileSync(file, FILE);
  const purse = join(root, 'purse.csv');
  writeFileSync(
    purse,
    'merchant_id,account_id,transaction_id,order_no,currency,amount,state\nM1,A1,PURSE,PURSE,USD,1000.00,captured\n',
  );
  await call('init', '--data', data);
  await call('account', 'add', '--merchant', 'M1', '--account', 'A1', '--currency', 'USD', '--data', data);
  await call('import', purse, '--data', data);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function copy(name: string): string {
  const data = join(root, name);
  cpSync(join(root, 'data'), data, { recursive: true });
  return data;
}

async function runToEnd(data: string): Promise<EndState & { readonly statuses: readonly string[] }> {
  const { stdout, stderr } = await start('run', file, '--data', data, '--json', '--quiet').ended;
  expect(stderr).toBe('');
  const document = documentIn({ stdout });
  const { statuses } = answerIn(document.batches[0]!.reports.pain002);
  return { ...(await endState(data, document)), statuses };
}

async function chunksIn(data: string): Promise<number> {
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  try {
    const [row] = await database.all<{ chunks: number }>('SELECT count(*) AS chunks FROM chunk');
    return row!.chunks;
  } finally {
    await database.close();
  }
}

test('F46, F47 kill -9 in the middle, again and again: no transfer lost, none doubled, the same answer', {
  timeout: 240_000,
}, async () => {
  const expected = await runToEnd(copy('whole'));
  expect(expected.batch.lines).toMatchObject({ succeeded: 260, invalid: 30, duplicate: 10 });
  expect(expected.statuses).toHaveLength(TRANSFERS);
  const chance = new Chance(SEED);
  const data = copy('killed');
  let killed = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const started = start('run', file, '--data', data, '--json', '--quiet', '--concurrency', '4');
    const until = (await chunksIn(data)) + chance.below(6);
    while (!started.isOver() && (await chunksIn(data)) < until) await sleep(3);
    started.process.kill('SIGKILL');
    if ((await started.ended).signal === 'SIGKILL') killed += 1;
  }
  expect(killed, `FAULT_SEED=${SEED}`).toBeGreaterThan(0);
  expect(await runToEnd(data), `FAULT_SEED=${SEED}`).toEqual(expected);
  const verified = await start('verify', '--data', data).ended;
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});

test('F106 an older ledger takes it back as it was read then, whatever the configuration says now', {
  timeout: 60_000,
}, async () => {
  const sandbox = await makeSandbox();
  const config = join(sandbox.data, 'batchgate.yaml');
  const watch = 'watch: { settle: 0.02, rescan: 0.1 }\n';
  writeFileSync(config, `${watch}pain001: { payment_method: SEPA, entity_type: INDIVIDUAL }\n`);
  const backup = join(sandbox.data, 'backup');
  await sandbox.run('backup', backup);
  const dropped = await dropAndWatch(
    sandbox,
    'M1/A1/bank.xml',
    initiation({ id: 'P1', amount: '1' }, { id: 'P2', iban: 'DE00' }),
  );
  expect(dropped.exit, dropped.err).toBe(3);
  const before = JSON.parse(dropped.out).batches[0];
  putOldDatabase(sandbox, backup);
  writeFileSync(config, watch);
  const restored = await sandbox.json<{ taken_back: object[]; lost: object[]; gaps: object[] }>('restore');
  expect(restored).toMatchObject({
    lost: [],
    gaps: [],
    taken_back: [{ batch: before.batch, as: before.batch, file: 'bank.xml', same: true }],
  });
  expect(readFileSync(before.reports.result, 'utf8')).toContain('payout,P1,SEPA,');
  expect((await sandbox.run('verify', '--quiet')).exit).toBe(0);
  sandbox.remove();
});
