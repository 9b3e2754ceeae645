import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type JsonFields, NotCanonical } from '../../src/wire/canonical.ts';
import { fingerprint, type Key, parseKey, signMessage, verifySignature } from '../../src/wire/signature.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const key = keyOf(SECRET);

function keyOf(text: string): Key {
  const parsed = parseKey(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}

/** Signed with Python's hmac over the canonical text, written out by hand. */
const CAPTURE: JsonFields = {
  merchant_id: 'M1',
  account_id: 'A1',
  capture_orders: [{ transaction_id: 'T1', order_no: 'ORD-1', currency: 'USD', amount: '10.00' }],
};
const CAPTURE_SIGNATURE = '5c671f16628995e0a1c2621ec4015118b2e173a287e2ea5201c524ddc18a7444';

describe('signMessage', () => {
  test('is the HMAC of the canonical JSON, in lower-case hex', () => {
    expect(signMessage(CAPTURE, key)).toBe(CAPTURE_SIGNATURE);
  });

  test('takes the key and the message as UTF-8', () => {
    const cyrillic = keyOf('ключ-ключ-ключ-ключ-ключ-ключ-кл');
    expect(signMessage({ note: '50 €' }, cyrillic)).toBe(
      'b49e095f3f5daf1ddb0094d1d6940d2db91d0818bd725a3c9526257650db6b8e',
    );
  });

  test('leaves out encryption_data at the top, and only there', () => {
    expect(signMessage({ ...CAPTURE, encryption_data: 'anything' }, key)).toBe(CAPTURE_SIGNATURE);
    expect(signMessage({ inner: { encryption_data: 'x' } }, key)).not.toBe(signMessage({ inner: {} }, key));
  });

  test('refuses a message that has no canonical form', () => {
    expect(() => signMessage({ created: 2 ** 53 }, key)).toThrow(NotCanonical);
  });
});

describe('verifySignature', () => {
  test.each<[string, unknown, boolean]>([
    ['the right one', CAPTURE_SIGNATURE, true],
    ['the right one in upper case', CAPTURE_SIGNATURE.toUpperCase(), true],
    ['one digit changed', CAPTURE_SIGNATURE.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')), false],
    ['F76: one digit short', CAPTURE_SIGNATURE.slice(1), false],
    ['F76: one digit long', `${CAPTURE_SIGNATURE}0`, false],
    ['F76: a line end behind it', `${CAPTURE_SIGNATURE}\n`, false],
    ['F76: not hex', CAPTURE_SIGNATURE.replace(/^./, 'g'), false],
    ['F76: empty', '', false],
    ['F76: missing', undefined, false],
    ['F76: not text', [CAPTURE_SIGNATURE], false],
  ])('%s', (_, signature, holds) => {
    expect(verifySignature(CAPTURE, signature, key)).toBe(holds);
  });

  test('another key, another message', () => {
    expect(verifySignature(CAPTURE, CAPTURE_SIGNATURE, keyOf(`${SECRET}0`))).toBe(false);
    expect(verifySignature({ ...CAPTURE, account_id: 'A2' }, CAPTURE_SIGNATURE, key)).toBe(false);
  });

  test('a message without a canonical form has no right signature', () => {
    expect(verifySignature({ created: 2 ** 53 }, CAPTURE_SIGNATURE, key)).toBe(false);
  });
});

describe('parseKey', () => {
  test.each([
    ['no line end', SECRET],
    ['LF', `${SECRET}\n`],
    ['CRLF', `${SECRET}\r\n`],
  ])('takes the text without its final line end: %s', (_, text) => {
    expect(fingerprint(keyOf(text))).toBe('3eb1bd439947eb76');
  });

  test('takes away one line end and nothing else', () => {
    const fingerprints = [SECRET, `${SECRET}\n\n`, `${SECRET} `, ` ${SECRET}`].map((text) =>
      fingerprint(keyOf(text)),
    );
    expect(new Set(fingerprints).size).toBe(4);
  });

  test.each([
    ['31 characters', 'x'.repeat(31), 31],
    ['31 and a line end', `${'x'.repeat(31)}\n`, 31],
    ['16 characters of two UTF-16 units each', '😀'.repeat(16), 16],
    ['an empty file', '', 0],
  ])('refuses a short key: %s', (_, text, length) => {
    expect(parseKey(text)).toEqual({ fault: `the key has ${length} characters; it needs at least 32` });
  });

  test('a key does not show itself', () => {
    expect(
      inspect(key, { depth: 9, showHidden: true }) + JSON.stringify({ key }) + String(key),
    ).not.toContain('0123');
  });
});
