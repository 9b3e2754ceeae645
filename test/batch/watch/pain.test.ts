/** Payment initiations in a watched folder: answered in the outbox, proved in done/. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drop, lying, PLAIN, reading, watchOnce } from '../../support/inbox.ts';
import { answerIn, initiation, initiationOf } from '../../support/initiation.ts';
import { Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make([{}, {}]);
  await sandbox.given({ id: 'T1', state: 'captured', amount: 100_000 });
});
afterEach(() => sandbox.remove());

/** What lies in a folder, without the batch's own id. */
const names = (folder: string) =>
  lying(sandbox, folder).map((name) => name.replace(/B[0-9A-Z]{16}/, 'B').replace(/^.*\//, ''));

const answer = () => {
  const [name] = lying(sandbox, 'outbox').filter((one) => one.endsWith('.pain002.xml'));
  return join(sandbox.folders.root, 'outbox', name!);
};

test('one that is dropped has its answer in the outbox, among the other reports', async () => {
  drop(sandbox, 'M1/A1/bank-export', initiation({ id: 'P1' }, { id: 'P2', amount: '1000.01' }));
  await watchOnce(sandbox);
  expect(names('outbox')).toEqual([
    'bank-export.B.ack.json',
    'bank-export.B.fixme.csv',
    'bank-export.B.pain002.xml',
    'bank-export.B.report.html',
    'bank-export.B.report.json',
    'bank-export.B.result.csv',
  ]);
  expect(answerIn(answer()).statuses).toEqual(['P1 ACSC', 'P2 RJCT AM04']);
  expect(JSON.parse(reading(sandbox, /ack\.json$/))).toMatchObject({
    status: 'accepted',
    operation: 'payout',
    read: { encoding: 'utf-8', delimiter: null, rows: 2 },
    totals_calculated: { USD: '1010.01' },
  });
});

test('and its hash in the proof', async () => {
  drop(sandbox, 'M1/A1/bank.xml', initiation({}));
  await watchOnce(sandbox);
  const { reports, options } = JSON.parse(reading(sandbox, /\/OK$/));
  const sha256 = createHash('sha256').update(readFileSync(answer())).digest('hex');
  expect(reports.pain002).toEqual({ name: answer().split('/').at(-1), sha256 });
  expect(options).toMatchObject({ payment_method: 'SWIFT', entity_type: 'COMPANY' });
});

test('with the terms of its folder', async () => {
  drop(sandbox, 'M1/A1/a.xml', initiation({ id: 'P1' }));
  drop(sandbox, 'M1/A2/b.xml', initiation({ id: 'P2' }));
  const pain001 = { payment_method: 'SEPA', entity_type: 'INDIVIDUAL' };
  await watchOnce(sandbox, {
    settingsOf: ([, account]) =>
      account === 'A1' ? { ...PLAIN, reading: { ...PLAIN.reading, pain001 } } : PLAIN,
  });
  const first = reading(sandbox, /A1\/a\..*result\.csv$/);
  expect(first).toContain('payout,P1,SEPA,');
  expect(first).toContain(',INDIVIDUAL,Acme,');
  expect(reading(sandbox, /A2\/b\..*result\.csv$/)).toContain('payout,P2,SWIFT,');
});

test('rejected, it is answered too, and lies where rejected files lie', async () => {
  drop(sandbox, 'M1/A1/bank.xml', initiationOf([{ transfers: [{}] }], { id: 'ERP-9', sum: '1' }));
  await watchOnce(sandbox);
  expect(names('outbox')).toEqual(['bank.B.ack.json', 'bank.B.pain002.xml']);
  expect(names('rejected')).toEqual(['bank.xml', 'errors.csv', 'errors.json']);
  expect(answerIn(answer())).toMatchObject({
    originalMessageId: 'ERP-9',
    group: { status: 'RJCT', reason: { code: 'AM10' } },
  });
  expect(await sandbox.transfers()).toEqual([]);
});

test('rejected because nothing can be read of it, there is nothing to answer', async () => {
  drop(sandbox, 'M1/A1/bank.xml', '<!DOCTYPE x [<!ENTITY a "b">]>\n<Document>&a;</Document>\n');
  await watchOnce(sandbox);
  expect(names('outbox')).toEqual(['bank.B.ack.json']);
  expect(JSON.parse(reading(sandbox, /errors\.json$/)).errors).toMatchObject([{ code: 'B0011', line: 1 }]);
});
