/** Input → fixme → input: the cells are the same, read back by intake and by csv-parse alone. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unguard } from '../../src/core/guard.ts';
import type { Row } from '../../src/core/row.ts';
import { openSource } from '../../src/files/open.ts';
import { csvText } from '../../src/report/csv-text.ts';
import { csvShape, fileText, line } from './lines.ts';

function readBack(text: string, delimiter: string): string[][] {
  const options = { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, bom: true };
  return (parse(text, options) as string[][]).map((cells) => cells.map(unguard));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/u;

/** Texts that like to go wrong, among any others; intake refuses files with control characters. */
const cell = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        "'",
        ' ',
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '"',
        ',',
        ';',
        '|',
        '1',
        '.',
        'a',
      ),
    }),
    fc.constantFrom(
      '00123',
      '1e5',
      '12345678901234567890',
      '-10.00',
      '=1+1',
      "'=1",
      ' =1',
      '\uFEFF',
      'ä',
      '😀',
    ),
  )
  .filter((text) => !REFUSED.test(text));

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
});
const HEADER = ['transaction_id', 'amount', 'note', 'refund_amount'];

test('F98, F105 input → fixme → input gives the same cells', () => {
  fc.assert(
    fc.property(
      dialect,
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1 }),
      (style, rows) => {
        const lines = rows.map((cells, at) => line(at + 2, cells, 'refused', 'V0001'));
        const [header, ...records] = readBack(
          fileText('fixme', csvShape(HEADER, style), lines),
          style.delimiter,
        );
        expect(header).toEqual([...HEADER, '_problem', '_hint', '_line_of']);
        expect(records.map((cells) => cells.slice(0, 4))).toEqual(rows);
      },
    ),
  );
});

test('F98 the same over two generations: fixme of a fixme', () => {
  fc.assert(
    fc.property(dialect, fc.array(cell, { minLength: 4, maxLength: 4 }), (style, cells) => {
      const first = readBack(
        fileText('fixme', csvShape(HEADER, style), [line(2, cells, 'refused', 'V0001')]),
        style.delimiter,
      );
      const again = fileText('fixme', csvShape(first[0]!, style), [line(2, first[1]!, 'refused', 'V0001')]);
      expect(readBack(again, style.delimiter)).toEqual(first);
    }),
  );
});

test('csvText writes what csv-parse reads, whatever the cells are', () => {
  fc.assert(
    fc.property(dialect, fc.array(fc.array(cell, { minLength: 2, maxLength: 5 })), (style, records) => {
      const options = {
        delimiter: style.delimiter,
        record_delimiter: style.lineEnd,
        relax_column_count: true,
      };
      expect(parse(csvText(records, style), options)).toEqual(records);
    }),
  );
});

test('csvText leaves NUL out, which no file can hold', () => {
  expect(csvText([['a\0b', 'c,"d"']], { delimiter: ',', lineEnd: '\n' })).toBe('"ab","c,""d"""\n');
});

describe('through intake', () => {
  async function take(content: string) {
    const source = async function* () {
      yield Buffer.from(content);
    };
    const opened = await openSource(source, 'refund.csv', {}, (field) => HEADER.includes(field));
    const rows: Row[] = [];
    for await (const block of opened.rows()) rows.push(...block);
    if (opened.shape.format !== 'csv') throw new Error('not CSV');
    return { shape: opened.shape, rows };
  }

  async function fixmeOf(content: string): Promise<string> {
    const { shape, rows } = await take(content);
    const lines = rows.map((row) => ({ ...line(row.line, row.cells, 'refused', 'V0001'), row }));
    return fileText('fixme', shape, lines, { extra: true });
  }

  test('F98, F105 input → fixme → input gives the same cells and fields', async () => {
    const rows = fc.array(fc.tuple(fc.constant('T1'), cell, cell, cell), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(dialect, rows, async (style, records) => {
        const before = await take(csvText([HEADER, ...records], style));
        const after = await take(await fixmeOf(csvText([HEADER, ...records], style)));
        expect(after.shape).toMatchObject({ delimiter: style.delimiter, lineEnd: style.lineEnd });
        expect(after.rows.map((row) => row.cells.slice(0, 4))).toEqual(before.rows.map((row) => row.cells));
        expect(after.rows.map((row) => row.fields)).toEqual(before.rows.map((row) => row.fields));
      }),
    );
  });

  test('F13 a row with a surplus cell stays invalid in a fixme that nobody has corrected', async () => {
    const fixme = await fixmeOf(
      'transaction_id,amount,note,refund_amount\nT1,10,00,x,5.00\nT2,1.00,x,1.00\n',
    );
    expect((await take(fixme)).rows.map((row) => row.faults.map((fault) => fault.code))).toEqual([
      ['B0008'],
      [],
    ]);
    expect((await take(await fixmeOf(fixme))).rows[0]!.faults).toHaveLength(1);
  });

  test('nameless columns that a spreadsheet left behind do no harm', async () => {
    const fixme = await fixmeOf('transaction_id,amount,note,refund_amount,,\nT1,1.00,x,1.00,,\n');
    expect((await take(fixme)).rows.map((row) => row.faults)).toEqual([[]]);
  });
});
