/**
 * Files against a remote gateway through a bad network, by a process that is killed again and again: whatever is said of
 * a line is so in the ledger over there. REMOTE_RUNS=2000 for a full one; a run that fails says its seed.
 */
import pLimit from 'p-limit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveBatch } from '../../src/batch/resolve.ts';
import { Chance } from '../support/chance.ts';
import { csv, documentOf, outcomes, Sandbox } from '../support/ledger.ts';
import { type Fate, REMOTE, RemoteWorld } from '../support/remote.ts';
import { type Figures, RemoteRun } from './remote-run.ts';
import { BothEnds } from './remote-world.ts';

const RUNS = Number(process.env.REMOTE_RUNS ?? 40);
const SEED = Number(process.env.REMOTE_SEED ?? Date.now() % 2 ** 31);

/** Runs that share a world: verifying many batches is slow. */
const RUNS_EACH = 50;

/** Most of the time a run waits for a deadline. */
const AT_ONCE = 4;

test('F58–F72, invariants 4, 5, 6 and 8: nothing is executed twice, and what is said is so', {
  timeout: 60_000 + RUNS * 5_000,
}, async () => {
  const began = performance.now();
  const all: Figures[] = [];
  const failures: string[] = [];
  for (let first = 0; first < RUNS; first += RUNS_EACH) {
    const world = await BothEnds.open();
    const limit = pLimit(AT_ONCE);
    const seeds = Array.from({ length: Math.min(RUNS_EACH, RUNS - first) }, (_, at) => SEED + first + at);
    await Promise.all(
      seeds.map((seed) =>
        limit(async () => {
          const run = new RemoteRun(world, seed, new Chance(seed));
          try {
            await run.execute();
          } catch (error) {
            failures.push(
              `REMOTE_SEED=${seed} REMOTE_RUNS=1\n${run.story.join('\n')}\n${(error as Error).stack}`,
            );
          }
          all.push(run.figures);
        }),
      ),
    );
    const findings = await world.findings();
    if (findings.length > 0)
      failures.push(`REMOTE_SEED=${seeds[0]} REMOTE_RUNS=${seeds.length}: ${JSON.stringify(findings)}`);
    await world.close();
  }
  const names = Object.keys(all[0]!) as (keyof Figures)[];
  const sums = names.map((name) => `${all.reduce((sum, one) => sum + one[name], 0)} ${name}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`REMOTE_SEED=${SEED}: ${RUNS} runs in ${seconds} s: ${sums.join(', ')}`);
  expect(failures.join('\n\n')).toBe('');
});

/** Found by the runs above, with the seeds 517 and 1054. */
describe('payouts of one chunk, a request each', () => {
  const HEADER =
    'request_id,payment_method,source_currency,payment_currency,source_amount,payment_date,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
  const payouts = (...ids: readonly string[]) =>
    csv(HEADER, ...ids.map((id) => `${id},SEPA,EUR,EUR,10.00,${LATER},COMPANY,Acme,DE89370400440532013000`));
  const LATER = '2026-12-01';

  let local: Sandbox;
  let upstream: Sandbox;
  let world: RemoteWorld;
  beforeEach(async () => {
    local = await Sandbox.make();
    upstream = await Sandbox.make();
    world = new RemoteWorld(upstream);
    await upstream.given({ id: 'E1', state: 'captured', currency: 'EUR', amount: 100_000 });
  });
  afterEach(async () => {
    await local.remove();
    await upstream.remove();
  });

  const run = (name: string, content: string, change = {}) =>
    local.run(name, content, { gateway: REMOTE }, world.context(change));
  const fates = (...of: readonly Fate[]) => {
    world.fateOf = ({ at }) => of[at] ?? 'through';
  };

  test('F72 one is refused as down again and again: what happened to the others is not forgotten', async () => {
    const forgetful = { idempotentMs: 0 };
    fates('through', 'down', 'through', 'down', 'down');
    for (const turn of [1, 2, 3])
      expect((await run('payout.csv', payouts('P1', 'P2', 'P3'), forgetful)).status, `run ${turn}`).toBe(
        'interrupted',
      );
    const other = await run('payout-other.csv', payouts('P1', 'P3'), forgetful);
    expect(outcomes(other)).toEqual(['duplicate B0001', 'duplicate B0001']);
    const last = await run('payout.csv', payouts('P1', 'P2', 'P3'), forgetful);
    expect(outcomes(last)).toEqual(['pending', 'pending', 'pending']);
    expect(world.asked).toHaveLength(6);
  });

  test('F58 one that is unknown, and turns out to be pending, is pending', async () => {
    fates('executed, nobody knows');
    const document = await run('payout.csv', payouts('P1'));
    expect([document.exit, outcomes(document)]).toEqual([7, ['unknown E0001']]);
    const record = await local.record(document.batch);
    const resolved = documentOf(await resolveBatch(local.context(world.context()), record, 'a test'));
    expect([resolved.exit, resolved.revision, outcomes(resolved)]).toEqual([9, 2, ['pending']]);
    const again = documentOf(await resolveBatch(local.context(world.context()), record, 'a test'));
    expect([again.revision, outcomes(again)]).toEqual([2, ['pending']]);
  });
});
