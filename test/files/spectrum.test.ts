/** The acid test of CSV readers, https://github.com/maxogden/csv-spectrum, where a copy of it lies beside the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { open, rejection, rowsOf } from './support.ts';

const FOLDER = new URL('../../../shared/data/csv/csv-spectrum/', import.meta.url);
const isThere = existsSync(FOLDER);
const NAMES = isThere ? readdirSync(new URL('csvs/', FOLDER)).map((file) => file.replace('.csv', '')) : [];
/** Has quotes inside an unquoted cell, and a JSON that says something else. */
const STRAY_QUOTES = 'location_coordinates';

function csv(name: string): Buffer {
  return readFileSync(new URL(`csvs/${name}.csv`, FOLDER));
}

describe.skipIf(!isThere)('csv-spectrum', () => {
  test.each(NAMES.filter((name) => name !== STRAY_QUOTES))('%s', async (name) => {
    const opened = await open(csv(name));
    const { shape } = opened;
    const header = shape.format === 'csv' ? shape.header : [];
    const records = (await rowsOf(opened)).map(({ cells }) =>
      Object.fromEntries(header.map((column, at) => [column, cells[at]])),
    );
    const expected: unknown = JSON.parse(readFileSync(new URL(`json/${name}.json`, FOLDER), 'utf8'));
    expect(records).toEqual(expected);
  });

  test(`F12 ${STRAY_QUOTES}`, async () => {
    expect(await rejection(csv(STRAY_QUOTES))).toMatchObject([
      { code: 'B0004', line: 2, column: 'location coordinates' },
    ]);
  });
});
