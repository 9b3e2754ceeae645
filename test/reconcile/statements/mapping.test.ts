import { describe, expect, test } from 'vitest';
import { Unreadable } from '../../../src/files/unreadable.ts';
import { csvReader } from '../../../src/reconcile/statements/csv.ts';
import { parseMapping } from '../../../src/reconcile/statements/mapping.ts';
import { readWhole, written } from './csv-support.ts';

const SPARKASSE = `
name: my-acquirer
recognise: [Beleg, Betrag, Soll/Haben]
encoding: windows-1252
delimiter: semicolon
preamble: 2
footer: { first_cell: ['Summe*'] }
comment: '#*'
ignore:
  - { column: Status, words: [vorgemerkt] }
amounts: decimal
decimal: comma
thousands: dot
direction: { column: Soll/Haben, credit: [H], debit: [S] }
gross: { column: Betrag }
fee: { column: Gebühr, cost: negative, empty: zero }
net: derived
currency: { constant: EUR }
kind: { column: Art, words: { Zahlung: payment, Gutschrift: refund } }
dates: dd.MM.yyyy
booked: { column: Buchungstag }
references: [Beleg, { column: Verwendungszweck, optional: true }]
account: { constant: MERCHANT-1 }
totals:
  - first_cell: ['Summe*']
    currency: { constant: EUR }
    net: [{ cell: Betrag }]
    count: { cell: 3 }
`;

test('a mapping in YAML reads the file that it describes', async () => {
  const content = [
    'Abrechnung "November',
    '',
    'Beleg;Buchungstag;Status;Art;Soll/Haben;Betrag;Gebühr',
    'A-1;20.11.2026;gebucht;Zahlung;H;1.234,50;-12,30',
    '# das; ist; nichts',
    'A-2;21.11.2026;vorgemerkt;Zahlung;H;5,00;',
    'A-3;21.11.2026;gebucht;gutschrift;S;34,50;',
    'Summe aller;;2;;;1.187,70',
  ].join('\r\n');
  const reader = csvReader(parseMapping(SPARKASSE, 'my.yaml'));
  const { header, lines, end } = await readWhole(written(Buffer.from(content, 'latin1')), reader);
  expect(header.account).toBe('MERCHANT-1');
  expect(lines).toEqual([
    {
      line: 4,
      kind: 'payment',
      currency: 'EUR',
      gross: 123450,
      fee: 1230,
      net: 122220,
      references: ['A-1'],
      id: undefined,
      group: undefined,
      booked: '2026-11-20',
      valued: undefined,
      text: '',
    },
    {
      line: 7,
      kind: 'refund',
      currency: 'EUR',
      gross: -3450,
      fee: 0,
      net: -3450,
      references: ['A-3'],
      id: undefined,
      group: undefined,
      booked: '2026-11-21',
      valued: undefined,
      text: '',
    },
  ]);
  expect(end).toEqual({
    closing: undefined,
    count: 2,
    totals: [{ currency: 'EUR', amount: 118770 }],
    credits: [],
    debits: [],
  });
});

describe('a mapping that cannot be used says which setting', () => {
  test.each([
    ['name: my-acquirer', 'name: My Acquirer', 'name: must be lower-case letters, digits and hyphens'],
    ['amounts: decimal', 'amounts: guess', 'amounts: '],
    ['amounts: decimal\n', '', 'amounts: '],
    ['thousands: dot', 'thousands: comma', 'thousands: must differ from the decimal mark'],
    ['encoding: windows-1252', 'encoding: klingon', 'encoding: must be the label of an encoding'],
    ['delimiter: semicolon', 'delimiter: xy', 'delimiter: must be one character'],
    ['dates: dd.MM.yyyy', 'dates: dd.mm.yyyy', 'dates: must have a year, a month and a day'],
    ['currency: { constant: EUR }', 'currency: { constant: EURO }', 'currency: must be an ISO 4217 code'],
    ['net: derived', 'net: derived\nsign: any', 'Unrecognized key: "sign"'],
    [
      'fee: { column: Gebühr, cost: negative, empty: zero }',
      'fee: { column: Gebühr }',
      'fee: must be { column',
    ],
    [
      'fee: { column: Gebühr, cost: negative, empty: zero }',
      'fee: derived',
      'gross: only one of gross, fee and net',
    ],
    ['gross: { column: Betrag }', 'gross: { credit: Haben }', 'gross: must be { column'],
    ['gross: { column: Betrag }', 'gross: { columns: [Betrag, Gebühr] }', 'direction: must be signed where'],
    ['dates: dd.MM.yyyy', 'dates: constructor', 'dates: has letters that stand for nothing'],
    ['credit: [H], debit: [S]', 'credit: [H]', 'direction: must be signed'],
    ['Zahlung: payment', 'Zahlung: paid', 'kind'],
    ['booked: { column: Buchungstag }', "booked: { constant: '2026-02-30' }", 'booked: must be a day'],
    ['recognise: [Beleg, Betrag, Soll/Haben]\n', '', 'recognise: must name columns'],
    ['preamble: 2', 'preamble: until header\ncolumns: [a, b]', 'preamble: must be a number'],
    ['net: derived', 'net: derived\ngross_currency: Fremd', 'gross_currency: needs a fee and a net'],
    ['name: my-acquirer', 'name: [', 'my.yaml is no YAML'],
  ])('%s → %s', (before, after, message) => {
    const yaml = SPARKASSE.replace(before, after);
    expect(yaml).not.toBe(SPARKASSE);
    expect(() => parseMapping(yaml, 'my.yaml')).toThrow(Unreadable);
    expect(() => parseMapping(yaml, 'my.yaml')).toThrow(message);
    expect(() => parseMapping(yaml, 'my.yaml')).toThrow(/^my\.yaml is no/);
  });
});
