import { describe, expect, test } from 'vitest';
import {
  lineReference,
  type PackedResult,
  packResult,
  unpackResult,
  usualMovement,
} from '../../src/core/answer.ts';
import { reason } from '../../src/core/code.ts';
import type { Result } from '../../src/core/gateway.ts';
import type { Operation } from '../../src/core/operation.ts';

test.each([
  [1, 17, 'B5-17'],
  [2, 17, 'B5-17-2'],
])('attempt %i of line %i is %s', (attempt, line, reference) => {
  expect(lineReference({ batch: 'B5', attempt }, line)).toBe(reference);
});

test.each<[Operation, string]>([
  ['capture', 'in 500, out 0'],
  ['refund', 'in 0, out 500'],
  ['cancel', ''],
  ['review', ''],
  ['payout', ''],
])('a plain %s of 500 moves: %s', (operation, expected) => {
  const moved = usualMovement(operation, 500, 'USD');
  expect(moved.map(({ movedIn, movedOut }) => `in ${movedIn}, out ${movedOut}`).join()).toBe(expected);
});

describe('results in few bytes', () => {
  const usual = { reference: 'B5-17', moved: usualMovement('capture', 500, 'USD') };
  const paid = [{ currency: 'USD', movedIn: 0, movedOut: 500, fees: 7 }];

  test.each<[Result, PackedResult]>([
    [{ status: 'done', ...usual }, 1],
    [{ status: 'done', reference: 'other', moved: usual.moved }, ['done', 'other', [['USD', 500, 0, 0]]]],
    [{ status: 'done', reference: 'B5-17', moved: [] }, ['done', 'B5-17', []]],
    [{ status: 'done', reference: 'B5-17', moved: paid }, ['done', 'B5-17', [['USD', 0, 500, 7]]]],
    [{ status: 'pending', ...usual }, ['pending', 'B5-17', [['USD', 500, 0, 0]]]],
    [{ status: 'refused', reason: reason('V0001') }, ['refused', reason('V0001')]],
    [{ status: 'invalid', reason: reason('B0014', 'B4:2') }, ['invalid', reason('B0014', 'B4:2')]],
    [{ status: 'unknown', reason: reason('E0001') }, ['unknown', reason('E0001')]],
    [{ status: 'repeat', first: { batchNumber: 4, line: 2 } }, ['repeat', 4, 2]],
  ])('%j', (result, packed) => {
    expect(packResult(result, usual)).toEqual(packed);
    // The store keeps JSON.
    expect(unpackResult(JSON.parse(JSON.stringify(packed)), usual)).toEqual(result);
  });
});
