/** What a path may be and what a file may be called. Names of senders are shown, and never used as names of ours. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFile } from '../../src/batch/run.ts';
import { csv, ENTRY, outcomes, Sandbox, submissionOf } from '../support/ledger.ts';

const GOOD = csv(ENTRY, 'T1,O-T1,USD,1.00');

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given({ id: 'T1' }, { id: 'T2' });
});
afterEach(() => sandbox.remove());

describe('F33 anything but a plain file of its own is refused, at once', () => {
  const kinds: Readonly<Record<string, (path: string) => void>> = {
    'a symbolic link': (path) => {
      writeFileSync(`${path}.real`, GOOD);
      symlinkSync(`${path}.real`, path);
    },
    'a symbolic link to nothing': (path) => symlinkSync('/nowhere', path),
    'a second name of a file': (path) => {
      writeFileSync(`${path}.real`, GOOD);
      linkSync(`${path}.real`, path);
    },
    'a FIFO that nobody writes to': (path) => execFileSync('mkfifo', [path]),
    'a folder': (path) => mkdirSync(path),
  };

  test.each(Object.entries(kinds))('%s', { timeout: 5_000 }, async (_, make) => {
    const path = join(sandbox.senderFolder(), 'capture.csv');
    make(path);
    const document = await sandbox.runPath(path);
    expect(document).toMatchObject({
      status: 'rejected',
      exit: 6,
      errors: [{ code: 'B0018' }],
      lines: { total: 0 },
    });
    expect(readdirSync(sandbox.folders.rejectedOf('2026-11-20', document.batch))).toEqual([
      'errors.csv',
      'errors.json',
    ]);
    expect(await sandbox.transfers()).toEqual([]);
  });

  test.each(['/dev/null', '/dev/zero'])('a device: %s', { timeout: 5_000 }, async (path) => {
    const document = await sandbox.runPath(path, { name: 'capture.csv' });
    expect(document).toMatchObject({ exit: 6, errors: [{ code: 'B0018' }] });
  });

  test('a file that is refused once may be a plain one the next time', async () => {
    const path = join(sandbox.senderFolder(), 'capture.csv');
    symlinkSync('/nowhere', path);
    await sandbox.runPath(path);
    execFileSync('rm', [path]);
    writeFileSync(path, GOOD);
    expect(outcomes(await sandbox.runPath(path))).toEqual(['succeeded']);
  });
});

describe('F34 names', () => {
  const names: Readonly<Record<string, string>> = {
    'a way up': '../../../../capture.csv',
    'a way up, as Windows writes it': '..\\..\\capture.csv',
    'a line end': 'capture\nB0001.csv',
    'a mark that turns the direction': 'capture\u202evsc.exe',
    'an escape sequence': 'capture\u001b[2J.csv',
    '255 bytes': `capture-${'é'.repeat(121)}a.csv`,
    'a name that begins with a dot': '.capture.csv',
    HTML: 'capture<img src=x onerror=alert(1)>.csv',
    'nothing but an ending': '.csv',
  };

  test.each(Object.entries(names))('%s: shown, but no part of a path', async (_, name) => {
    const document = await sandbox.run('capture.csv', GOOD, { name, operation: 'capture' });
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(document.file).toBe(name);
    const folder = sandbox.folders.reportsOf(document.batch);
    for (const path of Object.values(document.reports).filter((one) => one !== null)) {
      expect(path).toBe(join(folder, basename(path)));
      expect(basename(path)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
      expect(Buffer.byteLength(basename(path))).toBeLessThan(200);
    }
    expect(readdirSync(folder)).toHaveLength(3);
    expect(readFileSync(join(sandbox.folders.workOf(document.batch), 'input'), 'utf8')).toBe(GOOD);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(readFileSync(document.reports.html!, 'utf8')).not.toMatch(/[\u001b\u202e]|<img src=x/);
  });

  test.each(Object.entries(names))('%s: in rejected/ as well', async (_, name) => {
    const document = await sandbox.run('capture.csv', 'nonsense\n1\n', { name, operation: 'capture' });
    expect(document).toMatchObject({ exit: 6, file: name });
    const kept = readdirSync(sandbox.folders.rejectedOf('2026-11-20', document.batch));
    expect(kept).toHaveLength(3);
    for (const file of kept) expect(file).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
  });

  test('a rejected file may be called like what is written beside it', async () => {
    const document = await sandbox.run('capture.csv', 'nonsense\n1\n', {
      name: 'errors.json',
      operation: 'capture',
    });
    const folder = sandbox.folders.rejectedOf('2026-11-20', document.batch);
    expect(JSON.parse(readFileSync(join(folder, 'errors.json'), 'utf8')).errors).toEqual(document.errors);
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

test('standard input is a file like any other', async () => {
  async function* bytes() {
    yield Buffer.from(GOOD.slice(0, 20));
    yield Buffer.from(GOOD.slice(20));
  }
  const submission = { ...submissionOf('-', { operation: 'capture' }), name: 'stdin' };
  const document = await runFile(sandbox.context(), submission, bytes());
  expect(outcomes(document)).toEqual(['succeeded']);
  expect(await runFile(sandbox.context(), submission, bytes())).toMatchObject({
    repeat: true,
    batch: document.batch,
  });
});
