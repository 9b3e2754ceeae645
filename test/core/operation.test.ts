import { expect, test } from 'vitest';
import {
  isOperation,
  OPERATION_NAMES,
  OPERATIONS,
  operationOfFileName,
  operationOfList,
} from '../../src/core/operation.ts';

test.each([
  ['capture', 50, 'capture_orders', 'capture_status'],
  ['cancel', 50, 'cancel_orders', 'cancel_status'],
  ['review', 100, 'review_orders', 'review_status'],
  ['refund', 50, 'refund_orders', 'refund_status'],
  ['payout', 50, undefined, 'status'],
] as const)('%s: up to %i in a chunk, in %s, answered as %s', (operation, limit, list, status) => {
  expect(OPERATIONS[operation]).toMatchObject({ limit, list, status });
});

test.each([
  ['refund-2026-11-20.csv', 'refund'],
  ['refunds_eu.csv', 'refund'],
  ['Captures 3.CSV', 'capture'],
  ['review.json', 'review'],
  ['payout', 'payout'],
  ['refundable.csv', undefined],
  ['2026-refund.csv', undefined],
  ['my refunds.csv', undefined],
  ['authorise.csv', undefined],
  ['', undefined],
])('the file name %j says %s', (name, operation) => {
  expect(operationOfFileName(name)).toBe(operation);
});

test.each([
  ['refund_orders', 'refund'],
  ['review_orders', 'review'],
  ['payout_orders', undefined],
  ['orders', undefined],
  ['', undefined],
])('the list %j says %s', (list, operation) => {
  expect(operationOfList(list)).toBe(operation);
});

test('only the names themselves are operations', () => {
  expect(OPERATION_NAMES).toEqual(['capture', 'cancel', 'review', 'refund', 'payout']);
  expect(['refund', 'Refund', 'refunds', 'authorise', 'constructor'].map(isOperation)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
