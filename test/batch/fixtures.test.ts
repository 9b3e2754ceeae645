/**
 * Whole files and everything that comes of them: `fixtures/batch/<case>/input.*`, the ledger before it in `given.json`,
 * and beside them the reports. Expected files are written by `npx vitest run test/batch/fixtures.test.ts --update`, and
 * by nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Given, Sandbox } from '../support/ledger.ts';

const FOLDER = new URL('../../fixtures/batch/', import.meta.url);

/** What each folder holds instructions of; a mixed file is called after something else. */
const NAMES: Readonly<Record<string, string>> = {
  refunds: 'refunds',
  captures: 'captures',
  payouts: 'payouts',
};

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const folder = new URL(`${name}/`, FOLDER);
  const input = readdirSync(folder).find((file) => file.startsWith('input.'))!;
  const given: Given[] = JSON.parse(readFileSync(new URL('given.json', folder), 'utf8'));
  await sandbox.given(...given);
  const document = await sandbox.run(
    `${NAMES[name] ?? 'november'}${extname(input)}`,
    readFileSync(new URL(input, folder)),
  );
  const { result, fixme, held, json } = document.reports;
  const made = Object.entries({ result, fixme, held, report: json }).filter(([, path]) => path !== null);
  for (const [kind, path] of made) {
    const expected = fileURLToPath(new URL(`expected.${kind}${extname(path!)}`, folder));
    await expect(readFileSync(path!, 'utf8')).toMatchFileSnapshot(expected);
  }
  // And nothing that is expected was left out.
  const expected = readdirSync(folder).flatMap((file) => /^expected\.(\w+)\./.exec(file)?.[1] ?? []);
  expect(made.map(([kind]) => kind)).toEqual(expect.arrayContaining(expected));
});
