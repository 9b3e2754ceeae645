import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, nearest } from '../../src/core/distance.ts';

test.each([
  ['amuont', 'amount'],
  ['amount', 'amount'],
  ['refund_amt', undefined],
  ['zzz', undefined],
  ['_amount', undefined],
  ['iba', undefined],
])('the known name nearest to %s is %s', (name, expected) => {
  expect(nearest(name, ['refund_amount', 'amount', 'iban'])).toBe(expected);
});

test.each([
  ['', '', 0],
  ['amount', 'amount', 0],
  ['ammount', 'amount', 1],
  ['amuont', 'amount', 1],
  ['amout', 'amount', 1],
  ['abcd', 'badc', 2],
  ['ca', 'abc', 3],
])('from %j to %j it is %i', (one, other, steps) => {
  expect(distance(one, other, 9)).toBe(steps);
});

test('property: distance is symmetric, and so many changes make at most so much of it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(8), fc.constantFrom('', 'x'), (one, other, at, letter) => {
      expect(distance(one, other, 99)).toBe(distance(other, one, 99));
      const changed = one.slice(0, at) + letter + one.slice(at + 1);
      expect(distance(one, changed, 99)).toBeLessThanOrEqual(1);
    }),
  );
});
