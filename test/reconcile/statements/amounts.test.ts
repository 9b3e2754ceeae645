import { describe, expect, test } from 'vitest';
import { type AmountScale, readSigned, readUnsigned } from '../../../src/reconcile/statements/amounts.ts';

const DECIMAL: AmountScale = { amounts: 'decimal', decimal: 'dot', thousands: 'none', excessZeros: false };
const GERMAN: AmountScale = { ...DECIMAL, decimal: 'comma', thousands: 'dot' };
const MINOR: AmountScale = { ...DECIMAL, amounts: 'minor' };
const LONG: AmountScale = { ...DECIMAL, excessZeros: true };

describe('readSigned', () => {
  test.each([
    ['10.5', 2, DECIMAL, 1050],
    ['-10.50', 2, DECIMAL, -1050],
    ['+10', 2, DECIMAL, 1000],
    ['0', 2, DECIMAL, 0],
    ['-0.00', 2, DECIMAL, 0],
    ['1.234,56', 2, GERMAN, 123456],
    ['-1234,5', 2, GERMAN, -123450],
    ['1.234', 3, DECIMAL, 1234],
    ['500', 0, DECIMAL, 500],
    ['-18759', 2, MINOR, -18759],
    ['-18759', 0, MINOR, -18759],
    ['999999999999999', 2, MINOR, 999_999_999_999_999],
    ['10.5000', 2, LONG, 1050],
    ['-0.4500000', 2, LONG, -45],
    ['100.000', 0, LONG, 100],
    ['100', 2, LONG, 10000],
  ])('%s with %i digits', (text, digits, scale, minor) => {
    expect(readSigned(text, digits, scale)).toBe(minor);
  });

  test.each([
    ['', DECIMAL, 'malformed'],
    ['-', DECIMAL, 'malformed'],
    ['--1', DECIMAL, 'malformed'],
    ['1,50', DECIMAL, 'malformed'],
    ['1.50', { ...GERMAN, thousands: 'none' } as AmountScale, 'malformed'],
    ['1.50', GERMAN, 'malformed'],
    ['1e5', DECIMAL, 'malformed'],
    ['(10.50)', DECIMAL, 'malformed'],
    ['10.50 EUR', DECIMAL, 'malformed'],
    ['.5', DECIMAL, 'malformed'],
    ['1.234', DECIMAL, 'too_many_decimals'],
    // Without leave, zeros too many could be thousands.
    ['1.000', DECIMAL, 'too_many_decimals'],
    ['10.5001', LONG, 'too_many_decimals'],
    ['10.50', MINOR, 'malformed'],
    ['9999999999999.99', DECIMAL, 999_999_999_999_999],
    ['10000000000000.00', DECIMAL, 'too_large'],
    ['1000000000000000', MINOR, 'too_large'],
  ])('%s is %s', (text, scale, fault) => {
    expect(readSigned(text, 2, scale)).toBe(fault);
  });
});

test('readUnsigned refuses signs', () => {
  expect(readUnsigned('10.50', 2, DECIMAL)).toBe(1050);
  expect(readUnsigned('-10.50', 2, DECIMAL)).toBe('signed');
  expect(readUnsigned('+10.50', 2, DECIMAL)).toBe('signed');
});
