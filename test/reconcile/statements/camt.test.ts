import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readIso } from '../../../src/files/iso20022/xml.ts';
import type { StatementLine, StatementPart } from '../../../src/reconcile/statement.ts';
import { CAMT_053, CAMT_054, type CamtStatement, readCamt } from '../../../src/reconcile/statements/camt.ts';
import {
  ACCOUNT,
  balance,
  camt053,
  camt054,
  document,
  type EntryParts,
  entry,
  HAS_REAL,
  prefixed,
  realPath,
  realText,
} from '../../files/iso20022/iso-documents.ts';

function statement(inside: string, version?: string): CamtStatement {
  return readCamt(readIso(camt053(inside, version)), 'camt.053')[0]!;
}

function lineOf(parts: EntryParts, version?: string): StatementLine {
  const { lines } = statement(entry(parts), version);
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

function refusal(read: () => unknown): { readonly message: string; readonly line?: number } {
  try {
    read();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was read');
}

/** `20.00 = 27.00 - 7.00`: where lines lead from the opening balance, in minor units. */
function movedTo({ header, lines }: CamtStatement): number {
  return lines.reduce((sum, { net }) => sum + net, header.opening?.amount ?? 0);
}

describe('an entry is a line', () => {
  test('with its amount, days, references and text', () => {
    const details = `<TxDtls><Refs><MsgId>MSG</MsgId><AcctSvcrRef>BANK-1</AcctSvcrRef><PmtInfId>PMT</PmtInfId>
<InstrId>INSTR</InstrId><EndToEndId>E2E</EndToEndId><TxId>TX</TxId><MndtId>MANDATE</MndtId></Refs>
<RltdPties><Dbtr><Pty><Nm>Acme &amp; Co</Nm></Pty></Dbtr><Cdtr><Pty><Nm>Us</Nm></Pty></Cdtr></RltdPties>
<RmtInf><Ustrd>Invoice 4711</Ustrd><Ustrd>of March</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
    expect(lineOf({ amount: '12.3', reference: 'BANK-1', details })).toEqual({
      line: 1,
      kind: 'transfer',
      currency: 'EUR',
      gross: 1230,
      fee: 0,
      net: 1230,
      references: ['E2E', 'TX', 'INSTR', 'PMT', 'BANK-1', 'MSG', 'MANDATE', 'RF18'],
      id: 'BANK-1',
      group: undefined,
      booked: '2026-11-19',
      valued: '2026-11-20',
      text: 'Acme & Co; Invoice 4711 of March',
    });
  });

  test.each<[string, EntryParts, number]>([
    ['a credit is above zero', { amount: '10.00', sign: 'CRDT' }, 1000],
    ['a debit is below zero', { amount: '10.00', sign: 'DBIT' }, -1000],
    ['a debit of nothing is zero', { amount: '0.00', sign: 'DBIT' }, 0],
    ['a reversal that is a credit is above zero', { sign: 'CRDT', more: '<RvslInd>true</RvslInd>' }, 1000],
    ['five decimals that are zeros', { amount: '10.50000' }, 1050],
    ['no decimals', { amount: '10' }, 1000],
    ['a currency without decimals', { amount: '2700', currency: 'JPY' }, 2700],
    ['a currency without decimals, with zeros', { amount: '2700.00', currency: 'JPY' }, 2700],
    ['a currency with three decimals', { amount: '1.234', currency: 'KWD' }, 1234],
    ['the largest amount', { amount: '9999999999999.99' }, 999999999999999],
  ])('%s', (_, parts, net) => {
    const line = lineOf(
      parts.more === undefined
        ? parts
        : { ...parts, status: `${parts.more}<Sts><Cd>BOOK</Cd></Sts>`, more: '' },
    );
    expect(line.net).toBe(net);
    expect(line.gross).toBe(net);
  });

  test('a reversal says so, and names who it was with', () => {
    const parties = '<RltdPties><Dbtr><Nm>Us</Nm></Dbtr><Cdtr><Nm>Supplier</Nm></Cdtr></RltdPties>';
    const details = `<TxDtls>${parties}<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>`;
    const { text } = lineOf({ sign: 'CRDT', status: '<RvslInd>true</RvslInd><Sts>BOOK</Sts>', details });
    expect(text).toBe('reversal; Supplier; returned: AC04');
  });

  test.each<[string, string, string, string | undefined]>([
    [
      'dates',
      '<BookgDt><Dt>2026-11-19</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt>',
      '2026-11-19',
      '2026-11-21',
    ],
    [
      'moments, as they are written',
      '<BookgDt><DtTm>2026-11-19T23:30:00-05:00</DtTm></BookgDt>',
      '2026-11-19',
      undefined,
    ],
    ['a date with a zone', '<BookgDt><Dt>2026-11-19+01:00</Dt></BookgDt>', '2026-11-19', undefined],
    ['only a value date', '<ValDt><Dt>2026-11-21</Dt></ValDt>', '2026-11-21', '2026-11-21'],
    ['none: the day of the statement', '', '2026-11-20', undefined],
  ])('days: %s', (_, days, booked, valued) => {
    expect(lineOf({ days })).toMatchObject({ booked, valued });
  });

  test('NOTPROVIDED is no reference', () => {
    const details =
      '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>NONREF</TxId><InstrId/></Refs></TxDtls>';
    expect(lineOf({ details }).references).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['without an amount', '<Ntry><Sts>BOOK</Sts></Ntry>', 'lacks the element Amt'],
    [
      'without a currency',
      '<Ntry><Amt>1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>',
      'no currency',
    ],
    ['with an unknown currency', entry({ currency: 'XXX' }), 'no active ISO 4217 currency'],
    ['with a comma', entry({ amount: '1,00' }), '"1,00" is no amount'],
    ['with a sign in the amount', entry({ amount: '-1.00' }), '"-1.00" is no amount'],
    ['with too many decimals', entry({ amount: '1.005' }), 'more decimals than EUR'],
    ['with too large an amount', entry({ amount: '99999999999999.00' }), 'too large'],
    ['with another sign', entry({ sign: 'PLUS' }), 'not CRDT or DBIT'],
    ['without a status', entry({ status: '' }), 'no status'],
    ['with an unknown status', entry({ status: '<Sts><Prtry>MAYBE</Prtry></Sts>' }), '"MAYBE"'],
    ['with a day that does not exist', entry({ days: '<BookgDt><Dt>2026-02-30</Dt></BookgDt>' }), 'no date'],
    [
      'with two amounts',
      entry().replace('<Amt Ccy="EUR">10.00</Amt>', '<Amt Ccy="EUR">1</Amt><Amt Ccy="EUR">2</Amt>'),
      'more than once',
    ],
    [
      'with an indicator of reversal that is neither',
      entry({ status: '<RvslInd>yes</RvslInd><Sts>BOOK</Sts>' }),
      'neither true nor false',
    ],
  ])('%s it is refused with its number and line', (_, inside, message) => {
    const refused = refusal(() => statement(`\n${entry()}\n<!-- <Ntry> -->\n${inside}`));
    expect(refused.message).toContain(message);
    expect(refused.message).toMatch(/^Entry 2: /);
    expect(refused.line).toBe(8);
  });
});

describe('only what is booked counts', () => {
  test('other entries are ignored and counted', () => {
    const of = (status: string) => entry({ status: `<Sts>${status}</Sts>` });
    const { lines, ignored } = statement(of('PDNG') + of('BOOK') + of('INFO') + of('PDNG') + of('FUTR'));
    expect(lines.map(({ line }) => line)).toEqual([2]);
    expect(ignored).toEqual({ PDNG: 2, INFO: 1, FUTR: 1 });
  });
});

describe('details are the lines when they add up to the entry', () => {
  const detail = (id: string, amount: string, more = '') =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${amount}${more}</TxDtls>`;
  const own = (amount: string, sign = 'CRDT', currency = 'EUR') =>
    `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`;
  const transaction = (amount: string, currency = 'EUR') =>
    `<AmtDtls><InstdAmt><Amt Ccy="USD">9.99</Amt></InstdAmt><TxAmt><Amt Ccy="${currency}">${amount}</Amt></TxAmt></AmtDtls>`;

  test.each<[string, string, string]>([
    ['by their own amounts', detail('A', own('4.00')), detail('B', own('6.00'))],
    [
      'by the amounts of the transactions',
      detail('A', transaction('4.00')),
      detail('B', transaction('6.00')),
    ],
  ])('%s', (_, first, second) => {
    const { lines } = statement(entry({ reference: 'B-1', details: first + second }) + entry());
    expect(
      lines.map(({ line, net, references, id, group }) => ({ line, net, references, id, group })),
    ).toEqual([
      { line: 1, net: 400, references: ['A'], id: 'B-1/1', group: 'B-1' },
      { line: 2, net: 600, references: ['B'], id: 'B-1/2', group: 'B-1' },
      { line: 3, net: 1000, references: [], id: undefined, group: undefined },
    ]);
  });

  test('in both directions', () => {
    const { lines } = statement(
      entry({ details: detail('A', own('12.50')) + detail('B', own('2.50', 'DBIT')) }),
    );
    expect(lines.map(({ net, group }) => [net, group])).toEqual([
      [1250, 'S1/1'],
      [-250, 'S1/1'],
    ]);
  });

  test('of several groups, each with its own reference of the bank', () => {
    const refs = (reference: string) =>
      `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs>${own('5.00')}</TxDtls>`;
    const details = `${refs('X')}</NtryDtls><NtryDtls><Btch><PmtInfId>PMT</PmtInfId></Btch>${refs('Y')}`;
    expect(statement(entry({ details })).lines.map(({ id, group }) => [id, group])).toEqual([
      ['X', 'PMT'],
      ['Y', 'PMT'],
    ]);
  });

  test.each<[string, string]>([
    ['do not add up', detail('A', own('4.00')) + detail('B', own('5.00'))],
    [
      'add up in another currency',
      detail('A', own('4.00', 'CRDT', 'USD')) + detail('B', own('6.00', 'CRDT', 'USD')),
    ],
    ['lack an amount', detail('A', own('10.00')) + detail('B', '')],
  ])('and the entry is the line when they %s', (_, details) => {
    const parts = {
      reference: 'B-1',
      details: `<Btch><MsgId>M</MsgId><PmtInfId>PMT</PmtInfId></Btch>${details}`,
    };
    expect(lineOf(parts)).toMatchObject({
      net: 1000,
      references: ['PMT', 'B-1', 'M'],
      id: 'B-1',
      group: undefined,
    });
  });

  test('and one detail of a batch that holds more does not name it', () => {
    const details = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${detail('A', own('4.00'))}`;
    expect(lineOf({ reference: 'B-1', details }).references).toEqual(['B-1']);
  });
});

describe('charges', () => {
  const code = (family: string) =>
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>${family}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
  const charges = (amount: string, included = 'true') =>
    `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">${amount}</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>${included}</ChrgInclInd></Rcrd></Chrgs>`;
  test.each<[string, EntryParts, string]>([
    ['a debit with a code of charges', { sign: 'DBIT', more: code('CHRG') }, 'fee'],
    ['a credit with a code of charges', { sign: 'CRDT', more: code('CHRG') }, 'transfer'],
    ['a debit with another code', { sign: 'DBIT', more: `${code('ESCT')}${charges('10.00')}` }, 'transfer'],
    ['a debit that is all charges', { sign: 'DBIT', more: charges('10.00') }, 'fee'],
    [
      'a debit that is all charges, as before version 04',
      { sign: 'DBIT', more: '<Chrgs><Amt Ccy="EUR">10.00</Amt></Chrgs>' },
      'fee',
    ],
    ['a debit that is charges in part', { sign: 'DBIT', more: charges('1.00') }, 'transfer'],
    ['a debit beside charges', { sign: 'DBIT', more: charges('10.00', 'false') }, 'transfer'],
    [
      'a debit to somebody',
      {
        sign: 'DBIT',
        more: charges('10.00'),
        details: '<TxDtls><RltdPties><Cdtr><Nm>X</Nm></Cdtr></RltdPties></TxDtls>',
      },
      'transfer',
    ],
  ])('%s: %s', (_, parts, kind) => {
    expect(lineOf(parts)).toMatchObject({ kind, fee: 0 });
  });

  const original = (amount: string) =>
    `<AmtDtls><InstdAmt><Amt Ccy="EUR">${amount}</Amt></InstdAmt></AmtDtls>`;
  test.each<[string, EntryParts, number, number]>([
    [
      'are the fee where a credit is what was sent less charges',
      { amount: '995.00', details: `<TxDtls>${original('1000.00')}${charges('5.00')}</TxDtls>` },
      100000,
      500,
    ],
    [
      'are the fee where a debit is what was sent and charges',
      { amount: '105.00', sign: 'DBIT', more: original('100.00') + charges('5.00') },
      -10000,
      500,
    ],
    [
      'are not where the figures do not say so',
      { amount: '995.00', details: `<TxDtls>${charges('5.00')}</TxDtls>` },
      99500,
      0,
    ],
    [
      'are not where they stand apart',
      { amount: '995.00', details: `<TxDtls>${original('1000.00')}${charges('5.00', 'false')}</TxDtls>` },
      99500,
      0,
    ],
  ])('%s', (_, parts, gross, fee) => {
    const line = lineOf(parts);
    expect(line).toMatchObject({ gross, fee });
    expect(line.gross - line.fee).toBe(line.net);
  });
});

describe('ids of entries', () => {
  const ids = (...entries: readonly EntryParts[]) =>
    statement(entries.map(entry).join('')).lines.map(({ id }) => id);
  test('are kept where the same comes twice', () => {
    expect(ids({ reference: 'X' }, { reference: 'X' })).toEqual(['X', 'X']);
  });

  test('are made different where a payment and its charge share one', () => {
    expect(
      ids({ reference: 'X' }, { reference: 'X', amount: '0.20', sign: 'DBIT' }, { reference: 'X' }),
    ).toEqual(['X', 'X/2', 'X']);
  });
});

describe('balances', () => {
  const ends = (...balances: readonly string[]) => {
    const { header, end } = statement(balances.join(''));
    return [header.opening?.amount, end.closing?.amount];
  };
  test.each<[string, readonly string[], readonly (number | undefined)[]]>([
    ['opening and closing', [balance('OPBD', '1.00'), balance('CLBD', '2.00')], [100, 200]],
    [
      'in any order, overdrawn',
      [balance('CLBD', '2.00', 'DBIT'), balance('OPBD', '0.00', 'DBIT')],
      [0, -200],
    ],
    ['none', [], [undefined, undefined]],
    ['only closing', [balance('CLBD', '2.00')], [undefined, 200]],
    ['what was closed before', [balance('PRCD', '1.00'), balance('CLBD', '2.00')], [100, 200]],
    [
      'opening before what was closed before',
      [balance('PRCD', '9.00'), balance('OPBD', '1.00')],
      [100, undefined],
    ],
    ['a first page', [balance('OPBD', '1.00'), balance('ITBD', '5.00')], [100, 500]],
    ['a last page', [balance('ITBD', '5.00'), balance('CLBD', '2.00')], [500, 200]],
    ['a page between', [balance('ITBD', '5.00'), balance('ITBD', '6.00')], [500, 600]],
    ['an intermediate balance alone', [balance('ITBD', '5.00')], [undefined, undefined]],
    [
      'of three days',
      [
        balance('OPBD', '2.00', 'CRDT', '2026-11-18'),
        balance('OPBD', '1.00', 'CRDT', '2026-11-17'),
        balance('CLBD', '3.00', 'CRDT', '2026-11-18'),
        balance('CLBD', '2.00', 'CRDT', '2026-11-17'),
      ],
      [100, 300],
    ],
    [
      'available ones are none',
      [balance('OPAV', '1.00'), balance('CLAV', '2.00'), balance('FWAV', '3.00')],
      [undefined, undefined],
    ],
  ])('%s', (_, balances, expected) => {
    expect(ends(...balances)).toEqual(expected);
  });
});

describe('totals', () => {
  const summary = (inside: string) => `<TxsSummry>${inside}</TxsSummry>`;
  const three =
    entry({ amount: '10.00' }) + entry({ amount: '5.00' }) + entry({ amount: '2.00', sign: 'DBIT' });
  const apart =
    '<TtlCdtNtries><NbOfNtries>2</NbOfNtries><Sum>15.00</Sum></TtlCdtNtries><TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>2</Sum></TtlDbtNtries>';
  const eur = (amount: number) => [{ currency: 'EUR', amount }];

  test('are as stated, as until version 03', () => {
    const all =
      '<TtlNtries><NbOfNtries>3</NbOfNtries><Sum>17.00</Sum><TtlNetNtryAmt>13.00</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>';
    expect(statement(summary(all + apart) + three, '001.02').end).toEqual({
      closing: undefined,
      count: 3,
      totals: eur(1300),
      credits: eur(1500),
      debits: eur(200),
    });
  });

  test('are as stated, as from version 04, right or wrong', () => {
    const all =
      '<TtlNtries><NbOfNtries>9</NbOfNtries><TtlNetNtry><Amt>99.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></TtlNetNtry></TtlNtries>';
    expect(statement(summary(all) + three).end).toMatchObject({
      count: 9,
      totals: eur(-9900),
      credits: [],
      debits: [],
    });
  });

  test('count lines where an entry is told in its details', () => {
    const part = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
    const told = entry({ details: part('4.00') + part('6.00') });
    const { lines, end } = statement(summary('<TtlNtries><NbOfNtries>1</NbOfNtries></TtlNtries>') + told);
    expect([lines.length, end.count]).toEqual([2, 2]);
  });

  test('of credits and debits are left out where one entry has details of both', () => {
    const part = (amount: string, sign: string) =>
      `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd></TxDtls>`;
    const told = entry({ details: part('12.00', 'CRDT') + part('2.00', 'DBIT') });
    expect(statement(summary(apart) + told).end).toMatchObject({ count: 4, credits: [], debits: [] });
  });

  test('are left out where entries are not booked, or their currency is not one', () => {
    expect(statement(summary(apart) + entry({ status: '<Sts>PDNG</Sts>' })).end).toMatchObject({
      count: undefined,
      credits: [],
    });
    expect(statement(summary(apart) + three + entry({ currency: 'USD' })).end).toMatchObject({
      count: 3,
      credits: [],
    });
  });

  test('that are no numbers are refused', () => {
    expect(
      refusal(() => statement(summary('<TtlNtries><NbOfNtries>many</NbOfNtries></TtlNtries>'))).message,
    ).toContain('Statement 1: "many"');
  });
});

describe('a statement says whose it is', () => {
  test('its id, account, period and number', () => {
    const inside =
      '<ElctrncSeqNb>25</ElctrncSeqNb><LglSeqNb>20</LglSeqNb><FrToDt><FrDtTm>2026-11-18T00:00:00+01:00</FrDtTm><ToDtTm>2026-11-19T23:59:59+01:00</ToDtTm></FrToDt>';
    expect(statement(inside).header).toEqual({
      id: 'S1',
      account: 'FI2112345600000785',
      period: ['2026-11-18', '2026-11-19'],
      sequence: 20,
      made: '2026-11-20T06:00:00Z',
      opening: undefined,
    });
  });

  test.each<[string, string, string]>([
    [
      'a page of several has its number in the id',
      '<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>',
      'S1 page 2',
    ],
    [
      'so has the first of several',
      '<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>',
      'S1 page 1',
    ],
    ['a page alone has not', '<StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>', 'S1'],
  ])('%s', (_, inside, id) => {
    expect(statement(inside).header.id).toBe(id);
  });

  test('an account may have a number of another kind', () => {
    const text = camt053('').replace(ACCOUNT, '<Acct><Id><Othr><Id>0123456789</Id></Othr></Id></Acct>');
    expect(readCamt(readIso(text), 'camt.053')[0]!.header.account).toBe('0123456789');
  });
});

describe('versions', () => {
  test.each([
    '001.01',
    '001.02',
    '001.03',
    '001.04',
    '001.05',
    '001.06',
    '001.07',
    '001.08',
    '001.10',
    '001.13',
    '002.02',
  ])('camt.053.%s', (version) => {
    for (const status of ['<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>'])
      expect(lineOf({ status }, version).net).toBe(1000);
  });

  test('a prefix changes nothing', () => {
    const plain = camt053(entry({ details: '<TxDtls><Refs><EndToEndId>E</EndToEndId></Refs></TxDtls>' }));
    expect(readCamt(readIso(prefixed(plain)), 'camt.053')).toEqual(readCamt(readIso(plain), 'camt.053'));
  });

  test.each<[string, string]>([
    ['another message', camt054('')],
    ['a report within the day', document('camt.052.001.08', '<BkToCstmrAcctRpt/>')],
    ['a message with another body', document('camt.053.001.99', '<BkToCstmrStmtV99/>')],
    ['a message without statements', document('camt.053.001.08', '<BkToCstmrStmt><GrpHdr/></BkToCstmrStmt>')],
    ['entries of another structure', camt053('<Ntry><Money>1</Money><Sts>BOOK</Sts></Ntry>', '001.99')],
  ])('%s is refused', (_, text) => {
    expect(() => readCamt(readIso(text), 'camt.053')).toThrow();
  });
});

describe('the readers', () => {
  test('recognise their message by its beginning', () => {
    const both = [camt053(''), camt054('')];
    expect(both.map(CAMT_053.recognises)).toEqual([true, false]);
    expect(both.map(CAMT_054.recognises)).toEqual([false, true]);
    expect(CAMT_053.recognises("<n:Document xmlns:n='urn:iso:std:iso:20022:tech:xsd:camt.053.001.02'>")).toBe(
      true,
    );
    expect(CAMT_053.recognises('date;text\n1;camt.053.001.02')).toBe(false);
  });

  test('give notifications, which have no balances', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'camt-'));
    const path = join(folder, 'n.xml');
    await writeFile(path, camt054(entry({ reference: 'A' }) + entry({ reference: 'B', sign: 'DBIT' })));
    const parts: StatementPart[] = [];
    for await (const part of CAMT_054.read(path)) parts.push(part);
    expect(parts.map(({ is }) => is)).toEqual(['begin', 'lines', 'end']);
    expect(parts[0]).toMatchObject({ header: { id: 'N1', opening: undefined } });
    expect(parts[1]).toMatchObject({
      lines: [
        { id: 'A', net: 1000 },
        { id: 'B', net: -1000 },
      ],
    });
    expect(parts[2]).toMatchObject({ end: { closing: undefined } });
    await rm(folder, { recursive: true });
  });
});

describe.skipIf(!HAS_REAL)('files of real banks', () => {
  const read = (file: string) => readCamt(readIso(realText(`camt053/${file}`)), 'camt.053');

  test('genkgo, version 02: two statements that follow on each other', () => {
    const statements = read('genkgo/camt053.v2.multi.statement.xml');
    expect(
      statements.map(({ header, lines, end }) => [header.opening, lines.map(({ net }) => net), end.closing]),
    ).toEqual([
      [{ currency: 'EUR', amount: 1815 }, [885], { currency: 'EUR', amount: 2700 }],
      [{ currency: 'EUR', amount: 2700 }, [-700], { currency: 'EUR', amount: 2000 }],
    ]);
    expect(statements.map(movedTo)).toEqual([2700, 2000]);
    expect(
      statements.map(({ header }) => [header.id, header.account, header.sequence, header.period]),
    ).toEqual([
      ['253EURNL26VAYB8060476890', 'NL26VAYB8060476890', 12312, ['2007-10-18', '2007-10-18']],
      ['254EURNL26VAYB8060476890', 'NL26VAYB8060476890', undefined, undefined],
    ]);
    expect(statements.flatMap(({ lines }) => lines)).toMatchObject([
      { line: 1, references: ['000000001'], booked: '2014-12-31', valued: '2015-01-02' },
      { line: 2, references: ['000000002'], text: 'Company Name 2; Transaction Description 2' },
    ]);
  });

  test('genkgo, version 08: a break of 54.00 as it is stated', () => {
    const [only, ...others] = read('genkgo/camt053.v8.xml');
    expect(others).toEqual([]);
    expect(only!.header.opening).toEqual({ currency: 'EUR', amount: 1815 });
    expect(movedTo(only!)).toBe(2700);
    expect(only!.end.closing).toEqual({ currency: 'SEK', amount: -2700 });
    expect(only!.end.closing!.amount - movedTo(only!)).toBe(-5400);
    expect(only!.lines).toMatchObject([
      {
        references: ['MUELL/FINP/RA12345', 'AAAASESS-FP-CN_98765/01', '4654654654654654'],
        id: 'AAAASESS-FP-CN_98765/01',
        booked: '2014-12-31',
        text: 'NAME NAME',
      },
    ]);
  });

  test('nordea: 200.50 + 10100.50 - 1500.50 = 8800.50', async () => {
    const parts: StatementPart[] = [];
    for await (const part of CAMT_053.read(realPath('camt053/banks-iso20022js/nordea_v2.xml')))
      parts.push(part);
    const lines = parts.flatMap((part) => (part.is === 'lines' ? part.lines : []));
    const sum = (of: (net: number) => boolean) =>
      lines.filter(({ net }) => of(net)).reduce((total, { net }) => total + net, 0);
    expect(parts[0]).toMatchObject({ header: { sequence: 20, opening: { currency: 'EUR', amount: 20050 } } });
    expect([sum((net) => net > 0), sum((net) => net < 0)]).toEqual([1010050, -150050]);
    expect(20050 + sum(() => true)).toBe(880050);
    expect(parts.at(-1)).toMatchObject({ end: { closing: { currency: 'EUR', amount: 880050 } } });
    expect(lines[2]!.references).toEqual([
      '20190508-E123456',
      'INSTRID20190508',
      'PMNTINFID08052019',
      '1905082588CEAG0003',
      '0001',
      'RF332348236',
    ]);
    expect(lines[1]!.references).toEqual(['1905082588SM12345678']);
    expect(lines.map(({ kind }) => kind)).toEqual(Array(6).fill('transfer'));
  });
});
