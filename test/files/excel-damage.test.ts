import { describe, expect, test } from 'vitest';
import { excelDamage } from '../../src/files/excel-damage.ts';

const DIGITS_LOST = 'its last digits are lost';
const FAILED = 'has failed';
const FORMULA = 'a formula';
const DATE = 'for a date';

describe('F45', () => {
  test.each([
    ['transaction_id', '1.23E+15', DIGITS_LOST],
    ['order_no', '1,23457E+15', DIGITS_LOST],
    ['order_no', '1.2E-07', DIGITS_LOST],
    ['beneficiary.bank_details.account_number', '1E+15', DIGITS_LOST],
    ['reference', '4.5E+18', DIGITS_LOST],
    ['amount', '1E+05', DIGITS_LOST],
    ['transaction_id', '#REF!', FAILED],
    ['transaction_id', '#NAME?', FAILED],
    ['reference', '#VALUE!', FAILED],
    ['order_no', '#N/A', FAILED],
    ['amount', '#DIV/0!', FAILED],
    ['amount', '#NUM!', FAILED],
    ['amount', '#NULL!', FAILED],
    ['amount', '#BEZUG!', FAILED],
    ['amount', '#¡VALOR!', FAILED],
    ['amount', '#NV', FAILED],
    ['amount', '########', FAILED],
    ['order_no', '=A1', FORMULA],
    ['reference', '=A1&"x"', FORMULA],
    ['refund_amount', '=SUM(A1:A9)', FORMULA],
    ['order_no', '10.Dez', DATE],
    ['transaction_id', '01-Mar', DATE],
    ['order_no', 'Mar-01', DATE],
    ['order_no', '12-Jan-26', DATE],
    ['order_no', '3. Okt. 26', DATE],
    ['order_no', '01-mars', DATE],
    ['order_no', '10-déc', DATE],
    ['order_no', 'ene-26', DATE],
    ['order_no', '01-ago', DATE],
    ['amount', '10.Dez', DATE],
    ['amount', '2026-01-03', DATE],
    ['payment_amount', '03.01.2026', DATE],
    ['amount', '1/3/26', DATE],
  ])('%s %j', (field, value, words) => {
    expect(excelDamage(field, value)).toContain(words);
  });

  test.each([
    ['order_no', '1e5'],
    ['order_no', '1E5'],
    ['order_no', '00123'],
    ['order_no', '123E456'],
    ['order_no', 'A1.23E+15'],
    ['transaction_id', '12345678901234567890'],
    ['order_no', '2026-01-03'],
    ['order_no', '01-MAR'],
    ['order_no', '01-Market'],
    ['order_no', 'Mar-2026'],
    ['order_no', '1-2-3'],
    ['order_no', '#1'],
    ['order_no', '#A-17'],
    ['order_no', '+49'],
    ['reference', 'Jan 26'],
    ['reference', '01-Mar'],
    ['amount', '10.50'],
    ['amount', '1.234,50'],
    ['refund_reason', '=A1'],
    ['refund_reason', '1.23E+15'],
    ['currency', '#REF!'],
    ['note', '#REF!'],
    ['volume', '1.23E+15'],
  ])('not %s %j', (field, value) => {
    expect(excelDamage(field, value)).toBeUndefined();
  });
});
