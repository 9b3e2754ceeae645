import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CardScan, maskCards } from '../../src/files/card-data.ts';
import { open, rowsOf } from './support.ts';

const VISA = '4111111111111111';
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';

/** The verdict's message, and the lines that hold a card number. */
async function scan(content: string, name = 'refund.csv') {
  const opened = await open(content, { name });
  const cards = new CardScan(opened.shape.format === 'csv' ? opened.shape.columns : []);
  const lines: number[] = [];
  for (const row of await rowsOf(opened)) if (cards.add(row)) lines.push(row.line);
  return { verdict: cards.verdict(), lines };
}

describe('F44 a column', () => {
  test.each([
    ...[
      'card',
      'PAN',
      'cvv',
      'cvc',
      'security_code',
      'card_number',
      'CardNumber',
      'Card No.',
      'credit-card',
      'payer.card',
    ],
    ...['card.number', 'CVV2', 'cc_number'],
  ])('named %s rejects the file, whatever is in it', async (column) => {
    const { verdict } = await scan(`order_no,${column}\n`);
    expect(verdict).toMatchObject({ code: 'B0012', column: column.toLowerCase() });
  });

  test.each([
    'card_type',
    'card_brand',
    'cardholder',
    'scorecard',
    'company',
    'panel',
    'card_last4',
    'card.type',
  ])('named %s does not', async (column) => {
    expect((await scan(`order_no,${column}\n`)).verdict).toBeUndefined();
  });

  test.each<[string, readonly string[], boolean]>([
    ['three', [VISA, MASTERCARD, AMEX], true],
    ['half of the filled cells', [VISA, MASTERCARD, AMEX, 'a', 'b', 'c', '', '', ''], true],
    ['written in groups', ['4111 1111 1111 1111', '5555-5555-5555-4444', '3782 822463 10005'], true],
    ['two', [VISA, MASTERCARD], false],
    ['less than half', [VISA, MASTERCARD, AMEX, 'a', 'b', 'c', 'd'], false],
    ['inside longer text', [`a ${VISA}`, `a ${VISA}`, `a ${VISA}`], false],
    ['not Luhn-valid', ['4111111111111112', '4111111111111113', '4111111111111114'], false],
    ['of no card range', ['0000000000000000', '1111111111111117', '9999999999999995'], false],
    ['with 12 or 20 digits', ['411111111111', '41111111111111111111', '400000000006'], false],
  ])('of card numbers, %s: %j', async (_, cells, rejected) => {
    const { verdict } = await scan(`order_no,note\n${cells.map((cell) => `A,${cell}\n`).join('')}`);
    expect(verdict?.code).toBe(rejected ? 'B0012' : undefined);
    if (rejected)
      expect(verdict).toMatchObject({ column: 'note', message: expect.stringContaining('"note"') });
  });

  test.each([
    ...[
      'order_no',
      'transaction_id',
      'reference',
      'customer_id',
      'account_number',
      'phone',
      'iban',
      'swift_code',
    ],
    ...['beneficiary.bank_details.account_number', 'shopper_phone', 'amount', 'refund_amount', 'id'],
  ])('%s is never tested', async (column) => {
    expect(await scan(`${column},x\n${`${VISA},1\n`.repeat(5)}`)).toEqual({ verdict: undefined, lines: [] });
  });

  test('no digit of a number is in the verdict', async () => {
    const { verdict } = await scan(`order_no,note\n${`A,${VISA}\n`.repeat(3)}`);
    expect(JSON.stringify(verdict)).not.toMatch(/\d{5}/);
  });
});

test('F44 a single card number in free text is a fault of its line', async () => {
  const content = `order_no,note\nA,${VISA}\nB,paid with ${VISA} ok\nC,4111-1111-1111-1111.\nD,fine\nE,${'x'.repeat(30)}\n`;
  expect(await scan(content)).toEqual({ verdict: undefined, lines: [2, 3, 4] });
});

test('F44 cells beyond the header are looked at too', async () => {
  expect((await scan(`order_no,note\nA,b,${VISA}\n`)).lines).toEqual([2]);
});

describe('F44 JSON', () => {
  test('members are told apart by their dotted names', async () => {
    const entry = (value: string) => `{"order_no":"${VISA}","own":{"note":${value}}}\n`;
    const content = entry(`"${VISA}"`) + entry(MASTERCARD) + entry(`["x"]`) + entry(`"${AMEX}"`);
    const { verdict, lines } = await scan(content, 'x.ndjson');
    expect(verdict).toMatchObject({ code: 'B0012', column: 'own.note' });
    expect(lines).toEqual([1, 2, 4]);
  });

  test('a member named like card data rejects the file', async () => {
    const { verdict } = await scan('{"order_no":"A","payer":{"card":{"number":"1"}}}\n', 'x.ndjson');
    expect(verdict).toMatchObject({ code: 'B0012', column: 'payer.card.number' });
  });
});

test.each([
  [VISA, '411111******1111'],
  [AMEX, '378282*****0005'],
  ['4111 1111 1111 1111', '4111 11** **** 1111'],
  ['a 4111-1111-1111-1111, b', 'a 4111-11**-****-1111, b'],
  ['3782 822463 10005', '3782 82**** *0005'],
  ['12 4111 1111 1111 1111 12/29', '12 4111 11** **** 1111 12/29'],
  ['2029 4111 1111 1111 1111', '2029 4111 11** **** 1111'],
  [`${VISA},${MASTERCARD}`, '411111******1111,555555******4444'],
  ['4111111111111112', '4111111111111112'],
  [`x${VISA}`, `x${VISA}`],
  ['411111******1111', '411111******1111'],
  ['', ''],
])('F100 %j is shown as %j', (text, masked) => {
  expect(maskCards(text)).toBe(masked);
});

test('F100 a reference in an id column stays whole', () => {
  expect(maskCards(VISA, 'reference')).toBe(VISA);
  expect(maskCards(VISA, 'beneficiary.bank_details.account_number')).toBe(VISA);
  expect(maskCards(VISA, 'refund_reason')).toBe('411111******1111');
});

test('property: masking twice changes nothing more, and no length', () => {
  const part = fc.constantFrom(VISA, AMEX, '4111 1111 1111 1111', ' ', '-', 'a', '1', '4111', '12');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      expect(maskCards(text)).toHaveLength(text.length);
      expect(maskCards(maskCards(text))).toBe(maskCards(text));
    }),
  );
});
