import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reason } from '../../../src/core/code.ts';
import type { Payout, Result } from '../../../src/core/gateway.ts';
import type { JsonFields, JsonValue } from '../../../src/wire/canonical.ts';
import { clearingSystemOf } from '../../../src/wire/messages/clearing-system.ts';
import { readPayout, writePayout } from '../../../src/wire/messages/payout.ts';
import { payoutAnswer } from '../../../src/wire/responses.ts';

const BENEFICIARY: JsonFields = {
  entity_type: 'COMPANY',
  company_name: 'Example Ltd',
  bank_details: { iban: 'DE89370400440532013000', bank_country_code: 'DE', bank_code: '37040044' },
};

const REQUEST: JsonFields = {
  request_id: 'P1',
  payment_method: 'SWIFT',
  source_currency: 'USD',
  payment_currency: 'EUR',
  payment_amount: '5',
  beneficiary: BENEFICIARY,
};

type Changes = Readonly<Record<string, JsonValue | undefined>>;

function change(changes: Changes): JsonFields {
  const given = Object.entries({ ...REQUEST, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonFields;
}

function payout(changes: Changes = {}): Payout {
  const read = readPayout(change(changes));
  if ('reasons' in read) throw new Error(read.reasons[0]!.message);
  return read;
}

describe('a payout is read', () => {
  test.each<[Changes, object]>([
    [
      {},
      {
        requestId: 'P1',
        sourceCurrency: 'USD',
        paymentCurrency: 'EUR',
        sourceAmount: undefined,
        paymentAmount: 500,
        line: 0,
      },
    ],
    [
      { source_amount: '6.10', payment_amount: '' },
      { sourceAmount: 610, paymentAmount: undefined },
    ],
    [
      { source_amount: '6.10' },
      { sourceAmount: 610, paymentAmount: 500, message: { source_amount: '6.10', payment_amount: '5.00' } },
    ],
    [
      { payer: { entity_type: 'COMPANY', address: { city: '' } } },
      { message: { payer: { entity_type: 'COMPANY', address: {} } } },
    ],
  ])('%j', (changes, expected) => {
    expect(payout(changes)).toMatchObject(expected);
  });

  test.each<[Changes, string]>([
    [{ request_id: undefined }, 'I0001 request_id'],
    [{ payment_amount: undefined }, 'I0001 payment_amount'],
    [{ beneficiary: undefined }, 'I0001 beneficiary'],
    [
      { beneficiary: { entity_type: 'COMPANY' } },
      'I0001 beneficiary.company_name, I0001 beneficiary.bank_details.iban',
    ],
    [{ payment_amount: 5 }, 'I0002 payment_amount'],
    [{ beneficiary: 'x' }, 'I0002 beneficiary'],
    [{ payment_date: '2026-02-30' }, 'I0002 payment_date'],
    [{ beneficiary: { ...BENEFICIARY, compny_name: 'x' } }, 'I0002 beneficiary.compny_name'],
    [
      { beneficiary: { ...BENEFICIARY, person_documents: [{ labels: 'x' }] } },
      'I0002 beneficiary.person_documents.0.labels',
    ],
    [{ operation: 'payout' }, 'I0002 operation'],
    [{ payment_amount: '0' }, 'I0021 payment_amount'],
    [{ source_amount: '1.001', payment_amount: '1,5' }, 'I0021 payment_amount, I0022 source_amount'],
    [{ payment_currency: 'XYZ' }, 'I0022 payment_currency'],
  ])('F41 or refused: %j: %s', (changes, expected) => {
    const read = readPayout(change(changes));
    const codes = 'reasons' in read ? read.reasons.map(({ code, column }) => `${code} ${column}`) : [];
    expect(codes.join(', ')).toBe(expected);
  });
});

const AT = Date.UTC(2026, 10, 20, 8, 2, 3);

const DONE: Result = {
  status: 'done',
  reference: 'P-1-00012345',
  moved: [],
  payout: {
    sourceAmount: 600,
    payerPays: 650,
    fee: 50,
    beneficiaryReceives: 500,
    status: 'COMPLETED',
    transactionId: 'P-1-00012345',
    createdAt: AT,
    updatedAt: AT + 1000,
  },
};

/** The specification's "Response adds". */
const ADDED =
  'amount_beneficiary_receives, amount_payer_pays, fee_amount, fee_currency, created_at, last_updated_at, failure_reason, failure_type, payer_id, transaction_id, short_reference_id, status';

describe('the payout record', () => {
  const payer = { entity_type: 'COMPANY', company_name: 'Payer Ltd' };

  test('echoes the request and adds the fields of the specification', () => {
    expect(writePayout(payout({ payer }), DONE, AT)).toEqual({
      ...REQUEST,
      payment_amount: '5.00',
      payer,
      beneficiary: {
        ...BENEFICIARY,
        bank_details: {
          iban: 'DE89370400440532013000',
          bank_country_code: 'DE',
          local_clearing_system: 'SEPA',
        },
      },
      amount_beneficiary_receives: 500,
      amount_payer_pays: 650,
      fee_amount: 50,
      fee_currency: 'USD',
      created_at: '2026-11-20T08:02:03+0000',
      last_updated_at: '2026-11-20T08:02:04+0000',
      failure_reason: '',
      failure_type: '',
      payer_id: expect.stringMatching(/^[\w-]{22}$/),
      transaction_id: 'P-1-00012345',
      short_reference_id: '00012345',
      status: 'COMPLETED',
    });
  });

  test.each<[Result, object]>([
    [
      { status: 'refused', reason: reason('V0011') },
      {
        status: 'FAILED',
        failure_type: 'V0011',
        failure_reason: 'The balance is too small for the payout.',
        amount_payer_pays: 0,
        transaction_id: '',
        created_at: '2026-11-20T08:02:03+0000',
      },
    ],
    [
      { status: 'unknown', reason: reason('E0001') },
      { status: 'PROCESSING', failure_type: 'E0001' },
    ],
    [
      { ...DONE, status: 'pending', payout: { ...DONE.payout!, status: 'SCHEDULED' } },
      { status: 'SCHEDULED', failure_type: '' },
    ],
  ])('of %j', (result, expected) => {
    expect(writePayout(payout(), result, AT)).toMatchObject(expected);
  });

  test.each<[Result]>([[DONE], [{ status: 'refused', reason: reason('V0013') }]])(
    'has all fields, and follows the schema of the answer: %j',
    (result) => {
      const record = writePayout(payout({ payer }), result, AT);
      expect(Object.keys(record)).toEqual(expect.arrayContaining(ADDED.split(', ')));
      const answer = { merchant_id: 'M1', account_id: 'A1', ...record, encryption_data: 'a'.repeat(64) };
      expect(payoutAnswer.parse(answer)).toEqual(answer);
    },
  );

  test('payer_id is the same for equal payers, whatever their order of fields', () => {
    const idOf = (given: JsonFields | undefined) => writePayout(payout({ payer: given }), DONE, AT).payer_id;
    expect(idOf({ company_name: 'Payer Ltd', entity_type: 'COMPANY' })).toBe(idOf(payer));
    expect(idOf({ ...payer, company_name: 'Other Ltd' })).not.toBe(idOf(payer));
    expect(idOf(undefined)).toBe('');
  });
});

test.each([
  ['DE', 'SEPA'],
  ['de', 'SEPA'],
  ['GB', 'FPS'],
  ['BR', 'PIX'],
  ['ZZ', ''],
  ['constructor', ''],
  [undefined, ''],
])('the clearing system of %s is %s', (country, system) => {
  expect(clearingSystemOf(country)).toBe(system);
});

test('property: whatever message comes in, it is read or refused for a few reasons', () => {
  const name = fc.constantFrom(...Object.keys(REQUEST), 'payer', 'x');
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), (fields) => {
      const read = readPayout({ ...REQUEST, ...fields } as JsonFields);
      if ('reasons' in read) expect(read.reasons.length).toBeGreaterThan(0);
      if ('reasons' in read) expect(read.reasons.length).toBeLessThanOrEqual(20);
    }),
  );
});
