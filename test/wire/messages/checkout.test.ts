import { describe, expect, test } from 'vitest';
import type { JsonFields } from '../../../src/wire/canonical.ts';
import { type CheckoutPage, checkoutInputs } from '../../../src/wire/messages/checkout.ts';
import { readCheckout } from '../../../src/wire/messages/payment.ts';

const SIGNATURE = 'a'.repeat(64);

function page(changes: JsonFields = {}): CheckoutPage {
  const fields: JsonFields = {
    order_no: 'ORD-1',
    currency: 'USD',
    amount: '10.5',
    return_url: 'https://shop.example/back',
    ...changes,
  };
  const read = readCheckout(fields);
  if ('reasons' in read) throw new Error(read.reasons[0]!.message);
  return {
    merchantId: 'M1',
    accountId: 'A1',
    fields,
    order: read.order,
    transactionId: 'T1',
    signature: SIGNATURE,
    connector: 'simulator',
    ip: '192.0.2.7',
    timeZone: 'Europe/Berlin',
  };
}

function inputs(changes?: JsonFields): Readonly<Record<string, string>> {
  return Object.fromEntries(checkoutInputs(page(changes)));
}

/** The specification's "Redirect payment result". */
const ALTERNATIVE_NAMES =
  'merNo, gatewayNo, orderNo, orderCurrency, orderAmount, signInfo, notifyUrl, returnUrl, cancelUrl, firstName, lastName, shipFirstName, shipLastName, shipCountry, shipState, shipCity, shipZip, shipAddress, shipFee, itemTotal, taxTotal, shippingDiscount, goodsInfo, remark, shopperId, shopperLevel, isOpen3D, defaultLang';
const SERVICE_NAMES =
  'gbc_id, connector_code, account_name, the service, pm_id, apm_type, descriptor, orderprefix, rrtimezone, ordernumlength, sendbgoods, replacename, send_bank_website, replace_up_id, replace_match_address, to_pass_page, default_lang, source_request_ip, source_notify_url, return_url, cancel_url, verify_billing_address, logo_name, merSendLogoNo, allParams';

describe('the hidden inputs', () => {
  test('have every name of the specification, each once', () => {
    const names = checkoutInputs(
      page({ 'the service': 'shop.example', cancel_url: 'https://shop.example/no' }),
    ).map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(
      expect.arrayContaining([...ALTERNATIVE_NAMES.split(', '), ...SERVICE_NAMES.split(', ')]),
    );
    expect(names).toEqual(
      expect.arrayContaining(['merchant_id', 'account_id', 'order_no', 'amount', 'encryption_data']),
    );
  });

  test('are what the service sets where nothing was sent', () => {
    expect(inputs()).toEqual({
      merchant_id: 'M1',
      account_id: 'A1',
      order_no: 'ORD-1',
      currency: 'USD',
      amount: '10.5',
      ...Object.fromEntries(
        [...ALTERNATIVE_NAMES.split(', '), ...SERVICE_NAMES.split(', ')].map((name) => [name, '']),
      ),
      merNo: 'M1',
      gatewayNo: 'A1',
      orderNo: 'ORD-1',
      orderCurrency: 'USD',
      orderAmount: '10.5',
      returnUrl: 'https://shop.example/back',
      return_url: 'https://shop.example/back',
      defaultLang: 'en',
      default_lang: 'en',
      gbc_id: 'T1',
      connector_code: 'simulator',
      account_name: 'A1',
      descriptor: 'A1',
      pm_id: 'card',
      rrtimezone: 'Europe/Berlin',
      ordernumlength: '5',
      sendbgoods: '0',
      replacename: '0',
      send_bank_website: '0',
      replace_up_id: '0',
      replace_match_address: '0',
      to_pass_page: '0',
      verify_billing_address: '0',
      source_request_ip: '192.0.2.7',
      allParams: expect.any(String),
      encryption_data: SIGNATURE,
      signInfo: SIGNATURE,
    });
  });

  test.each<[string, JsonFields, string]>([
    ['notifyUrl', { notify_url: 'https://shop.example/n' }, 'https://shop.example/n'],
    ['source_notify_url', { notify_url: 'https://shop.example/n' }, 'https://shop.example/n'],
    ['cancelUrl', { cancel_url: 'https://shop.example/no' }, 'https://shop.example/no'],
    ['shipZip', { delivery_postal_code: '10115' }, '10115'],
    ['shipFee', { shipping: '1.00' }, '1.00'],
    ['goodsInfo', { items: 'a#,#b#,#1#,#9' }, 'a#,#b#,#1#,#9'],
    ['remark', { note: '"><script>' }, '"><script>'],
    ['isOpen3D', { open3d: 'do3DS' }, 'do3DS'],
    ['defaultLang', { browser_lang: 'pt-BR' }, 'pt-BR'],
    ['the service', { 'the service': 'shop.example' }, 'shop.example'],
    ['pm_id', { payment_method: 'pix' }, 'pix'],
    ['apm_type', { payment_method: 'pix' }, 'pix'],
    ['subscription', { subscription: { interval: 'day' } }, '{"interval":"day"}'],
    ['checkout_time', { checkout_time: 12 }, '12'],
  ])('%s for %j', (name, changes, value) => {
    expect(inputs(changes)[name]).toBe(value);
  });

  test('allParams is every other input but the signatures', () => {
    const all = inputs({ note: 'a&b=c d', subscription: { interval: 'day' } });
    const { allParams, signInfo: _, encryption_data: __, ...others } = all;
    expect(Object.fromEntries(new URLSearchParams(allParams))).toEqual(others);
    expect(allParams).not.toContain(SIGNATURE);
  });
});
