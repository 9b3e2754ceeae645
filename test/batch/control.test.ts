/** What a sender states about a file, and what is found: control totals, sequence, hash, environment, policy, signature. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ControlTotals, Submission } from '../../src/batch/submission.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { type Key, parseKey, signMessage } from '../../src/wire/signature.ts';
import { csv, documentOf, ENTRY, outcomes, readCsv, readJson, Sandbox, watched } from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(
    { id: 'T1' },
    { id: 'T2' },
    { id: 'E1', currency: 'EUR' },
    { id: 'J1', currency: 'JPY' },
  );
});
afterEach(() => sandbox.remove());

const THREE = csv(ENTRY, 'T1,O-T1,USD,10.50', 'T2,O-T2,USD,0.75', 'E1,O-E1,EUR,3.00');

describe('control totals', () => {
  const run = (control: ControlTotals, content = THREE, name = 'capture.csv') =>
    sandbox.run(name, content, { control: [control] });

  test.each<[string, ControlTotals]>([
    ['the number of lines', { rows: 3 }],
    ['the sum of a currency', { totals: { USD: '11.25' } }],
    ['the sums of all', { totals: { USD: '11.25', EUR: '3.00' } }],
    ['a sum with fewer decimals', { totals: { EUR: '3' } }],
    ['a sum with zeros in front and behind', { totals: { EUR: '003.0', USD: '11.2500' } }],
    ['nothing of a currency that there is not', { totals: { JPY: '0', KWD: '0.000' } }],
    ['the hash', { sha256: createHash('sha256').update(THREE).digest('hex') }],
    ['the hash in capitals', { sha256: createHash('sha256').update(THREE).digest('hex').toUpperCase() }],
    ['the environment', { environment: 'sandbox' }],
    ['nothing', {}],
  ])('%s, stated rightly: the file runs', async (_, control) => {
    expect(await run(control)).toMatchObject({ exit: 0, errors: [] });
  });

  test.each<[string, ControlTotals, readonly string[]]>([
    ['the number of lines', { rows: 4 }, ['stated 4, calculated 3']],
    ['the sum of a currency', { totals: { USD: '11.24' } }, ['USD: stated 11.24, calculated 11.25']],
    ['a currency that there is not', { totals: { JPY: '100' } }, ['JPY: stated 100, calculated 0']],
    [
      'a sum with more decimals than there are',
      { totals: { USD: '11.251' } },
      ['stated 11.251, calculated 11.25'],
    ],
    ['a sum that is no number', { totals: { USD: '1,125' } }, ['stated 1,125']],
    ['the hash', { sha256: 'ab'.repeat(32) }, [`stated ${'ab'.repeat(32)}`]],
    ['the environment', { environment: 'live' }, ['stated live, calculated sandbox']],
    [
      'two things',
      { rows: 2, totals: { EUR: '4.00' } },
      ['stated 2, calculated 3', 'stated 4.00, calculated 3.00'],
    ],
  ])('%s, stated wrongly: rejected (B0009), and both figures are named', async (_, control, words) => {
    const document = await run(control);
    expect(document).toMatchObject({ status: 'rejected', exit: 6, read: { rows: 3 } });
    expect(document.errors.map(({ code }) => code)).toEqual(words.map(() => 'B0009'));
    for (const [at, word] of words.entries()) expect(document.errors[at]!.message).toContain(word);
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('every source counts: flags do not hide what the control file says', async () => {
    const document = await sandbox.run('capture.csv', THREE, {
      control: [{ rows: 4 }, { rows: 3, totals: { USD: '1.00' } }],
    });
    expect(document.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('stated 4'),
      expect.stringContaining('stated 1.00'),
    ]);
  });

  test('invalid lines count, as far as their amounts can be read', async () => {
    const content = csv(ENTRY, 'T1,O-T1,USD,10.50', 'T2,,USD,0.75', 'T2,O-T2,USD,x', 'T2,O-T2,XXX,5');
    expect((await run({ rows: 4, totals: { USD: '11.25' } }, content)).lines).toMatchObject({
      succeeded: 1,
      invalid: 3,
    });
    expect(await run({ totals: { USD: '10.50' } }, `${content}\n`)).toMatchObject({ exit: 6 });
  });

  test('a refund counts with its refund_amount, a payout with the amount that it gives', async () => {
    await sandbox.given({ id: 'R1', state: 'captured', amount: 10_000 });
    const refund = csv(`${ENTRY},refund_amount`, 'R1,O-R1,USD,100.00,2.00', 'R1,O-R1,USD,100.00,3.00');
    expect(await run({ totals: { USD: '5.00' } }, refund, 'refund.csv')).toMatchObject({ exit: 0 });
    const header =
      'request_id,payment_method,source_currency,payment_currency,source_amount,payment_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
    const payout = csv(
      header,
      'P1,bank,USD,USD,1.00,,company,A,DE89370400440532013000',
      'P2,bank,USD,EUR,,2.00,company,A,DE89370400440532013000',
    );
    const document = await run({ rows: 2, totals: { USD: '1.00', EUR: '2.00' } }, payout, 'payout.csv');
    expect(outcomes(document)).toEqual(['succeeded', 'refused V0012']);
  });

  test('sums are exact beyond what a number can hold', async () => {
    const content = csv(
      ENTRY,
      ...Array.from({ length: 99 }, (_, index) => `X${index},O,USD,9999999999999.99`),
    );
    expect(await run({ totals: { USD: '989999999999999.01' } }, content)).toMatchObject({
      lines: { refused: 99 },
      totals: { USD: { refused: '989999999999999.01' } },
    });
    expect(await run({ totals: { USD: '989999999999999.02' } }, `${content}\n`)).toMatchObject({ exit: 6 });
  });

  test('what was stated and what was found stands in the evidence', async () => {
    const document = await run({ rows: 3, totals: { USD: '11.25' } });
    const { evidence } = JSON.parse(readFileSync(document.reports.json!, 'utf8'));
    expect(evidence.control_totals).toEqual({
      stated: { rows: 3, totals: { USD: '11.25' } },
      calculated: { rows: 3, totals: { USD: '11.25', EUR: '3.00' } },
    });
  });
});

describe('the sequence of files', () => {
  let files = 0;
  /** A file of its own, with one line. */
  const run = (sequence: number, change: Partial<Submission> = {}, name = 'capture.csv') => {
    files += 1;
    return sandbox.run(
      name,
      csv(`${ENTRY},file`, `T1,O-T1,USD,0.${String(files).padStart(2, '0')},${files}`),
      { ...change, control: [{ sequence }] },
    );
  };

  test('begins anywhere and goes on one by one', async () => {
    expect(await run(17)).toMatchObject({ status: 'completed' });
    expect(await run(18)).toMatchObject({ status: 'completed' });
    expect((await run(20)).errors).toMatchObject([
      { code: 'B0009', message: expect.stringContaining('stated 20, expected 19') },
    ]);
    expect((await run(18)).errors).toMatchObject([
      { message: expect.stringContaining('stated 18, expected 19') },
    ]);
    expect(await run(19)).toMatchObject({ status: 'completed' });
  });

  test('a file out of its turn lies in rejected/, and runs when its turn has come', async () => {
    await run(1);
    const content = csv(ENTRY, 'T2,O-T2,USD,1.00');
    const early = await sandbox.run('capture.csv', content, { control: [{ sequence: 3 }] });
    expect(early).toMatchObject({ status: 'rejected', exit: 6, lines: { total: 1, not_sent: 1 } });
    const folder = sandbox.folders.rejectedOf('2026-11-20', early.batch);
    expect(readdirSync(folder).sort()).toEqual(['capture.csv', 'errors.csv', 'errors.json']);
    expect(readFileSync(join(folder, 'capture.csv'), 'utf8')).toBe(content);
    expect(readdirSync(sandbox.folders.work)).toHaveLength(1);
    await run(2);
    expect(await sandbox.run('capture.csv', content, { control: [{ sequence: 3 }] })).toMatchObject({
      status: 'completed',
      exit: 0,
    });
  });

  test('files without a number do not count, and neither do rejected ones', async () => {
    await run(1);
    await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,5.00'));
    await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,6.00'), {
      control: [{ sequence: 2, rows: 99 }],
    });
    expect(await run(2)).toMatchObject({ status: 'completed' });
  });

  test('the same file again is the same number again', async () => {
    const content = csv(ENTRY, 'T2,O-T2,USD,1.00');
    const first = await sandbox.run('capture.csv', content, { control: [{ sequence: 1 }] });
    await run(2);
    expect(await sandbox.run('capture.csv', content, { control: [{ sequence: 1 }] })).toEqual({
      ...first,
      repeat: true,
    });
  });

  test('each account and each operation has its own', async () => {
    await sandbox.account();
    const of = (account: string) => ({ merchantId: 'M1', accountId: account });
    expect(await run(5, of('A1'))).toMatchObject({ status: 'completed' });
    expect(await run(1, of('A2'))).toMatchObject({ status: 'completed' });
    expect(await run(9, of('A1'), 'cancel.csv')).toMatchObject({ status: 'completed' });
    expect(await run(6, of('A1'))).toMatchObject({ status: 'completed' });
    expect(await run(7, of('A2'))).toMatchObject({ status: 'rejected' });
  });

  test('a line of an account that there is not does not begin another sequence', async () => {
    await sandbox.account();
    const WITH_IDS = `merchant_id,account_id,${ENTRY}`;
    const numbered = (sequence: number, ...rows: readonly string[]) =>
      sandbox.run('capture.csv', csv(WITH_IDS, ...rows), { control: [{ sequence }] });
    expect(await numbered(1, 'M1,A1,T1,O-T1,USD,1.00')).toMatchObject({ exit: 0 });
    expect(await numbered(2, 'M1,A1,T1,O-T1,USD,2.00', 'M1,A9,T1,O-T1,USD,2.00', ',,,,,3')).toMatchObject({
      exit: 3,
    });
    expect(await numbered(3, 'M1,A1,T1,O-T1,USD,3.00')).toMatchObject({ exit: 0 });
  });

  test('a file that was stopped, dropped again, keeps its number', async () => {
    await run(1);
    const content = csv(ENTRY, 'T2,O-T2,USD,1.00');
    const control = [{ sequence: 2 }];
    const first = await sandbox.run('capture.csv', content, { control }, { interruption: () => 143 });
    expect(documentOf(await sandbox.stop(first))).toMatchObject({ status: 'stopped' });
    expect(await sandbox.run('capture.csv', content, { control })).toMatchObject({
      status: 'completed',
      exit: 0,
      repeat: false,
    });
  });
});

describe('policy', () => {
  const SOME_INVALID = csv(ENTRY, 'T1,O-T1,USD,1.00', 'T2,O-T2,USD,x', 'T2,O-T2,USD,2.00');

  test('valid-lines: invalid lines are reported and the rest runs', async () => {
    expect(outcomes(await sandbox.run('capture.csv', SOME_INVALID))).toEqual([
      'succeeded',
      'invalid I0021',
      'succeeded',
    ]);
  });

  test('atomic: one invalid line, and nothing runs', async () => {
    const document = await sandbox.run('capture.csv', SOME_INVALID, { policy: 'atomic' });
    expect(document).toMatchObject({
      status: 'rejected',
      exit: 6,
      lines: { invalid: 1, not_sent: 2 },
      chunks: { done: 0 },
    });
    expect(document.errors).toMatchObject([{ code: 'I0021', line: 3, column: 'amount' }]);
    expect(await sandbox.transfers()).toEqual([]);
    const folder = sandbox.folders.rejectedOf('2026-11-20', document.batch);
    expect(readFileSync(join(folder, 'capture.csv'), 'utf8')).toBe(SOME_INVALID);
    expect(readCsv(join(folder, 'errors.csv'))).toMatchObject([{ line: '3', code: 'I0021' }]);
  });

  test('atomic: its fixme has every line, so that the corrected one can be dropped as a whole', async () => {
    const document = await sandbox.run('capture.csv', SOME_INVALID, { policy: 'atomic' });
    const fixme = readFileSync(document.reports.fixme!, 'utf8');
    const second = await sandbox.run('capture.fixme.csv', fixme.replace(',x,', ',3.00,'), {
      policy: 'atomic',
    });
    expect(outcomes(second)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test('atomic: dropped again it is read afresh', async () => {
    const first = await sandbox.run('capture.csv', SOME_INVALID, { policy: 'atomic' });
    const second = await sandbox.run('capture.csv', SOME_INVALID);
    expect(second).toMatchObject({ repeat: false, status: 'completed', lines: { succeeded: 2 } });
    expect(second.batch).not.toBe(first.batch);
  });

  test('atomic: what the gateway refuses is not invalid', async () => {
    const document = await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,1.00', 'T2,O-T2,USD,100.01'), {
      policy: 'atomic',
    });
    expect(outcomes(document)).toEqual(['succeeded', 'refused V0005']);
  });
});

describe('a signed envelope (B0016)', () => {
  const key = keyOf('a key of at least thirty-two characters');
  const other = keyOf('another key of thirty-two characters!');
  const entries = [
    { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00' },
    { transaction_id: 'T2', order_no: 'O-T2', currency: 'USD', amount: 'x' },
  ];
  const message: JsonFields = { merchant_id: 'M1', account_id: 'A1', capture_orders: entries };
  const run = (
    signed: JsonFields | string,
    keys: readonly Key[] = [key],
    change: Partial<Submission> = {},
  ): Promise<BatchDocument> =>
    sandbox.run('capture.json', typeof signed === 'string' ? signed : JSON.stringify(signed), change, {
      keysOf: async () => keys,
    });

  test('whose signature holds runs, however it is laid out', async () => {
    const signed = { encryption_data: signMessage(message, key).toUpperCase(), ...message };
    const document = await run(`\uFEFF${JSON.stringify(signed, undefined, 4)}`, [other, key]);
    expect(outcomes(document)).toEqual(['succeeded', 'invalid I0021']);
  });

  test.each<[string, JsonFields, readonly Key[]]>([
    [
      'an amount was changed',
      {
        ...message,
        capture_orders: [{ ...entries[0], amount: '9.00' }],
        encryption_data: signMessage(message, key),
      },
      [key],
    ],
    ['something was added', { ...message, note: 'x', encryption_data: signMessage(message, key) }, [key]],
    ['it was made with another key', { ...message, encryption_data: signMessage(message, other) }, [key]],
    ['no key of the account is valid', { ...message, encryption_data: signMessage(message, key) }, []],
    ['it is short', { ...message, encryption_data: 'abc' }, [key]],
    ['it is empty', { ...message, encryption_data: '' }, [key]],
    ['it is no text', { ...message, encryption_data: null }, [key]],
    [
      'the message names no account',
      { capture_orders: entries, encryption_data: signMessage({ capture_orders: entries }, key) },
      [key],
    ],
    [
      'the account is unknown',
      { ...message, account_id: 'A9', encryption_data: signMessage({ ...message, account_id: 'A9' }, key) },
      [key],
    ],
  ])('is rejected when %s', async (_, signed, keys) => {
    expect(await run(signed, keys)).toMatchObject({
      status: 'rejected',
      exit: 6,
      errors: [{ code: 'B0016' }],
    });
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('is rejected when its name is misspelt: it would not be looked at', async () => {
    expect(await run({ ...message, encription_data: signMessage(message, key) })).toMatchObject({
      exit: 6,
      errors: [{ code: 'B0007' }],
    });
  });

  test('may have at most 1 MiB; an unsigned one any size', async () => {
    const large: JsonFields = {
      ...message,
      capture_orders: Array.from({ length: 4_000 }, (_, index) => ({
        ...entries[0]!,
        transaction_id: `T-${index}`,
        amount: `0.0${(index % 9) + 1}`,
        note: 'x'.repeat(200),
      })),
    };
    expect(await run({ ...large, encryption_data: signMessage(large, key) })).toMatchObject({
      errors: [{ code: 'B0016', message: expect.stringContaining('1 MiB') }],
    });
    expect(await run(large)).toMatchObject({ status: 'completed', lines: { total: 4_000 } });
  });

  describe('of a payout, which is a request by itself', () => {
    const payout = (id: string): JsonFields => ({
      merchant_id: 'M1',
      account_id: 'A1',
      request_id: id,
      payment_method: 'bank',
      source_currency: 'USD',
      payment_currency: 'USD',
      payment_amount: '1.00',
      beneficiary: {
        entity_type: 'company',
        company_name: 'Acme',
        bank_details: { iban: 'DE89370400440532013000' },
      },
    });
    const signed = (id: string, by = key): JsonFields => ({
      ...payout(id),
      encryption_data: signMessage(payout(id), by),
    });
    const runPayouts = (content: JsonFields | readonly JsonFields[]) =>
      sandbox.run('payout.json', JSON.stringify(content), {}, { keysOf: async () => [key] });
    beforeEach(() => sandbox.given({ id: 'R', state: 'captured' }));

    test('each is verified, alone or in a list', async () => {
      expect(outcomes(await runPayouts(signed('P1')))).toEqual(['succeeded']);
      expect(outcomes(await runPayouts([signed('P2'), payout('P3'), signed('P4')]))).toEqual(
        Array(3).fill('succeeded'),
      );
    });

    test('one that is wrong rejects the file, naming it', async () => {
      expect((await runPayouts({ ...signed('P1'), payment_amount: '2.00' })).errors).toMatchObject([
        { code: 'B0016', line: 1 },
      ]);
      expect((await runPayouts([signed('P1'), signed('P2', other)])).errors).toMatchObject([
        { code: 'B0016', line: 2, column: 'encryption_data' },
      ]);
      const { encryption_data, ...unsigned } = signed('P1');
      expect((await runPayouts({ ...unsigned, encription_data: encryption_data! })).errors).toMatchObject([
        { code: 'B0007' },
      ]);
      expect(await sandbox.transfers()).toEqual([]);
    });
  });

  test('leaves a fixme that can be dropped: the old signature is not in it', async () => {
    const document = await run({ ...message, encryption_data: signMessage(message, key) });
    const fixme = readFileSync(document.reports.fixme!, 'utf8');
    expect(fixme).not.toContain('encryption_data');
    expect(readJson(document.reports.result)).toHaveLength(2);
    expect(readFileSync(document.reports.result!, 'utf8')).toContain(signMessage(message, key));
    expect(outcomes(await run(fixme.replace('"x"', '"2.00"')))).toEqual(['succeeded']);
  });

  test('was verified when it was accepted: a key that is revoked since does not stop its resumption', async () => {
    const signed = JSON.stringify({ ...message, encryption_data: signMessage(message, key) });
    const first = await sandbox.run(
      'capture.json',
      signed,
      {},
      { keysOf: async () => [key], interruption: () => 143 },
    );
    expect(first).toMatchObject({ status: 'interrupted' });
    const second = documentOf(
      await sandbox.resume(first, { keysOf: async () => [], gateway: watched(sandbox.engine(), {}) }),
    );
    expect(second).toMatchObject({
      status: 'completed',
      read: { rows: 2 },
      chunks: { planned: 1, done: 1 },
      lines: { succeeded: 1, invalid: 1 },
    });
  });
});

function keyOf(text: string): Key {
  const parsed = parseKey(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}
