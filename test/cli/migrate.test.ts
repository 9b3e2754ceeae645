/** A data directory of an older program: refused by every command but `migrate`, which keeps a copy. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql as firstSchema } from '../../src/ledger/migrations/001-ledger.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import { command } from '../support/cli.ts';

let root: string;
let data: string;

/** What the first version wrote: an account, a transaction and a capture, with the balances that they make. */
const OLD = `
INSERT INTO setting VALUES ('environment', 'sandbox');
INSERT INTO account VALUES (1, 'M1', 'A1', '{"currencies":["USD"]}', 0);
INSERT INTO txn VALUES (1, 1, 'T1', 'O1', 'USD', 10000, 'authorised', 0, 0, 0, 1700000000000);
INSERT INTO transfer VALUES (1, 1, NULL, 1, 4000, 1700000001000, NULL, NULL, NULL, 'mine', NULL, NULL);
INSERT INTO balance VALUES (1, 'USD', 'issuer', '6000'), (1, 'USD', 'holds', '-6000'), (1, 'USD', 'acquirer', '-4000'), (1, 'USD', 'merchant', '4000');
PRAGMA user_version = 1;
`;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'batchgate-migrate-'));
  data = join(root, 'data');
  await command('init', '--data', data);
  const path = join(data, 'batchgate.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const database = await Connection.open(path, 'create');
  await database.exec(`PRAGMA journal_mode = WAL; ${firstSchema} ${OLD}`);
  await database.close();
});

afterEach(() => rmSync(root, { recursive: true }));

test('is refused, migrated with a copy, and agrees afterwards', { timeout: 60_000 }, async () => {
  const refused = await command('verify', '--data', data);
  expect(refused.exit).toBe(2);
  expect(refused.err).toContain('B0024');
  expect(refused.err).toContain('batchgate migrate');

  const migrated = await command('migrate', '--data', data, '--json');
  expect(migrated.exit, migrated.err).toBe(0);
  const { from, to, copy } = JSON.parse(migrated.out);
  expect(from).toBe(1);
  expect(to).toBeGreaterThan(1);
  expect(existsSync(copy)).toBe(true);

  const verified = await command('verify', '--data', data);
  expect(verified.exit, verified.out + verified.err).toBe(0);
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  expect(await database.all('SELECT sequence, txn, kind, amount, reference, request FROM transfer')).toEqual([
    { sequence: 1, txn: 1, kind: 1, amount: 4000, reference: 'mine', request: null },
  ]);
  expect(await database.all('SELECT act FROM audit')).toEqual([{ act: 'database.migrate' }]);
  await database.close();

  const again = await command('migrate', '--data', data);
  expect(again.out).toContain('nothing was changed');

  const old = await Connection.open(copy, 'read');
  expect(await old.all('PRAGMA user_version')).toEqual([{ user_version: 1 }]);
  expect(await old.all('SELECT count(*) AS n FROM transfer')).toEqual([{ n: 1 }]);
  await old.close();
});

test('a database of a newer program is refused by migrate too', { timeout: 60_000 }, async () => {
  const database = await Connection.open(join(data, 'batchgate.db'), 'write');
  await database.exec('PRAGMA user_version = 99');
  await database.close();
  const refused = await command('migrate', '--data', data);
  expect(refused.exit).toBe(2);
  expect(refused.err).toContain('a newer one');
});
