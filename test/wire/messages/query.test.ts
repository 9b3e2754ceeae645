import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueriedTransaction, Selection } from '../../../src/core/query.ts';
import { STATES, type State } from '../../../src/core/state.ts';
import type { JsonFields } from '../../../src/wire/canonical.ts';
import { readQuery, writeQuery } from '../../../src/wire/messages/query.ts';
import { queryAnswer } from '../../../src/wire/responses.ts';

const ids = (count: number, first = 1) => Array.from({ length: count }, (_, index) => `T${first + index}`);

describe('a query asks', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  test.each<[JsonFields, Selection]>([
    [{}, { by: 'newest' }],
    [{ order_no: '', transaction_id: null }, { by: 'newest' }],
    [{ order_no: 'ORD-1' }, { by: 'name', orderNos: ['ORD-1'], transactionIds: [] }],
    [{ order_no: 'ORD-1, ORD-2,,ORD-1' }, { by: 'name', orderNos: ['ORD-1', 'ORD-2'], transactionIds: [] }],
    [
      { transaction_id: ['T1', 'T2'], order_no: 'ORD-1' },
      { by: 'name', orderNos: ['ORD-1'], transactionIds: ['T1', 'T2'] },
    ],
    [{ transaction_id: ids(100) }, { by: 'name', orderNos: [], transactionIds: ids(100) }],
    [{ transaction_id: ids(100).join(',') }, { by: 'name', orderNos: [], transactionIds: ids(100) }],
    [
      { date_from: '2026-11-20', date_to: '2026-11-20' },
      { by: 'date', from: day('2026-11-20'), to: day('2026-11-21'), cursor: undefined },
    ],
    [
      { date_from: '20261120080203', date_to: '20261120080203', cursor: 'c' },
      {
        by: 'date',
        from: Date.parse('2026-11-20T08:02:03Z'),
        to: Date.parse('2026-11-20T08:02:04Z'),
        cursor: 'c',
      },
    ],
    [{ date_from: '2026-12-31' }, { by: 'date', from: day('2026-12-31'), to: 8.64e15, cursor: undefined }],
    [{ date_to: '2024-02-29' }, { by: 'date', from: 0, to: day('2024-03-01'), cursor: undefined }],
  ])('%j', (fields, selection) => {
    expect(readQuery(fields)).toEqual(selection);
  });

  test.each<[JsonFields, string]>([
    [{ order_no: ids(101) }, 'I0051 order_no'],
    [{ order_no: ids(101).join(',') }, 'I0051 order_no'],
    [{ order_no: ids(60), transaction_id: ids(60) }, 'I0051 order_no'],
    [{ transaction_id: ids(5000) }, 'I0051 transaction_id'],
    [{ order_no: 5 }, 'I0002 order_no'],
    [{ order_no: [5] }, 'I0002 order_no'],
    [{ order_no: ',' }, 'I0002 order_no'],
    [{ transaction_id: [] }, 'I0002 transaction_id'],
    [{ transaction_id: 'x'.repeat(65) }, 'I0002 transaction_id'],
    [{ order_no: 'ORD-1', date_from: '2026-11-20' }, 'I0002 date_from'],
    [{ order_no: 'ORD-1', cursor: 'c' }, 'I0002 cursor'],
    [{ cursor: 'c' }, 'I0002 cursor'],
    [{ date_from: '2026-02-30' }, 'I0002 date_from'],
    [{ date_from: '2026-11-20T00:00:00Z', date_to: '20.11.2026' }, 'I0002 date_from, I0002 date_to'],
    [{ date_to: '20261120250000' }, 'I0002 date_to'],
    [{ date_from: '2026-11-21', date_to: '2026-11-20' }, 'I0002 date_to'],
    [{ date_form: '2026-11-20' }, 'I0002 date_form'],
  ])('and is refused for %j: %s', (fields, expected) => {
    const read = readQuery(fields);
    const codes = 'reasons' in read ? read.reasons.map(({ code, column }) => `${code} ${column}`) : [];
    expect(codes.join(', ')).toBe(expected);
  });
});

test('property: whatever message comes in, it is read or refused for a few reasons', () => {
  const name = fc.constantFrom('order_no', 'transaction_id', 'date_from', 'date_to', 'cursor', 'x');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.constantFrom('2026-11-20', '20261120080203', '99999999999999'),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (fields) => {
      const read = readQuery(fields as JsonFields);
      if ('reasons' in read) expect(read.reasons.length).toBeGreaterThan(0);
      else if (read.by === 'date') expect(read.from).toBeLessThan(read.to);
      else if (read.by === 'name')
        expect(read.orderNos.length + read.transactionIds.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

const IMPORTED: QueriedTransaction = {
  transactionId: 'T1',
  orderNo: 'ORD-1',
  currency: 'USD',
  amount: 1000,
  state: 'captured',
  referenceNo: '',
  createdAt: Date.UTC(2026, 10, 20, 8, 2, 3, 999),
  is3ds: false,
  message: undefined,
  risk: undefined,
  contract: undefined,
};

/** The specification's "Transaction query record". */
const FIELDS =
  'amount, antifraud_provider, currency, delivery_information, fraud_check_result, is3ds, order_no, payment_status, query_result, reference_no, shopper_email, shopper_phone, subscription_result, the service, transaction_date, transaction_id';

describe('a record', () => {
  test('of a payment has every field of the specification', () => {
    const found: QueriedTransaction = {
      ...IMPORTED,
      referenceNo: 'SIM-1',
      is3ds: true,
      message: {
        order_no: 'ORD-1',
        currency: 'USD',
        amount: '10',
        'the service': 'shop.example',
        shopper_email: 'a@shop.example',
        shopper_phone: '+49 30 1',
        delivery_city: 'Berlin',
      },
      risk: { action: 'review', score: 50, reasons: [{ name: 'velocity', status: 'review' }] },
      contract: {
        name: 'Gold',
        recurringId: 'C1',
        period: '1 month',
        next: Date.UTC(2026, 11, 20),
        status: 2,
      },
    };
    const answer = writeQuery({ records: [{ found }], cursor: undefined });
    const [record] = answer.orders_list as readonly JsonFields[];
    expect(Object.keys(record!).sort().join(', ')).toBe(FIELDS);
    expect(answer).toEqual({
      orders_list: [
        {
          amount: '10.00',
          currency: 'USD',
          order_no: 'ORD-1',
          reference_no: 'SIM-1',
          transaction_id: 'T1',
          'the service': 'shop.example',
          shopper_email: 'a@shop.example',
          shopper_phone: '+49 30 1',
          delivery_information: {
            delivery_address: '',
            delivery_city: 'Berlin',
            delivery_country: '',
            delivery_firstname: '',
            delivery_lastname: '',
            delivery_postal_code: '',
            delivery_state: '',
          },
          antifraud_provider: 'rules',
          fraud_check_result: [{ check_items: 'velocity', status: 'review' }],
          is3ds: '1',
          payment_status: '3000',
          query_result: '1',
          subscription_result: {
            contract_name: 'Gold',
            recurring_id: 'C1',
            recurring_deduction_period: '1 month',
            recurring_deduction_time: '2026-12-20T00:00:00+0000',
            recurring_status: '2',
          },
          transaction_date: '20261120080203',
        },
      ],
    });
  });

  test.each(Object.entries(STATES))('of state %s has payment_status %i', (state, status) => {
    const { orders_list } = writeQuery({
      records: [{ found: { ...IMPORTED, state: state as State } }],
      cursor: undefined,
    });
    expect(orders_list).toMatchObject([{ payment_status: String(status) }]);
  });

  test('of what is not there says so', () => {
    const missing = { orderNo: undefined, transactionId: 'T9' };
    expect(writeQuery({ records: [{ missing }], cursor: undefined })).toEqual({
      orders_list: [{ transaction_id: 'T9', query_result: '0' }],
    });
  });

  test('and all of them follow the schema of the answer', () => {
    const records = [
      { found: IMPORTED },
      { found: { ...IMPORTED, currency: 'JPY' } },
      { missing: { orderNo: 'ORD-9', transactionId: undefined } },
    ];
    const envelope = { merchant_id: 'M1', account_id: 'A1', return_status: '1', return_message: 'OK' };
    const answer = {
      ...envelope,
      ...writeQuery({ records, cursor: 'next' }),
      encryption_data: 'a'.repeat(64),
    };
    expect(queryAnswer.parse(answer)).toEqual(answer);
  });
});
