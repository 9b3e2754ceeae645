import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from '../../src/core/json-node.ts';
import { JsonNumber, type JsonShape } from '../../src/core/row.ts';
import { fieldsOf, type Opening, open, read, rejection, rowsOf } from './support.ts';

const JSON_FILE: Opening = { name: 'refund.json' };
const A = '{"order_no":"A","amount":"1.00"}';
const B = '{"order_no":"B","amount":"2.00"}';
const FIELDS = [
  { order_no: 'A', amount: '1.00' },
  { order_no: 'B', amount: '2.00' },
];

async function shapeOf(content: string, opening: Opening = JSON_FILE): Promise<JsonShape> {
  const { shape } = await open(content, opening);
  if (shape.format !== 'json') throw new Error('not JSON');
  return shape;
}

describe.each([1, 3, 65536])('in pieces of %i bytes', (pieceSize) => {
  test.each<[string, string, string, JsonShape['form'], readonly number[]]>([
    ['an array', `[${A},${B}]`, 'x.json', 'array', [1, 2]],
    ['an array over lines', ` \r\n[\n${A}\n,\n${B}\n]\n`, 'x.json', 'array', [1, 2]],
    ['an array whose name promises lines', `[${A},${B}]`, 'x.jsonl', 'array', [1, 2]],
    ['an envelope', `{"merchant_id":"M","refund_orders":[${A},${B}]}`, 'x.json', 'envelope', [1, 2]],
    [
      'an envelope over lines',
      `{\n"refund_orders":[\n${A},\n${B}\n],\n"merchant_id":"M"}\n`,
      'x',
      'envelope',
      [1, 2],
    ],
    ['NDJSON', `${A}\n${B}\n`, 'x.ndjson', 'ndjson', [1, 2]],
    ['NDJSON with blank lines', `\n${A}\r\n \n${B}`, 'x.jsonl', 'ndjson', [2, 4]],
    ['NDJSON by its content', `${A}\r${B}\r`, 'x.json', 'ndjson', [1, 2]],
  ])('%s', async (_, content, name, form, lines) => {
    expect((await shapeOf(content, { name, pieceSize })).form).toBe(form);
    expect(await fieldsOf(content, { name, pieceSize })).toEqual(
      FIELDS.map((fields, index) => [lines[index], fields]),
    );
  });
});

test('one payout, nested as in the API', async () => {
  const content = `{"request_id":"P1","beneficiary":{"first_name":"Zoë","bank_details":{"iban":"DE1","other":1},
    "person_documents":[{"file_url":"u0","labels":["a","b"]},{"file_url":"u1"}]},"payment_amount":null,"reference":" "}`;
  expect((await shapeOf(content)).form).toBe('object');
  expect(await fieldsOf(content, JSON_FILE)).toEqual([
    [
      1,
      {
        request_id: 'P1',
        'beneficiary.first_name': 'Zoë',
        'beneficiary.bank_details.iban': 'DE1',
        'beneficiary.person_documents.0.file_url': 'u0',
        'beneficiary.person_documents.0.labels.0': 'a',
        'beneficiary.person_documents.0.labels.1': 'b',
        'beneficiary.person_documents.1.file_url': 'u1',
      },
    ],
  ]);
});

test('the other members of an envelope are known from the start, wherever they stand', async () => {
  const shape = await shapeOf(
    `{"merchant_id":"M","refund_orders":[${A}],"n":1.50,"o":{"refund_orders":[]},"encryption_data":"ff"}`,
  );
  expect(shape.list).toBe('refund_orders');
  expect(writeJson(shape.envelope!)).toBe(
    '{"merchant_id":"M","n":1.50,"o":{"refund_orders":[]},"encryption_data":"ff"}',
  );
});

test.each<[string, string, JsonShape['form']]>([
  ['', 'x.json', 'array'],
  [' \n', 'x.ndjson', 'ndjson'],
  ['[]', 'x.json', 'array'],
  ['{"refund_orders":[]}', 'x.json', 'envelope'],
])('F17 %j has no entries', async (content, name, form) => {
  const opened = await open(content, { name });
  expect(opened.shape).toMatchObject({ form });
  expect(await rowsOf(opened)).toEqual([]);
  expect(opened.counts).toMatchObject({ rows: 0 });
});

test.each([
  ['pay.csv', '{a}\n', 'csv'],
  ['pay', '{"a":1}\n', 'json'],
  ['pay.txt', ' [{"a":1}]', 'json'],
  ['pay.dat', 'order_no\n', 'csv'],
])('what %s with %j is', async (name, content, format) => {
  expect((await open(content, { name })).shape.format).toBe(format);
});

test('an entry is kept as it was written', async () => {
  const entry = '{"order_no":"1\\u0041","z":12.30,"own":[1e5,-0.0,true,false,null,{},[]],"":"\\n"}';
  const [row] = await read(`[${entry}]`, JSON_FILE);
  expect(writeJson(row!.entry!)).toBe(entry.replace('\\u0041', 'A'));
  expect(row!.entry!.get('z')).toEqual(new JsonNumber('12.30'));
  expect(row!.cells).toEqual([]);
});

test.each([
  ['{"order_no":"A","amount":1.50}', 'amount', 'amount must be a string'],
  ['{"order_no":123}', 'order_no', 'order_no must be a string'],
  ['{"order_no":true}', 'order_no', 'order_no must be a string'],
  ['{"amount":{"value":"1"}}', 'amount', 'amount must be a string'],
  ['{"amount":["1"]}', 'amount', 'amount must be a string'],
  [
    '{"beneficiary":{"first_name":"A"},"beneficiary.first_name":"B"}',
    'beneficiary.first_name',
    'is given twice',
  ],
])('F41 %s is a fault of the line', async (entry, column, words) => {
  const [row, next] = await read(`${entry}\n${A}\n`, { name: 'x.ndjson' });
  expect(row?.faults).toMatchObject([
    { code: 'I0002', line: 1, column, message: expect.stringContaining(words) },
  ]);
  expect(next?.faults).toEqual([]);
});

test('F41 numbers in fields that mean nothing are kept', async () => {
  const [row] = await read('[{"order_no":"A","own":1}]', JSON_FILE);
  expect(row).toMatchObject({ fields: { order_no: 'A' }, faults: [] });
});

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe.each([1, 10, 65536])('rejected, in pieces of %i bytes', (pieceSize) => {
  test.each<[string, string, string, number, string]>([
    ['F38 nested too deep', `[{"a":${deep(31)}}]`, 'B0011', 1, 'nested deeper than 32'],
    ['F38 nested a million deep', `[\n${A},{"a":${deep(1_000_00)}}]`, 'B0011', 2, 'in entry 2'],
    [
      'F39 a key twice',
      `[\n${A},\n{"a":1,\n"a":2}]`,
      'B0011',
      4,
      '"a" stands twice in one object, at position 3 of line 4, in entry 2',
    ],
    ['F39 a key twice, inside', `[{"x":[{"b":1,"\\u0062":2}]}]`, 'B0011', 1, '"b" stands twice'],
    [
      'F39 a key twice, many keys',
      `[{${Array.from({ length: 99 }, (_, n) => `"k${n}":1`).join()},"k7":2}]`,
      'B0011',
      1,
      '"k7" stands twice',
    ],
    [
      'F39 a key twice in the envelope',
      `{"merchant_id":"M","refund_orders":[],\n"merchant_id":"N"}`,
      'B0011',
      2,
      '"merchant_id" stands twice',
    ],
    [
      'F39 the list twice',
      `{"refund_orders":[],"refund_orders":[]}`,
      'B0011',
      1,
      '"refund_orders" stands twice',
    ],
    ['F40 __proto__', `[{"__proto__":{"amount":"1"}}]`, 'B0011', 1, '"__proto__" is forbidden'],
    ['F40 __proto__ in disguise', `[{"\\u005f_proto__":1}]`, 'B0011', 1, '"__proto__" is forbidden'],
    ['F40 constructor', `[{"a":{"constructor":1}}]`, 'B0011', 1, '"constructor" is forbidden'],
    [
      'two lists',
      `{"refund_orders":[${A}],"capture_orders":[${B}]}`,
      'B0015',
      1,
      'refund_orders and capture_orders',
    ],
    ['a list that is none', `{"refund_orders":{}}`, 'B0011', 1, 'refund_orders is not a list'],
    ['half of a surrogate pair', `[{"a":"\\ud83d"}]`, 'B0011', 1, 'surrogate'],
    ['half of a surrogate pair in a key', `[{"\\ude00":1}]`, 'B0011', 1, 'surrogate'],
    ['a missing comma', `[\r\n${A}\r\n${B}]`, 'B0011', 3, "expected ',', at position 1 of line 3"],
    [
      'a missing quote',
      `[${A},\n{"order_no":"B,\n"amount":"1"}]`,
      'B0011',
      2,
      'a string is not closed on its line, at position 16 of line 2',
    ],
    ['cut off', `[${A},\n{"order_no`, 'B0011', 2, 'the text ends too early'],
    ['cut off after an entry', `[${A},\n`, 'B0011', 2, 'the text ends too early'],
    ['text after the end', `[${A}]\n${B}`, 'B0011', 2, 'unexpected characters'],
    [
      'two envelopes',
      `{"refund_orders":[${A}]}\n{"refund_orders":[${B}]}`,
      'B0011',
      2,
      'unexpected characters',
    ],
    ['not JSON', `\norder_no,amount\n`, 'B0011', 2, 'expected a value'],
    ['an entry that is no object', `[${A},\n1]`, 'B0011', 2, 'an entry is not an object'],
    ['F20 a large entry', `[${A},\n{"a":"${'x'.repeat(70_000)}"}]`, 'B0010', 2, 'in entry 2'],
    ['F20 an entry of many members', `[{"a":[${'1,'.repeat(30_000)}1]}]`, 'B0010', 1, 'in entry 1'],
    ['F20 an endless string', `[${A},\n{"a":"${'x'.repeat(1_000_000)}`, 'B0010', 2, 'in entry 2'],
    [
      'F20 a large envelope',
      `{"refund_orders":[${A}],"a":"${'x'.repeat(70_000)}"}`,
      'B0010',
      1,
      'at position',
    ],
  ])('%s', async (_, content, code, line, words) => {
    expect(await rejection(content, { ...JSON_FILE, pieceSize })).toMatchObject([
      { code, line, message: expect.stringContaining(words) },
    ]);
  });

  test.each<[string, string, string, number, string]>([
    ['F42 cut off in the last line', `${A}\n{"order_no":"B","amount":"2.`, 'B0011', 2, 'ends too early'],
    ['F42 cut off in a key', `${A}\n{"order_no`, 'B0011', 2, 'ends too early'],
    ['cut off inside', `${A}\n{"order_no":"B",\n${B}`, 'B0011', 2, 'ends too early'],
    ['an object over lines', `${A}\n\n{"order_no":\n"B"}\n`, 'B0011', 3, 'ends too early'],
    ['two objects on a line', `${A}\n${A} ${B}\n`, 'B0011', 2, 'unexpected characters'],
    ['rubbish after an object', `${A}\n${A} t\n${B}\n`, 'B0011', 2, 'unexpected characters'],
    ['a number', `${A}\n12\n`, 'B0011', 2, 'ends too early'],
    ['a text', `${A}\n"x"\n`, 'B0011', 2, 'an entry is not an object'],
    ['a word', `${A}\nnul\n`, 'B0011', 2, 'ends too early'],
    ['F39 a key twice', `${A}\n{"a":1,"a":2}\n`, 'B0011', 2, 'stands twice'],
    ['F20 a large line', `${A}\n{"a":"${'x'.repeat(70_000)}"}\n`, 'B0010', 2, 'line'],
    ['F20 an endless line', `${A}\n${'{"a":'.repeat(100_000)}`, 'B0010', 2, 'line'],
  ])('NDJSON: %s', async (_, content, code, line, words) => {
    expect(await rejection(content, { name: 'x.ndjson', pieceSize })).toMatchObject([
      { code, line, message: expect.stringContaining(words) },
    ]);
  });
});

test('F38 nested 32 deep is accepted', async () => {
  expect(await rejection(`[{"a":${deep(30)}}]`, JSON_FILE)).toEqual([]);
});

test('pairs of surrogates are accepted', async () => {
  expect(await fieldsOf('[{"order_no":"\\ud83d\\ude00😀"}]', JSON_FILE)).toEqual([[1, { order_no: '😀😀' }]]);
});

test('property: what JSON.stringify writes is read back, from any pieces', async () => {
  const value = fc
    .jsonValue({ maxDepth: 4 })
    .filter((node) => !/__proto__|constructor|prototype/.test(JSON.stringify(node)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: value, b: value })),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(0, 1),
      async (entries, pieceSize, indent) => {
        const rows = await read(JSON.stringify(entries, null, indent), { ...JSON_FILE, pieceSize });
        expect(rows.map(({ entry }) => JSON.parse(writeJson(entry!)))).toEqual(
          JSON.parse(JSON.stringify(entries)),
        );
        const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
        const fromLines = await read(lines, { name: 'x.ndjson', pieceSize });
        expect(fromLines.map(({ entry }) => entry)).toEqual(rows.map(({ entry }) => entry));
      },
    ),
  );
});

test('property: any text gives the same rows or the same rejection, whatever the pieces', async () => {
  const part = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"a"',
    '"b"',
    ':',
    ',',
    '1',
    'null',
    '\n',
    '"',
    '\\',
    'é',
    '"refund_orders"',
  );
  const outcome = async (content: string, opening: Opening) => {
    const reasons = await rejection(content, opening);
    return reasons.length > 0 ? reasons : read(content, opening);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(part),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('x.json', 'x.ndjson'),
      async (parts, pieceSize, name) => {
        const content = parts.join('');
        expect(await outcome(content, { name, pieceSize })).toEqual(await outcome(content, { name }));
      },
    ),
    { numRuns: 1000 },
  );
});
