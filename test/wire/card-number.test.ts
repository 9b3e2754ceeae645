import { describe, expect, test } from 'vitest';
import { withoutCardNumbers } from '../../src/wire/card-number.ts';
import { readEntries, writeEntries } from '../../src/wire/messages/entries.ts';
import { readAuthorise, readCheckout } from '../../src/wire/messages/payment.ts';
import { readPayout } from '../../src/wire/messages/payout.ts';

const PAN = '4111111111111111';
const MASKED = '411111******1111';

describe('F87 a card number that stands where none belongs is never kept', () => {
  test.each([
    ['in a text', { note: `card ${PAN}!` }, { note: `card ${MASKED}!` }],
    ['in groups', { custom: '4111 1111 1111 1111' }, { custom: '4111 11** **** 1111' }],
    [
      'deep down',
      { cart_items: [{ basic_item_data: { name: PAN } }] },
      { cart_items: [{ basic_item_data: { name: MASKED } }] },
    ],
    [
      'but ids and numbers stay whole',
      { shopper_id: PAN, document_number: PAN, order_no: PAN },
      { shopper_id: PAN, document_number: PAN, order_no: PAN },
    ],
    ['and what fails Luhn', { note: '4111111111111112' }, { note: '4111111111111112' }],
  ])('%s', (_, message, expected) => expect(withoutCardNumbers(message)).toEqual(expected));

  const order = { order_no: 'O1', currency: 'USD', amount: '1.00', note: PAN, items: `a#,#1#,#${PAN}#,#x` };

  test('not with a payment by stored card, on a page, or by another method', () => {
    const returns = { return_url: 'https://shop.example' };
    for (const read of [
      readAuthorise({ ...order, token_id: 'K1' }),
      readAuthorise({ ...order, ...returns, payment_method: 'pix' }),
      readCheckout({ ...order, ...returns }),
    ]) {
      expect('order' in read && read.order).toMatchObject({
        message: { note: MASKED },
        items: [['a', '1', MASKED, 'x']],
      });
      expect(JSON.stringify(read)).not.toContain(PAN);
    }
  });

  test('not with a payout', () => {
    const payout = readPayout({
      request_id: 'P1',
      payment_method: 'SWIFT',
      source_currency: 'USD',
      payment_currency: 'USD',
      source_amount: '1.00',
      reason: `for ${PAN}`,
      beneficiary: {
        entity_type: 'COMPANY',
        company_name: 'X',
        bank_details: { iban: 'DE89370400440532013000' },
      },
    });
    expect(payout).toMatchObject({ message: { reason: `for ${MASKED}` } });
  });

  test('not with a refund, nor in its answer', () => {
    const fields = {
      refund_orders: [
        {
          transaction_id: 'T1',
          order_no: 'O1',
          currency: 'USD',
          amount: '1.00',
          refund_amount: '1.00',
          refund_reason: PAN,
        },
      ],
    };
    const read = readEntries('refund', fields);
    expect(read).toMatchObject({ entries: [{ refundReason: MASKED }] });
    const [written] = writeEntries('refund', fields, [{ status: 'done', reference: 'T1-1', moved: [] }]);
    expect(written).toMatchObject({ refund_reason: MASKED });
  });
});
