import { expect, test } from 'vitest';
import { reportJson } from '../../src/report/json.ts';
import { mixedUnknown, withExceptions } from './documents.ts';
import { expectGolden } from './golden.ts';

test('report.json of a batch with exceptions', () => {
  const text = reportJson(withExceptions);
  expectGolden('with-exceptions/report.json', text);
  expect(JSON.parse(text)).toEqual(withExceptions);
  expect(text).toMatch(/^\{\n {2}"schema_version": 1,\n {2}"environment": "sandbox",/);
});

test('the order in which members were made does not matter', () => {
  expect(reportJson(reversed(mixedUnknown))).toBe(reportJson(mixedUnknown));
});

function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed) as Value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  ) as Value;
}
