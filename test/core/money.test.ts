import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, digitsOf } from '../../src/core/currency.ts';
import {
  type AmountFault,
  type AmountStyle,
  formatAmount,
  isConsistent,
  MAX_MINOR,
  parseAmount,
  Sum,
} from '../../src/core/money.ts';

describe('parseAmount', () => {
  test.each<[string, number, number]>([
    ['10.50', 2, 1050],
    ['10.5', 2, 1050],
    ['10', 2, 1000],
    ['0.01', 2, 1],
    ['007.10', 2, 710],
    ['10', 0, 10],
    ['1.005', 3, 1005],
    ['1.0005', 4, 10005],
    ['9999999999999.99', 2, MAX_MINOR],
    ['999999999999999', 0, MAX_MINOR],
    [`${'0'.repeat(39)}1`, 0, 1],
  ])('%s with %i digits is %i minor units', (text, digits, minor) => {
    expect(parseAmount(text, digits)).toBe(minor);
  });

  test('F27: 19.99 is 1999 minor units, where a float would say 1998.9999999999998', () => {
    expect(19.99 * 100).not.toBe(1999);
    expect(parseAmount('19.99', 2)).toBe(1999);
    expect(parseAmount('0.29', 2)).toBe(29);
    expect(parseAmount('4.35', 2)).toBe(435);
  });

  test.each<[string, string, number, AmountFault]>([
    ['F21', '10,50', 2, 'malformed'],
    ['F22', '1e2', 2, 'malformed'],
    ['F22', '0x1A', 2, 'malformed'],
    ['F22', '+1', 2, 'malformed'],
    ['F22', ' 1', 2, 'malformed'],
    ['F22', '1 ', 2, 'malformed'],
    ['F22', '1.00\n', 2, 'malformed'],
    ['F22', '１.００', 2, 'malformed'],
    ['F22', '١٢', 2, 'malformed'],
    ['F22', 'NaN', 2, 'malformed'],
    ['F22', 'Infinity', 2, 'malformed'],
    ['F22', '', 2, 'malformed'],
    ['F22', '.50', 2, 'malformed'],
    ['F22', '10.', 2, 'malformed'],
    ['F22', '1.2.3', 2, 'malformed'],
    ['F22', '1_000', 2, 'malformed'],
    ['F22', '$1', 2, 'malformed'],
    ['F24', '-1', 2, 'malformed'],
    ['F24', '-0.00', 2, 'malformed'],
    ['F24', '(1.00)', 2, 'malformed'],
    ['F24', '0', 2, 'not_positive'],
    ['F24', '0.00', 2, 'not_positive'],
    ['F24', '000', 0, 'not_positive'],
    ['F25', '10000000000000.00', 2, 'too_large'],
    ['F25', '1000000000000000', 0, 'too_large'],
    ['F25', '9007199254740993', 0, 'too_large'],
    ['F25', '9'.repeat(40), 0, 'too_large'],
    ['F25', '9'.repeat(41), 0, 'malformed'],
    ['F26', '10.50', 0, 'too_many_decimals'],
    ['F26', '10.0', 0, 'too_many_decimals'],
    ['F26', '1.0005', 3, 'too_many_decimals'],
    ['F26', '1.500', 2, 'too_many_decimals'],
  ])('%s: %j with %i digits is %s', (_, text, digits, fault) => {
    expect(parseAmount(text, digits)).toBe(fault);
  });
});

describe('styles of amounts', () => {
  const styles: Record<string, AmountStyle> = {
    '1.5': { decimal: 'dot', thousands: 'none' },
    '1,000.5': { decimal: 'dot', thousands: 'comma' },
    '1 000.5': { decimal: 'dot', thousands: 'space' },
    '1,5': { decimal: 'comma', thousands: 'none' },
    '1.000,5': { decimal: 'comma', thousands: 'dot' },
    '1 000,5': { decimal: 'comma', thousands: 'space' },
  };

  test.each<[keyof typeof styles, string, number | AmountFault]>([
    ['1.5', '1234.56', 123456],
    ['1.5', '1,234.56', 'malformed'],
    ['1,000.5', '1,234.56', 123456],
    ['1,000.5', '1234.56', 123456],
    ['1,000.5', '1,234,567', 123456700],
    ['1,000.5', '1,23.56', 'malformed'],
    ['1,000.5', '12,34.56', 'malformed'],
    ['1,000.5', '1234,567.00', 'malformed'],
    ['1,000.5', '1.234,56', 'malformed'],
    ['1,000.5', ',234.56', 'malformed'],
    ['1 000.5', '1 234.56', 123456],
    ['1 000.5', '1  234.56', 'malformed'],
    ['1 000.5', '1\u00a0234.56', 'malformed'],
    ['1,5', '10,50', 1050],
    ['1,5', '10,5', 1050],
    ['1,5', '10', 1000],
    ['1,5', '10.50', 'malformed'],
    ['1,5', '1.234,56', 'malformed'],
    ['1,5', '0,00', 'not_positive'],
    ['1,5', '1,005', 'too_many_decimals'],
    ['1.000,5', '1.234,56', 123456],
    ['1.000,5', '1234,56', 123456],
    ['1.000,5', '1.234', 123400],
    ['1.000,5', '10.50', 'malformed'],
    ['1.000,5', '1.234.567,8', 123456780],
    ['1.000,5', '1,234.56', 'malformed'],
    ['1 000,5', '1 234,56', 123456],
    ['1 000,5', '1.234,56', 'malformed'],
  ])('F21: written like %s, %j with 2 digits is %s', (style, text, expected) => {
    expect(parseAmount(text, 2, styles[style]!)).toBe(expected);
  });

  test('a mark cannot be both', () => {
    for (const style of Object.values(styles)) expect(isConsistent(style)).toBe(true);
    const comma: AmountStyle = { decimal: 'comma', thousands: 'comma' };
    expect(isConsistent(comma)).toBe(false);
    expect(isConsistent({ decimal: 'dot', thousands: 'dot' })).toBe(false);
    expect(parseAmount('1,5', 2, comma)).toBe('malformed');
  });
});

describe('formatAmount', () => {
  test.each<[number | bigint, number, string]>([
    [1050, 2, '10.50'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [-5, 2, '-0.05'],
    [-1050, 2, '-10.50'],
    [1050, 0, '1050'],
    [0, 0, '0'],
    [5, 4, '0.0005'],
    [MAX_MINOR, 2, '9999999999999.99'],
    [123456789012345678901234567890n, 3, '123456789012345678901234567.890'],
    [-1n, 3, '-0.001'],
  ])('%s minor units with %i digits are %s', (minor, digits, text) => {
    expect(formatAmount(minor, digits)).toBe(text);
  });
});

const minorUnits = fc.integer({ min: 1, max: MAX_MINOR });

test.each(currencies())('property: every amount in %s comes back from its text', (currency) => {
  const digits = digitsOf(currency)!;
  const written = fc.property(
    minorUnits,
    (minor) => parseAmount(formatAmount(minor, digits), digits) === minor,
  );
  fc.assert(written, { numRuns: 30 });
});

test('property: a sum is the one of BigInt, however large and in whatever order', () => {
  const addends = fc.array(fc.integer({ min: -MAX_MINOR, max: MAX_MINOR }), { maxLength: 200 });
  fc.assert(
    fc.property(addends, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (minors, big) => {
      const sum = new Sum();
      for (const minor of minors) sum.add(minor);
      sum.addBig(big);
      expect(sum.value).toBe(minors.reduce((total, minor) => total + BigInt(minor), big));
    }),
  );
});

test('a sum of a hundred thousand of the largest amounts is exact', () => {
  const sum = new Sum();
  for (let count = 0; count < 100_000; count += 1) sum.add(MAX_MINOR);
  expect(sum.value).toBe(99_999_999_999_999_900_000n);
});
