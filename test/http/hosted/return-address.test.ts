import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reason } from '../../../src/core/code.ts';
import { returnAddress } from '../../../src/http/hosted/return-address.ts';
import { type Key, verifySignature } from '../../../src/wire/signature.ts';
import { KEY, ORDER } from './fake-payments.ts';

function back(returnTo: string, orderStatus: 0 | 1 | 2 = 1, keys: readonly Key[] = [KEY]) {
  const why = orderStatus === 1 ? undefined : reason('D0051');
  return returnAddress(ORDER, { is: 'over', returnTo, orderStatus, reason: why }, keys[0]);
}

function fieldsOf(address: string | undefined): Record<string, string> {
  return Object.fromEntries(new URL(address!).searchParams);
}

describe('the result goes with the shopper', () => {
  test('of a payment that was approved', () => {
    expect(fieldsOf(back('https://shop.example/back'))).toEqual({
      order_no: 'ORDER-1',
      transaction_id: 'T1',
      order_status: '1',
      result_info: '0000:Success',
      encryption_data: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('of one that was declined', () => {
    expect(fieldsOf(back('https://shop.example/back', 0))).toMatchObject({
      order_status: '0',
      result_info: 'D0051:The card has insufficient funds.',
    });
  });

  test('signed with the key of the account', () => {
    const fields = fieldsOf(back('https://shop.example/back', 2));
    expect(verifySignature(fields, fields.encryption_data, KEY)).toBe(true);
    expect(verifySignature({ ...fields, order_status: '1' }, fields.encryption_data, KEY)).toBe(false);
    const other = createSecretKey('another key that is long enough too', 'utf8');
    expect(verifySignature(fields, fields.encryption_data, other)).toBe(false);
  });

  test('without a key there is no signature to believe', () => {
    expect(fieldsOf(back('https://shop.example/back', 1, [])).encryption_data).toBeUndefined();
  });
});

describe("the merchant's own address stays", () => {
  test.each([
    ['https://shop.example/back', 'https://shop.example/back?', ''],
    ['https://shop.example/back?', 'https://shop.example/back?', ''],
    ['https://shop.example/back?cart=7', 'https://shop.example/back?cart=7&', ''],
    ['https://shop.example/back?a=%20b+c&d', 'https://shop.example/back?a=%20b+c&d&', ''],
    ['https://shop.example/back?cart=7#done', 'https://shop.example/back?cart=7&', '#done'],
    ['https://shop.example/#/route?x=1', 'https://shop.example/?', '#/route?x=1'],
    ['http://127.0.0.1:8080/back', 'http://127.0.0.1:8080/back?', ''],
  ])('%s', (address, start, end) => {
    const result = back(address)!;
    expect(result.slice(0, start.length)).toBe(start);
    expect(new URL(result).hash).toBe(end);
  });

  test('but a name of the result is the result’s alone', () => {
    const result = back('https://shop.example/?order_status=1&order%5Fno=X&encryption_data=0&keep=1', 0)!;
    const names = [...new URL(result).searchParams.keys()];
    expect(names).toEqual([
      'keep',
      'order_no',
      'transaction_id',
      'order_status',
      'result_info',
      'encryption_data',
    ]);
    expect(fieldsOf(result).order_status).toBe('0');
  });

  test('whatever its query is, the merchant reads back what was signed', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const fields = fieldsOf(back(address, 0));
        const { order_no, transaction_id, order_status, result_info, encryption_data } = fields;
        const signed = { order_no, transaction_id, order_status, result_info } as Record<string, string>;
        return verifySignature(signed, encryption_data, KEY);
      }),
    );
  });
});

describe('F85 only addresses of the web', () => {
  test.each([
    ['javascript:alert(1)'],
    [' javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['vbscript:x'],
    ['file:///etc/passwd'],
    ['//shop.example/back'],
    ['/back'],
    ['shop.example'],
    [''],
  ])('%j', (address) => {
    expect(back(address)).toBeUndefined();
  });
});
