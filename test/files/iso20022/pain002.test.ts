import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  meaningOf,
  readPain002,
  type StatusReport,
  type TransferStatus,
} from '../../../src/files/iso20022/pain002.ts';
import { writePain002 } from '../../../src/files/iso20022/pain002-write.ts';
import { fitsXml } from '../../../src/wire/xml.ts';
import { document, HAS_REAL, realText } from './iso-documents.ts';

const REPORT = {
  messageId: 'R1',
  created: '2026-11-20T10:30:00Z',
  originalMessageId: 'M1',
  originalMessageName: 'pain.001.001.03',
  group: undefined,
};

function transfer(endToEndId: string, status: string, code?: string, text?: string): TransferStatus {
  const reason = code === undefined && text === undefined ? undefined : { code, text };
  return { endToEndId, instructionId: undefined, status, reason };
}

function reportOf(...transfers: readonly TransferStatus[]): StatusReport {
  return { ...REPORT, payments: [{ paymentInformationId: 'P1', verdict: undefined, transfers }] };
}

function written(report: StatusReport): string {
  const document = writePain002(report);
  if ('fault' in document) throw new Error(document.fault);
  return document.xml;
}

describe('a report is written', () => {
  test('in the order of the schema', () => {
    const text = 'The IBAN "X" isn\'t <valid> & was refused';
    expect(
      written(
        reportOf(
          transfer('E1', 'ACSC'),
          transfer('E2', 'RJCT', 'AC01', text),
          transfer('E3', 'PDNG', 'V0006'),
        ),
      ),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">
  <CstmrPmtStsRpt>
    <GrpHdr>
      <MsgId>R1</MsgId>
      <CreDtTm>2026-11-20T10:30:00Z</CreDtTm>
    </GrpHdr>
    <OrgnlGrpInfAndSts>
      <OrgnlMsgId>M1</OrgnlMsgId>
      <OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>
      <GrpSts>PART</GrpSts>
      <NbOfTxsPerSts>
        <DtldNbOfTxs>1</DtldNbOfTxs>
        <DtldSts>ACSC</DtldSts>
      </NbOfTxsPerSts>
      <NbOfTxsPerSts>
        <DtldNbOfTxs>1</DtldNbOfTxs>
        <DtldSts>RJCT</DtldSts>
      </NbOfTxsPerSts>
      <NbOfTxsPerSts>
        <DtldNbOfTxs>1</DtldNbOfTxs>
        <DtldSts>PDNG</DtldSts>
      </NbOfTxsPerSts>
    </OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts>
      <OrgnlPmtInfId>P1</OrgnlPmtInfId>
      <TxInfAndSts>
        <OrgnlEndToEndId>E1</OrgnlEndToEndId>
        <TxSts>ACSC</TxSts>
      </TxInfAndSts>
      <TxInfAndSts>
        <OrgnlEndToEndId>E2</OrgnlEndToEndId>
        <TxSts>RJCT</TxSts>
        <StsRsnInf>
          <Rsn>
            <Cd>AC01</Cd>
          </Rsn>
          <AddtlInf>The IBAN &quot;X&quot; isn&apos;t &lt;valid&gt; &amp; was refused</AddtlInf>
        </StsRsnInf>
      </TxInfAndSts>
      <TxInfAndSts>
        <OrgnlEndToEndId>E3</OrgnlEndToEndId>
        <TxSts>PDNG</TxSts>
        <StsRsnInf>
          <Rsn>
            <Prtry>V0006</Prtry>
          </Rsn>
        </StsRsnInf>
      </TxInfAndSts>
    </OrgnlPmtInfAndSts>
  </CstmrPmtStsRpt>
</Document>
`);
  });

  test.each<[readonly string[], string | undefined]>([
    [['ACSC', 'ACSC'], 'ACSC'],
    [['RJCT', 'RJCT'], 'RJCT'],
    [['ACSC', 'RJCT'], 'PART'],
    [['ACSC', 'ACSP'], 'ACSP'],
    [['ACSC', 'PDNG', 'ACSP'], 'PDNG'],
    [[], undefined],
  ])('of transfers %j the whole is %s', (statuses, expected) => {
    const report = reportOf(...statuses.map((status, index) => transfer(`E${index}`, status)));
    expect(readPain002(written(report)).group?.status).toBe(expected);
  });

  test('with words in lines of at most 105 characters', () => {
    const text = 'word '.repeat(100).trim();
    const xml = written(reportOf(transfer('E1', 'RJCT', 'NARR', text)));
    const lines = [...xml.matchAll(/<AddtlInf>(.*)<\/AddtlInf>/g)].map(([, line]) => line!.length);
    expect(lines).toEqual([105, 105, 105, 105, 79]);
    expect(readPain002(xml).payments[0]!.transfers[0]!.reason).toEqual({ code: 'NARR', text });
  });

  test.each([
    ['B0123456789ABCDEF-12', '<AcctSvcrRef>B0123456789ABCDEF-12</AcctSvcrRef>'],
    ['x'.repeat(36), undefined],
  ])('with the reference %s of whoever executes it: %s', (reference, expected) => {
    const xml = written(reportOf({ ...transfer('E1', 'ACSC'), reference }));
    expect(/<AcctSvcrRef>.*<\/AcctSvcrRef>/.exec(xml)?.[0]).toBe(expected);
  });

  test('never with what XML does not have', () => {
    expect(writePain002(reportOf(transfer('E1', 'RJCT', 'NARR', 'a\0b')))).toEqual({
      fault: 'a text has a character that XML does not have',
    });
  });
});

describe('what is written reads back', () => {
  const id = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 35 })
    .map((text) => text.trim())
    .filter(
      (text) =>
        text !== '' && fitsXml(text) && !/[\r\n\t]/.test(text) && !/^(?:not ?provided|nonref)$/i.test(text),
    );
  const reference = id.filter((text) => [...text].length <= 35);
  const words = fc
    .string({ unit: 'grapheme', maxLength: 400 })
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => text !== '' && fitsXml(text));
  const reason = fc.record({
    code: fc.constantFrom('AC01', 'NARR', 'V0006'),
    text: fc.option(words, { nil: undefined }),
  });
  const verdict = fc.record({
    status: fc.constantFrom('ACSC', 'ACSP', 'PDNG', 'RJCT'),
    reason: fc.option(reason, { nil: undefined }),
  });
  const one = fc
    .tuple(verdict, id, fc.option(id, { nil: undefined }), fc.option(reference, { nil: undefined }))
    .map(([said, endToEndId, instructionId, own]) => ({
      ...said,
      endToEndId,
      instructionId,
      reference: own,
    }));
  const payment = fc.record({
    paymentInformationId: fc.option(id, { nil: undefined }),
    verdict: fc.option(verdict, { nil: undefined }),
    transfers: fc.array(one, { maxLength: 4 }),
  });
  const report = fc.record({
    messageId: id,
    originalMessageId: id,
    group: verdict,
    payments: fc.array(payment, { maxLength: 3 }),
  });

  test('whatever it says', () => {
    fc.assert(
      fc.property(report, (parts) => {
        const full = { ...REPORT, ...parts };
        const read = readPain002(written(full));
        const inherited = full.payments.map((part) => ({
          ...part,
          // A transfer without words of its own has those of the part, else of the whole.
          transfers: part.transfers.map((said) => ({
            ...said,
            reason: said.reason ?? (part.verdict ?? full.group).reason,
          })),
        }));
        expect(read).toEqual({ ...full, payments: inherited });
      }),
    );
  });
});

describe('a report is read', () => {
  const of = (payments: string, group = '') =>
    readPain002(
      document(
        'pain.002.001.10',
        `<CstmrPmtStsRpt><GrpHdr><MsgId>R</MsgId><CreDtTm>2026-11-20T10:30:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>M</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>${payments}</CstmrPmtStsRpt>`,
      ),
    );
  const one = '<TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId></TxInfAndSts>';

  test('where only the whole is refused', () => {
    const reason =
      '<StsRsnInf><Rsn><Cd>FF01</Cd></Rsn><AddtlInf>a</AddtlInf></StsRsnInf><StsRsnInf><AddtlInf>b</AddtlInf></StsRsnInf>';
    expect(of('', `<GrpSts>RJCT</GrpSts>${reason}`)).toMatchObject({
      group: { status: 'RJCT', reason: { code: 'FF01', text: 'a b' } },
      payments: [],
    });
  });

  test('where a part is refused with all its transfers', () => {
    const read = of(
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts>${one}</OrgnlPmtInfAndSts>`,
      '<GrpSts>PART</GrpSts>',
    );
    expect(read.payments).toMatchObject([
      { paymentInformationId: 'P', transfers: [{ endToEndId: 'E1', status: 'RJCT' }] },
    ]);
  });

  test('but not where nothing is said of a transfer', () => {
    expect(() => of(`<OrgnlPmtInfAndSts><OrgnlPmtInfId>P</OrgnlPmtInfId>${one}</OrgnlPmtInfAndSts>`)).toThrow(
      'what became of the transfer "E1"',
    );
    expect(() => readPain002(document('pain.001.001.03', '<CstmrCdtTrfInitn/>'))).toThrow('not pain.002');
  });

  test.each([
    ['ACSC', 'succeeded'],
    ['ACSP', 'pending'],
    ['PDNG', 'pending'],
    ['RJCT', 'refused'],
    ['toString', 'unknown'],
  ])('%s means %s', (status, meaning) => {
    expect(meaningOf(status)).toBe(meaning);
  });
});

test.skipIf(!HAS_REAL)('the report of a real bank: two transfers are refused', () => {
  const reason = {
    code: 'NARR',
    text: 'CAP Invalid code or combinations in CategoryPurpose or ServiceLevel',
  };
  expect(readPain002(realText('pain002/iso20022js/nordea__pain_002_v3_txn_reject.xml'))).toEqual({
    messageId: 'XML990920150728124014189',
    created: '2015-07-28T10:40:14Z',
    originalMessageId: 'MSGID-950-TEST2-2807-01',
    originalMessageName: 'pain.001.001.03',
    group: undefined,
    payments: [
      {
        paymentInformationId: 'PMTINFID-950-TEST2-2807-01',
        verdict: { status: 'RJCT', reason: undefined },
        transfers: ['02', '01'].map((number) => ({
          endToEndId: `ENDTOENDID-950-TEST2-2807-${number}`,
          instructionId: `INSTRID-950-TEST2-2807-${number}`,
          status: 'RJCT',
          reason,
        })),
      },
    ],
  });
});
