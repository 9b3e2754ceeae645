/** What statements contradict, of themselves and of each other, as breaks. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CAMT_053 } from '../../src/reconcile/statements/camt.ts';
import { CSV_READERS } from '../../src/reconcile/statements/profiles.ts';
import { Sandbox } from '../support/ledger.ts';
import { reconciling, type Said, told } from '../support/reconciling.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

interface Day {
  readonly id: string;
  readonly opening: string;
  readonly amount: string;
  readonly closing: string;
  readonly made?: string;
}

/** One day's statement with one credit. */
function camt(name: string, { id, opening, amount, closing, made = `${id}T06:00:00Z` }: Day): Said {
  const balance = (code: string, text: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${text}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${id}</Dt></Dt></Bal>`;
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>${name}</MsgId><CreDtTm>${made}</CreDtTm></GrpHdr>
<Stmt><Id>${id}</Id><CreDtTm>${made}</CreDtTm><FrToDt><FrDtTm>${id}T00:00:00</FrDtTm><ToDtTm>${id}T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
${balance('OPBD', opening)}${balance('CLBD', closing)}
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${id}</Dt></BookgDt><AcctSvcrRef>${id}-1</AcctSvcrRef></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
  return { of: 'bank', name, text, reader: CAMT_053 };
}

const monday = camt('monday.xml', { id: '2026-11-16', opening: '0.00', amount: '10.00', closing: '10.00' });
const tuesday = camt('tuesday.xml', { id: '2026-11-17', opening: '10.00', amount: '5.00', closing: '15.00' });
const wednesday = camt('wednesday.xml', {
  id: '2026-11-18',
  opening: '15.00',
  amount: '1.00',
  closing: '16.00',
});

const gaps = (lines: readonly string[]) => lines.filter((one) => one.startsWith('balance_gap'));

describe('a chain of statements', () => {
  test('has a gap while one of them is missing, and none when it has come', async () => {
    expect(gaps(told(await reconciling(sandbox, [wednesday, monday])))).toEqual([
      'balance_gap 2026-11-18 EUR 10.00 15.00',
    ]);
    expect(gaps(told(await reconciling(sandbox, [tuesday])))).toEqual([]);
  });

  test('a corrected statement takes the place of the first, whichever came first', async () => {
    const wrong = camt('tuesday-first.xml', {
      id: '2026-11-17',
      opening: '10.00',
      amount: '4.00',
      closing: '15.00',
      made: '2026-11-17T05:00:00Z',
    });
    const before = await reconciling(sandbox, [monday, wrong]);
    expect(gaps(told(before))).toEqual(['balance_gap 2026-11-17 EUR 14.00 15.00']);
    const corrected = await reconciling(sandbox, [tuesday]);
    expect(gaps(told(corrected))).toEqual([]);
    const other = await Sandbox.make();
    try {
      const all = await reconciling(other, [tuesday, wrong, monday]);
      expect(told(all)).toEqual(told(corrected));
      expect(all.comparisons).toEqual(corrected.comparisons);
    } finally {
      await other.remove();
    }
  });
});

const SHARED = new URL('../../../shared/data/', import.meta.url);

describe.skipIf(!existsSync(SHARED))('real files', () => {
  const shared = (path: string, reader: Said['reader'], of: Said['of'] = 'balance'): Said => ({
    of,
    name: path.split('/').at(-1)!,
    text: readFileSync(new URL(path, SHARED), 'utf8'),
    ...(reader === undefined ? {} : { reader }),
  });
  const profile = (name: string) => CSV_READERS.find((one) => one.name === name);

  test('a stated closing balance that is 54.00 off', async () => {
    const file = shared('iso20022/camt053/genkgo/camt053.v8.xml', CAMT_053, 'bank');
    const document = await reconciling(sandbox, [file]);
    const gap = document.breaks.find(({ kind }) => kind === 'balance_gap');
    expect([gap?.ledger, gap?.statement, gap?.difference]).toEqual(['27.00', '-27.00', '-54.00']);
  });

  test('Mercado Pago: gross, fees and net', async () => {
    const file = shared('settlement/mercadopago/settlement_report_docs_sample.csv', profile('mercadopago'));
    const [brl] = (await reconciling(sandbox, [file])).waterfall;
    expect(brl!.steps.map(({ name, amount }) => `${name} ${amount}`)).toEqual([
      'Payments 5460.00',
      'Fees kept back -611.54',
      'Net of fees 4848.46',
    ]);
  });
});
