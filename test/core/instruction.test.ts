import { describe, expect, test } from 'vitest';
import {
  amountOf,
  columnsOf,
  type Instruction,
  type InvalidLine,
  isInvalid,
  isKnownField,
  missingColumns,
  parseInstruction,
} from '../../src/core/instruction.ts';
import { type AmountStyle, DOT } from '../../src/core/money.ts';
import { OPERATION_NAMES, type Operation } from '../../src/core/operation.ts';
import { PAYOUT_COLUMNS } from '../../src/core/payout-message.ts';

type Fields = Readonly<Record<string, string>>;

const ENTRY: Fields = { transaction_id: 'T1', order_no: 'ORD-1', currency: 'USD', amount: '10.00' };

/** One valid line of every operation, with its required fields only. */
const VALID: Readonly<Record<Operation, Fields>> = {
  capture: ENTRY,
  cancel: ENTRY,
  review: { ...ENTRY, review_flag: '1' },
  refund: { ...ENTRY, refund_amount: '4.00' },
  payout: {
    request_id: 'P1',
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'EUR',
    payment_amount: '5.00',
    'beneficiary.entity_type': 'COMPANY',
    'beneficiary.company_name': 'Example Ltd',
    'beneficiary.bank_details.iban': 'DE89370400440532013000',
  },
};

function parse(
  operation: Operation,
  changes: Record<string, string | undefined> = {},
  style: AmountStyle = DOT,
) {
  return parseInstruction(operation, 7, change(VALID[operation], changes), style);
}

function change(fields: Fields, changes: Record<string, string | undefined>): Fields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter((field): field is [string, string] => field[1] !== undefined));
}

function valid(parsed: Instruction | InvalidLine): Instruction {
  if (isInvalid(parsed)) throw new Error(parsed.reason.message);
  return parsed;
}

function invalid(parsed: Instruction | InvalidLine): InvalidLine {
  if (!isInvalid(parsed)) throw new Error('the line is valid');
  return parsed;
}

/** The code and the column that a line is refused for; `valid` when it is not. */
function verdict(parsed: Instruction | InvalidLine): string {
  return isInvalid(parsed) ? `${parsed.reason.code} ${parsed.reason.column}` : 'valid';
}

describe('a valid line', () => {
  const entry = {
    transactionId: 'T1',
    orderNo: 'ORD-1',
    currency: 'USD',
    amount: 1000,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 7,
    repeatOf: undefined,
  };

  test.each<[Operation, Record<string, string>, number, object]>([
    ['capture', {}, 1000, {}],
    ['cancel', { reference: 'R1', repeat_of: 'B1:2' }, 1000, { reference: 'R1', repeatOf: 'B1:2' }],
    ['review', {}, 1000, { reviewFlag: 1 }],
    ['review', { review_flag: '0' }, 1000, { reviewFlag: 0 }],
    ['refund', {}, 400, { refundAmount: 400 }],
    [
      'refund',
      { refund_reason: 'torn\nin transit' },
      400,
      { refundAmount: 400, refundReason: 'torn\nin transit' },
    ],
    ['capture', { operation: 'capture', merchant_id: 'M1', account_id: 'A1' }, 1000, {}],
  ])('%s %j', (operation, given, amount, particular) => {
    expect(parse(operation, given)).toEqual({
      operation,
      line: 7,
      amount,
      currency: 'USD',
      entry: { ...entry, ...particular },
    });
  });

  test('a payout', () => {
    expect(parse('payout')).toEqual({
      operation: 'payout',
      line: 7,
      amount: 500,
      currency: 'EUR',
      payout: {
        message: {
          request_id: 'P1',
          payment_method: 'SWIFT',
          source_currency: 'USD',
          payment_currency: 'EUR',
          payment_amount: '5.00',
          beneficiary: {
            entity_type: 'COMPANY',
            company_name: 'Example Ltd',
            bank_details: { iban: 'DE89370400440532013000' },
          },
        },
        requestId: 'P1',
        sourceCurrency: 'USD',
        paymentCurrency: 'EUR',
        sourceAmount: undefined,
        paymentAmount: 500,
        line: 7,
      },
    });
  });

  test("a payout's own amount is the source amount where only that is given", () => {
    const parsed = parse('payout', { payment_amount: undefined, source_amount: '6.10' });
    expect(parsed).toMatchObject({
      amount: 610,
      currency: 'USD',
      payout: { sourceAmount: 610, paymentAmount: undefined },
    });
  });

  test('a payout message is written with dots and all digits, whatever the file has', () => {
    const style: AmountStyle = { decimal: 'comma', thousands: 'dot' };
    const parsed = valid(parse('payout', { payment_amount: '1.234,5', source_amount: '1300' }, style));
    expect(parsed).toMatchObject({
      payout: { message: { payment_amount: '1234.50', source_amount: '1300.00' } },
    });
  });
});

test.each(['00123', '1e5', '0x10', '12345678901234567890', ' T1 ', "'=1", 'Ünï-😀', '-0', 'T'.repeat(64)])(
  'F23: the id %j stays byte-identical',
  (id) => {
    expect(parse('capture', { transaction_id: id, order_no: id, reference: id })).toMatchObject({
      entry: { transactionId: id, orderNo: id, reference: id },
    });
    expect(parse('payout', { request_id: id })).toMatchObject({
      payout: { requestId: id, message: { request_id: id } },
    });
  },
);

describe('what is missing', () => {
  const rows = OPERATION_NAMES.flatMap((operation) =>
    missingColumns(operation, []).map((column) => [operation, column] as const),
  );

  test.each(rows)('%s needs %s: I0001', (operation, column) => {
    expect(verdict(parse(operation, { [column]: undefined }))).toBe(`I0001 ${column}`);
  });

  test.each<[Record<string, string | undefined>, string]>([
    [{ payment_amount: undefined }, 'I0001 payment_amount'],
    [{ payment_amount: undefined, source_amount: '1' }, 'valid'],
    [{ 'beneficiary.company_name': undefined }, 'I0001 beneficiary.company_name'],
    [
      { 'beneficiary.company_name': undefined, 'beneficiary.first_name': 'Ann' },
      'I0001 beneficiary.company_name',
    ],
    [
      {
        'beneficiary.company_name': undefined,
        'beneficiary.first_name': 'Ann',
        'beneficiary.last_name': 'Lee',
      },
      'valid',
    ],
    [{ 'beneficiary.bank_details.iban': undefined }, 'I0001 beneficiary.bank_details.iban'],
    [
      { 'beneficiary.bank_details.iban': undefined, 'beneficiary.bank_details.account_number': '123' },
      'I0001 beneficiary.bank_details.iban',
    ],
    [
      {
        'beneficiary.bank_details.iban': undefined,
        'beneficiary.bank_details.account_number': '123',
        'beneficiary.bank_details.bank_country_code': 'US',
      },
      'valid',
    ],
  ])('a payout with %j: %s', (changes, expected) => {
    expect(verdict(parse('payout', changes))).toBe(expected);
  });

  test('a payout without any beneficiary', () => {
    const bare = Object.fromEntries(
      Object.entries(VALID.payout).filter(([key]) => !key.startsWith('beneficiary')),
    );
    expect(verdict(parseInstruction('payout', 7, bare, DOT))).toBe('I0001 beneficiary');
  });
});

describe('what is malformed or does not belong', () => {
  test.each<[Operation, Record<string, string>, string]>([
    ['capture', { transaction_id: 'T'.repeat(65) }, 'I0002 transaction_id'],
    ['capture', { transaction_id: '' }, 'I0002 transaction_id'],
    ['capture', { order_no: 'O\n1' }, 'I0002 order_no'],
    ['capture', { order_no: 'O\u2028' }, 'I0002 order_no'],
    ['capture', { order_no: 'O\u0085' }, 'I0002 order_no'],
    ['capture', { currency: 'C'.repeat(65) }, 'I0002 currency'],
    ['capture', { reference: 'R'.repeat(65) }, 'I0002 reference'],
    ['capture', { repeat_of: 'R'.repeat(65) }, 'I0002 repeat_of'],
    ['capture', { review_flag: '1' }, 'I0002 review_flag'],
    ['cancel', { refund_amount: '1.00' }, 'I0002 refund_amount'],
    ['refund', { review_flag: '1' }, 'I0002 review_flag'],
    ['review', { review_flag: '2' }, 'I0002 review_flag'],
    ['review', { review_flag: 'accept' }, 'I0002 review_flag'],
    ['refund', { refund_reason: 'x'.repeat(4096) }, 'valid'],
    ['refund', { refund_reason: 'x'.repeat(4097) }, 'I0002 refund_reason'],
    ['payout', { transaction_id: 'T1' }, 'I0002 transaction_id'],
    ['payout', { request_id: 'P'.repeat(65) }, 'I0002 request_id'],
    ['payout', { fee_paid_by: 'SHARED' }, 'valid'],
    ['payout', { fee_paid_by: 'ME' }, 'I0002 fee_paid_by'],
    ['payout', { payment_date: '2028-02-29' }, 'valid'],
    ['payout', { payment_date: '2026-02-29' }, 'I0002 payment_date'],
    ['payout', { payment_date: '2100-02-29' }, 'I0002 payment_date'],
    ['payout', { payment_date: '2026-13-01' }, 'I0002 payment_date'],
    ['payout', { payment_date: '2026-04-31' }, 'I0002 payment_date'],
    ['payout', { payment_date: '20.11.2026' }, 'I0002 payment_date'],
    ['payout', { notify_url: `https://example.com/${'x'.repeat(2028)}` }, 'valid'],
    ['payout', { notify_url: `https://example.com/${'x'.repeat(2029)}` }, 'I0002 notify_url'],
    ['payout', { 'beneficiary.last_name': 'x'.repeat(256) }, 'I0002 beneficiary.last_name'],
    ['payout', { 'payer.address.city': 'x'.repeat(256) }, 'I0002 payer.address.city'],
    [
      'payout',
      { 'payer.additional_info.personal_email': `${'x'.repeat(243)}@example.com` },
      'I0002 payer.additional_info.personal_email',
    ],
  ])('%s %j: %s', (operation, changes, expected) => {
    expect(verdict(parse(operation, changes))).toBe(expected);
  });
});

describe('amounts', () => {
  test.each<[string, Operation, Record<string, string>, string]>([
    ['F21', 'capture', { amount: '10,50' }, 'I0021 amount'],
    ['F22', 'capture', { amount: '1e2' }, 'I0021 amount'],
    ['F22', 'refund', { refund_amount: '0x1A' }, 'I0021 refund_amount'],
    ['F22', 'refund', { refund_amount: '+1' }, 'I0021 refund_amount'],
    ['F22', 'capture', { amount: ' 1' }, 'I0021 amount'],
    ['F22', 'capture', { amount: '１.００' }, 'I0021 amount'],
    ['F22', 'payout', { payment_amount: 'NaN' }, 'I0021 payment_amount'],
    ['F22', 'capture', { amount: '1'.repeat(65) }, 'I0021 amount'],
    ['F24', 'capture', { amount: '0.00' }, 'I0021 amount'],
    ['F24', 'capture', { amount: '-1.00' }, 'I0021 amount'],
    ['F24', 'capture', { amount: '-0.00' }, 'I0021 amount'],
    ['F24', 'refund', { refund_amount: '0' }, 'I0021 refund_amount'],
    ['F24', 'payout', { source_amount: '0' }, 'I0021 source_amount'],
    ['F25', 'capture', { amount: '10000000000000.00' }, 'I0021 amount'],
    ['F25', 'capture', { amount: '9999999999999.99' }, 'valid'],
    ['F26', 'capture', { amount: '10.50', currency: 'JPY' }, 'I0022 amount'],
    ['F26', 'capture', { amount: '1.0005', currency: 'KWD' }, 'I0022 amount'],
    ['F26', 'capture', { amount: '1.005', currency: 'KWD' }, 'valid'],
    ['F26', 'capture', { currency: 'HRK' }, 'I0022 currency'],
    ['F26', 'capture', { currency: 'XAU' }, 'I0022 currency'],
    ['F26', 'capture', { currency: 'usd' }, 'I0022 currency'],
    ['F26', 'payout', { source_currency: 'DEM' }, 'I0022 source_currency'],
    ['F26', 'payout', { payment_currency: 'DEM' }, 'I0022 payment_currency'],
    ['F26', 'payout', { payment_amount: '5.005' }, 'I0022 payment_amount'],
  ])('%s: %s %j: %s', (_, operation, changes, expected) => {
    expect(verdict(parse(operation, changes))).toBe(expected);
  });

  const comma: AmountStyle = { decimal: 'comma', thousands: 'none' };
  const dots: AmountStyle = { decimal: 'comma', thousands: 'dot' };

  test.each<[string, AmountStyle, number | undefined]>([
    ['10,50', comma, 1050],
    ['10.50', comma, undefined],
    ['1.234,56', comma, undefined],
    ['1.234,56', dots, 123456],
    ['1,234.56', dots, undefined],
  ])('F21: %s in the style %j', (amount, style, minor) => {
    const parsed = parse('capture', { amount }, style);
    if (minor === undefined) expect(verdict(parsed)).toBe('I0021 amount');
    else expect(parsed).toMatchObject({ amount: minor, entry: { amount: minor } });
  });

  test('F21: the hint names the option that was probably meant', () => {
    expect(invalid(parse('capture', { amount: '10,50' })).reason.hint).toContain('--decimal comma');
    expect(invalid(parse('capture', { amount: '10.50' }, comma)).reason.hint).toContain('--thousands dot');
    expect(invalid(parse('capture', { amount: 'ten' })).reason.hint).toBeUndefined();
  });
});

describe('precedence: I0001 before I0002 before I0021 before I0022', () => {
  test.each<[Operation, Record<string, string | undefined>, string]>([
    ['capture', { order_no: undefined, transaction_id: '', amount: 'x', currency: 'HRK' }, 'I0001 order_no'],
    ['capture', { transaction_id: '', amount: 'x', currency: 'HRK' }, 'I0002 transaction_id'],
    ['capture', { amount: 'x', currency: 'HRK' }, 'I0021 amount'],
    ['capture', { amount: '0', currency: 'HRK' }, 'I0021 amount'],
    ['capture', { amount: '1.005', currency: 'HRK' }, 'I0022 currency'],
    ['capture', { amount: '1'.repeat(65), transaction_id: '' }, 'I0002 transaction_id'],
    ['refund', { refund_amount: undefined, review_flag: '1' }, 'I0001 refund_amount'],
    ['refund', { amount: '1.005', refund_amount: 'x' }, 'I0021 refund_amount'],
    ['refund', { amount: '10.00', refund_amount: '0', currency: 'HRK' }, 'I0021 refund_amount'],
    ['payout', { request_id: undefined, fee_paid_by: 'ME', payment_amount: 'x' }, 'I0001 request_id'],
    ['payout', { payment_amount: undefined, fee_paid_by: 'ME' }, 'I0001 payment_amount'],
    [
      'payout',
      { 'beneficiary.bank_details.iban': undefined, request_id: '' },
      'I0001 beneficiary.bank_details.iban',
    ],
    ['payout', { fee_paid_by: 'ME', payment_amount: 'x' }, 'I0002 fee_paid_by'],
    ['payout', { source_amount: '1.005', payment_amount: 'x' }, 'I0021 payment_amount'],
    ['payout', { payment_amount: 'x', source_currency: 'HRK' }, 'I0021 payment_amount'],
    ['payout', { payment_amount: '5.005', source_currency: 'HRK' }, 'I0022 source_currency'],
  ])('%s %j: %s', (operation, changes, expected) => {
    expect(verdict(parse(operation, changes))).toBe(expected);
  });
});

describe('the amount of an invalid line counts where it can be read', () => {
  test.each<[Operation | undefined, Fields, { amount: number | undefined; currency: string | undefined }]>([
    ['capture', { amount: '1.50', currency: 'USD' }, { amount: 150, currency: 'USD' }],
    ['capture', { amount: '1,50', currency: 'USD' }, { amount: undefined, currency: 'USD' }],
    ['capture', { amount: '1.50', currency: 'HRK' }, { amount: undefined, currency: undefined }],
    ['capture', { amount: '1.50' }, { amount: undefined, currency: undefined }],
    ['refund', { amount: '9.00', refund_amount: '1.50', currency: 'USD' }, { amount: 150, currency: 'USD' }],
    ['refund', { amount: '9.00', currency: 'USD' }, { amount: undefined, currency: 'USD' }],
    [
      'payout',
      { payment_amount: '5', payment_currency: 'JPY', source_amount: '1', source_currency: 'USD' },
      { amount: 5, currency: 'JPY' },
    ],
    [
      'payout',
      { source_amount: '1', source_currency: 'USD', payment_currency: 'JPY' },
      { amount: 100, currency: 'USD' },
    ],
    [undefined, { amount: '1.50', currency: 'USD' }, { amount: 150, currency: 'USD' }],
  ])('%s %j', (operation, fields, expected) => {
    expect(amountOf(operation, fields, DOT)).toEqual(expected);
  });

  test('and stands in the answer beside the reason', () => {
    expect(parse('refund', { order_no: undefined })).toMatchObject({ amount: 400, currency: 'USD' });
    expect(parse('refund', { refund_amount: 'x' })).toMatchObject({ amount: undefined, currency: 'USD' });
  });
});

describe('columns', () => {
  test.each(OPERATION_NAMES)('those that %s requires are among those it has', (operation) => {
    const required = missingColumns(operation, []);
    expect(columnsOf(operation)).toEqual(expect.arrayContaining([...required]));
    expect(missingColumns(operation, required)).toEqual([]);
  });

  test.each<[Operation, string, string[]]>([
    ['capture', 'amount order_no', ['transaction_id', 'currency']],
    ['review', 'transaction_id order_no currency amount', ['review_flag']],
    ['refund', 'transaction_id order_no currency amount', ['refund_amount']],
  ])('%s with %s lacks %j', (operation, columns, missing) => {
    expect(missingColumns(operation, columns.split(' '))).toEqual(missing);
  });

  test.each<[string, string[]]>([
    ['source_amount beneficiary.company_name beneficiary.bank_details.iban', []],
    ['payment_amount beneficiary.first_name beneficiary.last_name beneficiary.bank_details.iban', []],
    ['payment_amount beneficiary.first_name beneficiary.bank_details.iban', ['beneficiary.company_name']],
    [
      'payment_amount beneficiary.company_name beneficiary.bank_details.account_number',
      ['beneficiary.bank_details.iban'],
    ],
    [
      'payment_amount beneficiary.company_name beneficiary.bank_details.account_number beneficiary.bank_details.bank_country_code',
      [],
    ],
    ['beneficiary.company_name beneficiary.bank_details.iban', ['payment_amount']],
  ])('a payout with %s lacks %j', (columns, missing) => {
    const always = [
      'request_id',
      'payment_method',
      'source_currency',
      'payment_currency',
      'beneficiary.entity_type',
    ];
    expect(missingColumns('payout', [...always, ...columns.split(' ')])).toEqual(missing);
  });

  test('in the order of the specification', () => {
    expect(columnsOf('refund').slice(-7)).toEqual([
      'reference',
      'transaction_id',
      'order_no',
      'currency',
      'amount',
      'refund_amount',
      'refund_reason',
    ]);
  });

  test.each([
    ['refund_amount', true],
    ['beneficiary.person_documents.0.labels.0', true],
    ['beneficiary.person_documents.12.labels.3', true],
    ['payer.address.city', true],
    ['payer.address', false],
    ['Amount', false],
    ['outcome', false],
    ['__proto__', false],
    ['constructor', false],
  ])('%s is known: %s', (name, known) => {
    expect(isKnownField(name)).toBe(known);
  });
});

describe('a payout with every field', () => {
  /** A text that the field of this name takes. */
  function sample(column: string): string {
    if (/date/.test(column)) return '2026-11-20';
    if (column === 'fee_paid_by') return 'SHARED';
    if (column === 'source_currency') return 'USD';
    if (column === 'payment_currency') return 'EUR';
    return /^(source|payment)_amount$/.test(column) ? '5.00' : `value of ${column}`.slice(0, 64);
  }

  const every = Object.fromEntries(PAYOUT_COLUMNS.map((column) => [column, sample(column)]));

  test('nests all of them', () => {
    const parsed = valid(
      parseInstruction('payout', 2, { ...every, merchant_id: 'M1', account_id: 'A1' }, DOT),
    );
    if (parsed.operation !== 'payout') throw new Error('it is a payout');
    expect(leaves(parsed.payout.message, '')).toEqual(every);
  });

  test('has the fields of the specification', () => {
    // 15 of its own, 11 + 8 + 3 + 14 + 5 of the beneficiary, 6 + 5 + 5 of the payer; see the specification, "Payout".
    expect(PAYOUT_COLUMNS).toHaveLength(15 + 11 + 8 + 3 + 14 + 5 + 6 + 5 + 5);
    expect(PAYOUT_COLUMNS).toContain('beneficiary.address.complement');
    expect(PAYOUT_COLUMNS).toContain('beneficiary.bank_details.transaction_reference');
    expect(PAYOUT_COLUMNS).toContain('payer.additional_info.external_id');
  });

  test('gaps in a list close up, and its elements stand in the order of their numbers', () => {
    const documents = 'beneficiary.person_documents';
    const parsed = parse('payout', {
      [`${documents}.10.file_type`]: 'third',
      [`${documents}.2.file_type`]: 'first',
      [`${documents}.2.labels.5`]: 'b',
      [`${documents}.2.labels.1`]: 'a',
      [`${documents}.9.file_type`]: 'second',
    });
    expect(parsed).toMatchObject({
      payout: {
        message: {
          beneficiary: {
            person_documents: [
              { file_type: 'first', labels: ['a', 'b'] },
              { file_type: 'second' },
              { file_type: 'third' },
            ],
          },
        },
      },
    });
  });

  test('more documents than a message may have', () => {
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`beneficiary.person_documents.${index}.file_type`, 'x']),
    );
    expect(verdict(parse('payout', many))).toBe('I0002 beneficiary.person_documents');
  });
});

/** The dotted names and values of a nested message. */
function leaves(node: unknown, path: string): Record<string, unknown> {
  if (typeof node !== 'object' || node === null) return { [path]: node };
  return Object.assign(
    {},
    ...Object.entries(node).map(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`)),
  );
}
