/** What ledger and statement say under one reference: every entry and every line is explained once, in any order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type GroupVerdict,
  type LedgerEntry,
  type MatchedLine,
  matchGroup,
} from '../../src/reconcile/group.ts';

/** `100 USD` and so on, in minor units. */
const entriesOf = (...texts: readonly string[]): readonly LedgerEntry[] =>
  texts.map((text, key) => {
    const [amount, currency] = text.split(' ');
    return { key, amount: Number(amount), currency: currency!, at: 0 };
  });

const linesOf = (...texts: readonly string[]): readonly MatchedLine[] =>
  texts.map((text, key) => {
    const [gross, currency] = text.split(' ');
    return { key, gross: Number(gross), currency: currency!, booked: '2026-11-21' };
  });

const entryText = ({ amount, currency }: LedgerEntry) => `${amount} ${currency}`;
const lineText = ({ gross, currency }: MatchedLine) => `${gross} ${currency}`;

function told({ matches, findings }: GroupVerdict): readonly string[] {
  return [
    ...matches.map(
      ({ rule, entries, lines }) =>
        `${rule}: ${entries.map(entryText).join(' + ')} = ${lines.map(lineText).join(' + ')}`,
    ),
    ...findings.map(
      ({ kind, entry, line }) =>
        `${kind}: ${entry === null ? '-' : entryText(entry)} | ${line === null ? '-' : lineText(line)}`,
    ),
  ];
}

type Row = [
  what: string,
  ledger: readonly string[],
  statement: readonly string[],
  verdict: readonly string[],
];

test.for<Row>([
  ['the same', ['100 USD'], ['100 USD'], ['reference: 100 USD = 100 USD']],
  ['nothing in the statement', ['100 USD'], [], ['missing_in_statement: 100 USD | -']],
  ['nothing in the ledger', [], ['100 USD'], ['missing_in_ledger: - | 100 USD']],
  ['another amount', ['100 USD'], ['101 USD'], ['amount_differs: 100 USD | 101 USD']],
  ['another currency', ['100 USD'], ['100 EUR'], ['currency_differs: 100 USD | 100 EUR']],
  ['another currency and amount', ['100 USD'], ['90 EUR'], ['currency_differs: 100 USD | 90 EUR']],
  [
    'twice in the statement',
    ['100 USD'],
    ['100 USD', '100 USD'],
    ['reference: 100 USD = 100 USD', 'duplicate_in_statement: - | 100 USD'],
  ],
  [
    'twice in both',
    ['100 USD', '100 USD'],
    ['100 USD', '100 USD'],
    ['reference: 100 USD = 100 USD', 'reference: 100 USD = 100 USD'],
  ],
  [
    'a capture and its refund',
    ['100 USD', '-40 USD'],
    ['-40 USD', '100 USD'],
    ['reference: -40 USD = -40 USD', 'reference: 100 USD = 100 USD'],
  ],
  [
    'a refund that the acquirer has booked as a payment',
    ['-40 USD'],
    ['40 USD'],
    ['missing_in_statement: -40 USD | -', 'missing_in_ledger: - | 40 USD'],
  ],
  [
    'two captures settled as one',
    ['30 USD', '70 USD'],
    ['100 USD'],
    ['entries add up: 30 USD + 70 USD = 100 USD'],
  ],
  [
    'one capture settled in two parts',
    ['100 USD'],
    ['70 USD', '30 USD'],
    ['lines add up: 100 USD = 30 USD + 70 USD'],
  ],
  [
    'two captures settled as one, and too little',
    ['30 USD', '70 USD'],
    ['99 USD'],
    ['amount_differs: 30 USD | 99 USD', 'missing_in_statement: 70 USD | -'],
  ],
  [
    'what is the same is the same, whatever lies beside it',
    ['100 USD', '50 USD'],
    ['50 USD', '80 USD'],
    ['reference: 50 USD = 50 USD', 'amount_differs: 100 USD | 80 USD'],
  ],
])('%s', ([, ledger, statement, verdict]) => {
  expect(told(matchGroup(entriesOf(...ledger), linesOf(...statement)))).toEqual(verdict);
});

describe('for any entries and lines', () => {
  const money = fc
    .tuple(fc.integer({ min: -5, max: 5 }), fc.constantFrom('USD', 'EUR'))
    .filter(([amount]) => amount !== 0)
    .map(([amount, currency]) => `${amount} ${currency}`);
  const some = fc.array(money, { maxLength: 6 });

  test('each is explained exactly once', () => {
    fc.assert(
      fc.property(some, some, (ledger, statement) => {
        const { matches, findings } = matchGroup(entriesOf(...ledger), linesOf(...statement));
        const entries = [
          ...matches.flatMap((one) => one.entries),
          ...findings.flatMap(({ entry }) => entry ?? []),
        ];
        const lines = [...matches.flatMap((one) => one.lines), ...findings.flatMap(({ line }) => line ?? [])];
        expect(entries.map(({ key }) => key).sort()).toEqual(ledger.map((_, key) => key));
        expect(lines.map(({ key }) => key).sort()).toEqual(statement.map((_, key) => key));
      }),
    );
  });

  test('both sides of a match are the same money', () => {
    fc.assert(
      fc.property(some, some, (ledger, statement) => {
        for (const { entries, lines } of matchGroup(entriesOf(...ledger), linesOf(...statement)).matches) {
          const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
          expect(total(entries.map(({ amount }) => amount))).toBe(total(lines.map(({ gross }) => gross)));
          expect(new Set([...entries, ...lines].map(({ currency }) => currency)).size).toBe(1);
        }
      }),
    );
  });

  test('the order in which they come does not matter', () => {
    const shuffled = some.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, shuffled, ([ledger, ledgerAgain], [statement, statementAgain]) => {
        const one = told(matchGroup(entriesOf(...ledger), linesOf(...statement)));
        expect(told(matchGroup(entriesOf(...ledgerAgain), linesOf(...statementAgain)))).toEqual(one);
      }),
    );
  });
});
