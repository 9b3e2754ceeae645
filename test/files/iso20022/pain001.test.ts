import { describe, expect, test } from 'vitest';
import { isInvalid, parseInstruction } from '../../../src/core/instruction.ts';
import { DOT } from '../../../src/core/money.ts';
import { readPain001 } from '../../../src/files/iso20022/pain001.ts';
import { FileRejected } from '../../../src/files/rejected.ts';
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

/** A whole document. */
function read(...given: Parameters<typeof readPain001>) {
  const initiation = readPain001(...given);
  const transfers = [...initiation.transfers()];
  const { messageId, messageName, stated } = initiation;
  return { messageId, messageName, stated: stated!, transfers };
}

/** The fields of the only transfer, in which nothing is wrong. */
function fields(parts: TransferParts, payment = '', version = '001.03') {
  const { transfers } = read(initiation({ payment, version, transfers: transfer(parts) }));
  expect(transfers[0]!.faults).toEqual([]);
  return transfers[0]!.fields;
}

/** What is wrong with each transfer: code, column and what is particular. */
function faultsOf(text: string): readonly (readonly string[])[] {
  return read(text).transfers.map(({ faults }) =>
    faults.map(
      ({ code, column, message }) => `${code} ${column ?? '-'}${message.slice(message.indexOf(':'))}`,
    ),
  );
}

function refusal(text: string): Unreadable | FileRejected {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof FileRejected) return error;
    throw error;
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
    expect(read(text)).toEqual({
      messageId: 'M1',
      messageName: 'pain.001.001.03',
      stated: { rows: 1, sum: undefined, differences: [] },
      transfers: [
        {
          place: { payment: 1, paymentInformationId: 'P1', instructionId: 'I1', endToEndId: 'E1' },
          unread: {},
          faults: [],
          fields: {
            request_id: 'E1',
            payment_method: 'SWIFT',
            payment_date: '2026-11-23',
            fee_paid_by: 'PAYER',
            source_currency: 'USD',
            payment_currency: 'EUR',
            payment_amount: '10.00',
            reference: 'Invoice 1 of May',
            'beneficiary.entity_type': 'COMPANY',
            'beneficiary.company_name': 'Acme & Söhne',
            'beneficiary.address.country_code': 'FI',
            'beneficiary.address.city': 'Helsinki',
            'beneficiary.address.postcode': '00100',
            'beneficiary.address.street': 'Weg',
            'beneficiary.address.number': '1',
            'beneficiary.address.street_address': 'a, b',
            'beneficiary.bank_details.iban': 'FI2112345600000785',
            'beneficiary.bank_details.swift_code': 'NDEAFIHH',
            'beneficiary.bank_details.bank_country_code': 'FI',
          },
        },
      ],
    });
  });

  test('that a line of a file may be', () => {
    const parsed = parseInstruction('payout', 1, fields({}), DOT);
    expect(isInvalid(parsed)).toBe(false);
    expect(parsed).toMatchObject({ amount: 1000, currency: 'EUR' });
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
        'beneficiary.bank_details.account_number': '0123',
        'beneficiary.bank_details.bank_country_code': 'US',
        'beneficiary.bank_details.bank_code': '021',
      },
    ],
    [
      'an IBAN in groups of four',
      { account: '<IBAN>FI21 1234 5600 0007 85</IBAN>', bank: '' },
      { 'beneficiary.bank_details.iban': 'FI2112345600000785' },
    ],
    [
      'words that were laid out on two lines',
      { creditor: '<Nm>Acme\n      Ltd</Nm>', more: '<RmtInf><Ustrd>Invoice\n  1</Ustrd></RmtInf>' },
      { 'beneficiary.company_name': 'Acme Ltd', reference: 'Invoice 1' },
    ],
  ])('%s', (_, parts, expected) => {
    expect(fields(parts)).toMatchObject(expected);
  });

  test.each([
    ['12.5', '12,50'],
    ['1234.00', '1234,00'],
    ['0.07000', '0,07'],
  ])('whose amount %s is %s where the lines of the sender have commas', (text, expected) => {
    const amount = `<InstdAmt Ccy="EUR">${text}</InstdAmt>`;
    const style = { decimal: 'comma', thousands: 'dot' } as const;
    const { transfers } = read(initiation({ transfers: transfer({ amount }) }), {}, style);
    expect(transfers[0]).toMatchObject({ faults: [], fields: { payment_amount: expected } });
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
    expect(fields({}, payment).fee_paid_by).toBe(bearer);
  });

  test.each(['001.08', '001.09'])('of pain.001.%s, whose day and BIC stand elsewhere', (version) => {
    const found = fields(
      { bank: '<BICFI>NDEAFIHH</BICFI>' },
      '<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt>',
      version,
    );
    expect(found).toMatchObject({
      payment_date: '2026-11-23',
      'beneficiary.bank_details.swift_code': 'NDEAFIHH',
    });
  });

  test.each([
    [{}, 'SWIFT', 'COMPANY'],
    [{ payment_method: 'SEPA' }, 'SEPA', 'COMPANY'],
    [{ payment_method: 'SEPA', entity_type: 'INDIVIDUAL' }, 'SEPA', 'INDIVIDUAL'],
  ])('with terms of the caller: %j', (terms, method, entity) => {
    const { transfers } = read(initiation(), terms);
    expect(transfers[0]!.fields).toMatchObject({
      payment_method: method,
      'beneficiary.entity_type': entity,
    });
  });
});

describe('a wrong transfer says everything that is wrong with it', () => {
  test.each<[string, TransferParts, readonly string[]]>([
    [
      'an IBAN that is wrong',
      { account: '<IBAN>FI2112345600000786</IBAN>' },
      ['V0013 beneficiary.bank_details.iban: the IBAN "FI2112345600000786" is not valid.'],
    ],
    [
      'a BIC that is wrong',
      { bank: '<BIC>NDEA</BIC>' },
      ['V0013 beneficiary.bank_details.swift_code: the BIC "NDEA" is not valid.'],
    ],
    [
      'no id',
      { ids: '<EndToEndId>NOTPROVIDED</EndToEndId>' },
      ['I0001 request_id: request_id: it has neither EndToEndId nor InstrId.'],
    ],
    [
      'nothing to pay',
      { amount: '<InstdAmt Ccy="EUR">0.00</InstdAmt>' },
      ['I0021 payment_amount: payment_amount is "0.00", not above zero.'],
    ],
    [
      'no number',
      { amount: '<InstdAmt Ccy="EUR">1,00</InstdAmt>' },
      ['I0021 payment_amount: payment_amount is "1,00".'],
    ],
    [
      'too many decimals',
      { amount: '<InstdAmt Ccy="JPY">1.5</InstdAmt>' },
      ['I0022 payment_amount: payment_amount is "1.5", but JPY has 0 decimals.'],
    ],
    [
      'a currency that there is not',
      { amount: '<InstdAmt Ccy="XXX">1</InstdAmt>' },
      ['I0022 source_currency: "XXX" is no active ISO 4217 currency with a minor unit.'],
    ],
    ['no currency', { amount: '<InstdAmt>1</InstdAmt>' }, ['I0001 payment_currency: payment_currency.']],
    [
      'no amount',
      { amount: '' },
      [
        'I0001 payment_amount: payment_amount: it has no amount (Amt).',
        'I0001 payment_currency: payment_currency.',
      ],
    ],
    [
      'no name',
      { creditor: '' },
      ['I0001 beneficiary.company_name: beneficiary.company_name, or first_name and last_name.'],
    ],
    [
      'no country of the bank',
      { account: '<Othr><Id>1</Id></Othr>', bank: '' },
      [
        'I0001 beneficiary.bank_details.iban: beneficiary.bank_details.iban, or account_number with bank_country_code.',
      ],
    ],
    [
      'an id that is too long',
      { ids: `<EndToEndId>${'x'.repeat(65)}</EndToEndId>` },
      [`I0002 request_id: request_id is "${'x'.repeat(40)}…"; expected 1 to 64 printable characters.`],
    ],
    [
      'a card number where no payout has a field',
      { more: '<InstrForCdtrAgt><InstrInf>card 4111 1111 1111 1111</InstrInf></InstrForCdtrAgt>' },
      ['B0012 -: a text of the transfer holds a card number.'],
    ],
    [
      'an account that stands twice',
      { more: '<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>' },
      ['I0002 -: its element CdtrAcct stands more than once in one place.'],
    ],
    [
      'two things at once, in the order of codes',
      { ids: '<EndToEndId>a\nb</EndToEndId>', account: '<IBAN>FI00</IBAN>' },
      [
        'I0002 request_id: request_id is "a\\nb"; expected 1 to 64 printable characters.',
        'V0013 beneficiary.bank_details.iban: the IBAN "FI00" is not valid.',
      ],
    ],
  ])('%s', (_, parts, faults) => {
    const text = initiation({
      header: '<NbOfTxs>3</NbOfTxs>',
      transfers: `${transfer()}\n${transfer(parts)}\n${transfer()}`,
    });
    expect(faultsOf(text)).toEqual([[], faults, []]);
    expect(read(text).transfers[1]!.faults.map(({ line }) => line)).toEqual(faults.map(() => 2));
  });

  test('a cheque, a day that does not exist, and a bearer of charges that nobody knows', () => {
    const inPayment = (payment: string) => faultsOf(initiation({ payment }))[0]!.join(' / ');
    expect(inPayment('<ReqdExctnDt>2026-02-30</ReqdExctnDt>')).toMatch(
      /^I0002 payment_date: ReqdExctnDt: "2026-02-30" is no date\./,
    );
    expect(inPayment('<ChrgBr>XXXX</ChrgBr>')).toMatch(/^I0002 fee_paid_by: ChrgBr is "XXXX", not DEBT/);
    const cheque = initiation().replace('<PmtMtd>TRF', '<PmtMtd>CHK');
    expect(faultsOf(cheque)).toEqual([['I0002 payment_method: it is to be paid by cheque (PmtMtd CHK).']]);
  });

  test('what could not be read is kept as it is written, apart from what could', () => {
    const amount = '<InstdAmt Ccy="EUR">1,00</InstdAmt>';
    const payment = '<ReqdExctnDt>soon</ReqdExctnDt>';
    const [wrong] = read(initiation({ payment, transfers: transfer({ amount }) })).transfers;
    expect(wrong).toMatchObject({
      fields: { request_id: 'E1', payment_currency: 'EUR' },
      unread: { payment_amount: '1,00', payment_date: 'soon' },
    });
    expect(Object.keys(wrong!.fields)).not.toContain('payment_amount');
  });

  test.each([
    ['an id', { ids: '<EndToEndId>4111111111111111</EndToEndId>' }],
    ['an account', { account: '<Othr><Id>4111111111111111</Id></Othr>' }],
    ['a remittance', { more: '<RmtInf><Ustrd>4111111111111111</Ustrd></RmtInf>' }],
  ])('%s that looks like a card number is none', (_, parts) => {
    expect(faultsOf(initiation({ transfers: transfer(parts) }))).toEqual([[]]);
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
    [
      'without an amount that cannot be read',
      { header: '<NbOfTxs>2</NbOfTxs><CtrlSum>10.10</CtrlSum>', transfers: of('10.10', 'x') },
    ],
  ])('%s', (_, parts) => {
    expect(read(initiation(parts)).stated.differences).toEqual([]);
  });

  test.each<[string, InitiationParts, readonly string[]]>([
    ['a count', { header: '<NbOfTxs>2</NbOfTxs>' }, ['GrpHdr/NbOfTxs 2 1']],
    [
      'a sum by one cent',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>10.01</CtrlSum>' },
      ['GrpHdr/CtrlSum 10.01 10.00'],
    ],
    [
      'a sum by the last decimal',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>10.00000000000000001</CtrlSum>' },
      ['GrpHdr/CtrlSum 10.00000000000000001 10.00'],
    ],
    ['a count of the part', { payment: '<NbOfTxs>3</NbOfTxs>' }, ['PmtInf "P1"/NbOfTxs 3 1']],
    ['a sum of the part', { payment: '<CtrlSum>9</CtrlSum>' }, ['PmtInf "P1"/CtrlSum 9 10.00']],
    [
      'all of them, and an amount that cannot be read',
      {
        header: '<NbOfTxs>3</NbOfTxs><CtrlSum>30.30</CtrlSum>',
        payment: '<NbOfTxs>3</NbOfTxs><CtrlSum>30.30</CtrlSum>',
        transfers: of('10.10', ''),
      },
      [
        'GrpHdr/NbOfTxs 3 2',
        'GrpHdr/CtrlSum 30.30 10.10, without 1 transfer whose amount cannot be read',
        'PmtInf "P1"/NbOfTxs 3 2',
        'PmtInf "P1"/CtrlSum 30.30 10.10, without 1 transfer whose amount cannot be read',
      ],
    ],
  ])('%s differs, and both figures are told', (_, parts, expected) => {
    const { differences } = read(initiation(parts)).stated;
    expect(differences.map(({ what, stated, calculated }) => `${what} ${stated} ${calculated}`)).toEqual(
      expected,
    );
  });

  test.each<[string, InitiationParts, string]>([
    ['no count', { header: '' }, 'does not say how many'],
    ['a count that is none', { header: '<NbOfTxs>one</NbOfTxs>' }, '"one" is no whole number'],
    [
      'a sum that is none',
      { header: '<NbOfTxs>1</NbOfTxs><CtrlSum>1e1</CtrlSum>' },
      'The sum "1e1" in GrpHdr is no number',
    ],
  ])('%s refuses the file', (_, parts, message) => {
    expect(refusal(initiation(parts)).message).toContain(message);
  });
});

test.each([
  ['pain.008.001.02', '<CstmrDrctDbtInitn/>', 'it is pain.008.001.02 (CstmrDrctDbtInitn), and only'],
  ['camt.053.001.08', '<BkToCstmrStmt/>', 'it is camt.053.001.08 (BkToCstmrStmt), and only'],
])('another message, %s, is refused', (message, body, expected) => {
  const error = refusal(document(message, body));
  expect(error).toBeInstanceOf(FileRejected);
  expect(error.message).toContain('B0015');
  expect(error.message).toContain(expected);
});

test('one without an id is refused', () => {
  expect(
    refusal(document('pain.001.001.03', '<CstmrCdtTrfInitn><GrpHdr/></CstmrCdtTrfInitn>')).message,
  ).toContain('no id');
});

test('a card number around the transfers refuses the file', () => {
  const header = '<NbOfTxs>1</NbOfTxs><InitgPty><Nm>4111 1111 1111 1111</Nm></InitgPty>';
  expect(refusal(initiation({ header })).message).toContain('B0012');
  const payment = '<Dbtr><Nm>4111 1111 1111 1111</Nm></Dbtr>';
  expect(refusal(initiation({ payment })).message).toContain('B0012');
});

describe.skipIf(!HAS_REAL)('files of real banks', () => {
  const real = (file: string) => read(realText(`pain001/${file}`));

  test('a payment in SEPA, whose IBAN has a wrong check digit', () => {
    const { messageId, stated, transfers } = real('sepa-examples/pain001-single-sct.xml');
    expect(messageId).toBe('ESEMPIO-SCT-20260315-001');
    expect(stated).toEqual({ rows: 1, sum: '1500.00', differences: [] });
    expect(transfers).toMatchObject([
      {
        place: {
          payment: 1,
          paymentInformationId: 'PAY-20260315-001',
          instructionId: 'INSTR-20260315-001',
          endToEndId: 'E2E-20260315-001',
        },
        faults: [{ code: 'V0013', line: 1 }],
      },
    ]);
  });

  test('the same payment with a right one: 1500.00 EUR', () => {
    const text = realText('pain001/sepa-examples/pain001-single-sct.xml').replace(
      'IT40S0300203280794663214789',
      'IT60X0542811101000000123456',
    );
    expect(read(text).transfers).toMatchObject([
      {
        faults: [],
        fields: {
          request_id: 'E2E-20260315-001',
          payment_amount: '1500.00',
          payment_currency: 'EUR',
          payment_date: '2026-03-20',
          fee_paid_by: 'SHARED',
          reference: 'Pagamento fattura FT-2026/0042 del 01/03/2026',
          'beneficiary.company_name': 'Fornitore SpA',
          'beneficiary.bank_details.swift_code': 'UNCRITM1Z70',
        },
      },
    ]);
  });

  test('a payment in the United States: 0.01 USD', () => {
    const { transfers } = real('iso20022js/cross_river__pain_001_ach_credit.xml');
    expect(transfers).toMatchObject([
      {
        faults: [],
        fields: {
          request_id: '0000000000000011',
          payment_amount: '0.01',
          payment_currency: 'USD',
          fee_paid_by: 'SHARED',
          reference: 'Testing',
          'beneficiary.bank_details.account_number': '0123456789',
          'beneficiary.bank_details.account_currency': 'USD',
          'beneficiary.bank_details.bank_country_code': 'US',
          'beneficiary.bank_details.bank_code': '123456789',
          'beneficiary.bank_details.bank_name': 'Cross River Bank NJ',
        },
      },
    ]);
  });
});
