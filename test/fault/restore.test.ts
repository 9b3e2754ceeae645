/** F106: an older database under a newer done/ never executes anything, and everything that is proved comes back once. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inData, servedEngine } from '../../src/cli/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import type { RunDocument } from '../../src/report/document.ts';
import { type CliSandbox, type Ended, makeSandbox } from '../support/cli.ts';
import { csv, ENTRY } from '../support/ledger.ts';
import { dropAndWatch, filesUnder, putOldDatabase, quickWatch } from '../support/restoring.ts';

let fresh: CliSandbox;
let sandbox: CliSandbox;
/** A backup of `sandbox` before anything was executed. */
let backup: string;

beforeAll(async () => {
  fresh = await makeSandbox();
  quickWatch(fresh);
  await fresh.run('backup', join(fresh.data, 'backup'));
});
afterAll(() => fresh.remove());

beforeEach(() => {
  sandbox = fresh.copy();
  backup = join(sandbox.data, 'backup');
});
afterEach(() => sandbox.remove());

const CAPTURES = csv(ENTRY, 'T1001,SHOP-1001,USD,120.00', 'T1002,SHOP-1002,USD,49.90');
/** The second line asks for more than there is. */
const REFUNDS = csv(
  `${ENTRY},refund_amount`,
  'T1301,SHOP-1301,USD,150.00,50.00',
  'T1301,SHOP-1301,USD,150.00,150.00',
  'T1001,SHOP-1001,USD,120.00,20.00',
);
const CANCELS = csv(ENTRY, 'T1101,SHOP-1101,USD,50.00');

/** Files of every kind: dropped at the top and for an account, and one that `run` executes. */
async function workADay(): Promise<void> {
  ended(await dropAndWatch(sandbox, 'capture.csv', CAPTURES), 0);
  ended(await dropAndWatch(sandbox, 'M1/A1/refund.csv', REFUNDS), 3);
  const file = join(sandbox.folder, 'cancel.csv');
  writeFileSync(file, CANCELS);
  ended(await sandbox.run('run', file, '--quiet'), 0);
}

function ended(end: Ended, exit: number): Ended {
  expect(end.exit, end.err + end.out).toBe(exit);
  return end;
}

/** Every entry of the ledger as text: subject, kind, amount, batch, line. */
async function ledger(): Promise<readonly string[]> {
  const database = await Connection.open(join(sandbox.data, 'batchgate.db'), 'read');
  try {
    const rows = await database.all<{ entry: string }>(
      `SELECT t.transaction_id || ' ' || r.kind || ' ' || r.amount || ' ' || ifnull(b.id, '-') || ':' || ifnull(r.line, '') AS entry
       FROM transfer AS r JOIN txn AS t ON t.number = r.txn LEFT JOIN batch AS b ON b.number = r.batch ORDER BY r.sequence`,
    );
    return rows.map(({ entry }) => entry);
  } finally {
    await database.close();
  }
}

interface Restored {
  readonly exit: number;
  readonly taken_back: readonly {
    readonly batch: string;
    readonly as: string;
    readonly file: string;
    readonly same: boolean;
    readonly differences: { readonly count: number; readonly first: readonly object[] } | null;
  }[];
  readonly lost: readonly { readonly batch: string; readonly why: string }[];
  readonly later: readonly { readonly batch: string; readonly revision: number }[];
  readonly gaps: readonly object[];
}

const restore = (...args: readonly string[]) => sandbox.json<Restored>('restore', ...args);

describe('F106 an older database under a newer done/', () => {
  test('is refused by everything that executes, before anything is executed', {
    timeout: 60_000,
  }, async () => {
    await workADay();
    putOldDatabase(sandbox, backup);
    const file = join(sandbox.folder, 'capture-more.csv');
    writeFileSync(file, csv(ENTRY, 'T1003,SHOP-1003,USD,250.00'));
    for (const args of [
      ['run', file],
      ['watch', '--once'],
      ['serve', '--port', '0'],
      ['recurring', 'run'],
      ['batch', 'resume', 'B0000000000000000', '--reason', 'a test'],
    ]) {
      const { exit, err } = await sandbox.run(...args);
      expect([args[0], exit]).toEqual([args[0], 2]);
      expect(err).toContain('the ledger is behind its own OK files');
      expect(err).toContain('batchgate restore');
    }
    expect(await ledger()).toEqual([]);
    expect((await sandbox.run('batch', 'list')).exit).toBe(0);
    const doctor = await sandbox.run('doctor');
    expect([doctor.exit, doctor.out]).toEqual([
      11,
      expect.stringMatching(/✗ finished files.*\n.*batchgate restore/),
    ]);
  });

  test('comes back whole: every outcome, every identity, nothing twice', { timeout: 60_000 }, async () => {
    await workADay();
    const before = await ledger();
    expect(before).toHaveLength(5);
    const outbox = filesUnder(join(sandbox.data, 'outbox'));
    putOldDatabase(sandbox, backup);
    const restored = await restore();
    expect(restored).toMatchObject({ exit: 0, lost: [], later: [], gaps: [] });
    expect(restored.taken_back.map(({ file, same }) => `${file} ${same}`)).toEqual([
      'capture.csv true',
      'refund.csv true',
      'cancel.csv true',
    ]);
    expect(await ledger()).toEqual(before);
    expect(filesUnder(join(sandbox.data, 'outbox'))).toEqual(outbox);
    ended(await sandbox.run('verify', '--quiet'), 0);

    const again = ended(await dropAndWatch(sandbox, 'capture.csv', CAPTURES), 0);
    expect((JSON.parse(again.out) as RunDocument).batches[0]!.repeat).toBe(true);
    const other = await dropAndWatch(sandbox, 'capture.csv', `${CAPTURES}\n`);
    expect((JSON.parse(other.out) as RunDocument).batches[0]!.lines).toMatchObject({
      total: 2,
      duplicate: 2,
    });
    expect(await ledger()).toEqual(before);
    expect(await restore()).toMatchObject({ exit: 0, taken_back: [] });
  });

  test('restored from a backup in one command, the newer database kept aside', {
    timeout: 60_000,
  }, async () => {
    await workADay();
    const before = await ledger();
    const { out } = ended(await sandbox.run('restore', backup, '--quiet'), 0);
    expect(out).toContain('taken back: 3 files; lost: 0; gaps in the ledger: 0');
    expect(await ledger()).toEqual(before);
    const [, kept] = /the database that was here: (.*)/.exec(out)!;
    const old = await Connection.open(kept!, 'read');
    expect(await old.all('SELECT count(*) AS entries FROM transfer')).toEqual([{ entries: before.length }]);
    await old.close();
    ended(await sandbox.run('verify', '--quiet'), 0);
  });

  test('decides as it did then, though an authorisation has expired since', { timeout: 60_000 }, async () => {
    await workADay();
    const before = await ledger();
    const done = readdirSync(join(sandbox.data, 'done')).find((name) => name !== 'M1')!;
    const [batch] = readdirSync(join(sandbox.data, 'done', done));
    // As if all of it had been ten days ago: the authorisations are of the import, and would be over by now.
    putOldDatabase(sandbox, backup);
    const database = await Connection.open(join(sandbox.data, 'batchgate.db'), 'write');
    const DAYS = 8 * 24 * 60 * 60 * 1000;
    await database.exec(
      `UPDATE txn SET authorised_at = authorised_at - ${DAYS} WHERE transaction_id = 'T1001'`,
    );
    await database.close();
    const ok = join(sandbox.data, 'done', done, batch!, 'OK');
    const proof = JSON.parse(readFileSync(ok, 'utf8'));
    proof.started_at = new Date(Date.parse(proof.started_at) - DAYS).toISOString();
    writeFileSync(ok, JSON.stringify(proof));
    const restored = await restore();
    expect(restored.taken_back[0]).toMatchObject({ file: 'capture.csv', same: true });
    expect(await ledger()).toEqual(before);
  });
});

describe('F106 what cannot be brought back', () => {
  test('a file that is gone is listed, and nothing executes until a person gives it up', {
    timeout: 60_000,
  }, async () => {
    await workADay();
    putOldDatabase(sandbox, backup);
    const gone = filesUnder(join(sandbox.data, 'done')).find((name) => name.endsWith('capture.csv'))!;
    const batch = gone.split('/').at(-2)!;
    rmSync(join(sandbox.data, 'done', gone));
    rmSync(join(sandbox.data, 'work', batch), { recursive: true });
    const first = await restore();
    expect(first.exit).toBe(7);
    expect(first.lost).toMatchObject([{ batch, why: 'its file is gone or has changed' }]);
    // The refund of a captured transaction does not find its capture any more.
    expect(first.taken_back[0]).toMatchObject({
      file: 'refund.csv',
      same: false,
      differences: { count: 1, first: [{ line: '4', before: 'succeeded', after: 'refused V0007' }] },
    });
    expect((await sandbox.run('watch', '--once', '--quiet')).exit).toBe(2);
    expect((await sandbox.run('restore', '--give-up')).exit).toBe(2);
    const given = await restore('--give-up', '--reason', 'the sender knows');
    expect(given).toMatchObject({ exit: 0, lost: [{ batch }] });
    expect((await sandbox.run('watch', '--once', '--quiet')).exit).toBe(0);
    ended(await sandbox.run('verify', '--quiet'), 0);
  });

  test('requests and orders of people since the backup are told by the numbers that are missing', {
    timeout: 60_000,
  }, async () => {
    await dropAndWatch(sandbox, 'capture.csv', CAPTURES);
    await captureByRequest('T1003', 'SHOP-1003', 25_000);
    const held = csv(ENTRY, 'T1001,SHOP-1001,USD,120.00');
    await dropAndWatch(sandbox, 'capture-again.csv', held);
    await dropAndWatch(sandbox, 'cancel.csv', CANCELS);
    const refunds = csv(
      `${ENTRY},refund_amount`,
      'T1301,SHOP-1301,USD,150.00,10.00',
      'T1301,SHOP-1301,USD,150.00,10.00',
    );
    const { out } = await dropAndWatch(sandbox, 'refund.csv', refunds);
    const { batch } = (JSON.parse(out) as RunDocument).batches[0]!;
    await sandbox.run('batch', 'release', batch, '--line', '3', '--reason', 'both are meant');
    expect(await ledger()).toHaveLength(6);
    putOldDatabase(sandbox, backup);
    const restored = await restore();
    expect(restored).toMatchObject({
      exit: 7,
      lost: [],
      gaps: [{ from: 3, to: 3, lost: 1 }],
      later: [{ batch, revision: 2 }],
    });
    expect(restored.taken_back.every(({ same }) => same)).toBe(true);
    // The ledger is shorter than `OK` says now, and answers for it: everything goes on.
    ended(await sandbox.run('watch', '--once', '--quiet'), 0);
    ended(await sandbox.run('verify', '--quiet'), 0);
  });

  test.each([
    ['status', 'stopped', 'it was stopped'],
    ['revision', 'x', 'cannot be read'],
  ])('a batch whose %s is %s is never executed again', { timeout: 60_000 }, async (key, value, why) => {
    await dropAndWatch(sandbox, 'capture.csv', CAPTURES);
    putOldDatabase(sandbox, backup);
    const ok = filesUnder(sandbox.data).find((name) => name.endsWith('/OK'))!;
    const path = join(sandbox.data, ok);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), [key]: value }));
    const { exit, lost, taken_back } = await restore();
    expect([exit, taken_back]).toEqual([7, []]);
    expect(lost).toMatchObject([{ why: expect.stringContaining(why) }]);
    expect(await ledger()).toEqual([]);
  });

  test('a file that was begun and never reported on is told, and does no harm', {
    timeout: 60_000,
  }, async () => {
    const file = join(sandbox.folder, 'capture.csv');
    writeFileSync(file, CAPTURES);
    const out = join(sandbox.folder, 'elsewhere');
    ended(await sandbox.run('run', file, '--out', out, '--quiet'), 0);
    putOldDatabase(sandbox, backup);
    expect(await restore()).toMatchObject({
      exit: 7,
      lost: [{ why: expect.stringContaining('run the file again') }],
    });
    ended(await sandbox.run('run', file, '--quiet'), 0);
    expect(await ledger()).toHaveLength(2);
    expect(existsSync(out)).toBe(true);
  });
});

/** A capture as the API makes it. */
async function captureByRequest(transactionId: string, orderNo: string, amount: number): Promise<void> {
  const config = loadConfig({ data: sandbox.data });
  const entry = {
    transactionId,
    orderNo,
    currency: 'USD',
    amount,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
  };
  await inData(config, (opened) =>
    servedEngine(config, opened).capture({ merchantId: 'M1', accountId: 'A1', entries: [entry] }, {}),
  );
}
