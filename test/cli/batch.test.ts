/** `batchgate batch …` and `report`: what people see of batches and do with them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineNumbers } from '../../src/cli/batch-act.ts';
import { Database } from '../../src/ledger/database.ts';
import { setBatch } from '../../src/ledger/journal.ts';
import { Ownership } from '../../src/ledger/owner.ts';
import type { BatchDocument, RunDocument } from '../../src/report/document.ts';
import { batchgate, type CliSandbox, makeSandbox } from '../support/cli.ts';
import { outcomes } from '../support/ledger.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const HEADER = 'transaction_id,order_no,currency,amount\n';

/** Executes text as a file of this name. */
async function run(name: string, content: string, ...options: readonly string[]): Promise<BatchDocument> {
  const path = join(sandbox.folder, name);
  writeFileSync(path, content);
  return (await sandbox.json<RunDocument>('run', path, ...options)).batches[0]!;
}

async function act(...args: readonly string[]): Promise<BatchDocument> {
  return (await sandbox.json<RunDocument>('batch', ...args)).batches[0]!;
}

interface Listed {
  readonly batches: readonly { readonly batch: string; readonly status: string; readonly open: boolean }[];
}

describe('list and show', () => {
  test('have what ran, what was rejected, and what is open', async () => {
    expect((await sandbox.run('batch', 'list')).err).toContain('no batch yet');
    const good = await run('capture-good.csv', `${HEADER}T1002,SHOP-1002,USD,49.90\n`);
    const bad = await run('capture-bad.csv', `${HEADER}T1401,SHOP-1401,USD,70.00\n`);
    const rejected = await run('capture-rejected.csv', 'transaction_id\n');
    const all = await sandbox.json<Listed>('batch', 'list');
    expect(all.batches).toMatchObject([
      { batch: good.batch, status: 'completed', open: false, exit: 0 },
      { batch: bad.batch, status: 'completed', open: true, exit: 3 },
      { batch: rejected.batch, status: 'rejected', open: false, exit: 6 },
    ]);
    const open = await sandbox.json<Listed>('batch', 'list', '--open');
    expect(open.batches.map(({ batch }) => batch)).toEqual([bad.batch]);
    expect((await sandbox.run('batch', 'list')).out).toContain('capture-rejected.csv');
    const shown = await sandbox.run('batch', 'show', bad.batch.toLowerCase());
    expect(shown.out).toContain('1 refused');
    expect(shown.out).toContain('batch.accept');
    expect((await sandbox.run('batch', 'show', rejected.batch)).out).toContain('B0006');
    expect(await sandbox.json('batch', 'show', good.batch)).toMatchObject({
      document: good,
      attempts: [{ number: 1, state: 'done' }],
    });
  });

  test('a batch that runs is running as long as somebody owns it, and interrupted after that', async () => {
    const document = await run('capture-owned.csv', `${HEADER}T1401,SHOP-1401,USD,70.00\n\n`);
    const database = await Database.open(join(sandbox.data, 'batchgate.db'));
    const [row] = await database.reads.all<{ number: number }>('SELECT number FROM batch WHERE id = ?', [
      document.batch,
    ]);
    const set = (status: 'running' | 'completed') =>
      database.write((statements) => setBatch(statements, row!.number, { status }));
    await set('running');
    const status = async () =>
      (await sandbox.json<Listed>('batch', 'list')).batches.find(({ batch }) => batch === document.batch)!
        .status;
    expect(await status()).toBe('interrupted');
    const owner = await Ownership.take(join(sandbox.data, 'work', document.batch, 'owner.db'));
    expect(await status()).toBe('running');
    const { exit, err } = await sandbox.run('batch', 'resume', document.batch);
    expect([exit, err]).toEqual([5, expect.stringContaining('B0025')]);
    await owner!.release();
    await set('completed');
    await database.close();
  });

  test.each(['show', 'stop', 'resume', 'retry', 'resolve'])(
    '%s of an unknown batch is a usage error',
    async (name) => {
      const { exit, err } = await sandbox.run('batch', name, 'B0');
      expect([exit, err]).toEqual([2, expect.stringContaining('there is no batch B0')]);
    },
  );
});

describe('release', () => {
  test('executes held duplicates, makes the next revision, and leaves the first as it was', async () => {
    const line = 'T1302,SHOP-1302,USD,80.00,10.00\n';
    const document = await run(
      'refund-twice.csv',
      `transaction_id,order_no,currency,amount,refund_amount\n${line}${line}`,
    );
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001']);
    const wrong = await sandbox.run('batch', 'release', document.batch, '--line', '2', '--reason', 'x');
    expect([wrong.exit, wrong.err]).toEqual([
      2,
      expect.stringContaining('line 2 is succeeded, not a duplicate'),
    ]);
    const first = readFileSync(document.reports.result!);
    const released = await act('release', document.batch, '--line', '3', '--reason', 'two deliveries');
    expect(outcomes(released)).toEqual(['succeeded', 'succeeded']);
    expect(released).toMatchObject({ revision: 2, exit: 0, reports: { held: null } });
    expect(readFileSync(document.reports.result!)).toEqual(first);
    const { acts } = await sandbox.json<{ acts: readonly { act: string; detail: unknown }[] }>(
      'batch',
      'show',
      document.batch,
    );
    expect(acts).toContainEqual(
      expect.objectContaining({
        act: 'batch.release',
        detail: { reason: 'two deliveries', attempt: 2, lines: '3' },
      }),
    );
  });

  test('takes lines and ranges', () => {
    expect([...lineNumbers('17,19-21, 5')]).toEqual([17, 19, 20, 21, 5]);
    for (const text of ['', 'x', '0', '5-3', '1-', '1,,2', '1-9999999']) {
      expect(() => lineNumbers(text)).toThrow('names no lines');
    }
  });
});

describe('stop, resume, retry, resolve, close', () => {
  test('a batch that was interrupted can be stopped and resumed', async () => {
    const path = join(sandbox.folder, 'capture-stopped.csv');
    writeFileSync(path, `${HEADER}T1008,SHOP-1008,USD,15.25\n`);
    const interrupted = await sandbox.json<RunDocument>('run', path, '--deadline', '1ms');
    const { batch, status } = interrupted.batches[0]!;
    expect([status, interrupted.exit]).toEqual(['interrupted', 5]);
    const stopped = await act('stop', batch, '--reason', 'wrong file');
    expect(stopped).toMatchObject({ status: 'stopped', exit: 3, lines: { not_sent: 1 } });
    expect((await sandbox.run('batch', 'stop', batch)).exit).toBe(2);
    const resumed = await act('resume', batch);
    expect(resumed).toMatchObject({ status: 'completed', exit: 0, lines: { succeeded: 1 }, revision: 2 });
    const again = await sandbox.run('batch', 'resume', batch);
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('there is nothing to go on with')]);
  });

  test('retry executes what may have passed, and says so when there is nothing', async () => {
    const payout =
      'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban\nR-1,SWIFT,EUR,EUR,1.00,COMPANY,Muster GmbH,DE89370400440532013000\nR-2,SWIFT,EUR,EUR,300.00,COMPANY,Muster GmbH,DE89370400440532013000\n';
    const document = await run('payout-poor.csv', payout);
    expect(outcomes(document)).toEqual(['succeeded', 'refused V0011']);
    expect(outcomes(await act('retry', document.batch))).toEqual(['succeeded', 'refused V0011']);
    await run('capture-rich.csv', `${HEADER}T1010,SHOP-1010,EUR,310.00\n`);
    expect(await act('retry', document.batch, '--reason', 'captured since')).toMatchObject({
      exit: 0,
      lines: { succeeded: 2 },
    });
    const again = await sandbox.run('batch', 'retry', document.batch);
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('no line was refused')]);
  });

  test('resolve says when nothing is due, and a closed batch stays as it is', async () => {
    const [document] = (await sandbox.json<RunDocument>('run', sandbox.sample('payout.csv'))).batches;
    const pending = await sandbox.run('batch', 'resolve', document!.batch);
    expect([pending.exit, pending.err]).toEqual([2, expect.stringContaining('still scheduled')]);
    const closed = await sandbox.run(
      'batch',
      'close',
      document!.batch,
      '--reason',
      'the rest was sent by hand',
    );
    expect([closed.exit, closed.err]).toEqual([0, expect.stringContaining('batch list --open')]);
    for (const name of ['retry', 'resume']) {
      const { exit, err } = await sandbox.run('batch', name, document!.batch);
      expect([exit, err]).toEqual([2, expect.stringContaining('it is closed')]);
    }
    expect((await sandbox.run('batch', 'close', document!.batch, '--reason', 'again')).exit).toBe(2);
  });
});

describe('report', () => {
  test('writes the same bytes again, of every revision, whatever happened since', async () => {
    const line = 'T1303,SHOP-1303,USD,60.00,5.00\n';
    const document = await run(
      'refund-again.csv',
      `transaction_id,order_no,currency,amount,refund_amount\n${line}${line}T9,O,USD,1.00,1.00\n`,
    );
    await act('release', document.batch, '--line', '3', '--reason', 'both');
    await sandbox.run('account', 'add', '--merchant', 'M2', '--account', 'B', '--currency', 'USD');
    const folder = join(sandbox.data, 'reports', document.batch);
    const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    expect(written.size).toBe(9);
    const out = mkdtempSync(join(tmpdir(), 'batchgate-report-'));
    const later = mkdtempSync(join(tmpdir(), 'batchgate-report-'));
    expect((await sandbox.run('report', document.batch, '--revision', '1', '--out', out)).exit).toBe(0);
    // In a process of its own, where charts are counted from the beginning.
    expect((await batchgate(['report', document.batch, '--out', later, '--data', sandbox.data])).exit).toBe(
      0,
    );
    expect(readdirSync(out)).toHaveLength(5);
    expect(readdirSync(later)).toHaveLength(4);
    for (const path of [
      ...readdirSync(out).map((name) => join(out, name)),
      ...readdirSync(later).map((name) => join(later, name)),
    ]) {
      expect(readFileSync(path)).toEqual(written.get(path.split('/').at(-1)!));
    }
    await sandbox.run('report', document.batch);
    for (const [name, bytes] of written) expect(readFileSync(join(folder, name))).toEqual(bytes);
    rmSync(out, { recursive: true });
    rmSync(later, { recursive: true });
    const missing = await sandbox.run('report', document.batch, '--revision', '7');
    expect([missing.exit, missing.err]).toEqual([2, expect.stringContaining('has no finished revision 7')]);
  });
});
