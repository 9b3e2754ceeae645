import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf } from '../../../src/core/currency.ts';
import { formatAmount } from '../../../src/core/money.ts';
import type { LineKind } from '../../../src/reconcile/statement.ts';
import { csvReader } from '../../../src/reconcile/statements/csv.ts';
import { type MappingInput, mappingSchema } from '../../../src/reconcile/statements/mapping.ts';
import { read, readWhole, written } from './csv-support.ts';

describe('figures', () => {
  const SIX = 'day,currency,other,gross,fee,net\n';
  const STATED: Partial<MappingInput> = {
    gross: { column: 'gross' },
    fee: { column: 'fee', cost: 'positive' },
    net: { column: 'net' },
  };

  test.each<[string, Partial<MappingInput>, string, object]>([
    ['as stated, also when they contradict', STATED, 'EUR,,10,1,8', { gross: 1000, fee: 100, net: 800 }],
    ['gross derived', { ...STATED, gross: 'derived' }, 'EUR,,,1,8', { gross: 900, fee: 100, net: 800 }],
    ['fee derived', { ...STATED, fee: 'derived' }, 'EUR,,10,,8', { gross: 1000, fee: 200, net: 800 }],
    ['net derived', { ...STATED, net: 'derived' }, 'EUR,,-10,0.25,', { gross: -1000, fee: 25, net: -1025 }],
    [
      'costs below zero',
      { ...STATED, fee: { column: 'fee', cost: 'negative' } },
      'EUR,,10,-1,9',
      { gross: 1000, fee: 100, net: 900 },
    ],
    [
      'several fees',
      { ...STATED, fee: { columns: ['other', 'fee'], cost: 'positive' } },
      'EUR,0.5,10,,9.5',
      { gross: 1000, fee: 50, net: 950 },
    ],
    [
      'a gross in another currency is that of the line',
      { ...STATED, gross_currency: 'other' },
      'EUR,usd,99,1,8',
      { gross: 900, fee: 100, net: 800 },
    ],
    [
      'a gross in the same currency',
      { ...STATED, gross_currency: 'other' },
      'EUR,eur,9,1,8',
      { gross: 900, fee: 100, net: 800 },
    ],
    [
      'an empty one derived',
      { ...STATED, gross: { credit: 'gross', debit: 'other', empty: 'derived' } },
      'EUR,,,1,8',
      { gross: 900, fee: 100, net: 800 },
    ],
    ['minor units', { ...STATED, amounts: 'minor' }, 'JPY,,10,1,9', { gross: 10, fee: 1, net: 9 }],
  ])('%s', async (_, changes, row, figures) => {
    const { lines } = await read(`${SIX}2026-11-20,${row}\n`, { ...changes, references: [] });
    expect(lines).toMatchObject([figures]);
  });
});

/** A line as a source knows it. */
interface Known {
  readonly reference: string;
  readonly currency: string;
  readonly kind: LineKind;
  readonly gross: number;
  readonly fee: number;
}

const KINDS = ['payment', 'refund', 'fee'] as const;

const known: fc.Arbitrary<Known> = fc.record({
  reference: fc.stringMatching(/^[A-Za-z0-9 "',;é_-]{1,12}$/).map((text) => `r${text.trim()}`),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
  kind: fc.constantFrom(...KINDS),
  gross: fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
  fee: fc.integer({ min: -99_999_999, max: 99_999_999 }),
});

/** What kinds of lines go which way where their kind says it. */
const byKind = (line: Known): Known => ({
  ...line,
  gross: line.kind === 'payment' ? Math.abs(line.gross) : line.gross === 0 ? 0 : -Math.abs(line.gross),
});

type Write = (line: Known, decimal: (minor: number) => string) => readonly string[];

/** Every sign rule: the columns it needs, how a source writes them, what the mapping says. */
const RULES: readonly [
  name: string,
  columns: readonly string[],
  write: Write,
  says: Partial<MappingInput>,
][] = [
  [
    'signed',
    ['g', 'f', 'n'],
    ({ gross, fee }, decimal) => [decimal(gross), decimal(fee), decimal(gross - fee)],
    {
      direction: 'signed',
      gross: { column: 'g' },
      fee: { column: 'f', cost: 'positive' },
      net: { column: 'n' },
    },
  ],
  [
    'costs below zero',
    ['g', 'f', 'n'],
    ({ gross, fee }, decimal) => [decimal(gross), decimal(-fee), ''],
    { direction: 'signed', gross: { column: 'g' }, fee: { column: 'f', cost: 'negative' }, net: 'derived' },
  ],
  [
    'columns with words',
    ['d', 'g', 'fd', 'f'],
    ({ gross, fee }, decimal) => [
      gross < 0 ? 'DR' : 'cr',
      decimal(Math.abs(gross)),
      fee > 0 ? 'DR' : 'CR',
      decimal(Math.abs(fee)),
    ],
    {
      direction: { column: 'd', credit: ['CR'], debit: ['DR'] },
      gross: { column: 'g' },
      fee: { column: 'f', direction: { column: 'fd', credit: ['CR'], debit: ['DR'] } },
      net: 'derived',
    },
  ],
  [
    'two columns',
    ['gc', 'gd', 'nc', 'nd'],
    ({ gross, fee }, decimal) => [...twoOf(gross, decimal), ...twoOf(gross - fee, decimal)],
    {
      direction: 'signed',
      gross: { credit: 'gc', debit: 'gd' },
      fee: 'derived',
      net: { credit: 'nc', debit: 'nd' },
    },
  ],
  [
    'by kind',
    ['g', 'f'],
    ({ gross, fee }, decimal) => [decimal(Math.abs(gross)), decimal(fee)],
    {
      direction: { debit_kinds: ['refund', 'fee'] },
      gross: { column: 'g' },
      fee: { column: 'f', cost: 'positive' },
      net: 'derived',
    },
  ],
];

function twoOf(amount: number, decimal: (minor: number) => string): readonly string[] {
  return amount < 0 ? ['', decimal(-amount)] : [decimal(amount), ''];
}

describe('a written line comes back exactly', () => {
  const styles = fc.record({
    minor: fc.boolean(),
    comma: fc.boolean(),
    delimiter: fc.constantFrom(';', '\t', '|'),
    preamble: fc.constantFrom(0, 2),
  });

  test.each(RULES)('%s', async (name, columns, write, says) => {
    await fc.assert(
      fc.asyncProperty(fc.array(known, { maxLength: 20 }), styles, async (drawn, style) => {
        const source = name === 'by kind' ? drawn.map(byKind) : drawn;
        const rows = source.map((line) => {
          const digits = digitsOf(line.currency)!;
          const decimal = (minor: number) =>
            style.minor ? String(minor) : formatAmount(minor, digits).replace('.', style.comma ? ',' : '.');
          return [line.reference, line.currency, line.kind, '20/11/2026', ...write(line, decimal)];
        });
        const header = ['Reference', 'CURRENCY', 'kind', 'day', ...columns];
        const text = stringify([header, ...rows], { delimiter: style.delimiter });
        const mapping = mappingSchema.parse({
          name: 'test',
          recognise: ['reference', 'kind'],
          delimiter: [',', style.delimiter],
          preamble: style.preamble,
          amounts: style.minor ? 'minor' : 'decimal',
          decimal: style.comma ? 'comma' : 'dot',
          currency: { column: 'currency' },
          kind: { column: 'kind', words: Object.fromEntries(KINDS.map((kind) => [kind, kind])) },
          dates: 'dd/MM/yyyy',
          booked: { column: 'day' },
          references: ['reference'],
          ...says,
        });
        const path = written(`${'about "this\n'.repeat(style.preamble)}${text}`);
        const { lines } = await readWhole(path, csvReader(mapping));
        expect(lines).toEqual(
          source.map(({ reference, currency, kind, gross, fee }, index) => ({
            line: style.preamble + index + 2,
            kind,
            currency,
            gross,
            fee,
            net: gross - fee,
            references: [reference],
            id: undefined,
            group: undefined,
            booked: '2026-11-20',
            valued: undefined,
            text: '',
          })),
        );
      }),
      { numRuns: 60 },
    );
  });
});
