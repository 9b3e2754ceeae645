/** Copies that no batch has yet, and the folders that they lie in. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/batch/make-folder.ts';
import { discard, removeAbandoned, take } from '../../src/batch/take.ts';
import { Sandbox } from '../support/ledger.ts';

test('F44 a copy that a killed process has left is removed; one that is being made stays', async () => {
  const sandbox = await Sandbox.make();
  const { work } = sandbox.folders;
  const left = join(work, 'incoming-left');
  mkdirSync(left);
  writeFileSync(join(left, 'input'), '4111111111111111\n');
  mkdirSync(join(work, 'incoming-empty'));
  mkdirSync(join(work, 'B0000000000000001'));
  const living = await take(sandbox.file('capture.csv', 'a\n'), work);
  await removeAbandoned(work);
  expect(readdirSync(work).sort()).toEqual(
    ['B0000000000000001', living.folder.slice(work.length + 1)].sort(),
  );
  expect(existsSync(living.path)).toBe(true);
  await discard(living);
  // Twice is as good as once.
  await discard(living);
  expect(readdirSync(work)).toEqual(['B0000000000000001']);
  await sandbox.remove();
});

test('a folder is made with those above it; what is wrong is said', async () => {
  const sandbox = await Sandbox.make();
  const folder = sandbox.senderFolder();
  const deep = join(folder, 'a', 'b', 'c');
  await Promise.all([makeFolder(deep), makeFolder(deep)]);
  await makeFolder(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'link', 'a'))).rejects.toMatchObject({ code: 'ENOENT' });
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await sandbox.remove();
});
