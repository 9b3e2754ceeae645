import { describe, expect, test } from 'vitest';
import { DOT } from '../../../src/core/money.ts';
import { payoutOf } from '../../../src/core/payout-amounts.ts';
import { type PaymentInitiation, readPain001 } from '../../../src/files/iso20022/pain001.ts';
import { Unreadable } from '../../../src/files/unreadable.ts';
import { document, HAS_REAL, realText } from './iso-documents.ts';

interface TransferParts {
  readonly ids?: string;
  readonly amount?: string;
  readonly bank?: string;
  readonly creditor?: string;
  readonly account?: string;
  readonly more?: string;
}

function transfer(parts: TransferParts = {}): string {
  return `<CdtTrfTxInf><PmtId>${parts.ids ?? '<InstrId>I1</InstrId><EndToEndId>E1</EndToEndId>'}</PmtId>
<Amt>${parts.amount ?? '<InstdAmt Ccy="EUR">10.00</InstdAmt>'}</Amt>
<CdtrAgt><FinInstnId>${parts.bank ?? '<BIC>NDEAFIHH</BIC>'}</FinInstnId></CdtrAgt>
<Cdtr>${parts.creditor ?? '<Nm>Acme</Nm>'}</Cdtr>
<CdtrAcct><Id>${parts.account ?? '<IBAN>FI2112345600000785</IBAN>'}</Id></CdtrAcct>${parts.more ?? ''}</CdtTrfTxInf>`;
}

interface InitiationParts {
  readonly header?: string;
  readonly payment?: string;
  readonly transfers?: string;
  readonly version?: string;
}

function initiation(parts: InitiationParts = {}): string {
  return document(
    `pain.001.${parts.version ?? '001.03'}`,
    `<CstmrCdtTrfInitn>
<GrpHdr><MsgId>M1</MsgId>${parts.header ?? '<NbOfTxs>1</NbOfTxs>'}</GrpHdr>
<PmtInf><PmtInfId>P1</PmtInfId><PmtMtd>TRF</PmtMtd>${parts.payment ?? ''}
${parts.transfers ?? transfer()}</PmtInf></CstmrCdtTrfInitn>`,
  );
}

function message(parts: TransferParts, payment = '', version = '001.03') {
  const { payouts, faults } = readPain001(initiation({ payment, version, transfers: transfer(parts) }));
  expect(faults).toEqual([]);
  return payouts[0]!.message;
}

function refusal(text: string): Unreadable {
  try {
    readPain001(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Unreadable);
    return error as Unreadable;
  }
  throw new Error('it was read');
}

describe('a transfer becomes a payout', () => {
  test('with all that it says', () => {
    const text = initiation({
      payment:
        '<ReqdExctnDt>2026-11-23</ReqdExctnDt><ChrgBr>DEBT</ChrgBr><DbtrAcct><Ccy>USD</Ccy></DbtrAcct>',
      transfers: transfer({
        creditor:
          '<Nm>Acme &amp; Söhne</Nm><PstlAdr><StrtNm>Weg</StrtNm><BldgNb>1</BldgNb><PstCd>00100</PstCd><TwnNm>Helsinki</TwnNm><Ctry>FI</Ctry><AdrLine>a</AdrLine><AdrLine>b</AdrLine></PstlAdr>',
        more: '<RmtInf><Ustrd>Invoice 1</Ustrd><Ustrd>of May</Ustrd></RmtInf>',
      }),
    });
    expect(readPain001(text)).toEqual({
      messageId: 'M1',
      messageName: 'pain.001.001.03',
      faults: [],
      payouts: [
        {
          number: 1,
          line: 5,
          paymentInformationId: 'P1',
          instructionId: 'I1',
          endToEndId: 'E1',
          message: {
            request_id: 'E1',
            payment_method: 'SWIFT',
            payment_date: '2026-11-23',
            fee_paid_by: 'PAYER',
            source_currency: 'USD',
            payment_currency: 'EUR',
            payment_amount: '10.00',
            reference: 'Invoice 1 of May',
            beneficiary: {
              entity_type: 'COMPANY',
              company_name: 'Acme & Söhne',
              address: {
                country_code: 'FI',
                city: 'Helsinki',
                postcode: '00100',
                street: 'Weg',
                number: '1',
                street_address: 'a, b',
              },
              bank_details: { iban: 'FI2112345600000785', swift_code: 'NDEAFIHH', bank_country_code: 'FI' },
            },
          },
        },
      ],
    });
  });

  test('whose message the engine takes', () => {
    expect(payoutOf(message({}), 0, DOT)).toMatchObject({ paymentAmount: 1000, sourceAmount: undefined });
  });

  test.each<[string, TransferParts, object]>([
    [
      'without an end-to-end id the instruction is the request',
      { ids: '<InstrId>I1</InstrId><EndToEndId>NOTPROVIDED</EndToEndId>' },
      { request_id: 'I1' },
    ],
    [
      'decimals are those of the currency',
      { amount: '<InstdAmt Ccy="JPY">3000.00</InstdAmt>' },
      { payment_amount: '3000' },
    ],
    [
      'few decimals are filled up',
      { amount: '<InstdAmt Ccy="EUR">7.5</InstdAmt>' },
      { payment_amount: '7.50' },
    ],
    [
      'an equivalent amount is what it costs',
      { amount: '<EqvtAmt><Amt Ccy="EUR">5</Amt><CcyOfTrf>USD</CcyOfTrf></EqvtAmt>' },
      { source_amount: '5.00', source_currency: 'EUR', payment_currency: 'USD' },
    ],
    [
      'the reference of the creditor',
      { more: '<RmtInf><Ustrd>Thanks</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>' },
      { reference: 'RF18', reason: 'Thanks' },
    ],
    [
      'an account without IBAN',
      {
        account: '<Othr><Id>0123</Id></Othr>',
        bank: '<ClrSysMmbId><MmbId>021</MmbId></ClrSysMmbId><PstlAdr><Ctry>US</Ctry></PstlAdr>',
      },
      {
        beneficiary: {
          entity_type: 'COMPANY',
          company_name: 'Acme',
          bank_details: { account_number: '0123', bank_country_code: 'US', bank_code: '021' },
        },
      },
    ],
    [
      'an IBAN in groups of four',
      { account: '<IBAN>FI21 1234 5600 0007 85</IBAN>', bank: '' },
      {
        beneficiary: {
          entity_type: 'COMPANY',
          company_name: 'Acme',
          bank_details: { iban: 'FI2112345600000785' },
        },
      },
    ],
  ])('%s', (_, parts, expected) => {
    expect(message(parts)).toMatchObject(expected);
  });

  test.each<[string, string, string | undefined]>([
    ['debtor', '<ChrgBr>DEBT</ChrgBr>', 'PAYER'],
    ['creditor', '<ChrgBr>CRED</ChrgBr>', 'BENEFICIARY'],
    ['shared', '<ChrgBr>SHAR</ChrgBr>', 'SHARED'],
    [
      'by the rules of SEPA',
      '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ChrgBr>SLEV</ChrgBr>',
      'SHARED',
    ],
    ['by rules that are not known', '<ChrgBr>SLEV</ChrgBr>', undefined],
    ['nothing said', '', undefined],
  ])('who bears the charges: %s', (_, payment, bearer) => {
    expect(message({}, payment).fee_paid_by).toBe(bearer);
  });

  test.each(['001.08', '001.09'])('of pain.001.%s, whose day and BIC stand elsewhere', (version) => {
    const read = message(
      { bank: '<BICFI>NDEAFIHH</BICFI>' },
      '<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt>',
      version,
    );
    expect(read).toMatchObject({
      payment_date: '2026-11-23',
      beneficiary: { bank_details: { swift_code: 'NDEAFIHH' } },
    });
  });

  test('with terms of the caller', () => {
    const { payouts } = readPain001(initiation(), { payment_method: 'SEPA', entity_type: 'PERSON' });
    expect(payouts[0]!.message).toMatchObject({
      payment_method: 'SEPA',
      beneficiary: { entity_type: 'PERSON' },
    });
  });
});

describe('a wrong transfer is invalid, and only that', () => {
  test.each<[string, TransferParts, readonly string[]]>([
    [
      'an IBAN that is wrong',
      { account: '<IBAN>FI2112345600000786</IBAN>' },
      ['The IBAN "FI2112345600000786" of the creditor is not valid.'],
    ],
    [
      'a BIC that is wrong',
      { bank: '<BIC>NDEA</BIC>' },
      ['The BIC "NDEA" of the creditor\'s bank is not valid.'],
    ],
    ['no id', { ids: '<EndToEndId>NOTPROVIDED</EndToEndId>' }, ['It has neither EndToEndId nor InstrId.']],
    ['nothing to pay', { amount: '<InstdAmt Ccy="EUR">0.00</InstdAmt>' }, ['The amount is zero.']],
    [
      'too many decimals',
      { amount: '<InstdAmt Ccy="JPY">1.5</InstdAmt>' },
      ['The amount "1.5" has more decimals than JPY has.'],
    ],
    ['no currency', { amount: '<InstdAmt>1</InstdAmt>' }, ['It has no amount with a currency.']],
    [
      'no name',
      { creditor: '' },
      ['beneficiary.company_name: beneficiary.company_name, or first_name and last_name.'],
    ],
    [
      'no country of the bank',
      { account: '<Othr><Id>1</Id></Othr>', bank: '' },
      [
        'beneficiary.bank_details.iban: beneficiary.bank_details.iban, or account_number with bank_country_code.',
      ],
    ],
    [
      'an id that is too long',
      { ids: `<EndToEndId>${'x'.repeat(65)}</EndToEndId>` },
      ['request_id: 1 to 64 printable characters.'],
    ],
    [
      'two things at once',
      { ids: '', account: '<IBAN>FI00</IBAN>' },
      ['It has neither EndToEndId nor InstrId.', 'The IBAN "FI00" of the creditor is not valid.'],
    ],
  ])('%s', (_, parts, faults) => {
    const text = initiation({
      header: '<NbOfTxs>3</NbOfTxs>',
      transfers: `${transfer()}\n${transfer(parts)}\n${transfer()}`,
    });
    const read = readPain001(text);
    expect(read.payouts.map(({ number }) => number)).toEqual([1, 3]);
    expect(read.faults).toMatchObject([{ number: 2, line: 10, paymentInformationId: 'P1', faults }]);
  });

  test('a cheque, and a day that does not exist', () => {
    const read = (payment: string) => readPain001(initiation({ payment })).faults[0]!.faults;
    expect(read('<ReqdExctnDt>2026-02-30</ReqdExctnDt>')).toEqual(['"2026-02-30" is no date.']);
    const cheque = initiation().replace('<PmtMtd>TRF', '<PmtMtd>CHK');
    expect(readPain001(cheque).faults[0]!.faults).toEqual(['It is to be paid by cheque (PmtMtd CHK).']);
  });
});

describe('control totals are checked exactly', () => {
  const of = (...amounts: readonly string[]) =>
    amounts
      .map((amount, index) =>
        transfer({
          ids: `<EndToEndId>E${index}</EndToEndId>`,
          amount: `<InstdAmt Ccy="${index % 2 === 0 ? 'EUR' : 'USD'}">${amount}</InstdAmt>`,
        }),
      )
      .join('');

  test.each<[string, InitiationParts]>([
    [
      'of all currencies together',
      { header: '<NbOfTxs>2</NbOfTxs><CtrlSum>30.30</CtrlSum>', transfers: of('10.10', '20.2') },
    ],
    [
      'where binary fractions would differ',
      { header: '<NbOfTxs>3</NbOfTxs><CtrlSum>0.3</CtrlSum>', transfers: of('0.10', '0.10', '0.10') },
    ],
    ['with other zeros', { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>0010.00000</CtrlSum>' }],
    [
      'beyond the safe integers',
      {
        header: '<NbOfTxs>2</NbOfTxs><CtrlSum>19999999999999.97</CtrlSum>',
        transfers: of('9999999999999.99', '9999999999999.98'),
      },
    ],
    ['of the part too', { payment: '<NbOfTxs>1</NbOfTxs><CtrlSum>10</CtrlSum>' }],
  ])('%s', (_, parts) => {
    expect(readPain001(initiation(parts)).faults).toEqual([]);
  });

  test.each<[string, InitiationParts, string]>([
    ['a count', { header: '<NbOfTxs>2</NbOfTxs>' }, 'The group header states 2 transfers, but there are 1.'],
    [
      'a sum by one cent',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>10.01</CtrlSum>' },
      'The group header states the sum 10.01, but the transfers add up to 10.00.',
    ],
    [
      'a sum by the last decimal',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>10.00000000000000001</CtrlSum>' },
      'states the sum 10.00000000000000001, but',
    ],
    [
      'a count of the part',
      { payment: '<NbOfTxs>3</NbOfTxs>' },
      'Payment information "P1" states 3 transfers, but there are 1.',
    ],
    [
      'a sum of the part',
      { payment: '<CtrlSum>9</CtrlSum>' },
      'Payment information "P1" states the sum 9, but the transfers add up to 10.00.',
    ],
    ['no count', { header: '' }, 'does not say how many'],
    [
      'a sum that is none',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>1e1</CtrlSum>' },
      '"1e1", which is no number',
    ],
    [
      'an amount that is none',
      { transfers: transfer({ amount: '<InstdAmt Ccy="EUR">1,00</InstdAmt>' }) },
      'The amount "1,00" is no number.',
    ],
    ['no amount', { transfers: transfer({ amount: '' }) }, 'A transfer has no amount.'],
  ])('%s refuses the file', (_, parts, message) => {
    expect(refusal(initiation(parts)).message).toContain(message);
  });
});

test('another message is refused', () => {
  expect(refusal(document('pain.008.001.02', '<CstmrDrctDbtInitn/>')).message).toBe(
    'It is pain.008.001.02 (CstmrDrctDbtInitn), not pain.001.',
  );
  expect(
    refusal(document('pain.001.001.03', '<CstmrCdtTrfInitn><GrpHdr/></CstmrCdtTrfInitn>')).message,
  ).toContain('no id');
});

describe.skipIf(!HAS_REAL)('files of real banks', () => {
  const read = (file: string): PaymentInitiation => readPain001(realText(`pain001/${file}`));

  test('a payment in SEPA, whose IBAN has a wrong check digit', () => {
    const { messageId, payouts, faults } = read('sepa-examples/pain001-single-sct.xml');
    expect(messageId).toBe('ESEMPIO-SCT-20260315-001');
    expect(payouts).toEqual([]);
    expect(faults).toEqual([
      {
        number: 1,
        line: 56,
        paymentInformationId: 'PAY-20260315-001',
        instructionId: 'INSTR-20260315-001',
        endToEndId: 'E2E-20260315-001',
        faults: ['The IBAN "IT40S0300203280794663214789" of the creditor is not valid.'],
      },
    ]);
  });

  test('the same payment with a right one: 1500.00 EUR', () => {
    const text = realText('pain001/sepa-examples/pain001-single-sct.xml').replace(
      'IT40S0300203280794663214789',
      'IT60X0542811101000000123456',
    );
    expect(readPain001(text).payouts[0]!.message).toMatchObject({
      request_id: 'E2E-20260315-001',
      payment_amount: '1500.00',
      payment_currency: 'EUR',
      payment_date: '2026-03-20',
      fee_paid_by: 'SHARED',
      reference: 'Pagamento fattura FT-2026/0042 del 01/03/2026',
      beneficiary: { company_name: 'Fornitore SpA', bank_details: { swift_code: 'UNCRITM1Z70' } },
    });
  });

  test('a payment in the United States: 0.01 USD', () => {
    const { payouts, faults } = read('iso20022js/cross_river__pain_001_ach_credit.xml');
    expect(faults).toEqual([]);
    expect(
      payouts.map(
        ({
          message: { request_id, payment_amount, payment_currency, fee_paid_by, reference, beneficiary },
        }) => [
          request_id,
          payment_amount,
          payment_currency,
          fee_paid_by,
          reference,
          beneficiary.bank_details,
        ],
      ),
    ).toEqual([
      [
        '0000000000000011',
        '0.01',
        'USD',
        'SHARED',
        'Testing',
        {
          account_number: '0123456789',
          account_currency: 'USD',
          bank_country_code: 'US',
          bank_code: '123456789',
          bank_name: 'Cross River Bank NJ',
        },
      ],
    ]);
  });
});
