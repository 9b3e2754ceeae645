/**
 * How files that people really send are read: `fixtures/files/<case>/input.*` and beside it what comes of it. Expected
 * files are written by `npx vitest run test/files/fixtures.test.ts --update`, and by nothing else.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { writeJson } from '../../src/core/json-node.ts';
import { JsonObject, type Row } from '../../src/core/row.ts';
import { openFile, type ReadOptions } from '../../src/files/open.ts';
import { FileRejected } from '../../src/files/rejected.ts';
import { isKnown, rowsOf } from './support.ts';

const FOLDER = new URL('../../fixtures/files/', import.meta.url);

function optionsOf(folder: URL): ReadOptions {
  const file = new URL('options.json', folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

async function outcome(path: string, options: ReadOptions): Promise<unknown> {
  try {
    const opened = await openFile(path, path, options, isKnown);
    const rows = await rowsOf(opened);
    return { shape: opened.shape, counts: opened.counts, rows: rows.map(shown) };
  } catch (error) {
    if (error instanceof FileRejected) return { rejected: error.reasons };
    throw error;
  }
}

function shown({ entry, ...row }: Row): unknown {
  return entry === undefined ? row : { ...row, entry: writeJson(entry) };
}

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const folder = new URL(`${name}/`, FOLDER);
  const input = readdirSync(folder).find((file) => file.startsWith('input.'))!;
  const found = await outcome(fileURLToPath(new URL(input, folder)), optionsOf(folder));
  const replacer = (_: string, value: unknown) => (value instanceof JsonObject ? writeJson(value) : value);
  const text = `${JSON.stringify(found, replacer, 2)}\n`;
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL('expected.json', folder)));
});
