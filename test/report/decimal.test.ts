import { describe, expect, test } from 'vitest';
import {
  absolute,
  basisPoints,
  difference,
  grouped,
  isEqual,
  isNegative,
  isZero,
  larger,
  signed,
  sum,
} from '../../src/report/html/decimal.ts';

test.each([
  [[], '0'],
  [['10.50', '0.05'], '10.55'],
  [['1', '2.345'], '3.345'],
  [['-1.00', '0.25'], '-0.75'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
])('the sum of %j is %s', (amounts, total) => {
  expect(sum(amounts)).toBe(total);
});

test.each([
  ['10.00', '9.99', '0.01'],
  ['0.00', '1.00', '-1.00'],
  ['1.00', '-1.00', '2.00'],
])('%s − %s is %s', (a, b, left) => {
  expect(difference(a, b)).toBe(left);
});

test.each([
  ['1234567.89', '1,234,567.89'],
  ['-1234', '−1,234'],
  ['123', '123'],
  ['0.000', '0.000'],
  ['-0.10', '−0.10'],
])('%s is shown as %s', (amount, shown) => {
  expect(grouped(amount)).toBe(shown);
});

test.each([
  ['1234.50', '+1,234.50'],
  ['-0.10', '−0.10'],
  ['0.00', '0.00'],
])('%s, where it is added, is shown as %s', (amount, shown) => {
  expect(signed(amount)).toBe(shown);
});

test.each([
  ['-12.50', '12.50', true],
  ['12.50', '12.50', false],
  ['-0.00', '-0.00', false],
])('without its sign %s is %s', (amount, without, negative) => {
  expect(absolute(amount)).toBe(without);
  expect(isNegative(amount)).toBe(negative);
});

test.each([
  ['9.99', '10', '10'],
  ['-1', '-2', '-1'],
  ['90071992547409930.01', '90071992547409930.02', '90071992547409930.02'],
])('the larger of %s and %s is %s', (a, b, found) => {
  expect(larger(a, b)).toBe(found);
  expect(larger(b, a)).toBe(found);
});

test('equal is what is the same number, however it is written', () => {
  expect(isEqual('1.50', '1.5')).toBe(true);
  expect(isEqual('90071992547409930.01', '90071992547409930.02')).toBe(false);
});

describe('shares', () => {
  test.each([
    ['1', '3', 3333],
    ['0.50', '1', 5000],
    ['999999999999999999.99', '1000000000000000000.00', 9999],
    ['1', '0', 0],
  ])('%s of %s is %i basis points', (part, whole, points) => {
    expect(basisPoints(part, whole)).toBe(points);
  });
});

test('only plain decimals are amounts', () => {
  expect(isZero('-0.00')).toBe(true);
  for (const text of ['', '1e2', '+1', '1,50', ' 1', '.5', 'NaN'])
    expect(() => sum([text])).toThrow(TypeError);
});
