import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guard } from '../../src/core/guard.ts';
import { fieldsOf, open, read, rejection, rowsOf } from './support.ts';

const HEADER = 'order_no,amount';

describe('rows', () => {
  const rows = [
    [2, { order_no: 'A', amount: '1' }],
    [3, { order_no: 'B', amount: '2' }],
  ];

  test.each([
    ['LF', `${HEADER}\nA,1\nB,2\n`],
    ['CRLF', `${HEADER}\r\nA,1\r\nB,2\r\n`],
    ['CR', `${HEADER}\rA,1\rB,2\r`],
    ['mixed', `${HEADER}\rA,1\r\nB,2\n`],
    ['no last line end', `${HEADER}\nA,1\nB,2`],
  ])('F8 %s', async (_, content) => {
    expect(await fieldsOf(content)).toEqual(rows);
  });

  test('F10 the line is the physical one where the record begins', async () => {
    const content = `${HEADER}\n"A\n1","x\r\ny"\r\n\r\n"B,2",2\r"C""\r3",3`;
    expect(await fieldsOf(content)).toEqual([
      [2, { order_no: 'A\n1', amount: 'x\r\ny' }],
      [6, { order_no: 'B,2', amount: '2' }],
      [7, { order_no: 'C"\r3', amount: '3' }],
    ]);
  });

  test.each([
    ['', 0, 0],
    ['\n\n', 0, 2],
    [HEADER, 0, 0],
    [`${HEADER}\n`, 0, 0],
    ['\ufeff', 0, 0],
  ])('F17 %j has no rows', async (content, rowCount, blank) => {
    const opened = await open(content);
    expect(opened.counts).toBeUndefined();
    expect(await rowsOf(opened)).toEqual([]);
    expect(opened.counts).toEqual({ rows: rowCount, blank });
  });

  test('F18 blank lines and rows of empty cells are counted, not read', async () => {
    const opened = await open(
      `\r\n;;\r\n${HEADER.replace(',', ';')}\r\n\r\nA;1\r\n;\r\n" ";"\t"\r\n;;;\r\n   \r\nB;2`,
    );
    expect((await rowsOf(opened)).map(({ line }) => line)).toEqual([5, 10]);
    expect(opened.counts).toEqual({ rows: 2, blank: 7 });
  });

  test('may be read as often as needed', async () => {
    const opened = await open(`${HEADER}\nA,1\n`);
    expect(await rowsOf(opened)).toEqual(await rowsOf(opened));
    expect(opened.counts).toEqual({ rows: 1, blank: 0 });
  });

  test('come in blocks', async () => {
    const opened = await open(`${HEADER}\n${'A,1\n'.repeat(2500)}`);
    const sizes: number[] = [];
    for await (const block of opened.rows()) sizes.push(block.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
  });
});

test.each(['00123', '1e5', '12345678901234567890', '1.50', ' A', 'A ', 'é'])(
  'F23 %j stays as it is',
  async (id) => {
    const [row] = await read(`order_no,own\n${id},${id}\n`);
    expect(row).toMatchObject({ fields: { order_no: id }, cells: [id, id] });
  },
);

test.each(["'=1+1", "'-10.00", "''=1", "' =1", "'@a"])('F98 one guard is taken from %j', async (cell) => {
  const [row] = await read(`order_no,own\n${cell},${cell}\n`);
  expect(row?.cells).toEqual([cell.slice(1), cell.slice(1)]);
  expect(row?.fields).toEqual({ order_no: cell.slice(1) });
});

test.each(["'abc", "O'Neill", "'", '=1', "'1"])('F98 nothing is taken from %j', async (cell) => {
  expect((await read(`order_no\n${cell}\n`))[0]?.fields).toEqual({ order_no: cell });
});

test('F13 a row of another length is kept as it is, and no field of it is believed', async () => {
  const rows = await read(`${HEADER}\nA\nB,2,3\nC,3\n`);
  expect(
    rows.map(({ line, fields, cells, faults }) => [line, fields, cells, faults.map(({ code }) => code)]),
  ).toEqual([
    [2, {}, ['A'], ['B0008']],
    [3, {}, ['B', '2', '3'], ['B0008']],
    [4, { order_no: 'C', amount: '3' }, ['C', '3'], []],
  ]);
  expect(rows[0]?.faults[0]).toMatchObject({
    line: 2,
    message: expect.stringContaining('1 cells under 2 columns'),
  });
});

test('only known fields that are filled are fields; all cells are kept', async () => {
  const [row] = await read(' Order_No ,AMOUNT,own,_line_of\n A ,  ,x,17\n');
  expect(row).toEqual({
    line: 2,
    fields: { order_no: ' A ' },
    faults: [],
    cells: [' A ', '  ', 'x', '17'],
    entry: undefined,
  });
});

describe('the header', () => {
  test.each<[string, string, (string | number)[]]>([
    ['F14 twice', 'amount,order_no, Amount ', ['amount']],
    ['F14 three times', 'a,a,a', ['a', 'a']],
    ['F16 __proto__', 'order_no,__proto__', ['__proto__']],
    ['F16 constructor', 'Constructor,order_no', ['constructor']],
    ['F16 prototype', 'prototype', ['prototype']],
    ['without a name', 'order_no,,amount', [2]],
  ])('%s is rejected', async (_, header, columns) => {
    const reasons = await rejection(`\n${header}\n1,2,3\n`);
    expect(reasons.map(({ code, line, column }) => [code, line, column])).toEqual(
      columns.map((column) => ['B0005', 2, column]),
    );
  });

  test('may end with nameless columns as long as they are empty', async () => {
    const rows = await read(`${HEADER},,\nA,1,,\nB,2,, \nC,3,,x\n`);
    expect(
      rows.map(({ fields, faults }) => [fields, faults.map(({ code, column }) => [code, column])]),
    ).toEqual([
      [{ order_no: 'A', amount: '1' }, []],
      [{ order_no: 'B', amount: '2' }, []],
      [{}, [['B0008', 4]]],
    ]);
  });

  test('is kept as it stands', async () => {
    const { shape } = await open("\ufeff Order No ;Amount;'=x\r\n");
    expect(shape).toMatchObject({
      header: [' Order No ', 'Amount', '=x'],
      columns: ['order no', 'amount', '=x'],
    });
  });
});

describe.each([5, 65536])('quotes, in pieces of %i bytes', (pieceSize) => {
  test.each<[string, string, number, string | number]>([
    ['F11 not closed', `${HEADER}\nA,1\nB,"2\nC,3\n`, 3, 'amount'],
    ['F11 not closed in the header', 'order_no,"amount\nA,1\n', 1, 2],
    ['F12 inside a cell', `${HEADER}\nA,1\n\nB 5" x,1\n`, 4, 'order_no'],
    ['F12 after a quoted cell', `${HEADER}\n"x\ny",1\n"B"5,1\n`, 4, 'order_no'],
    ['F12 after a space', `${HEADER}\nA, "1"\n`, 2, 'amount'],
    ['F12 beyond the header', `${HEADER}\nA,1,x"y"\n`, 2, 3],
  ])('%s', async (_, content, line, column) => {
    expect(await rejection(content, { pieceSize })).toMatchObject([{ code: 'B0004', line, column }]);
  });
});

describe.each([1000, 65536, 1_000_000])(
  'F20 records of more than 64 KiB, in pieces of %i bytes',
  (pieceSize) => {
    const K64 = 65536;
    const cell = 'x'.repeat(K64 - 2);

    test.each([
      ['an endless line', `${HEADER}\nA,1\nB${'x'.repeat(200_000)}`, 'B0010', 3],
      ['a large cell', `${HEADER}\nA,1\n${cell},12\nB,2\n`, 'B0010', 3],
      ['a large quoted cell', `${HEADER}\n"${'x\n'.repeat(K64)}",1\nB,2\n`, 'B0010', 2],
      ['a million columns', `${HEADER}\n${','.repeat(1_000_000)}\nB,2\n`, 'B0010', 2],
      ['a million columns in the header', `${'a,'.repeat(1_000_000)}\nB,2\n`, 'B0010', 1],
      ['F11 a quote that nothing closes', `${HEADER}\nA,1\n"B,2\n${'C,3\n'.repeat(100_000)}`, 'B0004', 3],
      [
        'F12 a quote in a cell and another far behind',
        `${HEADER}\nA 5" x,1\n${'C,3\n'.repeat(50_000)}B 7",1\n`,
        'B0004',
        2,
      ],
    ])('%s', async (_, content, code, line) => {
      expect(await rejection(content, { pieceSize })).toMatchObject([{ code, line }]);
    });

    test.each(['\n', '\r\n', ''])('exactly 64 KiB before %j are none', async (end) => {
      expect(await rejection(`${HEADER}\n${cell},1${end}`, { pieceSize })).toEqual([]);
    });
  },
);

const delimiters = fc.constantFrom(',', ';', '\t', '|');
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
const cells = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', ',', ';', '\t', '|', '"', '\n', '\r', "'", '=', ' ', '€'),
    maxLength: 8,
  }),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
  fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\x00-\x08\x0e-\x1f]/g, '')),
);

/** Physical lines that a record takes: CR, LF and CRLF end one each. */
function linesIn(record: readonly string[]): number {
  return 1 + record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

test('property: what csv-stringify writes in any dialect is read back, with its lines, from any pieces', async () => {
  const tables = fc.array(fc.array(cells, { minLength: 3, maxLength: 3 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      tables,
      delimiters,
      lineEnds,
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (table, delimiter, lineEnd, quoted, pieceSize) => {
        const header = ['order_no', 'amount', 'own'];
        const written = [header, ...table.map((record) => record.map(guard))];
        const content = stringify(written, {
          delimiter,
          record_delimiter: lineEnd,
          quoted,
          quoted_match: /[\r\n]/,
        });
        let line = 2;
        const expected = table.flatMap((record) => {
          const row = { line, cells: record };
          line += linesIn(record);
          return record.every((cell) => cell.trim() === '') ? [] : [row];
        });
        const rows = await read(content, { pieceSize });
        expect(rows.map((row) => ({ line: row.line, cells: row.cells }))).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('property: any text gives the same rows or the same rejection, whatever the pieces', async () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', '\n', '\r', ' '), maxLength: 60 });
  const outcome = async (content: string, pieceSize: number) => {
    const reasons = await rejection(content, { pieceSize });
    return reasons.length > 0 ? reasons : read(content, { pieceSize });
  };
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 10 }), async (content, pieceSize) => {
      expect(await outcome(content, pieceSize)).toEqual(await outcome(content, 65536));
    }),
    { numRuns: 500 },
  );
});
