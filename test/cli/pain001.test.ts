/** Payment initiations (pain.001) on the command line: every command that takes a file, and what the configuration says. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BatchDocument, CheckedFile, PlannedFile, RunDocument } from '../../src/report/document.ts';
import { batchgate, type CliSandbox, makeSandbox } from '../support/cli.ts';
import { answerIn, initiation } from '../support/initiation.ts';
import { outcomes, readCsv } from '../support/ledger.ts';

const SAMPLE = 'payouts-2026-11-20.xml';

/** A directory that is copied for each test. */
const made = makeSandbox();
let sandbox: CliSandbox;
beforeEach(async () => {
  sandbox = (await made).copy();
});
afterEach(() => sandbox.remove());

function file(name: string, content: string): string {
  const path = join(sandbox.folder, name);
  writeFileSync(path, content);
  return path;
}

async function executed(...args: readonly string[]): Promise<BatchDocument> {
  return (await sandbox.json<RunDocument>('run', ...args)).batches[0]!;
}

describe('the sample', () => {
  test('validate says how it was read, and which transfer is wrong', async () => {
    const path = sandbox.sample(SAMPLE);
    const { exit, out } = await sandbox.run('validate', path);
    expect(exit).toBe(3);
    expect(out).toContain(
      'a payment initiation (ISO 20022 pain.001), utf-8; a line is a transfer, counted from 1',
    );
    expect(out).toContain('V0013 line 2, column beneficiary.bank_details.iban');
    const { files } = await sandbox.json<{ files: [CheckedFile] }>('validate', path);
    expect(files[0]).toMatchObject({
      operation: 'payout',
      read: { format: 'pain001', encoding: 'utf-8', delimiter: null, rows: 3 },
      totals_calculated: { EUR: '79.50' },
      lines: { total: 3, valid: 2, invalid: 1 },
    });
  });

  test('plan foresees what run then does', async () => {
    const path = sandbox.sample(SAMPLE);
    const { files } = await sandbox.json<{ files: [PlannedFile] }>('plan', path);
    const document = await executed(path);
    expect(files[0]).toMatchObject({ lines: document.lines, totals: document.totals, exit: document.exit });
    expect(answerIn(document.reports.pain002).statuses).toEqual([
      'INV-2026-0815 ACSC',
      'INV-2026-0816 RJCT AC01',
      'INV-2026-0817 ACSC',
    ]);
    const again = await sandbox.json<{ files: [PlannedFile] }>('plan', path);
    expect(again.files[0].executed_before).toBe(document.batch);
  });

  test('run names the answer, and explain tells the story of a transfer', async () => {
    const { out } = await sandbox.run('run', sandbox.sample(SAMPLE), '--quiet');
    const [, path] = /pain002 (\S+)/.exec(out)!;
    const [, batch] = /batch (B[0-9A-Z]{16})/.exec(out)!;
    expect(answerIn(path).originalMessageId).toBe('ERP-2026-11-20-001');
    const told = await sandbox.run('explain', `${batch}:3`);
    expect(told.exit).toBe(0);
    expect(told.out).toContain('INV-2026-0817');
    expect(told.out).toContain(path);
    expect((await sandbox.run('verify', '--quiet')).exit).toBe(0);
  });

  test('verify finds an answer that was changed', async () => {
    const { reports } = await executed(sandbox.sample(SAMPLE));
    appendFileSync(reports.pain002!, '<!-- paid -->');
    const { exit, out } = await sandbox.run('verify', '--quiet');
    expect(exit).toBe(11);
    expect(out).toContain(`${reports.pain002} has changed since it was written`);
  });

  test('report writes the answer again, with the same bytes', async () => {
    const { batch, reports } = await executed(sandbox.sample(SAMPLE));
    const text = readFileSync(reports.pain002!, 'utf8');
    rmSync(reports.pain002!);
    const out = join(sandbox.folder, 'again');
    expect((await sandbox.run('report', batch, '--revision', '1', '--out', out)).exit).toBe(0);
    expect(readFileSync(join(out, basename(reports.pain002!)), 'utf8')).toBe(text);
    expect((await sandbox.run('report', batch)).out).toContain(reports.pain002);
    expect(readFileSync(reports.pain002!, 'utf8')).toBe(text);
  });

  test('its fixme file, corrected, pays the rest', async () => {
    const { reports } = await executed(sandbox.sample(SAMPLE));
    const corrected = readFileSync(reports.fixme!, 'utf8').replaceAll(
      'PT50000201231234567890155',
      'PT50000201231234567890154',
    );
    expect(outcomes(await executed(file('rest.csv', corrected)))).toEqual(['succeeded']);
  });
});

describe('the built program', () => {
  test('takes one from standard input, without a name', async () => {
    const input = initiation({ id: 'IN-1', amount: '1' }, { id: 'IN-2', iban: 'DE00' });
    const { exit, out } = await batchgate(['run', '-', '--data', sandbox.data, '--json', '--quiet'], {
      input,
    });
    expect(exit).toBe(3);
    const [document] = (JSON.parse(out) as RunDocument).batches;
    expect(document).toMatchObject({ operation: 'payout', lines: { succeeded: 1, invalid: 1 } });
    expect(basename(document!.reports.pain002!)).toBe(`stdin.${document!.batch}.pain002.xml`);
    expect(answerIn(document!.reports.pain002).statuses).toEqual(['IN-1 ACSC', 'IN-2 RJCT AC01']);
  });

  test('rejects what only looks like one: exit 6, and why', async () => {
    const bomb =
      '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>\n<Document>&b;</Document>\n';
    const { exit, out } = await batchgate(['run', file('bank.xml', bomb), '--data', sandbox.data, '--quiet']);
    expect(exit).toBe(6);
    expect(out).toContain('B0011 line 1: The XML cannot be read: it has a document type (DOCTYPE)');
  });
});

describe('what the sender states', () => {
  const options = (count: string, total: string) => ['--expect-count', count, '--expect-total', total];

  test.each([
    ['agrees', options('3', 'EUR=79.50'), 3],
    ['has another count', options('2', 'EUR=79.50'), 6],
    ['has another total', options('3', 'EUR=79.51'), 6],
    ['contradicts what the file is', ['--operation', 'refund'], 6],
  ])('%s', async (_, flags, exit) => {
    expect((await sandbox.run('run', sandbox.sample(SAMPLE), '--quiet', ...flags)).exit).toBe(exit);
  });

  test('in the file itself differs: both figures, and an answer where --out says', async () => {
    const wrong = readFileSync(sandbox.sample(SAMPLE), 'utf8').replace('<CtrlSum>79.50<', '<CtrlSum>80.00<');
    const out = join(sandbox.folder, 'out');
    const document = await executed(file('payouts.xml', wrong), '--out', out);
    expect(document).toMatchObject({
      status: 'rejected',
      exit: 6,
      errors: [{ code: 'B0009', column: 'CtrlSum' }],
    });
    expect(document.errors[0]!.message).toContain('stated 80.00, calculated 79.50');
    expect(document.reports.pain002).toBe(join(out, `payouts.${document.batch}.pain002.xml`));
    expect(answerIn(document.reports.pain002).group).toMatchObject({
      status: 'RJCT',
      reason: { code: 'AM10' },
    });
  });
});

describe('the configuration', () => {
  const configure = (text: string) => writeFileSync(join(sandbox.data, 'batchgate.yaml'), `${text}\n`);

  test('says what the transfers do not', async () => {
    configure('pain001: { payment_method: SEPA }');
    const { reports } = await executed(sandbox.sample(SAMPLE));
    expect(readCsv(reports.result)[0]).toMatchObject({
      payment_method: 'SEPA',
      'beneficiary.entity_type': 'COMPANY',
    });
  });

  test('says it for one folder of the inbox', async () => {
    configure(
      'pain001: { payment_method: SEPA }\nwatch: { settle: 0.02, rescan: 0.1, inboxes: { M1/A1: { pain001: { entity_type: INDIVIDUAL } } } }',
    );
    const inbox = join(sandbox.data, 'inbox', 'M1', 'A1');
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, 'bank.xml'), initiation({ amount: '1' }));
    const { batches } = await sandbox.json<RunDocument>('watch', '--once');
    expect(readCsv(batches[0]!.reports.result)).toMatchObject([
      { payment_method: 'SEPA', 'beneficiary.entity_type': 'INDIVIDUAL', outcome: 'succeeded' },
    ]);
  });

  test('is refused where it says something else', async () => {
    configure('pain001: { method: SEPA }');
    const { exit, err } = await sandbox.run('run', sandbox.sample(SAMPLE));
    expect(exit).toBe(2);
    expect(err).toContain('pain001');
  });
});
