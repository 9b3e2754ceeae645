import { describe, expect, test } from 'vitest';
import { readCardForm } from '../../../src/http/hosted/card-form.ts';
import { wordsFor } from '../../../src/http/hosted/words.ts';

const words = wordsFor(undefined).faults;
const GOOD = {
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2033',
  security_code: '123',
};

function read(change: Readonly<Record<string, unknown>>) {
  return readCardForm({ ...GOOD, ...change }, words);
}

/** The fields that are wrong. */
function wrong(change: Readonly<Record<string, unknown>>): string {
  const form = read(change);
  return 'card' in form ? '' : Object.keys(form.faults).join(' ');
}

describe('a card', () => {
  test('as it is typed', () => {
    expect(read({})).toEqual({
      card: { number: '4111111111111111', month: 12, year: 2033, securityCode: '123' },
    });
    expect(read({ card: ' 4111 1111-1111 1111 ', expiration_month: ' 9', expiration_year: '33 ' })).toEqual({
      card: { number: '4111111111111111', month: 9, year: 2033, securityCode: '123' },
    });
  });

  test.each([
    ['4000000000000002'],
    ['4000000000003220'],
    ['4000000000009235'],
    ['4000000000000119'],
    ['4242424242424242'],
    ['5555555555554444'],
  ])('%s, with which payments can be tried out', (card) => {
    expect(wrong({ card })).toBe('');
  });

  test('of a kind with four digits at its front', () => {
    expect(wrong({ card: '378282246310005', security_code: '1234' })).toBe('');
    expect(wrong({ card: '378282246310005', security_code: '123' })).toBe('security_code');
  });
});

describe('what a shopper can mend', () => {
  test.each([
    ['no number', { card: '' }, 'card'],
    ['a wrong digit', { card: '4111111111111112' }, 'card'],
    ['too few digits', { card: '41111111111' }, 'card'],
    ['too many digits', { card: `4${'0'.repeat(19)}` }, 'card'],
    ['letters', { card: '4111x11111111111' }, 'card'],
    ['digits of another script', { card: '٤١١١١١١١١١١١١١١١' }, 'card'],
    ['a month too many', { expiration_month: '13' }, 'expiration_month'],
    ['month zero', { expiration_month: '00' }, 'expiration_month'],
    ['no month', { expiration_month: '' }, 'expiration_month'],
    ['three digits of a year', { expiration_year: '203' }, 'expiration_year'],
    ['another century', { expiration_year: '1933' }, 'expiration_year'],
    ['a year that is over', { expiration_year: '20' }, 'expiration_month'],
    ['a year too far away', { expiration_year: '2099' }, 'expiration_month'],
    ['no code', { security_code: '' }, 'security_code'],
    ['a code with a letter', { security_code: '12a' }, 'security_code'],
    ['four digits where the card has three', { security_code: '1234' }, 'security_code'],
    ['a field twice', { card: ['4111111111111111', '5555555555554444'] }, 'card'],
    ['a file', { card: new File([], 'card') }, 'card'],
    [
      'everything',
      { card: 'x', expiration_month: 'x', expiration_year: 'x', security_code: 'x' },
      'card expiration_month expiration_year security_code',
    ],
  ])('%s', (_, change, fields) => {
    expect(wrong(change)).toBe(fields);
  });

  test('nothing at all', () => {
    const form = readCardForm({}, words);
    expect('faults' in form && Object.keys(form.faults)).toHaveLength(4);
  });

  test('number and code are not among what is shown again, nor in any message', () => {
    const form = read({ card: '4111111111111112', security_code: '9876', expiration_month: '07' });
    expect('faults' in form && form.typed).toEqual({ month: '07', year: '2033' });
    expect(JSON.stringify(form)).not.toMatch(/4111|9876/);
  });
});
