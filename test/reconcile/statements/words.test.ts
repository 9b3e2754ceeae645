import { expect, test } from 'vitest';
import { Words } from '../../../src/reconcile/statements/words.ts';

const WORDS = new Words([
  ['*refund*', 'refund'],
  ['T00*', 'payment'],
  ['Payment Refund Fee', 'fee'],
  ['', 'nothing'],
  ['a.b', 'dot'],
]);

test.each([
  ['Payment Refund', 'refund'],
  [' REFUND ', 'refund'],
  ['payment refund fee', 'fee'],
  ['t0006', 'payment'],
  ['xT0006', undefined],
  ['', 'nothing'],
  ['  ', 'nothing'],
  ['a.b', 'dot'],
  ['axb', undefined],
  [`${'x'.repeat(300)}refund`, undefined],
])('%j means %s', (word, meaning) => {
  expect(WORDS.meaning(word)).toBe(meaning);
  expect(WORDS.meaning(word)).toBe(meaning);
});
