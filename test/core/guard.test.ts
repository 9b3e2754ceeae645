import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guard, unguard } from '../../src/core/guard.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+41 44 123', "'+41 44 123"],
  ['-10.00', "'-10.00"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['10.00', '10.00'],
  ['a=1', 'a=1'],
  ["O'Neill", "O'Neill"],
  ["'quoted'", "'quoted'"],
  ['', ''],
])('F98: %j is written %j', (cell, written) => {
  expect(guard(cell)).toBe(written);
  expect(unguard(written)).toBe(cell);
});

test('F105, property: what guard did, unguard takes back', () => {
  const formulas = fc.string({
    unit: fc.constantFrom("'", ' ', '=', '+', '-', '@', '\t', '\r', 'a', '1'),
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.oneof(formulas, fc.string()), (cell) => {
      expect(unguard(guard(cell))).toBe(cell);
    }),
  );
});
