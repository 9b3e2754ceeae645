import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { readForm } from '../../src/wire/form.ts';

test.each<[string, JsonFields]>([
  ['', {}],
  ['order_no=ORD-1&amount=10.00', { order_no: 'ORD-1', amount: '10.00' }],
  ['note=a+b%20c%26d%3De&custom=', { note: 'a b c&d=e', custom: '' }],
  ['first_name=J%C3%BCrgen', { first_name: 'Jürgen' }],
  ['the+service=shop.example', { 'the service': 'shop.example' }],
  ['amount=10&checkout_time=12', { amount: '10', checkout_time: '12' }],
  ['note={"a":1}', { note: '{"a":1}' }],
  [
    'subscription={"interval":"day","billing_cycle":3}',
    { subscription: { interval: 'day', billing_cycle: 3 } },
  ],
  ['subscription=', { subscription: '' }],
  [
    'capture_orders=%5B%7B%22transaction_id%22%3A%22T1%22%7D%5D',
    { capture_orders: [{ transaction_id: 'T1' }] },
  ],
])('%s', (text, fields) => {
  expect(readForm(text)).toEqual({ fields });
});

test.each([
  ['a=1&a=1', 'the field "a" stands twice'],
  ['a=1&%61=2', 'the field "a" stands twice'],
  [`${'k'.repeat(99)}=1&${'k'.repeat(99)}=1`, `the field "${'k'.repeat(40)}…" stands twice`],
  ['__proto__=1', 'it has the field "__proto__"'],
  ['note=%ff', 'its percent-encoding is not UTF-8'],
  ['note=100%', 'its percent-encoding is not UTF-8'],
  ['subscription=day', 'in subscription, it is not valid JSON'],
  [
    'refund_orders=[{"amount":"1","amount":"2"}]',
    'in refund_orders, the key "amount" stands twice in one object',
  ],
  ['payer={"__proto__":{}}', 'in payer, it has the key "__proto__"'],
])('%s is refused', (text, fault) => {
  expect(readForm(text)).toEqual({ fault });
});

test('property: fields of text come back as they were encoded', () => {
  const name = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `x${text}`);
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'binary' })), (fields) => {
      expect(readForm(new URLSearchParams(fields).toString())).toEqual({ fields });
    }),
  );
});
