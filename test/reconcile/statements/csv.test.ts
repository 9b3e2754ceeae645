import { describe, expect, test } from 'vitest';
import type { MappingInput } from '../../../src/reconcile/statements/mapping.ts';
import { mapped, read, readWhole, refusal } from './csv-support.ts';

const HEADER = 'ref,day,currency,gross';

describe('lines', () => {
  test('have the physical line, whatever the line ends', async () => {
    const content = `${HEADER}\r\nA,2026-11-20,EUR,1\n\n"B\r\nb",2026-11-20,eur,2\rC,2026-11-20,Eur,3`;
    const { lines } = await read(content);
    expect(
      lines.map(({ line, references, currency, gross }) => [line, references[0], currency, gross]),
    ).toEqual([
      [2, 'A', 'EUR', 100],
      [4, 'B\r\nb', 'EUR', 200],
      [6, 'C', 'EUR', 300],
    ]);
  });

  test('the header may have any case and spaces, and cells too many as long as they are empty', async () => {
    const { lines } = await read(' REF ,Day,CURRENCY, Gross\nA,2026-11-20, EUR , 1.5 ,,\n');
    expect(lines).toMatchObject([{ references: ['A'], gross: 150, net: 150, fee: 0, booked: '2026-11-20' }]);
  });

  test('a file with nothing but its header is a statement without lines', async () => {
    expect((await read(HEADER)).lines).toEqual([]);
  });

  test.each([
    ['a byte order mark', Buffer.from(`\ufeff${HEADER}\nA,2026-11-20,EUR,1\n`)],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}\nA,2026-11-20,EUR,1\n`, 'utf16le')],
    ["Excel's sep line", `sep=,\n${HEADER}\nA,2026-11-20,EUR,1\n`],
  ])('are read with %s', async (_, content) => {
    expect((await read(content)).lines).toMatchObject([{ gross: 100 }]);
  });

  test.each([
    ['a number of lines', 3, 'Report "x\r\n\r\nnothing,at,all\r'],
    ['whatever comes before the header', 'until header' as const, 'Report "x\n"gross,currency\n'],
  ])('a preamble: %s', async (_, preamble, before) => {
    const { lines } = await read(`${before}${HEADER}\nA,2026-11-20,EUR,1\n`, { preamble });
    expect(lines).toMatchObject([{ line: before.split(/\r\n|\n|\r/).length + 1, gross: 100 }]);
  });

  test('a preamble that ends with the first piece of the file, between the halves of a line end', async () => {
    const before = 65_536 - HEADER.length - 1;
    const content = `${'x'.repeat(before - 2)}\r\n${HEADER}\r\nA,2026-11-20,EUR,1\r\n`;
    expect(content.indexOf('\r\nA')).toBe(65_535);
    expect((await read(content, { preamble: 1 })).lines).toMatchObject([{ line: 3, gross: 100 }]);
    expect((await read(content, { preamble: 'until header' })).lines).toMatchObject([
      { line: 3, gross: 100 },
    ]);
  });

  test('of several delimiters, the one that makes the columns', async () => {
    const content = 'ref;day;currency;gross\n"A,B";2026-11-20;EUR;1\n';
    const { lines } = await read(content, { delimiter: [',', 'tab', ';'] });
    expect(lines).toMatchObject([{ references: ['A,B'], gross: 100 }]);
  });

  test('of a file without header', async () => {
    const columns = ['ref', 'day', 'currency', 'gross'];
    const { lines } = await read('note\nA,2026-11-20,EUR,1\n', { recognise: [], columns, preamble: 1 });
    expect(lines).toMatchObject([{ line: 2, references: ['A'], gross: 100 }]);
  });

  test('the last records are none, where the mapping says so', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => `R${index},2026-11-20,EUR,${index}\n`).join('');
    const { lines, end } = await read(`${HEADER}\n${rows}Total,,EUR,10\nEnd\n`, {
      footer: { records: 2 },
      totals: [
        {
          first_cell: ['total'],
          currency: { cell: 'currency' },
          net: [{ cell: 'gross' }],
          closing: { cell: 4 },
        },
      ],
    });
    expect(lines).toHaveLength(5);
    expect(end).toMatchObject({
      totals: [{ currency: 'EUR', amount: 1000 }],
      closing: { currency: 'EUR', amount: 1000 },
    });
  });

  test('what is named of a line', async () => {
    const content =
      'ref,order,day,value,currency,gross,payout,note\nA,A,2026-11-20,2026-11-22,JPY,5,P1,x\n,,2026-11-20,,JPY,5,,\n';
    const { lines } = await read(content, {
      references: ['ref', 'order', { column: 'absent', optional: true }],
      id: ['ref', 'payout'],
      group: 'payout',
      valued: 'value',
      text: ['note', 'payout'],
    });
    expect(lines).toMatchObject([
      { references: ['A'], id: 'A|P1', group: 'P1', valued: '2026-11-22', text: 'x · P1', gross: 5 },
      { references: [], id: undefined, group: undefined, valued: undefined, text: '' },
    ]);
  });

  test('a day that is not there can be unknown', async () => {
    const booked = { column: 'day', empty: 'unknown' as const };
    expect((await read(`${HEADER}\nA,,EUR,1\n`, { booked })).lines).toMatchObject([{ booked: '' }]);
  });
});

describe('errors name file, line and column', () => {
  test.each<[string, string, Partial<MappingInput>, number, string | undefined, string]>([
    ['an amount', 'A,2026-11-20,EUR,"1,50"', {}, 3, 'gross', '"1,50" is no amount with a decimal dot'],
    ['no amount', 'A,2026-11-20,EUR,', {}, 3, 'gross', 'there is no amount'],
    ['decimals', 'A,2026-11-20,JPY,1.5', {}, 3, 'gross', '"1.5" has more decimals than JPY has (0)'],
    ['too large', 'A,2026-11-20,EUR,99999999999999', {}, 3, 'gross', 'is above 999999999999999 minor units'],
    ['minor units', 'A,2026-11-20,EUR,1.5', { amounts: 'minor' }, 3, 'gross', 'is no amount in minor units'],
    [
      'a day',
      'A,2026-02-30,EUR,1',
      {},
      3,
      'day',
      '"2026-02-30" is not exactly one day of the calendar, written as iso',
    ],
    ['no day', 'A,,EUR,1', {}, 3, 'day', 'there is no day, written as iso'],
    ['a value day', 'x,2026-11-20,EUR,1', { valued: 'ref' }, 3, 'ref', '"x" is not exactly one day'],
    ['a currency', 'A,2026-11-20,EURO,1', {}, 3, 'currency', '"EURO" is no active ISO 4217 currency'],
    ['no currency', 'A,2026-11-20,,1', {}, 3, 'currency', '"" is no active ISO 4217 currency'],
    [
      'a kind',
      'A,2026-11-20,EUR,1',
      { kind: { column: 'ref', words: { b: 'fee' } } },
      3,
      'ref',
      '"A" is no kind of movement that the mapping knows',
    ],
    [
      'a direction',
      'A,2026-11-20,EUR,1',
      { direction: { column: 'ref', credit: ['CR'], debit: ['DR'] } },
      3,
      'ref',
      '"A" says neither credit nor debit',
    ],
    [
      'a sign too many',
      'A,2026-11-20,EUR,-1',
      { direction: { debit_kinds: ['refund'] } },
      3,
      'gross',
      '"-1" has a sign, but its direction is said elsewhere',
    ],
    [
      'credit and debit',
      '5,2026-11-20,EUR,1',
      { gross: { credit: 'gross', debit: 'ref' } },
      3,
      'gross',
      'there is a credit and a debit (ref) at once',
    ],
    [
      'neither credit nor debit',
      ',2026-11-20,EUR,',
      { gross: { credit: 'gross', debit: 'ref' } },
      3,
      'gross',
      'there is neither a credit nor a debit (ref)',
    ],
    ['few cells', 'A,2026-11-20,EUR', {}, 3, undefined, 'it has 3 cells under 4 columns'],
    ['many cells', 'A,2026-11-20,EUR,1,2', {}, 3, undefined, 'it has 5 cells under 4 columns'],
    ['a quote', 'A,2026-11-20,E"UR,1', {}, 3, 'currency', 'a quote stands inside an unquoted cell'],
    [
      'a total',
      'Total,,,1x',
      { totals: [{ first_cell: ['Total'], currency: { constant: 'EUR' }, net: [{ cell: 'gross' }] }] },
      3,
      'gross',
      '"1x" is no amount',
    ],
    [
      'a total without currency',
      'Total,,,1',
      { totals: [{ first_cell: ['Total'], net: [{ cell: 'gross' }] }] },
      3,
      undefined,
      'the mapping says no currency of its totals',
    ],
    [
      'the currency of a total',
      'Total,,XXX,1',
      { totals: [{ first_cell: ['Total'], currency: { cell: 3 }, credits: { cell: 4 } }] },
      3,
      'currency',
      '"XXX" is no active ISO 4217 currency',
    ],
    [
      'a count',
      'Total,,,many',
      { totals: [{ first_cell: ['Total'], count: { cell: 4 } }] },
      3,
      'gross',
      '"many" is no count',
    ],
  ])('%s', async (_, row, changes, line, column, message) => {
    const error = await refusal(`${HEADER}\n\n${row}\n`, changes);
    expect(error.message).toContain(message);
    expect(error.message).toContain('statement.csv');
    expect([error.line, error.column]).toEqual([line, column]);
  });

  test.each<[string, string | Buffer, Partial<MappingInput>, number | undefined, string | undefined, string]>(
    [
      [
        'missing columns',
        'ref,gross,currency\n',
        { valued: 'v' },
        1,
        'day',
        'the mapping needs "day", "v", but there is only ref, gross, currency',
      ],
      [
        'a missing column that recognises',
        'ref,day,gross\n',
        {},
        1,
        'currency',
        'the mapping needs "currency"',
      ],
      [
        'a doubled column',
        'day,gross,currency,Gross\n',
        {},
        1,
        'gross',
        'there are two columns of this name',
      ],
      [
        'no header',
        '',
        {},
        undefined,
        undefined,
        'there is no header with the columns of test: "gross", "currency"',
      ],
      [
        'no header to find',
        'a\nb\n',
        { preamble: 'until header' },
        undefined,
        undefined,
        'there is no header',
      ],
      [
        'a preamble longer than the file',
        `${HEADER}\n`,
        { preamble: 5 },
        undefined,
        undefined,
        'there is no header',
      ],
      ['bytes', Buffer.from(`${HEADER}\nA,2026-11-20,EUR,\xff\n`, 'latin1'), {}, 2, '18', 'is not utf-8'],
      ['a compressed file', Buffer.from('1f8b0800000000000000', 'hex'), {}, undefined, undefined, 'gzip'],
      ['a record without end', `${HEADER}\n"${'x'.repeat(70_000)}`, {}, 2, 'ref', 'line 2'],
    ],
  )('%s', async (_, content, changes, line, column, message) => {
    const error = await refusal(content, changes);
    expect(error.message).toContain(message);
    expect(error.message).toContain('statement.csv');
    expect([error.line, error.column]).toEqual([line, column]);
  });

  test('columns of a file without header that are missing have no line', async () => {
    const error = await refusal('A,1\n', { recognise: [], columns: ['ref', 'gross'] });
    expect([error.line, error.column]).toEqual([undefined, 'currency']);
    expect(error.message).toBe(
      'statement.csv, column "currency": the mapping needs "currency", "day", but there is only ref, gross.',
    );
  });

  test('of a file that is not there, the error of the machine', async () => {
    await expect(readWhole('/nowhere/statement.csv', mapped())).rejects.toThrow('ENOENT');
  });
});
