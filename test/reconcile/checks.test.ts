/** A statement against itself: what it states is what its lines add up to, or it is told which figure is not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Money } from '../../src/core/money.ts';
import { type Contradiction, chainGap, StatementCheck } from '../../src/reconcile/checks.ts';
import type {
  StatementEnd,
  StatementHeader,
  StatementLine,
  StatementPart,
} from '../../src/reconcile/statement.ts';

const HEADER: StatementHeader = {
  id: 'S1',
  account: 'DE89',
  period: undefined,
  sequence: undefined,
  made: undefined,
  opening: undefined,
};
const END: StatementEnd = { closing: undefined, count: undefined, totals: [], credits: [], debits: [] };
const eur = (amount: number) => ({ currency: 'EUR', amount });

function lineOf(line: number, net: number, change: Partial<StatementLine> = {}): StatementLine {
  return {
    line,
    kind: 'transfer',
    currency: 'EUR',
    gross: net,
    fee: 0,
    net,
    references: [],
    id: undefined,
    group: undefined,
    booked: '2026-11-20',
    valued: undefined,
    text: '',
    ...change,
  };
}

function told(found: readonly Contradiction[]): readonly string[] {
  return found.map(
    ({ kind, what, currency, stated, calculated, line }) =>
      `${kind}: ${what}${line === undefined ? '' : ` ${line}`} ${stated} instead of ${calculated}${currency === undefined ? '' : ` ${currency}`}`,
  );
}

function check(
  header: Partial<StatementHeader>,
  lines: readonly StatementLine[],
  end: Partial<StatementEnd>,
) {
  const one = new StatementCheck({ ...HEADER, ...header });
  one.take(lines);
  return told(one.end({ ...END, ...end }));
}

const LINES = [lineOf(1, 885), lineOf(2, -700), lineOf(3, 100, { currency: 'USD' })];

type Row = [
  what: string,
  header: Partial<StatementHeader>,
  end: Partial<StatementEnd>,
  found: readonly string[],
];

test.for<Row>([
  ['nothing stated', {}, {}, []],
  ['balances that add up', { opening: eur(1815) }, { closing: eur(2000) }, []],
  [
    'a closing balance that does not',
    { opening: eur(1815) },
    { closing: eur(-2000) },
    ['balance_gap: closing balance -2000 instead of 2000 EUR'],
  ],
  ['no opening balance: nothing to check', {}, { closing: eur(1) }, []],
  ['no closing balance: nothing to check', { opening: eur(1) }, {}, []],
  ['the right number of lines', {}, { count: 3 }, []],
  ['a wrong one', {}, { count: 4 }, ['control_total: number of lines 4 instead of 3']],
  ['totals of each currency', {}, { totals: [eur(185), { currency: 'USD', amount: 100 }] }, []],
  ['a wrong total', {}, { totals: [eur(186)] }, ['control_total: total 186 instead of 185 EUR']],
  [
    'a total of a currency that no line has',
    {},
    { totals: [{ currency: 'JPY', amount: 5 }] },
    ['control_total: total 5 instead of 0 JPY'],
  ],
  ['credits and debits apart', {}, { credits: [eur(885)], debits: [eur(700)] }, []],
  [
    'both wrong',
    {},
    { credits: [eur(884)], debits: [eur(701)] },
    ['control_total: credits 884 instead of 885 EUR', 'control_total: debits 701 instead of 700 EUR'],
  ],
])('%s', ([, header, end, found]) => {
  expect(check(header, LINES, end)).toEqual(found);
});

test('a line whose net is not its gross less its fee is named', () => {
  const lines = [lineOf(7, 95, { gross: 100, fee: 5 }), lineOf(8, 96, { gross: 100, fee: 5 })];
  expect(check({}, lines, {})).toEqual(['control_total: net of a line 8 96 instead of 95 EUR']);
});

describe('a chain of statements', () => {
  test.for<[string, number | undefined, number | undefined, readonly string[]]>([
    ['without a gap', 2700, 2700, []],
    ['with one', 2700, 2000, ['balance_gap: opening balance 2000 instead of 2700 EUR']],
    ['whose first has no end', undefined, 2000, []],
    ['whose second has no beginning', 2700, undefined, []],
  ])('%s', ([, closing, opening, found]) => {
    const money = (amount: number | undefined) => (amount === undefined ? undefined : eur(amount));
    expect(told(chainGap(money(closing), money(opening)))).toEqual(found);
  });

  test('in one file is checked from the first to the last', async () => {
    async function* parts(): AsyncGenerator<StatementPart> {
      yield { is: 'begin', header: { ...HEADER, opening: eur(1815) } };
      yield { is: 'lines', lines: [lineOf(1, 885)] };
      yield { is: 'end', end: { ...END, closing: eur(2700) } };
      yield { is: 'begin', header: { ...HEADER, opening: eur(2600) } };
      yield { is: 'lines', lines: [lineOf(1, -700)] };
      yield { is: 'end', end: { ...END, closing: eur(2000) } };
    }
    expect(told(await contradictions(parts()))).toEqual([
      'balance_gap: opening balance 2600 instead of 2700 EUR',
      'balance_gap: closing balance 2000 instead of 1900 EUR',
    ]);
  });
});

test('amounts add up exactly, however large and however many', () => {
  const amount = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 50 }), (amounts) => {
      const total = amounts.reduce((sum, one) => sum + BigInt(one), 0n);
      const lines = amounts.map((one, at) => lineOf(at + 1, one));
      const found = new StatementCheck({ ...HEADER, opening: eur(0) });
      found.take(lines);
      const [gap] = found.end({ ...END, closing: eur(1) });
      expect(gap?.calculated ?? 1n).toBe(total);
    }),
  );
});

/** Everything that the statements of one file contradict, in the order in which they come. */
async function contradictions(parts: AsyncIterable<StatementPart>): Promise<readonly Contradiction[]> {
  const found: Contradiction[] = [];
  let check: StatementCheck | undefined;
  let before: Money | undefined;
  for await (const part of parts) {
    switch (part.is) {
      case 'begin':
        check = new StatementCheck(part.header);
        found.push(...chainGap(before, part.header.opening));
        break;
      case 'lines':
        check?.take(part.lines);
        break;
      case 'end':
        found.push(...(check?.end(part.end) ?? []));
        before = part.end.closing;
    }
  }
  return found;
}
