/** F55: a damaged database or log is never executed on, and the way back is said; a backup is whole whenever it is made. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damageIn } from '../../src/ledger/log-damage.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import { type CliSandbox, command, makeExecutedSandbox } from '../support/cli.ts';
import { documentIn, endState, type Prepared, prepare, start } from './program.ts';

const PAGE = 4096;
const COMMANDS = [
  ['run', 'capture.csv'],
  ['watch', '--once', '--quiet'],
  ['serve', '--port', '0'],
] as const;

describe('F55 a data directory that is damaged', () => {
  let sandbox: CliSandbox;
  beforeAll(async () => {
    sandbox = await makeExecutedSandbox();
  }, 60_000);
  afterAll(() => sandbox.remove());

  /** Every command that executes refuses, and changes nothing. */
  async function expectRefused(damaged: CliSandbox, said: RegExp): Promise<void> {
    const path = join(damaged.data, 'batchgate.db');
    const before = readFileSync(path);
    for (const [name, ...args] of COMMANDS) {
      const file = name === 'run' ? [damaged.sample('capture.csv')] : args;
      const { exit, err } = await damaged.run(name, ...file);
      expect([name, exit, err]).toEqual([name, 2, expect.stringMatching(said)]);
      expect(err).toContain('batchgate restore DIR');
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  }

  test.each([
    ['its first page is gone', 0, /the database is damaged/],
    ['a page in the middle is', 9 * PAGE, /the database is damaged/],
    ['its last page is', -PAGE, /the database is damaged/],
  ])('because %s', async (_, at, said) => {
    const damaged = sandbox.copy();
    const path = join(damaged.data, 'batchgate.db');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, at < 0 ? bytes.length + at : at, at < 0 ? bytes.length : at + PAGE);
    writeFileSync(path, bytes);
    await expectRefused(damaged, said);
    damaged.remove();
  });

  test('because a bit has flipped in the log, behind which there are commits', async () => {
    const damaged = sandbox.copy();
    await leaveLog(damaged, (log) => {
      log[32 + 24 + 100]! ^= 1;
    });
    await expectRefused(damaged, /frame 1 of its log is damaged/);
    expect(existsSync(join(damaged.data, 'batchgate.db-wal'))).toBe(true);
    damaged.remove();
  });

  test('comes back from a backup, and what was damaged is kept', async () => {
    const damaged = sandbox.copy();
    const backup = join(damaged.folder, 'backup');
    expect((await damaged.run('backup', backup)).exit).toBe(0);
    await leaveLog(damaged, (log) => {
      log[32 + 24 + 100]! ^= 1;
    });
    const log = readFileSync(join(damaged.data, 'batchgate.db-wal'));
    const { exit, out, err } = await damaged.run('restore', backup, '--quiet');
    expect(exit, err).toBe(0);
    const [, kept] = /the database that was here: (.*)/.exec(out)!;
    expect(readFileSync(`${kept}-wal`).equals(log)).toBe(true);
    expect((await damaged.run('verify', '--quiet')).exit).toBe(0);
    damaged.remove();
  });
});

/** A log of several commits beside the database, as a process leaves it that is killed. */
async function leaveLog({ data }: CliSandbox, damage: (log: Buffer) => void): Promise<void> {
  const path = join(data, 'batchgate.db');
  const database = await Connection.open(path, 'write');
  await database.exec('PRAGMA journal_mode = WAL');
  for (let name = 0; name < 4; name += 1)
    await database.exec(`INSERT INTO setting VALUES ('note ${name}', '')`);
  const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  await database.close();
  damage(log);
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
}

describe('F55 a log', () => {
  let log: Buffer;
  /** Where each frame begins. */
  const frame = (number: number) => 32 + (number - 1) * (24 + PAGE);
  const COMMITS = 5;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'batchgate-log-'));
    const database = await Connection.open(join(folder, 'a.db'), 'create');
    await database.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (x TEXT)');
    for (let commit = 1; commit < COMMITS; commit += 1)
      await database.exec(`INSERT INTO a VALUES ('${commit}')`);
    log = readFileSync(join(folder, 'a.db-wal'));
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const changed = (at: number): Buffer => {
    const copy = Buffer.from(log);
    copy[at]! ^= 0x10;
    return copy;
  };

  test('that is whole, empty or not there is sound', () => {
    expect(damageIn(log)).toBeUndefined();
    expect(damageIn(Buffer.alloc(0))).toBeUndefined();
    expect(damageIn(Buffer.alloc(PAGE))).toBeUndefined();
  });

  test('that was cut off anywhere is sound: the last commit was never promised', () => {
    for (let length = 0; length <= log.length; length += 97)
      expect(damageIn(log.subarray(0, length))).toBeUndefined();
  });

  test('whose last commit is torn is sound', () => {
    for (const at of [24, 24 + 50, 24 + PAGE - 1])
      expect(damageIn(changed(log.length - 24 - PAGE + at))).toBeUndefined();
  });

  test('of which any bit before that has flipped is damaged', () => {
    for (const number of [1, 2, 3])
      for (const at of [0, 5, 9, 17, 24, 24 + 1000, 24 + PAGE - 1])
        expect(damageIn(changed(frame(number) + at)), `frame ${number}, byte ${at}`).toContain(
          `frame ${number} `,
        );
    for (const at of [0, 5, 17, 30]) expect(damageIn(changed(at))).toBe('the head of its log is damaged');
  });

  test('with frames of an earlier life behind its end is sound', () => {
    const other = Buffer.from(log);
    for (let number = 1; frame(number) < log.length; number += 1) other[frame(number) + 8]! ^= 1;
    const cut = log.subarray(0, frame(3));
    expect(damageIn(Buffer.concat([cut, other.subarray(frame(3))]))).toBeUndefined();
  });
});

describe('a backup that is made while a file is executed', () => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare(20_000, 3);
  }, 60_000);
  afterAll(() => rmSync(join(prepared.data, '..'), { recursive: true, force: true }));

  test('F106 is whole, and the rest of the file comes back with the same bytes', {
    timeout: 120_000,
  }, async () => {
    const { data, files } = prepared;
    const backup = join(files, 'backup');
    const started = start('run', join(files, 'capture.csv'), '--data', data, '--json', '--quiet');
    await untilExecuting(data, started.isOver);
    const made = await command('backup', backup, '--data', data, '--json');
    expect(made.exit, made.err).toBe(0);
    const { ledger_sequence } = JSON.parse(made.out);
    const { stdout, code, stderr } = await started.ended;
    expect(code, stderr).toBe(0);
    const expected = await endState(data, documentIn({ stdout }));
    expect(ledger_sequence).toBeGreaterThan(0);
    expect(ledger_sequence).toBeLessThan(expected.transfers);

    // On its own, it is a ledger in the middle of a file, and sound.
    const alone = join(files, 'alone');
    await command('restore', backup, '--data', alone, '--quiet');
    cpSync(join(data, 'keys'), join(alone, 'keys'), { recursive: true });
    expect(await command('restore', '--data', alone, '--quiet')).toMatchObject({ exit: 0 });
    expect((await command('verify', '--data', alone, '--quiet')).exit).toBe(0);

    const restored = await command('restore', backup, '--data', data, '--json');
    expect(restored.exit, restored.err + restored.out).toBe(0);
    expect(JSON.parse(restored.out)).toMatchObject({ taken_back: [{ same: true }], lost: [], gaps: [] });
    expect(await endState(data, documentIn({ stdout }))).toEqual(expected);
    const verified = await command('verify', '--data', data, '--quiet');
    expect(verified.exit, verified.out).toBe(0);
  });
});

/** Until the ledger has some of the file. */
async function untilExecuting(data: string, isOver: () => boolean): Promise<void> {
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  try {
    for (;;) {
      const [row] = await database.all<{ entries: number }>('SELECT count(*) AS entries FROM transfer');
      if (row!.entries > 0 || isOver()) return;
      await sleep(2);
    }
  } finally {
    await database.close();
  }
}
