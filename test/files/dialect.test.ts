import { describe, expect, test } from 'vitest';
import type { CsvShape } from '../../src/core/row.ts';
import { delimiterOf } from '../../src/files/dialect.ts';
import { fieldsOf, open } from './support.ts';

async function shapeOf(content: string, delimiter?: string): Promise<CsvShape> {
  const { shape } = await open(content, delimiter === undefined ? {} : { delimiter });
  if (shape.format !== 'csv') throw new Error('not CSV');
  return shape;
}

test.each([
  ['order_no,amount', ',', 2],
  ['order_no;amount', ';', 2],
  ['order_no\tamount', '\t', 2],
  ['order_no|amount', '|', 2],
  ['order_no', ',', 1],
  ['', ',', 0],
  ['A1;"1,00"', ';', 2],
  ['"a,b,c,d";amount', ';', 2],
  ['"a;b","c;d;e",amount', ',', 3],
  ['order_no;amount;price (net, gross, tax, fee, all)', ';', 3],
  ['"x\ny;z",amount', ',', 2],
  ['a,b;c', ',', 2],
])('F10 the header %j is split at %j', async (header, delimiter, columns) => {
  const shape = await shapeOf(`${header}\r\n1\r\n`.replace(/^\r\n1/, ''));
  expect(shape.delimiter).toBe(delimiter);
  expect(shape.columns).toHaveLength(columns);
});

test.each([
  ['a,b\n1,2\r\n', '\n'],
  ['a,b\r\n1,2\n', '\r\n'],
  ['a,b\r1,2\n', '\r'],
  ['a,b', '\n'],
  ['"a\r\nb",c\n1,2', '\n'],
  ['\n\na,b\r\n', '\r\n'],
])('F8 the header of %j ends with %j', async (content, lineEnd) => {
  expect((await shapeOf(content)).lineEnd).toBe(lineEnd);
});

describe('F9 the line sep=', () => {
  test.each([
    ['sep=;\r\norder_no;amount\r\nA;1\r\n', ';', 3],
    ['SEP=|\norder_no|amount\nA|1\n', '|', 3],
    ['"sep=,"\norder_no,amount\nA,1\n', ',', 3],
    ['sep=\t\n\norder_no\tamount\nA\t1\n', '\t', 4],
    ['\ufeffsep=^\norder_no^amount\nA^1\n', '^', 3],
  ])('%j', async (content, delimiter, line) => {
    expect((await shapeOf(content)).delimiter).toBe(delimiter);
    expect(await fieldsOf(content)).toEqual([[line, { order_no: 'A', amount: '1' }]]);
  });

  test('gives way to what the user says', async () => {
    expect((await shapeOf('sep=;\na;b,c\n', 'comma')).columns).toEqual(['a;b', 'c']);
  });

  test('alone is an empty file', async () => {
    expect(await shapeOf('sep=;\n')).toMatchObject({ delimiter: ';', columns: [] });
    expect(await fieldsOf('sep=;\n')).toEqual([]);
  });
});

test.each([
  ['tab', '\t'],
  ['\\t', '\t'],
  ['\t', '\t'],
  ['comma', ','],
  ['Semicolon', ';'],
  ['pipe', '|'],
  ['^', '^'],
  [' ', ' '],
  ['', undefined],
  ['a', undefined],
  ['7', undefined],
  ['"', undefined],
  ['\n', undefined],
  ['é', undefined],
  ['||', undefined],
])('--delimiter %j is %j', (option, expected) => {
  expect(delimiterOf(option)).toBe(expected);
});
