/** `batchgate doctor`, `init` and `sign`. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../src/cli/doctor/diagnosis.ts';
import { checkNode } from '../../src/cli/doctor/surroundings.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import { parseKey, signMessage } from '../../src/wire/signature.ts';
import { CliSandbox, command, makeSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

describe('doctor', () => {
  const examine = async (one: CliSandbox) => {
    const { exit, checks } = await one.json<{ exit: number; checks: readonly Diagnosis[] }>('doctor');
    return {
      exit,
      found: checks
        .filter(({ level }) => level !== 'ok')
        .map(({ name, level, message }) => `${level} ${name}: ${message}`),
      checks,
    };
  };
  const inDatabase = async (one: CliSandbox, sql: string) => {
    const connection = await Connection.open(join(one.data, 'batchgate.db'), 'write');
    await connection.exec(sql);
    await connection.close();
  };

  test('finds nothing wrong with a new data directory, and leaves nothing behind', async () => {
    const before = readdirSync(sandbox.data, { recursive: true }).length;
    const { exit, found } = await examine(sandbox);
    expect([exit, found.filter((one) => !one.startsWith('warning disk'))]).toEqual([0, []]);
    expect(readdirSync(sandbox.data, { recursive: true })).toHaveLength(before);
    expect((await sandbox.run('doctor')).out).toContain('✓ database');
  });

  test.each<[string, (copy: CliSandbox) => void | Promise<void>, string]>([
    ['no data directory', (copy) => rmSync(copy.data, { recursive: true }), 'wrong data directory:'],
    [
      'a configuration that cannot be read',
      (copy) => writeFileSync(join(copy.data, 'batchgate.yaml'), 'concurrency: many\n'),
      'wrong configuration:',
    ],
    [
      'rates that cannot be read',
      (copy) => writeFileSync(join(copy.data, 'rates.csv'), 'date;source\n'),
      'wrong rates.csv:',
    ],
    [
      'a missing folder',
      (copy) => rmSync(join(copy.data, 'outbox'), { recursive: true }),
      'wrong folders: missing:',
    ],
    [
      'a key file that others can read',
      (copy) => chmodSync(join(copy.data, 'keys', 'M1.A1.1.key'), 0o644),
      'wrong keys: others on this machine may read',
    ],
    ['a missing key file', (copy) => rmSync(join(copy.data, 'keys', 'M1.A1.1.key')), 'is missing'],
    [
      'another key in the file',
      (copy) => writeFileSync(join(copy.data, 'keys', 'M1.A1.1.key'), 'x'.repeat(40)),
      'holds another key',
    ],
    ['stored cards whose key is gone', (copy) => inDatabase(copy, STORED_CARD), 'wrong keys:'],
    ['no database', (copy) => rmSync(join(copy.data, 'batchgate.db')), 'wrong data directory:'],
    [
      'F55 a file that is no database',
      (copy) =>
        writeFileSync(join(copy.data, 'batchgate.db'), 'no database at all, but some text\n'.repeat(100)),
      'wrong database:',
    ],
    [
      'another version of the database',
      (copy) => inDatabase(copy, 'PRAGMA user_version = 99'),
      'wrong database: B0024',
    ],
    [
      'F52 a clock before the newest entry',
      (copy) =>
        inDatabase(
          copy,
          `UPDATE audit SET at = ${Date.now() + 3_600_000} WHERE number = 1; UPDATE audit SET at = at + 7200000`,
        ),
      'wrong clock:',
    ],
    [
      'F57 a folder that everybody can look into',
      (copy) => chmodSync(copy.data, 0o755),
      'warning data directory:',
    ],
    ['an interrupted batch', (copy) => inDatabase(copy, INTERRUPTED), 'warning batches: interrupted: B1'],
  ])('%s', async (_, damage, said) => {
    const copy = sandbox.copy();
    await damage(copy);
    const { exit, found, checks } = await examine(copy);
    expect(found.join('\n')).toContain(said);
    expect(exit).toBe(found.some((one) => one.startsWith('wrong')) ? 11 : 0);
    for (const { level, mend } of checks) expect(mend !== null).toBe(level !== 'ok');
    copy.remove();
  });

  const STORED_CARD = `INSERT INTO token (token_id, account, txn, first6, last4, expiry, card_hash, sealed)
    VALUES ('K1', 1, 1, '411111', '1111', '203012', 'h', 's')`;

  const INTERRUPTED = `INSERT INTO batch (id, sameness, status, name, sha256, bytes, operation, gateway, intake, received_at)
    VALUES ('B1', 's', 'running', 'x.csv', '', 0, 'capture', 'engine', '{}', 1)`;

  test('an old Node', () => {
    expect(
      ['18.20.0', '20.18.9', '20.19.0', '22.0.0', '24.1.0'].map((version) => checkNode(version).level),
    ).toEqual(['wrong', 'wrong', 'ok', 'ok', 'ok']);
  });
});

describe('init', () => {
  test('makes a private data directory, once', async () => {
    const made = new CliSandbox();
    const { exit, err } = await made.run('init');
    expect([exit, err]).toEqual([
      0,
      expect.stringContaining(
        `next: batchgate account add --merchant M1 --account A1 --currency USD --data ${made.data}`,
      ),
    ]);
    const mode = (...path: readonly string[]) => statSync(join(made.data, ...path)).mode & 0o777;
    expect([mode() & 0o007, mode('keys'), mode('keys', 'hash.key')]).toEqual([0, 0o700, 0o600]);
    const again = await made.run('init');
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('is a data directory already')]);
    made.remove();
  });

  test('goes on where it was broken off, and keeps a configuration that is there', async () => {
    const made = new CliSandbox();
    mkdirSync(made.data);
    writeFileSync(join(made.data, 'batchgate.yaml'), 'concurrency: 3\n');
    writeFileSync(join(made.data, 'batchgate.db.new'), 'broken off');
    expect((await made.run('init')).exit).toBe(0);
    expect(readFileSync(join(made.data, 'batchgate.yaml'), 'utf8')).toBe('concurrency: 3\n');
    expect(existsSync(join(made.data, 'batchgate.db.new'))).toBe(false);
    made.remove();
  });

  test('has no demo for real money', async () => {
    const made = new CliSandbox();
    const { exit, err } = await made.run('init', '--demo', '--environment', 'live');
    expect([exit, err, existsSync(made.data)]).toEqual([
      2,
      expect.stringContaining('--demo needs the sandbox'),
      false,
    ]);
    await made.run('init', '--environment', 'live');
    expect(await made.json('batch', 'list')).toMatchObject({ environment: 'live' });
    made.remove();
  });
});

describe('sign', () => {
  const folder = mkdtempSync(join(tmpdir(), 'batchgate-sign-'));
  const message = { merchant_id: 'M1', account_id: 'A1', refund_orders: [{ amount: '1.00', note: 'ü' }] };
  const write = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const signature = () => {
    const parsed = parseKey(readFileSync(join(sandbox.data, 'keys', 'M1.A1.1.key'), 'utf8'));
    if ('fault' in parsed) throw new Error(parsed.fault);
    return signMessage(message, parsed.key);
  };

  test('with the key of the account that the message names, or with a key file', async () => {
    const path = write('message.json', message);
    expect(await sandbox.run('sign', path)).toEqual({ exit: 0, out: `${signature()}\n`, err: '' });
    const byFile = await command(
      'sign',
      path,
      '--key-file',
      join(sandbox.data, 'keys', 'M1.A1.1.key'),
      '--data',
      join(folder, 'nothing'),
    );
    expect(byFile.out).toBe(`${signature()}\n`);
    expect((await sandbox.run('sign', path, '--canonical')).out).toBe(
      '{"account_id":"A1","merchant_id":"M1","refund_orders":[{"amount":"1.00","note":"ü"}]}\n',
    );
  });

  test('says whether the signature that is there is right; it is not signed itself', async () => {
    const right = await sandbox.run(
      'sign',
      write('right.json', { ...message, encryption_data: signature() }),
    );
    expect([right.out, right.err]).toEqual([`${signature()}\n`, expect.stringContaining('it is right')]);
    const wrong = await sandbox.run('sign', write('wrong.json', { ...message, encryption_data: '0' }));
    expect(wrong.err).toContain('it is wrong');
  });

  test.each<[string, unknown, string]>([
    ['an account that is not there', { ...message, account_id: 'A9' }, 'there is no account M1/A9'],
    ['a list', [message], 'is not one JSON object'],
    ['a key twice', '{"a":1,"a":2}', 'stands twice'],
    ['no JSON', 'merchant_id=M1', 'it is not valid JSON'],
  ])('refuses %s', async (_, content, said) => {
    const { exit, out, err } = await sandbox.run('sign', write('refused.json', content));
    expect([exit, out, err]).toEqual([2, '', expect.stringContaining(said)]);
  });
});
