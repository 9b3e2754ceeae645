import { expect, test } from 'vitest';
import { checkColumns } from '../../src/files/columns.ts';

const REQUIRED = ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'];
const KNOWN = [...REQUIRED, 'refund_reason', 'reference', 'operation'];

function found(columns: readonly string[], name?: string): string[] {
  return checkColumns(columns, REQUIRED, KNOWN, name).map(({ code, column }) => `${code} ${column}`);
}

test.each<[string, readonly string[], readonly string[]]>([
  ['all there', REQUIRED, []],
  ['own columns', [...REQUIRED, 'shop', 'note', ''], []],
  ['one missing', REQUIRED.slice(1), ['B0006 transaction_id']],
  ['two missing', REQUIRED.slice(2), ['B0006 transaction_id', 'B0006 order_no']],
  [
    'a required one misspelt',
    ['transaction_id', 'order_no', 'currency', 'ammount', 'refund_amount'],
    ['B0007 ammount'],
  ],
  [
    'letters exchanged',
    ['transaction_id', 'order_no', 'curerncy', 'amount', 'refund_amount'],
    ['B0007 curerncy'],
  ],
  ['an optional one misspelt', [...REQUIRED, 'refund_raeson'], ['B0007 refund_raeson']],
  ['the one meant is there too', [...REQUIRED, 'amount2', 'order_nr'], []],
  ['with an underscore in front', [...REQUIRED, '_reference', '_referense'], []],
  ['too far away', [...REQUIRED, 'preferable', 'refer'], []],
])('F15 %s', (_, columns, expected) => {
  expect(found(columns)).toEqual(expected);
});

test('F15 the column meant is named', () => {
  const columns = ['transaction_id', 'order_no', 'currency', 'ammount', 'refund_amount'];
  expect(checkColumns(columns, REQUIRED, KNOWN)[0]?.message).toContain('"ammount" looks like "amount"');
});

test.each([
  ['refund.csv.B17.result.csv', 'refund.csv.B17.fixme.csv'],
  ['refund.csv.B17.r2.result.csv', 'refund.csv.B17.r2.fixme.csv'],
  ['renamed.csv', 'the .fixme.csv that lies beside it'],
])('F103 a result file called %s is rejected, and %s is named', (name, fixme) => {
  const reasons = checkColumns([...REQUIRED, 'line', 'outcome', 'batch'], REQUIRED, KNOWN, name);
  expect(reasons).toMatchObject([{ code: 'B0019', message: expect.stringContaining(fixme) }]);
});

test('F103 outcome or batch alone are somebody’s own columns', () => {
  expect(found([...REQUIRED, 'outcome'])).toEqual([]);
  expect(found([...REQUIRED, 'batch'])).toEqual([]);
});
