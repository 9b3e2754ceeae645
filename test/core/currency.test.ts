import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currencies, digitsOf } from '../../src/core/currency.ts';

test.each([
  [139, 2],
  [17, 0],
  [7, 3],
  [2, 4],
])('%i currencies have %i digits', (count, digits) => {
  expect(currencies().filter((code) => digitsOf(code) === digits)).toHaveLength(count);
});

test('165 in all, in alphabetical order, each once', () => {
  expect(new Set(currencies()).size).toBe(165);
  expect(currencies()).toEqual([...currencies()].sort());
});

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['UYW', 4],
  // Where Intl says otherwise.
  ['IQD', 3],
  ['HUF', 2],
  ['UGX', 0],
])('%s has %i digits', (code, digits) => {
  expect(digitsOf(code)).toBe(digits);
});

test.each([
  ['HRK', 'withdrawn'],
  ['DEM', 'withdrawn'],
  ['BGN', 'withdrawn'],
  ['ZWL', 'withdrawn'],
  ['XAU', 'has no minor unit'],
  ['XXX', 'has no minor unit'],
  ['usd', 'is written in capitals'],
  ['US', 'is too short'],
  ['', 'is empty'],
  ['constructor', 'is no currency'],
  ['__proto__', 'is no currency'],
])('%j is unknown: it %s', (code) => {
  expect(digitsOf(code)).toBeUndefined();
});

const official = new URL('../../../shared/data/reference/iso4217-exponents.csv', import.meta.url);

test.skipIf(!existsSync(official))('all digits are those of the official list', () => {
  const rows = readFileSync(official, 'utf8').trim().split(/\r?\n/).slice(1);
  expect(rows).toHaveLength(178);
  for (const row of rows) {
    const [code, , digits] = row.split(',');
    expect([code, digitsOf(code!)]).toEqual([code, digits === '' ? undefined : Number(digits)]);
  }
});
