/** `batchgate verify` finds whatever is changed behind the program's back. */
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Connection } from '../../src/ledger/sqlite.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { type CliSandbox, makeExecutedSandbox } from '../support/cli.ts';

let sound: CliSandbox;
beforeAll(async () => {
  sound = await makeExecutedSandbox();
});
afterAll(() => sound.remove());

interface Verified {
  readonly exit: number;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly checked: number;
    readonly differences: readonly string[];
  }[];
}

async function damaged(sql: string): Promise<Verified> {
  const copy = sound.copy();
  try {
    const connection = await Connection.open(join(copy.data, 'batchgate.db'), 'write');
    await connection.exec(sql);
    await connection.close();
    return await copy.json<Verified>('verify');
  } finally {
    copy.remove();
  }
}

const failed = ({ checks }: Verified) => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const said = ({ checks }: Verified) => checks.flatMap(({ differences }) => differences).join('\n');

test('a sound ledger agrees, and everything was looked at', async () => {
  const verified = await sound.json<Verified>('verify');
  expect(verified.exit).toBe(0);
  expect(failed(verified)).toEqual([]);
  const checked = Object.fromEntries(verified.checks.map((check) => [check.name, check.checked]));
  expect(checked).toMatchObject({
    sequence: 42,
    transactions: 40,
    payouts: 7,
    lines: 62,
    totals: 9,
    reports: 41,
    audit: 22,
  });
  expect((await sound.run('verify')).out).toContain('everything agrees');
});

describe('in the database', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'an amount of a transfer',
      'UPDATE transfer SET amount = amount - 1 WHERE sequence = 20',
      ['balances', 'lines'],
    ],
    [
      'an amount that was never open',
      'UPDATE transfer SET amount = 9999999 WHERE sequence = 1',
      ['transactions', 'balances', 'lines'],
    ],
    ['a transfer taken out', 'DELETE FROM transfer WHERE sequence = 5', ['sequence', 'balances', 'lines']],
    [
      'the last transfer taken out',
      'DELETE FROM transfer WHERE sequence = (SELECT max(sequence) FROM transfer)',
      ['sequence', 'balances', 'lines'],
    ],
    [
      'a transfer of nobody',
      'INSERT INTO transfer (txn, kind, amount, at) VALUES (99999, 1, 100, 1)',
      ['sequence'],
    ],
    [
      'a refund that was written twice',
      `INSERT INTO transfer (txn, kind, amount, at, batch, line, attempt)
       SELECT txn, kind, amount, at, batch, line, attempt FROM transfer WHERE kind = 3 ORDER BY amount LIMIT 1`,
      ['identities', 'balances', 'lines'],
    ],
    [
      'a transfer given to another transaction',
      "UPDATE transfer SET txn = (SELECT number FROM txn WHERE transaction_id = 'T1010') WHERE sequence = 1",
      ['balances', 'lines'],
    ],
    [
      'a transfer given to a transaction that cannot have it',
      "UPDATE transfer SET txn = (SELECT number FROM txn WHERE transaction_id = 'T1401') WHERE sequence = 1",
      ['transactions', 'lines'],
    ],
    ['a transfer given to another line', 'UPDATE transfer SET line = 999 WHERE sequence = 1', ['lines']],
    ['a transfer given to another attempt', 'UPDATE transfer SET attempt = 2 WHERE sequence = 1', ['lines']],
    ['another kind of transfer', 'UPDATE transfer SET kind = 2 WHERE sequence = 1', ['balances', 'lines']],
    [
      'a balance',
      "UPDATE balance SET amount = '1' WHERE book = 'merchant' AND currency = 'USD'",
      ['balances', 'double entry'],
    ],
    [
      'a balance taken out',
      "DELETE FROM balance WHERE book = 'fx' AND currency = 'EUR'",
      ['balances', 'double entry'],
    ],
    [
      'the opening of a transaction',
      "UPDATE txn SET amount = amount + 100 WHERE transaction_id = 'T1001'",
      ['balances'],
    ],
    [
      'a transaction taken out',
      "DELETE FROM txn WHERE transaction_id = 'T1001'",
      ['sequence', 'balances', 'lines'],
    ],
    [
      'the amount of a payout',
      "UPDATE payout SET source_amount = source_amount + 1, payer_pays = payer_pays + 1 WHERE request_id = 'PAY-101'",
      ['payouts', 'lines'],
    ],
    [
      'what a payout brings',
      "UPDATE payout SET beneficiary_receives = 1 WHERE request_id = 'PAY-103'",
      ['payouts'],
    ],
    [
      'a payout given to another line',
      "UPDATE payout SET line = 3 WHERE request_id = 'PAY-101'",
      ['payouts', 'lines'],
    ],
    [
      'the totals of a report',
      "UPDATE batch_revision SET document = json_replace(document, '$.lines.succeeded', 11) WHERE batch = 1",
      ['totals'],
    ],
    [
      'the hash of a kept file',
      "UPDATE batch SET sha256 = replace(sha256, 'a', 'b') WHERE number = 1",
      ['kept files'],
    ],
    ['an act', "UPDATE audit SET who = 'somebody else' WHERE number = 2", ['audit']],
    [
      'two acts exchanged',
      `CREATE TEMP TABLE two AS SELECT * FROM audit WHERE number IN (3, 4);
       UPDATE audit SET (at, who, act, subject, detail, hash) = (SELECT at, who, act, subject, detail, hash FROM two WHERE two.number = 7 - audit.number)
       WHERE number IN (3, 4)`,
      ['audit'],
    ],
    ['an act taken out', 'DELETE FROM audit WHERE number = 5', ['audit']],
    ['the last acts taken out', 'DELETE FROM audit WHERE number > 15', ['audit']],
  ])('%s', async (_, sql, expected) => {
    const verified = await damaged(sql);
    expect(verified.exit).toBe(11);
    expect(failed(verified), said(verified)).toEqual(expect.arrayContaining([...expected]));
  });

  test('what the journal says became of a line', async () => {
    const verified = await damaged(
      "UPDATE chunk SET results = (SELECT json_group_array(1) FROM json_each(chunk.results)) WHERE batch = (SELECT number FROM batch WHERE name = 'cancel.csv')",
    );
    expect(failed(verified)).toEqual(['totals', 'lines']);
    expect(said(verified)).toMatch(
      /B\w{16}:6 succeeded: the ledger should have attempt 1: cancel 7000 and has nothing/,
    );
  });

  test('damaged pages are named, and the other checks still say what they can', async () => {
    const copy = sound.copy();
    const connection = await Connection.open(join(copy.data, 'batchgate.db'), 'write');
    await connection.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 3 WHERE name = 'transfer_by_txn'",
    );
    await connection.close();
    const verified = await copy.json<Verified>('verify');
    expect(verified.exit).toBe(11);
    expect(failed(verified)).toContain('database');
    copy.remove();
  });
});

describe('beside the database', () => {
  const reportOf = (copy: CliSandbox, kind: string) => {
    const folder = join(copy.data, 'reports');
    const batch = readdirSync(folder)[0]!;
    return join(folder, batch, readdirSync(join(folder, batch)).find((name) => name.endsWith(kind))!);
  };

  test.each(['result.csv', 'result.json', 'report.html', 'report.json'])('a changed %s', async (kind) => {
    const copy = sound.copy();
    const folder = join(copy.data, 'reports');
    const path = readdirSync(folder)
      .flatMap((batch) => readdirSync(join(folder, batch)).map((name) => join(folder, batch, name)))
      .find((name) => name.endsWith(kind))!;
    appendFileSync(path, ' ');
    const verified = await copy.json<Verified>('verify');
    expect(failed(verified)).toEqual(['reports']);
    expect(said(verified)).toContain(`${path} has changed`);
    copy.remove();
  });

  test('a report that was moved away is no difference', async () => {
    const copy = sound.copy();
    const path = reportOf(copy, 'report.html');
    writeFileSync(path, 'x');
    expect((await copy.run('verify')).exit).toBe(11);
    const { batches } = await copy.json<{ batches: { batch: string }[] }>('batch', 'list');
    await copy.run('report', batches.find(({ batch }) => path.includes(batch))!.batch);
    expect((await copy.run('verify')).exit).toBe(0);
    copy.remove();
  });

  test('a changed kept file', async () => {
    const copy = sound.copy();
    const { batches } = await copy.json<{ batches: readonly Pick<BatchDocument, 'batch'>[] }>(
      'batch',
      'list',
    );
    appendFileSync(join(copy.data, 'work', batches[0]!.batch, 'input'), 'T1010,SHOP-1010,EUR,310.00,\n');
    const verified = await copy.json<Verified>('verify');
    expect(failed(verified)).toEqual(['kept files']);
    copy.remove();
  });
});
