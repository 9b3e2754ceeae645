/** `backup` and `restore`: what a backup has and has not, and what may stand in its way. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../src/ledger/database.ts';
import { SCHEMA_VERSION } from '../../src/ledger/migrate.ts';
import { Ownership } from '../../src/ledger/owner.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import { type CliSandbox, makeExecutedSandbox } from '../support/cli.ts';
import { filesUnder } from '../support/restoring.ts';

let executed: CliSandbox;
/** A backup of it, never changed. */
let backup: string;
let manifest: Manifest;

interface Manifest {
  readonly environment: string;
  readonly version: number;
  readonly ledger_sequence: number;
  readonly audit_head: string;
  readonly batches: number;
  readonly missing: readonly string[];
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

beforeAll(async () => {
  executed = await makeExecutedSandbox();
  backup = join(executed.folder, 'backups', 'first');
  manifest = await executed.json<Manifest>('backup', backup);
}, 60_000);

afterAll(() => executed.remove());

describe('a backup', () => {
  test('has the database, the kept copies, the configuration and a manifest of all', () => {
    const lying = filesUnder(backup);
    expect(lying.filter((name) => !name.startsWith('work/'))).toEqual([
      'backup.json',
      'batchgate.db',
      'batchgate.yaml',
      'rates.csv',
    ]);
    expect(lying.filter((name) => name.startsWith('work/'))).toHaveLength(manifest.batches);
    expect(manifest.files.map(({ path }) => path).sort()).toEqual(
      lying.filter((name) => name !== 'backup.json'),
    );
    expect(manifest).toMatchObject({ environment: 'sandbox', missing: [] });
    expect(manifest.ledger_sequence).toBeGreaterThan(0);
  });

  test('has no key, neither as a file nor inside another', () => {
    const keys = filesUnder(join(executed.data, 'keys'));
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) {
      const secret = readFileSync(join(executed.data, 'keys', key));
      for (const name of filesUnder(backup))
        expect(readFileSync(join(backup, name)).includes(secret.subarray(0, 32)), `${key} in ${name}`).toBe(
          false,
        );
    }
  });

  test('can be read by its owner alone', () => {
    expect(statSync(backup).mode & 0o077).toBe(0);
    expect(statSync(join(backup, 'batchgate.db')).mode & 0o077).toBe(0);
  });

  test('stands in the audit, which still agrees', async () => {
    const database = await Database.openSnapshot(join(executed.data, 'batchgate.db'));
    const acts = await database.reads.all(
      `SELECT subject, detail->>'audit_head' AS head FROM audit WHERE act = 'ledger.backup'`,
    );
    await database.close();
    expect(acts).toEqual([{ subject: backup, head: manifest.audit_head }]);
    expect((await executed.run('verify', '--quiet')).exit).toBe(0);
  });

  test('never goes into a folder that holds something', async () => {
    const again = await executed.run('backup', backup);
    expect(again).toMatchObject({ exit: 2, err: expect.stringContaining('has a backup already') });
    const full = join(executed.folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine.txt'), 'mine');
    expect(await executed.run('backup', full)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is not empty'),
    });
    expect(filesUnder(full)).toEqual(['mine.txt']);
  });

  test('names the next command, and says what it has', async () => {
    const { exit, out, err } = await executed.run('backup', join(executed.folder, 'in words'));
    expect(exit, err).toBe(0);
    expect(out).toContain(`${manifest.batches} batches`);
    expect(err).toContain("next: batchgate restore '");
  });

  test('F55 of a damaged database is refused, and leaves nothing that looks like one', async () => {
    const damaged = executed.copy();
    const path = join(damaged.data, 'batchgate.db');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 3 * 4096, Math.min(bytes.length, 40 * 4096));
    writeFileSync(path, bytes);
    const folder = join(damaged.folder, 'backup');
    const { exit, err } = await damaged.run('backup', folder);
    expect(exit).toBe(2);
    expect(err).toContain('batchgate restore');
    expect(existsSync(join(folder, 'backup.json'))).toBe(false);
    damaged.remove();
  });
});

describe('restoring', () => {
  let target: CliSandbox;

  beforeEach(() => {
    target = executed.copy();
    return () => target.remove();
  });

  const restore = (...args: readonly string[]) => target.run('restore', ...args, '--quiet');

  test('into an empty place needs the keys, and says which', async () => {
    rmSync(target.data, { recursive: true });
    const first = await restore(backup);
    expect(first.exit).toBe(2);
    expect(first.err).toMatch(/missing: .*M1\.A1\.1\.key is missing/);
    expect(first.err).toContain('hash.key');
    expect(first.err).toContain('batchgate restore');
    renameSync(join(target.data, 'keys'), join(target.folder, 'empty keys'));
    mkdirSync(join(target.data, 'keys'), { mode: 0o700 });
    for (const name of filesUnder(join(executed.data, 'keys')))
      writeFileSync(join(target.data, 'keys', name), readFileSync(join(executed.data, 'keys', name)), {
        mode: 0o600,
      });
    const second = await restore();
    expect(second.exit, second.err).toBe(0);
    const verified = await target.run('verify', '--quiet');
    expect(verified.exit, verified.out).toBe(0);
    const repeated = await target.run('run', executed.sample('capture.csv'), '--json', '--quiet');
    expect(JSON.parse(repeated.out).batches[0].repeat).toBe(true);
  });

  test('over a damaged database keeps that one aside, with everything of it', async () => {
    const path = join(target.data, 'batchgate.db');
    writeFileSync(path, 'not a database');
    const { exit, out, err } = await restore(backup);
    expect(exit, err).toBe(0);
    const [, kept] = /the database that was here: (.*)/.exec(out)!;
    expect(readFileSync(kept!, 'utf8')).toBe('not a database');
    expect((await target.run('verify', '--quiet')).exit).toBe(0);
  });

  test('puts damaged and missing copies back, and leaves settings that were changed since', async () => {
    const [one, two] = filesUnder(join(backup, 'work'));
    writeFileSync(join(target.data, 'work', one!), 'damaged');
    rmSync(join(target.data, 'work', two!));
    writeFileSync(join(target.data, 'batchgate.yaml'), 'concurrency: 7\n');
    const { out, exit } = await target.run('restore', backup, '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      restored: expect.arrayContaining([`work/${one}`, `work/${two}`]),
      different: ['batchgate.yaml'],
    });
    expect(readFileSync(join(target.data, 'batchgate.yaml'), 'utf8')).toBe('concurrency: 7\n');
    expect((await target.run('verify', '--quiet')).exit).toBe(0);
  });

  test.each([
    ['a file has changed', (copy: string) => writeFileSync(join(copy, 'rates.csv'), 'date'), 'has changed'],
    ['a file is missing', (copy: string) => rmSync(join(copy, 'rates.csv')), 'is missing'],
    ['it was never finished', (copy: string) => rmSync(join(copy, 'backup.json')), 'no backup'],
    [
      'it leads elsewhere',
      (copy: string) => rename(copy, '"rates.csv"', '"../rates.csv"'),
      'not what a backup says',
    ],
    [
      'a newer program made it',
      (copy: string) => rename(copy, `"version": ${SCHEMA_VERSION}`, '"version": 99'),
      'B0024',
    ],
    ['it is of real money', (copy: string) => rename(copy, '"sandbox"', '"live"'), 'B0023'],
  ])('changes nothing when %s', async (_, spoil, why) => {
    const copy = join(target.folder, 'spoilt');
    expect((await target.run('backup', copy)).exit).toBe(0);
    spoil(copy);
    const before = readFileSync(join(target.data, 'batchgate.db'));
    const { exit, err } = await restore(copy);
    expect(exit).toBe(2);
    expect(err).toContain(why);
    expect(readFileSync(join(target.data, 'batchgate.db')).equals(before)).toBe(true);
  });

  const rename = (copy: string, from: string, to: string) => {
    const path = join(copy, 'backup.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };

  test('waits for everybody who works there', async () => {
    const [batch] = filesUnder(join(backup, 'work')).map((name) => name.split('/')[0]!);
    const lock = await Ownership.take(join(target.data, 'work', batch!, 'owner.db'));
    expect(await restore(backup)).toMatchObject({
      exit: 5,
      err: expect.stringContaining(`a run executes ${batch}`),
    });
    await lock!.release();
    const database = await Connection.open(join(target.data, 'batchgate.db'), 'read');
    await database.all('SELECT count(*) FROM batch');
    expect(await restore(backup)).toMatchObject({
      exit: 5,
      err: expect.stringContaining('has the database open'),
    });
    await database.close();
    expect((await restore(backup)).exit).toBe(0);
  });
});
