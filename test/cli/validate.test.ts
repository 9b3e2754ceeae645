/** `batchgate validate`, `plan` and `template`: looking without touching. */
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../src/core/operation.ts';
import type { CheckedFile, PlannedFile } from '../../src/report/document.ts';
import { type CliSandbox, command, makeSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const HEADER = 'transaction_id,order_no,currency,amount\n';

function file(name: string, content: string): string {
  const path = join(mkdtempSync(join(sandbox.folder, 'given-')), name);
  writeFileSync(path, content);
  return path;
}

interface Read<T> {
  readonly environment: string;
  readonly exit: number;
  readonly files: readonly T[];
}

const validate = (...args: readonly string[]) => sandbox.json<Read<CheckedFile>>('validate', ...args);
const plan = (...args: readonly string[]) => sandbox.json<Read<PlannedFile>>('plan', ...args);

describe('validate', () => {
  test('says how the file was read', async () => {
    const path = file(
      'refunds.csv',
      'sep=;\r\nTransaction_ID;Order_No;Currency;Amount;Refund_Amount;Shop;_seen\r\nT1302;SHOP-1302;USD;80,00;1,50;Porto;x\r\n\r\n',
    );
    const { exit, files } = await validate(path, '--decimal', 'comma');
    expect(exit).toBe(0);
    expect(files[0]).toMatchObject({
      file: 'refunds.csv',
      operation: 'refund',
      read: {
        format: 'csv',
        encoding: 'utf-8',
        delimiter: ';',
        decimal: 'comma',
        rows: 1,
        blank: 1,
        columns: {
          understood: ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'],
          kept: ['shop'],
          ignored: ['_seen'],
        },
      },
      lines: { total: 1, valid: 1, invalid: 0 },
      totals_calculated: { USD: '1.50' },
    });
    const { out } = await sandbox.run('validate', path, '--decimal', 'comma');
    expect(out).toContain('read as     CSV, utf-8, semicolon between cells, decimal comma');
    expect(out).toContain('kept, without meaning here: shop');
    expect(out).toContain('next: batchgate plan ');
  });

  test('says what is wrong where, line by line', async () => {
    const path = file('capture.csv', `${HEADER}T1,O,USD,1.00\nT1,O,USD,"1,00"\nT1,,USD,1.00\n`);
    const { exit, files } = await validate(path);
    expect(exit).toBe(3);
    expect(files[0]!.errors).toMatchObject([
      { code: 'I0021', line: 3, column: 'amount' },
      { code: 'I0001', line: 4, column: 'order_no' },
    ]);
    expect((await sandbox.run('validate', path)).out).toContain('I0021 line 3, column amount');
    expect((await validate(path, '--policy', 'atomic')).exit).toBe(6);
  });

  test('lists up to a hundred, and says how many more there are', async () => {
    const bad = 'T1,,USD,1.00\n'.repeat(150);
    const { files } = await validate(file('capture.csv', HEADER + bad));
    expect([files[0]!.errors.length, files[0]!.unlisted]).toEqual([100, 50]);
    expect((await sandbox.run('validate', file('capture.csv', HEADER + bad))).out).toContain(
      '… and 130 more',
    );
  });

  test('rejects what run would reject, and F33 links', async () => {
    const misspelt = await validate(file('capture.csv', 'transaction_id,order_no,currency,amuont\n'));
    expect(misspelt).toMatchObject({ exit: 6, files: [{ errors: [{ code: 'B0007' }] }] });
    const link = join(sandbox.folder, 'capture-link.csv');
    symlinkSync(sandbox.sample('capture.csv'), link);
    expect(await validate(link)).toMatchObject({ exit: 6, files: [{ errors: [{ code: 'B0018' }] }] });
    const unclear = await validate(file('lines.csv', `${HEADER}T1,O,USD,1.00\n`));
    expect(unclear).toMatchObject({ exit: 6, files: [{ errors: [{ code: 'B0015' }] }] });
  });

  test('of several files the worst counts, and an empty file has no lines', async () => {
    const paths = [
      file('capture.csv', `${HEADER}T1,O,USD,1.00\n`),
      file('capture.csv', `${HEADER}T1,O,USD,x\n`),
      file('capture.csv', ''),
    ];
    const { exit, files } = await validate(...paths);
    expect([exit, files.map((one) => one.exit)]).toEqual([3, [0, 3, 0]]);
  });
});

describe('plan', () => {
  test('writes nothing', async () => {
    const before = readdirSync(sandbox.data, { recursive: true }).sort();
    const database = readFileSync(join(sandbox.data, 'batchgate.db'));
    expect((await plan(sandbox.sample('capture.csv'))).exit).toBe(3);
    expect(readFileSync(join(sandbox.data, 'batchgate.db'))).toEqual(database);
    const ignored = /batchgate\.db-(?:shm|wal)$/;
    expect(
      readdirSync(sandbox.data, { recursive: true })
        .sort()
        .filter((name) => !ignored.test(String(name))),
    ).toEqual(before.filter((name) => !ignored.test(String(name))));
    expect(await sandbox.json('batch', 'list')).toMatchObject({ batches: [] });
  });

  test('several files see one another, and the same file twice counts once', async () => {
    const capture = file('capture.csv', `${HEADER}T1001,SHOP-1001,USD,120.00\n`);
    const renamed = file('captures.csv', `${HEADER}T1001,SHOP-1001,USD,120.00\n`);
    const more = file('capture.csv', `${HEADER}T1001,SHOP-1001,USD,1.00\n`);
    const refund = file('refund.csv', `${HEADER.trim()},refund_amount\nT1001,SHOP-1001,USD,120.00,20.00\n`);
    const { exit, files } = await plan(capture, renamed, more, refund);
    expect(files.map(({ lines, same_as }) => [lines.succeeded, lines.refused, same_as])).toEqual([
      [1, 0, null],
      [0, 0, 'capture.csv'],
      [0, 1, null],
      [1, 0, null],
    ]);
    expect(exit).toBe(3);
    expect((await plan(refund)).files[0]).toMatchObject({
      lines: { refused: 1 },
      foreseen: [{ code: 'V0007', lines: 1 }],
    });
  });

  test('says when the file was executed before, or is only begun', async () => {
    const path = file('capture.csv', `${HEADER}T1002,SHOP-1002,USD,49.90\nT9,O,USD,1.00\n`);
    await sandbox.run('run', path, '--deadline', '1ms');
    const begun = (await plan(path)).files[0]!;
    expect(begun).toMatchObject({ executed_before: null, lines: { succeeded: 1, refused: 1 } });
    expect(begun.goes_on_with).toMatch(/^B\w{16}$/);
    await sandbox.run('run', path);
    const executed = (await plan(path)).files[0]!;
    expect(executed).toMatchObject({
      executed_before: begun.goes_on_with,
      lines: { succeeded: 1, refused: 1 },
      exit: 3,
    });
    expect((await sandbox.run('plan', path)).out).toContain(`was executed before as ${begun.goes_on_with}`);
  });
});

describe('template', () => {
  test.each(
    OPERATION_NAMES.flatMap((operation) => [[operation, 'csv'] as const, [operation, 'json'] as const]),
  )('%s as %s is valid, whatever the file is called', async (operation, format) => {
    const { exit, out } = await sandbox.run('template', operation, '--format', format);
    expect(exit).toBe(0);
    const named = await validate(file(`${operation}.${format}`, out));
    expect(named).toMatchObject({ exit: 0, files: [{ operation, lines: { total: 1, valid: 1 } }] });
    expect((await validate(file(`mine.${format}`, out))).exit).toBe(0);
  });

  test('needs no data directory', async () => {
    const nowhere = join(mkdtempSync(join(tmpdir(), 'batchgate-template-')), 'data');
    expect((await command('template', 'refund', '--data', nowhere)).out).toContain(
      'refund,M1,A1,T0001,ORDER-0001,USD,10.50,2.50',
    );
  });
});
