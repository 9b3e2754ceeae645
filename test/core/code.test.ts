import { describe, expect, test } from 'vitest';
import { CODES, type Code, hintOf, reason, retryHelps } from '../../src/core/code.ts';

const ALL = Object.keys(CODES) as Code[];

test('the order of precedence is the one of the decisions on the engine', () => {
  const numbered = (most: number) =>
    Array.from({ length: most }, (_, index) => `B${String(index + 1).padStart(4, '0')}`);
  expect(ALL).toEqual(
    [
      'I0001 I0002 I0013 I0021 I0022 I0051 I0061 I0062',
      'V0001 V0002 V0003 V0009 V0008 V0007 V0004 V0005 V0006 V0010 V0011 V0012 V0013 V0014 V0015',
      'D0005 D0014 D0051 D0054 D0065 D0082 R0001 R0002 E0001 E0002 E0003',
      ...numbered(25),
    ].flatMap((row) => row.split(' ')),
  );
});

test('a retry helps where time or a second try can change the answer', () => {
  expect(ALL.filter(retryHelps)).toEqual(['V0011', 'V0012', 'D0051', 'E0002', 'E0003', 'B0018', 'B0025']);
  expect(CODES.E0001.retry).toBe('resolve first');
  expect(CODES.I0062.retry).toBe('query first');
});

test.each(ALL)('%s has one sentence without a full stop, and a hint with one', (code) => {
  expect(CODES[code].sentence).toMatch(/^[A-Z].*[^.]$/);
  expect(CODES[code].hint).toMatch(/^[A-Z`].*\.$/);
});

describe('a reason', () => {
  test.each([
    [reason('V0001'), 'There is no such transaction in this account.'],
    [reason('V0006', '4.00 USD is left'), 'The amount is more than is left to refund: 4.00 USD is left.'],
  ])('%j', (given, message) => {
    expect(given.message).toBe(message);
    expect(hintOf(given)).toBe(CODES[given.code].hint);
  });

  test('knows its place, and may have a hint of its own', () => {
    const given = reason('B0002', 'byte ff', { line: 3, column: 'amount', hint: 'Use --encoding.' });
    expect(given).toEqual({
      code: 'B0002',
      message: 'The bytes are not text in the expected encoding: byte ff.',
      line: 3,
      column: 'amount',
      hint: 'Use --encoding.',
    });
    expect(hintOf(given)).toBe('Use --encoding.');
  });
});
