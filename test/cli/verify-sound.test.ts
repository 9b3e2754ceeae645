/** `batchgate verify` finds no fault with anything that the program does by itself. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verify } from '../../src/batch/verify.ts';
import { csv, DAY, documentOf, ENTRY, outcomes, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make([{}, { capture: 'automatic' }]);
});
afterEach(() => sandbox.remove());

const IDS = 'merchant_id,account_id';
const first = (id: string, amount = '100.00') => `M1,A1,${id},O-${id},USD,${amount}`;
const second = (id: string, amount = '100.00') => `M1,A2,${id},O-${id},USD,${amount}`;

async function expectSound(): Promise<void> {
  const findings = await verify(sandbox);
  expect(findings.flatMap(({ name, named }) => named.map((difference) => `${name}: ${difference}`))).toEqual(
    [],
  );
  expect(findings.every(({ ok }) => ok)).toBe(true);
}

test('an account that captures at once, and the same id in two accounts', async () => {
  await sandbox.given(
    { id: 'T1', state: 'in_review', account: 2 },
    { id: 'T2', state: 'in_review', account: 2 },
    { id: 'T1', state: 'in_review' },
  );
  const reviewed = await sandbox.run(
    'review.csv',
    csv(`${IDS},${ENTRY},review_flag`, `${second('T1')},1`, `${second('T2')},0`, `${first('T1')},1`),
  );
  expect(outcomes(reviewed)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(await sandbox.transfers()).toEqual([
    'T1 review_accepted 10000',
    'T1 capture 10000',
    'T2 review_rejected 10000',
    'T1 review_accepted 10000',
  ]);
  await expectSound();
});

test('repeats that are meant: allowed, with references, named, released', async () => {
  await sandbox.given({ id: 'T1', state: 'captured' }, { id: 'T2', state: 'captured' });
  const header = `${IDS},${ENTRY},refund_amount,reference,repeat_of`;
  const line = (reference = '', repeatOf = '') => `${first('T1')},1.00,${reference},${repeatOf}`;
  const allowed = await sandbox.run('refund.csv', csv(header, line(), line()), { repeats: 'allow' });
  expect(outcomes(allowed)).toEqual(['succeeded', 'succeeded']);
  const named = await sandbox.run(
    'refund-named.csv',
    csv(header, line('', `${allowed.batch}:2`), `${first('T2')},5.00,R1,`, `${first('T2')},5.00,R2,`),
  );
  expect(outcomes(named)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  const held = await sandbox.run('refund-held.csv', csv(header, `${first('T2')},5.00,,`));
  expect(outcomes(held)).toEqual(['duplicate B0001']);
  expect(outcomes(documentOf(await sandbox.release(held, [2])))).toEqual(['succeeded']);
  await expectSound();
});

test('what has expired, was interrupted, stopped, resumed, and a file of which nothing may run', async () => {
  await sandbox.given({ id: 'T1', at: sandbox.now - 8 * DAY }, { id: 'T2' }, { id: 'T3' });
  const expired = await sandbox.run('capture.csv', csv(`${IDS},${ENTRY}`, first('T1')));
  expect(outcomes(expired)).toEqual(['refused V0008']);
  const interrupted = await sandbox.run(
    'capture-2.csv',
    csv(`${IDS},${ENTRY}`, first('T2')),
    {},
    { interruption: () => 130 },
  );
  expect(interrupted.status).toBe('interrupted');
  await expectSound();
  documentOf(await sandbox.stop(interrupted));
  await expectSound();
  await sandbox.account();
  expect(outcomes(documentOf(await sandbox.resume(interrupted)))).toEqual(['succeeded']);
  const atomic = await sandbox.run('capture-3.csv', csv(`${IDS},${ENTRY}`, first('T3'), first('T3', 'x')), {
    policy: 'atomic',
  });
  expect(atomic.status).toBe('rejected');
  await expectSound();
});

test('payouts that are scheduled and settled later', async () => {
  await sandbox.given({ id: 'T1', state: 'captured' });
  const header =
    'merchant_id,account_id,request_id,payment_method,source_currency,payment_currency,source_amount,payment_date,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
  const line = (id: string, date: string) =>
    `M1,A1,${id},SEPA,USD,USD,10.00,${date},COMPANY,Muster GmbH,DE89370400440532013000`;
  const batch = await sandbox.run(
    'payout.csv',
    csv(header, line('P1', ''), line('P2', '2026-11-21'), line('P3', '2026-11-25'), line('P1', '')),
  );
  expect(outcomes(batch)).toEqual(['succeeded', 'pending', 'pending', 'duplicate B0001']);
  await expectSound();
  sandbox.now += 2 * DAY;
  expect(outcomes(documentOf(await sandbox.settle(batch)))).toEqual([
    'succeeded',
    'succeeded',
    'pending',
    'duplicate B0001',
  ]);
  await expectSound();
});
