import { describe, expect, test } from 'vitest';
import { expectGolden } from './golden.ts';
import { csvShape, fileText, line } from './lines.ts';

const HEADER = ['transaction_id', ' Order_No ', 'currency', 'amount', 'refund_amount', 'note'];
const shape = csvShape(HEADER);

/** One line of every outcome. */
const everyOutcome = [
  line(2, ['T1', 'O1', 'USD', '10.00', '5.00', 'plain']),
  line(3, ['T2', 'O2', 'USD', '10.00', '5.00', 'says "no", thanks'], 'refused', ['V0006', '0.00 is left']),
  line(4, ['T3', 'O3', 'USD', '10.00', '1,50', ''], 'invalid', ['I0021', 'refund_amount is "1,50"']),
  line(5, ['T1', 'O1', 'USD', '10.00', '5.00', 'two\nlines'], 'duplicate', 'B0001', { first: 'B1:2' }),
  line(7, ['T4', 'O4', 'USD', '10.00', '5.00', ''], 'unknown', 'E0001', { chunk: 2, attempt: 1 }),
  line(8, ['T5', 'O5', 'USD', '10.00', '5.00', ''], 'pending', undefined, { reference: 'po_1' }),
  line(9, ['T6', 'O6', 'USD', '10.00', '5.00', ''], 'not_sent', 'E0002'),
];

describe('result, fixme and held', () => {
  for (const file of ['result', 'fixme', 'held'] as const) {
    test(`${file}.csv of a file with every outcome`, () => {
      expectGolden(`every-outcome/${file}.csv`, fileText(file, shape, everyOutcome));
    });
    test(`${file}.csv keeps the dialect: semicolons, CRLF`, () => {
      const dialect = csvShape(HEADER, { delimiter: ';', lineEnd: '\r\n' });
      expectGolden(`semicolons/${file}.csv`, fileText(file, dialect, everyOutcome));
    });
    test(`${file}.csv starts with a UTF-8 byte order mark`, () => {
      expect(Buffer.from(fileText(file, shape, everyOutcome)).subarray(0, 3)).toEqual(
        Buffer.from([0xef, 0xbb, 0xbf]),
      );
    });
  }

  test('every line is in the result exactly once, in the order of the input (invariant 5)', () => {
    const lines = body(
      fileText(
        'result',
        csvShape(['a']),
        Array.from({ length: 100 }, (_, at) => line(at + 2, [`${at}`])),
      ),
    );
    expect(lines.map((text) => text.split(',').slice(0, 2).join())).toEqual(
      Array.from({ length: 100 }, (_, at) => `${at},${at + 2}`),
    );
  });

  test('a file without lines has a result with a header only', () => {
    expect(fileText('result', csvShape([]), [])).toBe(
      '\uFEFFline,outcome,code,message,hint,chunk,attempt,gateway_reference,batch\n',
    );
  });

  test('a line not sent without a reason says so', () => {
    expect(body(fileText('fixme', csvShape(['a']), [line(2, ['x'], 'not_sent')]))).toEqual([
      'x,The line was not sent.,,B1:2',
    ]);
  });
});

test('a control character in what a gateway says is written out: intake would refuse the file', () => {
  const said = line(2, ['x'], 'refused', ['V0001', 'a\u0001b']);
  for (const file of ['result', 'fixme'] as const) {
    expect(fileText(file, csvShape(['a']), [said])).toContain('in this account: a⟨U+0001⟩b.');
  }
});

describe('columns that meet', () => {
  test('columns of the input keep their names in the result, ours give way', () => {
    const text = fileText('result', csvShape(['Outcome ', 'LINE', 'batchgate_line']), [
      line(2, ['mine', '7', 'x']),
    ]);
    expect(header(text)).toBe(
      'Outcome ,LINE,batchgate_line,batchgate_batchgate_line,batchgate_outcome,code,message,hint,chunk,attempt,gateway_reference,batch',
    );
    expect(body(text)).toEqual(['mine,7,x,2,succeeded,,,,1,1,rf_2,B1']);
  });

  test('F105 a corrected fixme file: its _problem, _hint and _line_of are replaced, not doubled', () => {
    const corrected = csvShape(['id', '_problem', '_hint', '_line_of']);
    const text = fileText('fixme', corrected, [
      line(2, ['T1', 'old problem', 'old hint', 'B0:9'], 'invalid', 'I0021'),
    ]);
    expect(header(text)).toBe('id,_problem,_hint,_line_of');
    expect(body(text)[0]).toMatch(/^T1,I0021: The amount is malformed\.,.*,B1:2$/);
  });

  test('F103 the result of a corrected fixme file keeps all its columns', () => {
    const corrected = csvShape(['id', '_problem', '_line_of']);
    const text = fileText('result', corrected, [line(2, ['T1', 'old', 'B0:9'])]);
    expect(header(text)).toMatch(/^id,_problem,_line_of,line,outcome/);
    expect(body(text)[0]).toMatch(/^T1,old,B0:9,2,succeeded/);
  });

  test('held: repeat_of of the input stays where it is, _first is replaced', () => {
    const held = csvShape(['repeat_of', 'id', '_first']);
    const text = fileText('held', held, [
      line(2, ['B0:1', 'T1', 'B0:0'], 'duplicate', 'B0001', { first: 'B0:5' }),
    ]);
    expect(text).toBe('\uFEFFrepeat_of,id,_first\nB0:1,T1,B0:5\n');
  });
});

describe('F13 rows of another length', () => {
  const short = line(2, ['T1', 'O1'], 'invalid', 'B0008');
  const long = line(3, ['T1', 'O1', 'USD', '10', 'a,b'], 'invalid', 'B0008');
  const four = csvShape(['id', 'order', 'currency', 'amount']);

  test('result: missing cells stay empty, surplus ones stand in _extra', () => {
    const text = fileText('result', four, [short, long], { extra: true });
    expect(header(text)).toMatch(/^id,order,currency,amount,_extra,line,/);
    expect(body(text)[0]).toMatch(/^T1,O1,,,,2,invalid,/);
    expect(body(text)[1]).toMatch(/^T1,O1,USD,10,"""a,b""",3,invalid,/);
  });

  test('fixme: surplus cells stand in a nameless last column, which intake does not accept filled', () => {
    const text = fileText('fixme', four, [short, long], { extra: true });
    expect(header(text)).toBe('id,order,currency,amount,_problem,_hint,_line_of,');
    expect(body(text)[0]).toMatch(/^T1,O1,,,B0008: .*,B1:2,$/);
    expect(body(text)[1]).toMatch(/^T1,O1,USD,10,B0008: .*,B1:3,"""a,b"""$/);
  });

  test('fixme: nameless columns of the input move to the end, where intake allows them', () => {
    expect(header(fileText('fixme', csvShape(['id', '']), [line(2, ['T1', 'x'], 'invalid', 'B0008')]))).toBe(
      'id,_problem,_hint,_line_of,',
    );
  });

  test('the input has a column _extra', () => {
    expect(header(fileText('result', csvShape(['_extra']), [], { extra: true }))).toMatch(
      /^_extra,batchgate__extra,line,/,
    );
  });
});

describe('what spreadsheets would change', () => {
  test.each([
    ['=1+1', "'=1+1"],
    [' =1+1', "' =1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ["'=1", "''=1"],
    ["it's", "it's"],
    ['a=b', 'a=b'],
  ])('F98 %j in a column of text is written %j', (cell, written) => {
    expect(body(fileText('result', csvShape(['note']), [line(2, [cell])]))[0]!.split(',')[0]).toBe(written);
  });

  test('F98 a carriage return is neutralised too, and quoted', () => {
    expect(fileText('result', csvShape(['note']), [line(2, ['\r=1'])])).toContain('"\'\r=1",2,');
  });

  test.each([
    ['-10.00', '-10.00'],
    ['+1', '+1'],
    [' -1.234', ' -1.234'],
    ['10.00', '10.00'],
    ['=10', "'=10"],
    ["'-10.00", "''-10.00"],
    ['-10*cmd', "'-10*cmd"],
  ])('F98 amounts stay numbers, but not formulas: %j is written %j', (cell, written) => {
    expect(body(fileText('result', csvShape(['Amount']), [line(2, [cell])]))[0]!.split(',')[0]).toBe(written);
  });

  test('F98 a column name and our own texts are neutralised too', () => {
    const text = fileText('result', csvShape(['=cmd']), [
      line(2, ['x'], 'succeeded', undefined, { reference: '=evil' }),
    ]);
    expect(header(text)).toMatch(/^'=cmd,/);
    expect(body(text)[0]).toContain(",'=evil,");
  });

  test.each(['00123', '1e5', '12345678901234567890', '4111111111111111', ' T1 '])(
    'F23 the id %j stays as it is',
    (id) => {
      expect(body(fileText('result', csvShape(['transaction_id']), [line(2, [id])]))[0]!.split(',')[0]).toBe(
        id,
      );
      expect(
        body(fileText('fixme', csvShape(['transaction_id']), [line(2, [id], 'refused', 'V0001')]))[0]!.split(
          ',',
        )[0],
      ).toBe(id);
    },
  );
});

describe('F100 card numbers', () => {
  const cards = csvShape(['transaction_id', 'note']);
  const mask = (text: string, column: string) =>
    column.endsWith('_id')
      ? text
      : text.replace(/\d{6}(\d{6})\d{4}/, (found) => `${found.slice(0, 6)}******${found.slice(-4)}`);

  test('are masked in every file of a line with B0012, ids are not', () => {
    const lines = [
      line(2, ['4111111111111111', 'card 4111111111111111'], 'invalid', [
        'B0012',
        'note has 4111111111111111',
      ]),
    ];
    for (const file of ['result', 'fixme'] as const) {
      const text = fileText(file, cards, lines, { mask });
      expect(text.match(/4111111111111111/g)).toHaveLength(1);
      expect(text).toContain('4111111111111111,card 411111******1111');
    }
  });

  test('are masked when another reason came first', () => {
    const found = line(2, ['T1', '4111111111111111'], 'invalid', 'I0001');
    const lines = [{ ...found, row: { ...found.row, faults: [{ code: 'B0012' as const, message: '' }] } }];
    expect(fileText('fixme', cards, lines, { mask })).not.toContain('4111111111111111');
  });

  test('other lines are left alone', () => {
    expect(fileText('result', cards, [line(2, ['T1', '4111111111111111'])], { mask })).toContain(
      'T1,4111111111111111',
    );
  });
});

function header(text: string): string {
  return text.replace('\uFEFF', '').split('\n')[0]!;
}

function body(text: string): readonly string[] {
  return text.split('\n').slice(1, -1);
}
