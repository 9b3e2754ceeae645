/** When notifications are tried again, and what answers mean. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EVENT_KINDS,
  EVENT_OF_TRANSFER,
  resultOfStatus,
  standingAfter,
  TRY_AFTER,
} from '../../src/core/notification.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('after a failed try', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 300 * SECOND],
    [3, 1_800 * SECOND],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('number %i the next one waits %i ms', (tries, wait) => {
    expect(standingAfter('failed', tries, 1_000, 0)).toEqual({ state: 'waiting', dueAt: 1_000 + wait });
  });

  test('F94 number 10 there is no next one', () => {
    expect(TRY_AFTER).toHaveLength(10);
    expect(standingAfter('failed', 10, 1_000, 0)).toEqual({ state: 'dead', dueAt: undefined });
  });

  test('a wait is never shorter than its step and at most a tenth longer, in whole milliseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, chance) => {
          const { dueAt } = standingAfter('failed', tries, 0, chance);
          const step = TRY_AFTER[tries]!;
          return Number.isSafeInteger(dueAt) && dueAt! >= step && dueAt! <= step * 1.1;
        },
      ),
    );
  });
});

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [199, 'failed'],
  [301, 'failed'],
  [307, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [500, 'failed'],
])('HTTP %i is %s', (status, result) => {
  expect(resultOfStatus(status)).toBe(result);
});

test.each(['delivered', 'gone', 'hopeless'] as const)('what is %s is not tried again', (result) => {
  expect(standingAfter(result, 1, 0, 0).dueAt).toBeUndefined();
});

test('every event but that of a payout comes from a transfer', () => {
  const told = new Set<string>([...Object.values(EVENT_OF_TRANSFER), 'payout.status']);
  expect([...told].sort()).toEqual([...EVENT_KINDS].sort());
});
