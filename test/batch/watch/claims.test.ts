/** Claims that were interrupted: whatever a watcher that is gone has left behind, the next one goes on with it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Claims } from '../../../src/batch/watch/claims.ts';
import { drop, lying } from '../../support/inbox.ts';
import { Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;
let claims: Claims;

beforeEach(async () => {
  sandbox = await Sandbox.make();
  claims = await Claims.open(sandbox.folders);
});

afterEach(async () => {
  await claims.close();
  await sandbox.remove();
});

const GONE = 'watcher-0123456789abcdef';
const CLAIM = '000001-0123456789abcdef';

/** What a watcher left behind that was killed: files by their path under its folder. */
function leftBehind(files: Readonly<Record<string, string>>, place = ''): string {
  const folder = join(sandbox.folders.processing, place, GONE);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const takenOver = async () => (await claims.takeOver()).files.map(({ claim, name }) => `${claim} ${name}`);

describe('a claim', () => {
  test('takes what belongs to the file along', async () => {
    for (const name of ['a.csv', 'a.csv.control.json', 'a.csv.done', 'b.csv']) drop(sandbox, name, name);
    const file = await claims.claim({ name: 'a.csv', place: [] });
    expect(readdirSync(file!.folder).sort()).toEqual(['a.csv', 'a.csv.control.json', 'a.csv.done']);
    expect(lying(sandbox, 'inbox')).toEqual(['b.csv']);
  });

  test('F49 of a file that somebody else was quicker with touches nothing that belongs to it', async () => {
    drop(sandbox, 'a.csv.control.json', '{"rows":1}');
    expect(await claims.claim({ name: 'a.csv', place: [] })).toBeUndefined();
    expect(lying(sandbox, 'inbox')).toEqual(['a.csv.control.json']);
    expect(lying(sandbox, 'processing')).toEqual([]);
  });

  test('is unique for ever', async () => {
    const made = new Set<string>();
    for (let at = 0; at < 3; at += 1) {
      drop(sandbox, 'a.csv', '');
      made.add((await claims.claim({ name: 'a.csv', place: [] }))!.claim);
    }
    expect(made.size).toBe(3);
  });
});

describe('F46 a watcher was killed', () => {
  test('after the claim: the file is taken over under the same claim', async () => {
    const folder = leftBehind({ [`${CLAIM}/a.csv`]: 'a', [`${CLAIM}/a.csv.control.json`]: '{}' }, 'M1/A1');
    expect(await takenOver()).toEqual([`${CLAIM} a.csv`]);
    expect(existsSync(folder)).toBe(false);
    expect(lying(sandbox, 'processing')).toHaveLength(2);
  });

  test('with the file claimed and its control file not: the control file follows', async () => {
    leftBehind({ [`${CLAIM}.begun/a.csv`]: 'a' });
    drop(sandbox, 'a.csv.control.json', '{"rows":1}');
    expect(await takenOver()).toEqual([`${CLAIM} a.csv`]);
    expect(lying(sandbox, 'inbox')).toEqual([]);
  });

  test('before the file was claimed: nothing is left of it', async () => {
    const folder = leftBehind({});
    mkdirSync(join(folder, `${CLAIM}.begun`));
    expect(await takenOver()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('after the file had its place elsewhere: its marker never comes back for another of its name', async () => {
    leftBehind({ [`${CLAIM}/a.csv.done`]: '', [`${CLAIM}/a.csv.control.json`]: '{"rows":1}' });
    expect(await takenOver()).toEqual([]);
    expect([...lying(sandbox, 'inbox'), ...lying(sandbox, 'processing')]).toEqual([]);
  });

  test('with a whole claim: a control file that came since belongs to another file of the same name', async () => {
    leftBehind({ [`${CLAIM}/a.csv`]: 'of yesterday' });
    drop(sandbox, 'a.csv', 'of today');
    drop(sandbox, 'a.csv.control.json', '{"rows":1}');
    const [file] = (await claims.takeOver()).files;
    expect(readFileSync(file!.path, 'utf8')).toBe('of yesterday');
    expect(readdirSync(file!.folder)).toEqual(['a.csv']);
    expect(lying(sandbox, 'inbox')).toEqual(['a.csv', 'a.csv.control.json']);
  });

  test('with a file that is called like its proof', async () => {
    leftBehind({ [`${CLAIM}/OK`]: 'a file of the sender' });
    expect(await takenOver()).toEqual([`${CLAIM} OK`]);
  });
});

test('what a living watcher has claimed is not taken over', async () => {
  drop(sandbox, 'a.csv', 'a');
  const file = await claims.claim({ name: 'a.csv', place: [] });
  const other = await Claims.open(sandbox.folders);
  expect((await other.takeOver()).files).toEqual([]);
  await other.close();
  expect(existsSync(file!.path)).toBe(true);
});

test('F49 of two watchers that take over at once, each file goes to one', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${String(at).padStart(6, '0')}-0123456789abcdef`);
  leftBehind(Object.fromEntries(names.map((name) => [`${name}/a.csv`, 'a'])));
  const other = await Claims.open(sandbox.folders);
  const both = await Promise.all([claims.takeOver(), other.takeOver()]);
  // Whoever came second may have found it locked, and looks again later.
  const rest = [await claims.takeOver(), await other.takeOver()];
  const claimed = [...both, ...rest].flatMap(({ files }) => files.map(({ claim }) => claim));
  expect(claimed.sort()).toEqual(names);
  await other.close();
});

test('a watcher that was never in any folder leaves no lock behind', async () => {
  writeFileSync(join(sandbox.folders.watchers, `${GONE}.db`), '');
  await claims.takeOver();
  expect(readdirSync(sandbox.folders.watchers).filter((name) => name.startsWith(GONE))).toEqual([]);
});

test('what cannot be taken over is told, and does not keep the rest', async () => {
  leftBehind({ [`${CLAIM}/a.csv`]: 'a' });
  const broken = join(sandbox.folders.processing, 'watcher-fedcba9876543210');
  mkdirSync(broken);
  // A file where a claim's folder should be.
  writeFileSync(join(broken, CLAIM), '');
  const { files, left } = await claims.takeOver();
  expect(files.map(({ name }) => name)).toEqual(['a.csv']);
  expect(left).toEqual([{ is: 'unreadable', path: broken, why: 'ENOTDIR' }]);
  rmSync(broken, { recursive: true });
});
