/** No money moves, by file or by request, from `pause` to `continue`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pause, unpause } from '../../src/batch/pauses.ts';
import type { EntriesRequest } from '../../src/core/gateway.ts';
import { Engine } from '../../src/engine/engine.ts';
import { actsAfter } from '../../src/ledger/audit.ts';
import { Database } from '../../src/ledger/database.ts';
import { byCard, CARDS, card, checkout, sessionOf } from '../engine/payments/shop.ts';
import { csv, ENTRY, outcomes, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, {}]);
  await sandbox.given({ id: 'T1' }, { id: 'U1', account: 2 });
});

afterEach(() => sandbox.remove());

/** Pauses an account, or all. */
async function paused(accountId?: string): Promise<void> {
  const account = (await sandbox.accounts()).find((one) => one.accountId === accountId);
  expect(await pause(sandbox.context(), account, 'the acquirer is down')).toBeUndefined();
}

async function continued(accountId?: string): Promise<void> {
  const account = (await sandbox.accounts()).find((one) => one.accountId === accountId);
  expect(await unpause(sandbox.context(), account, 'it is up again')).toBeUndefined();
}

const FILE = csv(`merchant_id,account_id,${ENTRY}`, 'M1,A1,T1,O-T1,USD,100.00', 'M1,A2,U1,O-U1,USD,100.00');

function captureOf(accountId: string, id: string): EntriesRequest {
  const entry = {
    transactionId: id,
    orderNo: `O-${id}`,
    currency: 'USD',
    amount: 1_000,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
  };
  return { merchantId: 'M1', accountId, entries: [entry] };
}

function capture(accountId: string, id: string, key?: string) {
  return sandbox.engine().capture(captureOf(accountId, id), key === undefined ? {} : { idempotencyKey: key });
}

describe('while everything is paused', () => {
  test('a file waits, and goes on afterwards where it was', async () => {
    await paused();
    const waiting = await sandbox.run('capture.csv', FILE);
    expect(waiting).toMatchObject({ status: 'interrupted', exit: 5, errors: [{ code: 'E0002' }] });
    expect(await sandbox.transfers()).toEqual([]);
    await continued();
    const document = await sandbox.run('capture.csv', FILE);
    expect(document.batch).toBe(waiting.batch);
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded']);
  });

  test('what is only foreseen is foreseen as if it were not', async () => {
    await paused();
    const overlay = await Database.openOverlay(sandbox.folders.database);
    const engine = new Engine(overlay, { schedule: sandbox.schedule, clock: () => sandbox.now });
    expect(await engine.capture(captureOf('A1', 'T1'))).toMatchObject({ results: [{ status: 'done' }] });
    await overlay.close();
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('requests are refused, and the first answer under a key is given again', async () => {
    const first = await capture('A1', 'T1', 'K');
    await paused();
    expect(await capture('A1', 'T1')).toMatchObject({ failure: { code: 'E0002' } });
    expect(await capture('A1', 'T1', 'K')).toEqual(first);
    expect(await sandbox.transfers()).toEqual(['T1 capture 1000']);
  });

  test('nobody pays, neither by request nor on a page that is open', async () => {
    const engine = sandbox.engine();
    const session = sessionOf(await engine.checkout(checkout({ orderNo: 'H1' })));
    await paused();
    expect(await engine.authorise(byCard(CARDS.approved))).toMatchObject({ failure: { code: 'E0002' } });
    const view = await engine.submitCard(session, card(CARDS.approved), '198.51.100.7');
    expect(view).toMatchObject({ step: { is: 'open' } });
    await continued();
    const after = await engine.submitCard(session, card(CARDS.approved), '198.51.100.7');
    expect(after).toMatchObject({ step: { is: 'over', orderStatus: 1 } });
  });
});

test('a paused account stops alone', async () => {
  await paused('A1');
  expect(await capture('A1', 'T1')).toMatchObject({ failure: { code: 'E0002' } });
  expect(await capture('A2', 'U1')).toMatchObject({ results: [{ status: 'done' }] });
});

test('pausing twice and continuing twice is said, and every act stands in the audit', async () => {
  await paused('A1');
  const [account] = await sandbox.accounts();
  expect(await pause(sandbox.context(), account, 'again')).toMatchObject({
    refusal: 'account M1/A1 is paused already',
  });
  await continued('A1');
  expect(await unpause(sandbox.context(), account, 'again')).toMatchObject({
    refusal: 'account M1/A1 is not paused',
  });
  const acts = await actsAfter(sandbox.database.reads, 0, 10);
  expect(acts.map(({ act, subject }) => `${act} ${subject}`)).toEqual(['pause M1/A1', 'continue M1/A1']);
});
