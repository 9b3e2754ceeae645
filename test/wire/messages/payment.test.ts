import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reason } from '../../../src/core/code.ts';
import type { Order, PaymentResult } from '../../../src/core/payment.ts';
import type { JsonFields, JsonValue } from '../../../src/wire/canonical.ts';
import {
  readAuthorise,
  readCheckout,
  writeIssuer,
  writePayment,
} from '../../../src/wire/messages/payment.ts';
import { issuerAnswer, paymentAnswer } from '../../../src/wire/responses.ts';
import { readXml, writeXml } from '../../../src/wire/xml.ts';

const ORDER = { order_no: 'ORD-1', currency: 'USD', amount: '10.00' };
const CARD = {
  card: '4111111111111111',
  expiration_month: '09',
  expiration_year: '31',
  security_code: '123',
};

const DIRECT: JsonFields = { ...ORDER, ...CARD };
const TOKEN: JsonFields = { ...ORDER, token_id: 'TK-1' };
const APM: JsonFields = { ...ORDER, payment_method: 'pix', return_url: 'https://shop.example/back' };
const CHECKOUT: JsonFields = { ...ORDER, return_url: 'https://shop.example/back' };

type Changes = Readonly<Record<string, JsonValue | undefined>>;

function change(fields: JsonFields, changes: Changes): JsonFields {
  const given = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonFields;
}

function order(fields: JsonFields): Order {
  const read = readAuthorise(fields);
  if ('reasons' in read) throw new Error(read.reasons.map(({ message }) => message).join('\n'));
  return read.order;
}

/** `CODE column: message` per reason; `valid` when there is none. */
function verdict(read: ReturnType<typeof readAuthorise | typeof readCheckout>): string {
  if (!('reasons' in read)) return 'valid';
  return read.reasons
    .map(({ code, column, message }) => `${code} ${column}: ${message.replace(/^[^:]*: /, '')}`)
    .join('\n');
}

describe('the means of payment', () => {
  test.each<[string, JsonFields, object]>([
    [
      'a card',
      DIRECT,
      { by: 'card', card: { number: '4111111111111111', month: 9, year: 2031, securityCode: '123' } },
    ],
    ['a year of four digits', { ...DIRECT, expiration_year: '2042' }, { card: { year: 2042 } }],
    ['a blank token and method', { ...DIRECT, token_id: '', payment_method: null }, { by: 'card' }],
    ['a token', TOKEN, { by: 'token', tokenId: 'TK-1', securityCode: undefined }],
    ['a token and its code', { ...TOKEN, security_code: '1234' }, { by: 'token', securityCode: '1234' }],
    ['another method', APM, { by: 'apm', method: 'pix' }],
  ])('%s', (_, fields, means) => {
    expect(readAuthorise(fields)).toMatchObject({ means });
  });

  test.each<[JsonFields, string]>([
    [{ ...APM, card: CARD.card }, 'I0002 card: card and payment_method exclude each other.'],
    [{ ...APM, token_id: 'TK-1' }, 'I0002 token_id: token_id and payment_method exclude each other.'],
    [{ ...TOKEN, card: CARD.card }, 'I0002 card: card and token_id exclude each other.'],
    [
      { ...TOKEN, expiration_year: '31' },
      'I0002 expiration_year: expiration_year does not belong to this operation.',
    ],
  ])('one of them only: %j', (fields, expected) => {
    expect(verdict(readAuthorise(fields))).toBe(expected);
  });

  test('F87 card data is in the means and nowhere else', () => {
    const read = readAuthorise({ ...DIRECT, note: 'as agreed' });
    if ('reasons' in read) throw new Error('it is refused');
    expect(JSON.stringify(read.order)).not.toMatch(/4111|expiration|security/);
    expect(read.order.message).toEqual({ ...ORDER, note: 'as agreed' });
  });
});

describe('an order', () => {
  test.each<[Changes, object]>([
    [{}, { orderNo: 'ORD-1', currency: 'USD', amount: 1000, items: [], contractAmount: undefined }],
    [{ currency: 'JPY', amount: '10' }, { amount: 10 }],
    [{ shipping: '0', discount: '0.000', tax_total: '1.50', item_total: '' }, { amount: 1000 }],
    [{ items: 'a#,#b#,#1#,#9.99' }, { items: [['a', 'b', '1', '9.99']] }],
    [
      { items: 'a#,#b#,#1#,#9#;##,##,##,#' },
      {
        items: [
          ['a', 'b', '1', '9'],
          ['', '', '', ''],
        ],
      },
    ],
    [{ subscription: { interval: 'month', contract_amount: '7.50' } }, { contractAmount: 750 }],
    [{ checkout_time: '1790000000' }, { message: { checkout_time: 1790000000 } }],
    [{ checkout_time: 1790000000 }, { message: { checkout_time: 1790000000 } }],
    [{ note: '', custom: null, shopper_email: ' ' }, { message: ORDER }],
    [{ 'the service': 'shop.example' }, { message: { 'the service': 'shop.example' } }],
  ])('%j', (changes, expected) => {
    expect(order(change(DIRECT, changes))).toMatchObject(expected);
  });

  test('of checkout keeps where the shopper goes back, and a method if there is one', () => {
    expect(readCheckout(CHECKOUT)).toMatchObject({ order: { amount: 1000, message: CHECKOUT } });
    expect(readCheckout(APM)).toMatchObject({ order: { message: { payment_method: 'pix' } } });
  });
});

describe('a payment is refused', () => {
  test.each<[Changes, string]>([
    [{ order_no: undefined }, 'I0001 order_no: order_no.'],
    [{ currency: '' }, 'I0001 currency: currency.'],
    [{ security_code: null }, 'I0001 security_code: security_code.'],
    [{ card: undefined }, 'I0001 card: card.'],
    [
      { expiration_month: undefined, expiration_year: undefined },
      'I0001 expiration_month: expiration_month.\nI0001 expiration_year: expiration_year.',
    ],
    // F41: text only.
    [{ amount: 10 }, 'I0002 amount: amount; expected a decimal amount.'],
    [{ order_no: 5 }, 'I0002 order_no: order_no; expected text.'],
    [{ card: 4111111111111111 }, 'I0002 card: card; expected text.'],
    [{ shopper_email: ['a@b.c'] }, 'I0002 shopper_email: shopper_email; expected text.'],
    // Card data: its shape only, and never a word of it.
    [{ card: '4111 1111 1111 1111' }, 'I0002 card: card; expected a card number of 12 to 19 digits.'],
    [{ card: '41111111111' }, 'I0002 card: card; expected a card number of 12 to 19 digits.'],
    [{ expiration_month: '13' }, 'I0002 expiration_month: expiration_month; expected a month as 01 to 12.'],
    [{ expiration_month: '9' }, 'I0002 expiration_month: expiration_month; expected a month as 01 to 12.'],
    [{ expiration_year: '1999' }, 'I0002 expiration_year: expiration_year; expected a year as YY or YYYY.'],
    [{ security_code: '12' }, 'I0002 security_code: security_code; expected three or four digits.'],
    // Nested fields, by their path.
    [{ subscription: 'day' }, 'I0002 subscription: subscription; expected an object.'],
    [{ subscription: {} }, 'I0001 subscription.interval: subscription.interval.'],
    [
      { subscription: { interval: 'hour' } },
      'I0002 subscription.interval: subscription.interval; expected day, week, month or year.',
    ],
    [
      { subscription: { interval: 'day', billing_cycle: '1.5' } },
      'I0002 subscription.billing_cycle: subscription.billing_cycle; expected a whole number.',
    ],
    [
      { subscription: { interval: 'day', contract_amount: '0' } },
      'I0021 subscription.contract_amount: subscription.contract_amount is "0", not above zero.',
    ],
    [{ cart_items: {} }, 'I0002 cart_items: cart_items; expected a list.'],
    [
      { cart_items: [{ basic_item_data: { price: { amount_usd: 'x' } } }] },
      'I0002 cart_items.0.basic_item_data.price.amount_usd: cart_items.0.basic_item_data.price.amount_usd; expected a number.',
    ],
    [{ cart_items: Array(201).fill({}) }, 'I0002 cart_items: cart_items has too many elements.'],
    // Unknown names.
    [{ order_nr: '1' }, 'I0002 order_nr: order_nr does not belong to this operation.'],
    [
      { shoper_email: 'a@b.c' },
      'I0002 shoper_email: shoper_email does not belong to this operation, shopper_email does.',
    ],
    [
      { card: undefined, crad: CARD.card },
      'I0001 card: card.\nI0002 crad: crad does not belong to this operation.',
    ],
    [
      { security_code: undefined, securty_code: '123' },
      'I0002 securty_code: securty_code does not belong to this operation, security_code does.',
    ],
    [
      { subscription: { intervall: 'day' } },
      'I0002 subscription.intervall: subscription.intervall does not belong to this operation, subscription.interval does.',
    ],
    [
      { cart_items: [{}, { basic_item_date: {} }] },
      'I0002 cart_items.1.basic_item_date: cart_items.1.basic_item_date does not belong to this operation, cart_items.1.basic_item_data does.',
    ],
    [{ person: {} }, 'I0002 person: person does not belong to this operation.'],
    [
      { 'nr 4111 1111 1111 1111': '', x4111111111111111: '1' },
      'I0002 x…: x… does not belong to this operation.',
    ],
    // Amounts.
    [{ amount: '10,00' }, 'I0021 amount: amount is "10,00".'],
    [{ amount: '0.00' }, 'I0021 amount: amount is "0.00", not above zero.'],
    [{ amount: '1.001' }, 'I0022 amount: amount is "1.001", but USD has 2 decimals.'],
    [{ amount: '1'.repeat(65) }, 'I0021 amount: amount; expected a decimal amount of at most 64 characters.'],
    [{ amount: CARD.card }, 'I0021 amount: amount; expected a positive amount of at most 15 digits.'],
    [
      { currency: 'XYZ', shipping: '1' },
      'I0022 currency: "XYZ" is no active ISO 4217 currency with a minor unit.',
    ],
    [{ currency: CARD.card }, 'I0022 currency: currency; expected an ISO 4217 code.'],
    [
      { shipping: '-1.00', discount: '1.005' },
      'I0021 shipping: shipping is "-1.00".\nI0022 discount: discount is "1.005", but USD has 2 decimals.',
    ],
    // Goods.
    [{ items: 'a#,#b#,#1' }, 'I0002 items: items; its entry 1 has 3 parts between #,#, not four.'],
    [{ items: 'a#,#b#,#1#,#9#;#' }, 'I0002 items: items; its entry 2 has 1 parts between #,#, not four.'],
    // F86: what the XML of the answer could not carry.
    [{ note: 'a\u0001' }, 'I0002 note: note has a character that the XML of the answer cannot carry.'],
    [
      { subscription: { interval: 'day', contract_name: '\uffff' } },
      'I0002 subscription.contract_name: subscription.contract_name has a character that the XML of the answer cannot carry.',
    ],
  ])('F41 F86 %j', (changes, expected) => {
    expect(verdict(readAuthorise(change(DIRECT, changes)))).toBe(expected);
  });

  test.each<[JsonFields, Changes, string]>([
    [APM, { return_url: undefined }, 'I0001 return_url: return_url.'],
    [
      APM,
      { person: { document_numbr: '1' } },
      'I0002 person.document_numbr: person.document_numbr does not belong to this operation, person.document_number does.',
    ],
    [
      APM,
      { person: { documents: [{ labels: 'x' }] } },
      'I0002 person.documents: person.documents; expected a document.',
    ],
    [
      APM,
      { person: { birth_date: '2000-01-01' } },
      'I0002 person.birth_date: person.birth_date; expected a date as DD-MM-YYYY.',
    ],
    [APM, { amount: undefined }, 'I0001 amount: amount.'],
  ])('by another method: %j %j', (fields, changes, expected) => {
    expect(verdict(readAuthorise(change(fields, changes)))).toBe(expected);
  });

  test.each<[Changes, string]>([
    [{ return_url: undefined }, 'I0001 return_url: return_url.'],
    [{ card: CARD.card }, 'I0002 card: card does not belong to this operation.'],
    [
      { return_ulr: 'x', return_url: undefined },
      'I0002 return_ulr: return_ulr does not belong to this operation, return_url does.',
    ],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://shop.example',
      '//shop.example',
      'http://',
      'x',
    ].map((cancel_url): [Changes, string] => [
      { cancel_url },
      'I0002 cancel_url: cancel_url; expected an http or https address of at most 2048 characters.',
    ]),
    [
      { return_url: 'https://shop.example:99999/' },
      'I0002 return_url: return_url; expected an http or https address of at most 2048 characters.',
    ],
    [
      { payment_method: 'pix', token_id: 'TK-1' },
      'I0002 token_id: token_id and payment_method exclude each other.',
    ],
    [{ token_id: 'TK-1' }, 'valid'],
    [{ return_url: 'HTTP://localhost:3000/back?a=1#x', cancel_url: 'https://шоп.example/' }, 'valid'],
  ])('at checkout: %j', (changes, expected) => {
    expect(verdict(readCheckout(change(CHECKOUT, changes)))).toBe(expected);
  });
});

const RESULT: PaymentResult = {
  transactionId: 'T1',
  orderStatus: 1,
  reason: undefined,
  maskedCard: '411111******1111',
  tokenId: undefined,
  connector: 'simulator',
  threeDs: '-',
  risk: {
    action: 'accept',
    score: 5,
    reasons: [
      { name: 'amount', status: 'pass' },
      { name: 'country', status: 'review' },
    ],
  },
  contract: undefined,
};

/** The specification's "Direct payment result", without the envelope. */
const ELEMENTS =
  'order_no, amount, currency, transaction_id, card, order_status, result_info, contract_name, recurring_id, recurring_deduction_period, recurring_deduction_time, note, token_id, connector, threeds_result, risk_action, risk_score, risk_reasons';

describe('the result of a direct payment', () => {
  test('has every element of the specification, in its order', () => {
    const subscription = { interval: 'month', contract_name: 'Gold' };
    const written = writePayment(order({ ...DIRECT, amount: '10', note: 'as agreed', subscription }), {
      ...RESULT,
      tokenId: 'TK-1',
      contract: {
        name: 'Gold',
        recurringId: 'C1',
        period: '1 month',
        next: Date.UTC(2026, 11, 20, 8, 2, 3),
        status: 1,
      },
    });
    expect(Object.keys(written).join(', ')).toBe(ELEMENTS);
    expect(written).toEqual({
      order_no: 'ORD-1',
      amount: '10.00',
      currency: 'USD',
      transaction_id: 'T1',
      card: '411111******1111',
      order_status: '1',
      result_info: '0000:Success',
      contract_name: 'Gold',
      recurring_id: 'C1',
      recurring_deduction_period: '1 month',
      recurring_deduction_time: '2026-12-20T08:02:03+0000',
      note: 'as agreed',
      token_id: 'TK-1',
      connector: 'simulator',
      threeds_result: '-',
      risk_action: 'accept',
      risk_score: '5',
      risk_reasons: [
        { name: 'amount', status: 'pass' },
        { name: 'country', status: 'review' },
      ],
    });
  });

  test('leaves out what is absent', () => {
    const written = writePayment(order(DIRECT), {
      ...RESULT,
      orderStatus: 0,
      maskedCard: undefined,
      reason: reason('D0051'),
      risk: { ...RESULT.risk, reasons: [] },
    });
    expect(written).toEqual({
      order_no: 'ORD-1',
      amount: '10.00',
      currency: 'USD',
      transaction_id: 'T1',
      order_status: '0',
      result_info: 'D0051:The card has insufficient funds.',
      connector: 'simulator',
      threeds_result: '-',
      risk_action: 'accept',
      risk_score: '5',
    });
  });

  test.each<[string, Partial<PaymentResult>]>([
    ['approved', {}],
    ['declined', { orderStatus: 0, reason: reason('D0005'), maskedCard: undefined }],
    ['with one rule', { risk: { ...RESULT.risk, reasons: [{ name: 'amount', status: 'fail' }] } }],
    [
      'with a contract that is over',
      { contract: { name: '', recurringId: 'C1', period: '1 day', next: undefined, status: 0 } },
    ],
  ])('comes back from XML as it was signed: %s', (_, changes) => {
    const ids = { merchant_id: 'M1', account_id: 'A1' };
    const fields = {
      ...ids,
      ...writePayment(order({ ...DIRECT, note: 'a\r\n<b>' }), { ...RESULT, ...changes }),
    };
    const document = writeXml('respon', fields);
    expect('xml' in document && readXml(document.xml, 'respon')).toEqual({ fields });
    expect(paymentAnswer.parse({ ...fields, encryption_data: 'a'.repeat(64) })).toBeDefined();
  });
});

test('the result of an APM payment says where the shopper goes on', () => {
  const fields = writeIssuer(
    order({ ...APM, currency: 'JPY', amount: '10' }),
    'https://pay.example/hosted/x?a=1&b=2',
  );
  expect(fields).toEqual({
    order_no: 'ORD-1',
    amount: '10',
    currency: 'JPY',
    issuer_url: 'https://pay.example/hosted/x?a=1&b=2',
  });
  expect(
    issuerAnswer.parse({ merchant_id: 'M1', account_id: 'A1', ...fields, encryption_data: 'a'.repeat(64) }),
  ).toBeDefined();
});

test('property: whatever message comes in, it is read or refused for a few reasons, none with a card number', () => {
  const name = fc.constantFrom(
    ...Object.keys(DIRECT),
    'subscription',
    'cart_items',
    'person',
    'items',
    'payment_method',
    'token_id',
    '__proto__',
    'crad',
  );
  const number = fc.constantFrom(CARD.card, `${CARD.card} `, '4111-1111-1111-1111');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    number,
    fc.constantFrom(...Object.values(DIRECT)),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.dictionary(fc.string(), fc.jsonValue()), (known, other) => {
      for (const read of [readAuthorise, readCheckout]) {
        const answer = read({ ...DIRECT, ...known, ...other } as JsonFields);
        if (!('reasons' in answer)) continue;
        expect(answer.reasons.length).toBeGreaterThan(0);
        expect(answer.reasons.length).toBeLessThanOrEqual(20);
        expect(JSON.stringify(answer.reasons)).not.toMatch(/4111-?1111-?1111/);
      }
    }),
    { numRuns: 300 },
  );
});

describe('F88 a message of a megabyte is refused in bounded time', () => {
  const wide = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, '1']));
  test.each<[string, object]>([
    ['unknown fields', wide(80_000)],
    ['unknown fields inside', { subscription: wide(80_000) }],
    ['unknown fields in many elements', { cart_items: Array(200).fill(wide(400)) }],
    ['a long list', { cart_items: Array(300_000).fill(1) }],
    ['a list in an unknown field', { x: Array(300_000).fill({}) }],
    [
      'many malformed elements',
      {
        account_owner: Array(200).fill(
          Object.fromEntries('abcdefghijklmnopqrstuvwxyz'.split('').map((a) => [a, 1])),
        ),
      },
    ],
    ['long text', { items: '#;#'.repeat(330_000) }],
  ])('%s', (_, evil) => {
    const began = performance.now();
    expect(verdict(readAuthorise({ ...DIRECT, ...evil } as JsonFields)).length).toBeLessThan(5000);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});
