/** What should be seen at the bank, against what the bank says. */
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BankLine, type Due, matchBank } from '../../src/reconcile/bank.ts';
import { matchByDay } from '../../src/reconcile/by-day.ts';
import { NOON, Sandbox } from '../support/ledger.ts';
import { reconciling, saying, told } from '../support/reconciling.ts';

const due = (name: string, amount: number, more: Partial<Due> = {}): Due => ({
  name,
  is: 'payout',
  references: [name],
  currency: 'USD',
  amount,
  day: '2026-11-20',
  ...more,
});

const line = (key: number, gross: number, more: Partial<BankLine> = {}): BankLine => ({
  key,
  number: key,
  references: [],
  text: '',
  currency: 'USD',
  gross,
  booked: '2026-11-21',
  ...more,
});

function verdict(dues: readonly Due[], lines: readonly BankLine[], window = 5): readonly string[] {
  const { matches, findings } = matchBank(dues, lines, window);
  return [
    ...matches.map(
      (match) =>
        `${match.rule}: ${match.dues.map(({ name }) => name).join('+')} = ${match.lines.map(({ key }) => key).join('+')}`,
    ),
    ...findings.map((one) => `${one.kind}: ${one.due?.name ?? '–'} / ${one.line?.key ?? '–'}`),
  ].toSorted();
}

describe('a bank line', () => {
  test.each<[string, readonly Due[], readonly BankLine[], readonly string[]]>([
    ['names a payout', [due('P1', -500)], [line(1, -500, { references: ['P1'] })], ['reference: P1 = 1']],
    [
      'names it in its text',
      [due('po_12345', 500)],
      [line(1, 500, { text: 'STRIPE po_12345 SETTLEMENT' })],
      ['reference: po_12345 = 1'],
    ],
    [
      'names the file of several payouts, and is their sum',
      [due('P1', -500, { references: ['P1', 'B1'] }), due('P2', -300, { references: ['P2', 'B1'] })],
      [line(1, -800, { references: ['B1'] })],
      ['entries add up: P1+P2 = 1'],
    ],
    [
      'names the file, after one of its payouts was named alone',
      [
        due('P1', -500, { references: ['P1', 'B1'] }),
        due('P2', -300, { references: ['P2', 'B1'] }),
        due('P3', -200, { references: ['P3', 'B1'] }),
      ],
      [line(1, -500, { references: ['B1'] }), line(2, -500, { references: ['P1'] })],
      ['entries add up: P2+P3 = 1', 'reference: P1 = 2'],
    ],
    [
      'has another amount',
      [due('P1', -500)],
      [line(1, -501, { references: ['P1'] })],
      ['amount_differs: P1 / 1'],
    ],
    [
      'has the amount and a near day, and nothing else could be meant',
      [due('P1', -500)],
      [line(1, -500, { references: ['NOTPROVIDED'] })],
      ['amount and day: P1 = 1'],
    ],
    [
      'could be either of two',
      [due('P1', -500), due('P2', -500)],
      [line(1, -500)],
      ['ambiguous: P1 / –', 'ambiguous: P2 / –', 'ambiguous: – / 1'],
    ],
    [
      'comes too late to be told by its day',
      [due('P1', -500)],
      [line(1, -500, { booked: '2026-11-26' })],
      ['missing_in_ledger: – / 1', 'missing_in_statement: P1 / –'],
    ],
    [
      'takes the day of the week that fits, where amounts return',
      [due('P1', -500, { day: '2026-11-01' }), due('P2', -500, { day: '2026-11-20' })],
      [line(1, -500, { booked: '2026-11-21' }), line(2, -500, { booked: '2026-11-02' })],
      ['amount and day: P1 = 2', 'amount and day: P2 = 1'],
    ],
    [
      'is there twice',
      [due('P1', -500)],
      [line(1, -500, { references: ['P1'] }), line(2, -500, { references: ['P1'] })],
      ['duplicate_in_statement: – / 2', 'reference: P1 = 1'],
    ],
  ])('%s', (_, dues, lines, expected) => {
    expect(verdict(dues, lines)).toEqual([...expected].sort());
  });
});

const anyDue = fc.record({
  currency: fc.constantFrom('USD', 'EUR'),
  amount: fc.constantFrom(100, 200),
  day: fc.constantFrom('2026-11-10', '2026-11-12', '2026-11-15', '2026-11-20', '2026-11-30'),
});

const anyLine = fc.record({
  currency: fc.constantFrom('USD', 'EUR'),
  gross: fc.constantFrom(100, 200),
  booked: fc.constantFrom('2026-11-10', '2026-11-13', '2026-11-17', '2026-11-20', '2026-11-30', ''),
});

describe('by amount and day', () => {
  test('a pair is taken only when neither could mean another, and nothing is lost', () => {
    fc.assert(
      fc.property(fc.array(anyDue), fc.array(anyLine), fc.nat(6), (entries, lines, window) => {
        const reach = (entry: (typeof entries)[number], one: (typeof lines)[number]) =>
          one.booked !== '' &&
          entry.currency === one.currency &&
          entry.amount === one.gross &&
          Math.abs(Date.parse(entry.day) - Date.parse(one.booked)) <= window * 86_400_000;
        const found = matchByDay(entries, lines, window);
        for (const { entry, line: one } of found.matches) {
          expect(lines.filter((other) => reach(entry, other))).toEqual([one]);
          expect(entries.filter((other) => reach(other, one))).toEqual([entry]);
        }
        for (const entry of found.entries) expect(lines.some((one) => reach(entry, one))).toBe(false);
        for (const one of found.lines) expect(entries.some((entry) => reach(entry, one))).toBe(false);
        for (const cluster of found.unclear) {
          for (const entry of cluster.entries)
            expect(cluster.lines.some((one) => reach(entry, one))).toBe(true);
          expect(cluster.entries.length + cluster.lines.length).toBeGreaterThan(2);
        }
        const all = [
          ...found.entries,
          ...found.matches.map(({ entry }) => entry),
          ...found.unclear.flatMap((cluster) => cluster.entries),
        ];
        expect(new Set(all)).toEqual(new Set(entries));
        expect(all).toHaveLength(entries.length);
      }),
    );
  });
});

describe('the way of the money', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await Sandbox.make();
    await sandbox.given({
      id: 'T1',
      amount: 10_000,
      state: 'partially_refunded',
      refunded: 3000,
      at: NOON,
    });
  });

  afterEach(() => sandbox.remove());

  const settlement = {
    name: 'settlement.csv',
    text: saying(
      { reference: 'T1', gross: '100.00', fee: '2.00', payout: 'po_1' },
      { reference: 'T1', gross: '-30.00', payout: 'po_1' },
      { kind: 'chargeback', reference: 'T2', gross: '-10.00', fee: '15.00', payout: 'po_1' },
      { kind: 'reserve', gross: '-3.00', payout: 'po_1' },
      { kind: 'payout', reference: 'po_1', gross: '-40.00', payout: 'po_1' },
    ),
  };
  const bank = {
    of: 'bank' as const,
    name: 'bank.csv',
    text: saying({ kind: 'transfer', gross: '40.00', day: '2026-11-22', text: 'ACQUIRER PAYOUT' }),
  };

  test('from gross to the bank’s credit, step by step', async () => {
    const document = await reconciling(sandbox, [settlement, bank]);
    expect(told(document)).toEqual(['missing_in_ledger T2 USD – -10.00']);
    expect(document.waterfall).toEqual([
      {
        currency: 'USD',
        steps: [
          { name: 'Payments', amount: '100.00', lines: 1, is: 'part' },
          { name: 'Refunds', amount: '-30.00', lines: 1, is: 'part' },
          { name: 'Chargebacks', amount: '-10.00', lines: 1, is: 'part' },
          { name: 'Gross', amount: '60.00', lines: 3, is: 'sum' },
          { name: 'Fees kept back', amount: '-17.00', lines: 0, is: 'part' },
          { name: 'Reserve', amount: '-3.00', lines: 1, is: 'part' },
          { name: 'Net of fees', amount: '40.00', lines: 4, is: 'sum' },
          { name: 'Left with the acquirer', amount: '0.00', lines: 0, is: 'part' },
          { name: 'Paid out', amount: '40.00', lines: 1, is: 'sum' },
          { name: 'Not seen at the bank', amount: '0.00', lines: 0, is: 'part' },
          { name: 'Credited by the bank', amount: '40.00', lines: 1, is: 'sum' },
        ],
      },
    ]);
    expect(document.payouts).toEqual([
      {
        reference: 'po_1',
        currency: 'USD',
        day: '2026-11-20',
        lines: 4,
        parts: { chargeback: '-25.00', payment: '98.00', refund: '-30.00', reserve: '-3.00' },
        calculated: '40.00',
        stated: '40.00',
        residual: '0.00',
        credited: '2026-11-22',
      },
    ]);
  });

  test('a payout that is not what its lines add up to leaves a residual', async () => {
    const short = { ...settlement, text: settlement.text.replace('-40.00', '-39.50') };
    const document = await reconciling(sandbox, [short]);
    expect(told(document)).toContain('control_total po_1 USD 40.00 39.50');
    expect(document.payouts[0]).toMatchObject({ stated: '39.50', residual: '-0.50', credited: null });
    expect(document.breaks.find(({ kind }) => kind === 'control_total')?.difference).toBe('-0.50');
  });

  test('a payout that the bank has not credited, and a credit that nobody expects', async () => {
    const other = { ...bank, text: bank.text.replace('40.00', '41.00') };
    const document = await reconciling(sandbox, [settlement, other], { terms: { bankLag: 3 } });
    expect(told(document)).toEqual([
      'expected missing_in_statement po_1 USD 40.00 –',
      'missing_in_ledger T2 USD – -10.00',
      'missing_in_ledger – USD – 41.00',
    ]);
    const ofBank = document.comparisons.find(({ side }) => side === 'bank')!;
    expect([ofBank.ledger.expected, ofBank.statement.open]).toEqual(['40.00', '41.00']);
  });

  test('a list of payouts says it from the merchant’s side, and agrees', async () => {
    const list = {
      of: 'payouts' as const,
      text: saying({ kind: 'payout', reference: 'po_1', payout: 'po_1', gross: '40.00' }),
    };
    const document = await reconciling(sandbox, [settlement, list, bank]);
    expect(document.payouts).toHaveLength(1);
    expect(told(document)).toEqual(['missing_in_ledger T2 USD – -10.00']);
  });

  test('the ledger’s own payouts leave the account', async () => {
    const file = await sandbox.run(
      'payout.csv',
      [
        'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban',
        'P1,SWIFT,USD,USD,20.00,COMPANY,Acme,GB29NWBK60161331926819',
        'P2,SWIFT,USD,USD,15.00,COMPANY,Acme,GB29NWBK60161331926819',
        '',
      ].join('\n'),
    );
    expect(file.lines.succeeded).toBe(2);
    const out = {
      of: 'bank' as const,
      text: saying({ kind: 'transfer', reference: 'P1', gross: '-20.00' }),
    };
    const document = await reconciling(sandbox, [out]);
    expect(told(document)).toEqual(['missing_in_statement P2 USD -15.00 –']);
    const whole = {
      of: 'bank' as const,
      text: saying({ kind: 'transfer', reference: file.batch, gross: '-15.00' }),
    };
    expect(told(await reconciling(sandbox, [whole]))).toEqual([]);
  });
});
