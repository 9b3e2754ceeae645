import { describe, expect, test } from 'vitest';
import type { Entry, Origin } from '../../src/core/gateway.ts';
import { type Executed, identify } from '../../src/core/identity.ts';
import type { EntryOperation } from '../../src/core/operation.ts';

/** The batch that is being executed is number 2, `B2`; lines of `B1` were executed before it. */
function origin(repeats: Origin['repeats'] = 'hold', batchNumber = 2): Origin {
  return { batch: `B${batchNumber}`, batchNumber, attempt: 1, repeats };
}

function nameOf({ batchNumber, line }: Executed): string {
  return `B${batchNumber}:${line}`;
}

/** A line executed before, in words: `B1:2 refund 400`, then optionally `ref=R1` and `of=B1:2`. */
function executed(words: string): Executed {
  const [name, kind, amount, ...more] = words.split(' ') as [string, Executed['kind'], string, ...string[]];
  const [batchNumber, line] = name.slice(1).split(':').map(Number) as [number, number];
  return {
    kind,
    amount: Number(amount),
    batchNumber,
    line,
    reference: more.find((word) => word.startsWith('ref='))?.slice(4),
    repeatOf: more.find((word) => word.startsWith('of='))?.slice(3),
  };
}

/** An instruction in the same words: `refund 400`, `accept`, `reject`, `ref=R1`, `of=B1:2`. */
function instruction(words: string): { operation: EntryOperation; entry: Entry } {
  const [verb, ...more] = words.split(' ') as [string, ...string[]];
  const amount = Number(more.find((word) => /^\d+$/.test(word)) ?? 1000);
  const entry: Entry = {
    transactionId: 'T1',
    orderNo: 'ORD-1',
    currency: 'USD',
    amount: verb === 'refund' ? 1000 : amount,
    refundAmount: verb === 'refund' ? amount : undefined,
    reviewFlag: verb === 'accept' ? 1 : verb === 'reject' ? 0 : undefined,
    refundReason: 'any text',
    reference: more.find((word) => word.startsWith('ref='))?.slice(4),
    line: 9,
    repeatOf: more.find((word) => word.startsWith('of='))?.slice(3),
  };
  return { operation: verb === 'accept' || verb === 'reject' ? 'review' : (verb as EntryOperation), entry };
}

/** `new`, or `repeat of B1:2`, or `contradicts B1:2`. */
function verdict(words: string, before: readonly string[], from: Origin = origin()): string {
  const { operation, entry } = instruction(words);
  const found = identify(operation, entry, from, before.map(executed), nameOf);
  if (found.is === 'new') return 'new';
  return `${found.is === 'repeat' ? 'repeat of' : 'contradicts'} ${nameOf(found.first)}`;
}

describe('F28: the same instruction is account, operation, transaction and money moved', () => {
  test.each<[string, string[], string]>([
    ['refund 400', [], 'new'],
    ['refund 400', ['B1:2 refund 400'], 'repeat of B1:2'],
    ['refund 400', ['B2:5 refund 400'], 'repeat of B2:5'],
    ['refund 400', ['B1:2 refund 300'], 'new'],
    ['refund 400', ['B1:2 capture 400'], 'new'],
    ['refund 400', ['B1:2 refund 300', 'B1:3 refund 400', 'B1:4 refund 400'], 'repeat of B1:3'],
    ['capture 1000', ['B1:2 capture 1000'], 'repeat of B1:2'],
    ['capture 1000', ['B1:2 capture 400'], 'new'],
    ['cancel 1000', ['B1:2 cancel 1000'], 'repeat of B1:2'],
    ['cancel 1000', ['B1:2 capture 1000'], 'new'],
    ['accept', ['B1:2 review_accepted 1000'], 'repeat of B1:2'],
    ['reject', ['B1:2 review_rejected 1000'], 'repeat of B1:2'],
    ['reject', ['B1:2 review_accepted 1000'], 'new'],
    ['accept', ['B1:2 review_rejected 1000'], 'new'],
    // The account captures at once: the capture belongs to the review's line.
    ['capture 1000', ['B1:2 review_accepted 1000', 'B1:2 capture 1000'], 'new'],
    ['accept', ['B1:2 review_accepted 1000', 'B1:2 capture 1000'], 'repeat of B1:2'],
    ['capture 1000', ['B1:2 review_accepted 1000', 'B1:3 capture 1000'], 'repeat of B1:3'],
  ])('%s after %j: %s', (words, before, expected) => {
    expect(verdict(words, before)).toBe(expected);
  });

  test('what a review moves is in its transaction: the amount that the line states does not count', () => {
    expect(verdict('accept 999', ['B1:2 review_accepted 1000'])).toBe('repeat of B1:2');
  });
});

describe('references', () => {
  test.each<[string, string[], string]>([
    // Repeats unless both carry one and they differ.
    ['refund 400 ref=R2', ['B1:2 refund 400 ref=R1'], 'new'],
    ['refund 400 ref=R1', ['B1:2 refund 400 ref=R1'], 'repeat of B1:2'],
    ['refund 400 ref=R1', ['B1:2 refund 400'], 'repeat of B1:2'],
    ['refund 400', ['B1:2 refund 400 ref=R1'], 'repeat of B1:2'],
    ['refund 400 ref=R3', ['B1:2 refund 400 ref=R1', 'B1:3 refund 400 ref=R2'], 'new'],
    ['refund 400 ref=R3', ['B1:2 refund 400 ref=R1', 'B1:3 refund 400'], 'repeat of B1:3'],
    // B0014: the same reference, transaction and operation with another amount.
    ['refund 400 ref=R1', ['B1:2 refund 300 ref=R1'], 'contradicts B1:2'],
    ['capture 400 ref=R1', ['B1:2 capture 300 ref=R1'], 'contradicts B1:2'],
    ['reject ref=R1', ['B1:2 review_accepted 1000 ref=R1'], 'contradicts B1:2'],
    ['accept ref=R1', ['B1:2 review_accepted 1000 ref=R1'], 'repeat of B1:2'],
    ['refund 400 ref=R1', ['B1:2 capture 300 ref=R1'], 'new'],
    ['refund 400 ref=R2', ['B1:2 refund 300 ref=R1'], 'new'],
    // The contradiction comes first.
    ['refund 400 ref=R1', ['B1:2 refund 400', 'B1:3 refund 300 ref=R1'], 'contradicts B1:3'],
  ])('%s after %j: %s', (words, before, expected) => {
    expect(verdict(words, before)).toBe(expected);
  });
});

describe('repeats that are meant', () => {
  test.each<[string, string[], string]>([
    ['refund 400 of=B1:2', ['B1:2 refund 400'], 'new'],
    // It must name a line that it repeats.
    ['refund 400 of=B1:3', ['B1:2 refund 400'], 'repeat of B1:2'],
    ['refund 400 of=B1:3', ['B1:2 refund 400', 'B1:3 refund 300'], 'repeat of B1:2'],
    ['refund 400 of=b1:2', ['B1:2 refund 400'], 'repeat of B1:2'],
    ['refund 400 of=B1:2', [], 'new'],
    // One batch may repeat a line more than once; a second batch would pay again.
    ['refund 400 of=B1:2', ['B1:2 refund 400', 'B2:3 refund 400 of=B1:2'], 'new'],
    ['refund 400 of=B1:2', ['B1:2 refund 400', 'B3:3 refund 400 of=B1:2'], 'repeat of B1:2'],
    // The repeat is itself a line that can be named.
    ['refund 400 of=B3:3', ['B1:2 refund 400', 'B3:3 refund 400 of=B1:2'], 'new'],
    // A reference that says something else cannot be overruled.
    ['refund 400 of=B1:2 ref=R1', ['B1:2 refund 300 ref=R1'], 'contradicts B1:2'],
  ])('%s after %j: %s', (words, before, expected) => {
    expect(verdict(words, before)).toBe(expected);
  });

  test.each<[Origin['repeats'], string, string[], string]>([
    // `--repeats allow` concerns repeats inside the file only.
    ['allow', 'refund 400', ['B2:3 refund 400'], 'new'],
    ['allow', 'refund 400', ['B1:2 refund 400'], 'repeat of B1:2'],
    ['allow', 'refund 400', ['B1:2 refund 400', 'B2:3 refund 400'], 'repeat of B1:2'],
    ['allow', 'refund 400 of=B1:2', ['B1:2 refund 400', 'B2:3 refund 400'], 'new'],
    ['allow', 'refund 400 ref=R1', ['B2:3 refund 300 ref=R1'], 'contradicts B2:3'],
    ['hold', 'refund 400', ['B2:3 refund 400'], 'repeat of B2:3'],
    // `batch release`: a person has said that all of these lines are meant.
    ['release', 'refund 400', ['B1:2 refund 400'], 'new'],
    ['release', 'refund 400', ['B1:2 refund 400', 'B2:3 refund 400'], 'new'],
    ['release', 'refund 400 ref=R1', ['B1:2 refund 300 ref=R1'], 'contradicts B1:2'],
  ])('%s: %s after %j: %s', (repeats, words, before, expected) => {
    expect(verdict(words, before, origin(repeats))).toBe(expected);
  });
});
