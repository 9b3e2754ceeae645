/**
 * Bad and unusual files, from the bytes to the folders: what is rejected leaves nothing executed and says why in
 * rejected/, what is an invalid line lets the others run, and what is only unusual is read as it was meant.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Submission } from '../../src/batch/submission.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { csv, ENTRY, outcomes, readCsv, readJson, results, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(
    ...Array.from({ length: 12 }, (_, index) => ({ id: `T${index + 1}` })),
    { id: 'J1', currency: 'JPY' },
    { id: 'K1', currency: 'KWD' },
  );
});
afterEach(() => sandbox.remove());

const line = (id: string, amount = '1.00') => `${id},O-${id},USD,${amount}`;
const GOOD = csv(ENTRY, line('T1'), line('T2'));
const ENTRIES = [
  { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00' },
  { transaction_id: 'T2', order_no: 'O-T2', currency: 'USD', amount: '1.00' },
];

/** What is in rejected/ for a batch. */
function rejectedFolder({ batch }: BatchDocument): string {
  return join(sandbox.folders.rejectedOf('2026-11-20', batch));
}

/** A file that is rejected: exit 6, its reasons in the document and in both error files, a copy of it, nothing executed. */
async function expectRejected(
  name: string,
  content: string | Uint8Array,
  change: Partial<Submission> = {},
): Promise<BatchDocument> {
  const document = await sandbox.run(name, content, change);
  expect(document).toMatchObject({ status: 'rejected', exit: 6, revision: 0, chunks: { done: 0 } });
  expect(document.reports).toEqual({ result: null, fixme: null, held: null, json: null, html: null });
  expect(document.errors.length).toBeGreaterThan(0);
  const folder = rejectedFolder(document);
  const listed = JSON.parse(readFileSync(join(folder, 'errors.json'), 'utf8')).errors;
  expect(listed.slice(0, document.errors.length)).toEqual(document.errors);
  expect(readCsv(join(folder, 'errors.csv')).map(({ code }) => code)).toEqual(
    listed.map(({ code }: { code: string }) => code),
  );
  const [copy, ...others] = readdirSync(folder).filter((file) => !file.startsWith('errors.'));
  expect(others).toEqual([]);
  expect(readFileSync(join(folder, copy!))).toEqual(Buffer.from(content));
  expect(await sandbox.transfers()).toEqual([]);
  expect(readdirSync(sandbox.folders.work).filter((folder) => folder.startsWith('incoming'))).toEqual([]);
  return document;
}

describe('bytes', () => {
  test.each<[string, string | Uint8Array]>([
    ['F5 a UTF-8 byte order mark', `\uFEFF${GOOD}`],
    ['F6 UTF-16 little endian with its mark', Buffer.from(`\uFEFF${GOOD}`, 'utf16le')],
    ['F6 UTF-16 big endian with its mark', Buffer.from(`\uFEFF${GOOD}`, 'utf16le').swap16()],
    ['F8 line ends of Windows', GOOD.replaceAll('\n', '\r\n')],
    ['F8 line ends of old Macs', GOOD.replaceAll('\n', '\r')],
    ['F8 mixed line ends', `${ENTRY}\r\n${line('T1')}\r${line('T2')}\n`],
    ['no line end after the last line', GOOD.trimEnd()],
    ['F9 Excel’s own line for the delimiter', `sep=;\n${GOOD.replaceAll(',', ';')}`],
    ['F9 tabs', GOOD.replaceAll(',', '\t')],
    ['header in capitals and with spaces', GOOD.replace(ENTRY, ' Transaction_ID , ORDER_NO,Currency,AMOUNT')],
  ])('%s makes no difference', async (_, content) => {
    const document = await sandbox.run('capture.csv', content);
    expect(results(document).map(({ outcome, message }) => [outcome, message])).toEqual([
      ['succeeded', ''],
      ['succeeded', ''],
    ]);
    expect(await sandbox.transfers()).toEqual(['T1 capture 100', 'T2 capture 100']);
  });

  test.each<[string, Uint8Array, string, { readonly line?: number }]>([
    [
      'F2 zeros where the end should be',
      Buffer.concat([Buffer.from(GOOD), Buffer.alloc(4096)]),
      'B0003',
      { line: 4 },
    ],
    ['F6 UTF-16 without its mark', Buffer.from(GOOD, 'utf16le'), 'B0003', { line: 1 }],
    [
      'F7 a byte of Windows-1252',
      Buffer.from(GOOD.replace('O-T2', 'O-T\xfc'), 'latin1'),
      'B0002',
      { line: 3 },
    ],
    ['F43 gzip', gzipSync(GOOD), 'B0017', {}],
    ['F43 ZIP', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(40)]), 'B0017', {}],
  ])('%s rejects the file', async (_, content, code, where) => {
    const { errors } = await expectRejected('capture.csv', content);
    expect(errors).toMatchObject([{ code, ...where }]);
  });

  test('F7 the offset is named, and with --encoding the file is what it says', async () => {
    const content = Buffer.from(csv(`${ENTRY},note`, `${line('T1')},M\xfcller`), 'latin1');
    const { errors } = await expectRejected('capture.csv', content);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('offset 63'), hint: expect.stringContaining('--encoding') },
    ]);
    const document = await sandbox.run('capture.csv', content, {
      reading: { encoding: 'windows-1252', style: { decimal: 'dot', thousands: 'none' } },
    });
    expect(readCsv(document.reports.result)).toMatchObject([{ outcome: 'succeeded', note: 'Müller' }]);
  });
});

describe('records', () => {
  test('F10 a quoted line end belongs to its cell, and lines are physical ones', async () => {
    const document = await sandbox.run(
      'capture.csv',
      csv(`${ENTRY},note`, `${line('T1')},"two\nlines, and ""quotes"""`, `${line('T2')},x`),
    );
    expect(readCsv(document.reports.result).map(({ line, note, outcome }) => [line, note, outcome])).toEqual([
      ['2', 'two\nlines, and "quotes"', 'succeeded'],
      ['4', 'x', 'succeeded'],
    ]);
    expect(results(document)[1]).toMatchObject({ gateway_reference: `${document.batch}-4` });
  });

  test.each<[string, string, string, object]>([
    [
      'F11 a quote that is never closed',
      csv(`${ENTRY},note`, `${line('T1')},"oops`, line('T2')),
      'B0004',
      { line: 2, column: 'note' },
    ],
    [
      'F12 a quote in the middle of a cell',
      csv(`${ENTRY},note`, `${line('T1')},5" disk`),
      'B0004',
      { line: 2, column: 'note' },
    ],
    ['F20 an endless line', csv(ENTRY, line('T1'), 'x'.repeat(70_000)), 'B0010', { line: 3 }],
    ['F20 a million columns', csv(`${ENTRY}${',c'.repeat(100_000)}`), 'B0010', { line: 1 }],
  ])('%s rejects the file', async (_, content, code, where) => {
    const { errors } = await expectRejected('capture.csv', content);
    expect(errors).toMatchObject([{ code, ...where }]);
  });

  test('F13 a row of another length is invalid, its cells stay as they were, and the others run', async () => {
    const document = await sandbox.run(
      'capture.csv',
      csv(`${ENTRY},note`, 'T1,O-T1,USD,1.00', `${line('T2')},ok`, `${line('T3')},a,b,"c,d"`),
    );
    expect(outcomes(document)).toEqual(['invalid B0008', 'succeeded', 'invalid B0008']);
    expect(
      readCsv(document.reports.result).map(({ _extra, note, amount }) => [amount, note, _extra]),
    ).toEqual([
      ['1.00', '', ''],
      ['1.00', 'ok', ''],
      ['1.00', 'a', 'b,"c,d"'],
    ]);
    expect(await sandbox.transfers()).toEqual(['T2 capture 100']);
  });

  test.each<[string, string]>([
    ['an empty file', ''],
    ['a byte order mark', '\uFEFF'],
    ['a header only', csv(ENTRY)],
    ['a header and blank lines', `${csv(ENTRY)}\n\n,,,\n`],
  ])('F17 %s is a report of no lines, exit 0', async (_, content) => {
    const document = await sandbox.run('capture.csv', content);
    expect(document).toMatchObject({
      status: 'completed',
      exit: 0,
      lines: { total: 0 },
      totals: {},
      breakdown: [],
      chunks: { planned: 0, done: 0 },
    });
    expect(document.reports).toMatchObject({ fixme: null, held: null });
    expect(readFileSync(document.reports.result!, 'utf8')).toContain('line,outcome,code');
  });

  test.each(['[]', '', '{"capture_orders":[]}', ' \n'])(
    'F17 JSON without an entry (%j) as well',
    async (content) => {
      const document = await sandbox.run('capture.json', content);
      expect(document).toMatchObject({ status: 'completed', exit: 0, lines: { total: 0 } });
    },
  );

  test('F18 blank lines and rows of empty cells are no lines, but count as physical ones', async () => {
    const document = await sandbox.run(
      'capture.csv',
      `\n${ENTRY}\n\n${line('T1')}\n,,,\n , ,,\n${line('T2')}\n\n`,
    );
    expect(results(document).map(({ line, outcome }) => [line, outcome])).toEqual([
      ['4', 'succeeded'],
      ['7', 'succeeded'],
    ]);
    expect(document).toMatchObject({ read: { rows: 2 }, lines: { total: 2 } });
  });
});

describe('columns', () => {
  test.each<[string, string, readonly object[]]>([
    [
      'F14 a name twice, after trim and case fold',
      csv(`${ENTRY}, Amount `, `${line('T1')},2`),
      [{ code: 'B0005', line: 1, column: 'amount' }],
    ],
    [
      'F15 a required column is missing',
      csv('transaction_id,order_no,currency', 'T1,O-T1,USD'),
      [{ code: 'B0006', column: 'amount' }],
    ],
    [
      'F15 one is misspelt, and named',
      csv('transaction_id,order_no,curency,amount', line('T1')),
      [{ code: 'B0007', column: 'curency', message: expect.stringContaining('currency') }],
    ],
    [
      'F15 an optional one is misspelt',
      csv(`${ENTRY},refrence`, `${line('T1')},R`),
      [{ code: 'B0007', column: 'refrence' }],
    ],
    ['F16 __proto__', csv(`${ENTRY},__proto__`, `${line('T1')},x`), [{ code: 'B0005', column: '__proto__' }]],
    [
      'F16 constructor',
      csv(`${ENTRY},Constructor`, `${line('T1')},x`),
      [{ code: 'B0005', column: 'constructor' }],
    ],
  ])('%s: the file is rejected', async (_, content, errors) => {
    expect((await expectRejected('capture.csv', content)).errors).toMatchObject(errors);
  });

  test('F15 any other column stays, and comes back untouched in result and fixme', async () => {
    const document = await sandbox.run(
      'capture.csv',
      csv(`shop,${ENTRY},_private,line`, `Zürich,${line('T1')},a,b`, `"a,b",${line('T9', '0')},,`),
    );
    expect(readCsv(document.reports.result)).toMatchObject([
      { shop: 'Zürich', _private: 'a', line: 'b', batchgate_line: '2', outcome: 'succeeded' },
      { shop: 'a,b', _private: '', line: '', batchgate_line: '3', outcome: 'invalid' },
    ]);
    expect(readFileSync(document.reports.fixme!, 'utf8').split('\n')[1]).toMatch(
      /^"a,b",T9,O-T9,USD,0,,,"I0021: /,
    );
  });

  test('F98, F105 what a spreadsheet would run is neutralised, and comes back byte for byte from the fixme', async () => {
    const cells = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      "'=quoted",
      ' =1',
      'plain',
      '00123',
      '1e5',
      '12345678901234567890',
    ];
    // An order number that is a formula is one that a spreadsheet has put there (F45).
    const rows = cells.map(
      (cell, index) => `T${index + 1},"${/^'?=/.test(cell) ? 'O' : cell}",USD,1.00,"${cell}"`,
    );
    const document = await sandbox.run('capture.csv', csv(`${ENTRY},note`, ...rows));
    const text = readFileSync(document.reports.fixme!, 'utf8');
    for (const cell of [
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'=quoted",
      "' =1",
      ',plain,',
      ',00123,',
      ',1e5,',
      ',12345678901234567890,',
    ]) {
      expect(text).toContain(cell);
    }
    // Dropped again as it is, every id and text is the one that it was.
    const again = await sandbox.run('capture.csv', text);
    expect(outcomes(again)).toEqual(outcomes(document));
    expect(readCsv(again.reports.result).map(({ order_no, note }) => [order_no, note])).toEqual(
      readCsv(document.reports.result).map(({ order_no, note }) => [order_no, note]),
    );
    expect(results(again).map(({ message }) => message)).toEqual(
      results(document).map(({ message }) => message),
    );
  });
});

describe('values', () => {
  const one = (id: string, currency: string, amount: string) =>
    csv(ENTRY, `${id},O-${id},${currency},${amount}`);

  test.each([
    ['F21', '10,50', 'I0021'],
    ['F22', '1e2', 'I0021'],
    ['F22', '0x1A', 'I0021'],
    ['F22', '+1', 'I0021'],
    ['F22', ' 1', 'I0021'],
    ['F22', '１.００', 'I0021'],
    ['F22', 'NaN', 'I0021'],
    ['F24', '-1.00', 'I0021'],
    ['F24', '0', 'I0021'],
    ['F24', '0.00', 'I0021'],
    ['F24', '-0.00', 'I0021'],
    ['F25', '10000000000000.00', 'I0021'],
    ['F25', '99999999999999999999', 'I0021'],
    ['F26', '1.005', 'I0022'],
  ])('%s an amount of %j is an invalid line (%s)', async (_, amount, code) => {
    const document = await sandbox.run('capture.csv', csv(ENTRY, `T1,O-T1,USD,"${amount}"`, line('T2')));
    expect(outcomes(document)).toEqual([`invalid ${code}`, 'succeeded']);
    const json = await sandbox.run('capture.json', JSON.stringify([{ ...ENTRIES[0], amount }]));
    expect(outcomes(json)).toEqual([`invalid ${code}`]);
  });

  test('F25 the largest amount there is fits', async () => {
    await sandbox.given({ id: 'BIG', amount: 999_999_999_999_999 });
    expect(outcomes(await sandbox.run('capture.csv', one('BIG', 'USD', '9999999999999.99')))).toEqual([
      'succeeded',
    ]);
    expect(await sandbox.transfers()).toEqual(['BIG capture 999999999999999']);
  });

  test.each([
    ['J1', 'JPY', '10.50', 'invalid I0022', ''],
    ['J1', 'JPY', '10.00', 'invalid I0022', ''],
    ['J1', 'JPY', '10', 'succeeded', 'J1 capture 10'],
    ['K1', 'KWD', '1.0005', 'invalid I0022', ''],
    ['K1', 'KWD', '1.005', 'succeeded', 'K1 capture 1005'],
    ['T1', 'DEM', '1.00', 'invalid I0022', ''],
    ['T1', 'XAU', '1.00', 'invalid I0022', ''],
    ['T1', 'usd', '1.00', 'invalid I0022', ''],
    ['T1', 'USD', '19.99', 'succeeded', 'T1 capture 1999'],
    ['T1', 'USD', '10.5', 'succeeded', 'T1 capture 1050'],
    ['T1', 'USD', '0010.5', 'succeeded', 'T1 capture 1050'],
  ])('F26, F27 %s %s %s: %s', async (id, currency, amount, outcome, transfer) => {
    const document = await sandbox.run('capture.csv', one(id, currency, amount));
    expect(outcomes(document)).toEqual([outcome]);
    expect((await sandbox.transfers()).join()).toBe(transfer);
  });

  test('F21 with --decimal comma a comma is what it was meant to be, and a dot is not', async () => {
    const content = csv(
      'transaction_id;order_no;currency;amount',
      'T1;O-T1;USD;10,50',
      'T2;O-T2;USD;10.50',
      'T3;O-T3;USD;1.234,5',
    );
    const document = await sandbox.run('capture.csv', content, {
      reading: { style: { decimal: 'comma', thousands: 'none' } },
    });
    expect(results(document).map(({ outcome, code }) => `${outcome} ${code}`.trim())).toEqual([
      'succeeded',
      'invalid I0021',
      'invalid I0021',
    ]);
    expect(document.read).toEqual({ encoding: 'utf-8', delimiter: ';', decimal: 'comma', rows: 3 });
    await sandbox.given({ id: 'T20', amount: 200_000 });
    const thousands = await sandbox.run(
      'capture.csv',
      csv('transaction_id;order_no;currency;amount', 'T20;O-T20;USD;1.234,5'),
      {
        reading: { style: { decimal: 'comma', thousands: 'dot' } },
      },
    );
    expect(thousands.totals).toMatchObject({ USD: { succeeded: '1234.50' } });
  });

  test('F23 ids are text: zeros, exponents and twenty digits are the same everywhere', async () => {
    const ids = ['00123', '1e5', '12345678901234567890', '0x1F', '-5', '1.0'];
    await sandbox.given(...ids.map((id) => ({ id })));
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, ...ids.map((id) => line(id)), ...ids.map((id) => line(id, '999'))),
    );
    expect(outcomes(document)).toEqual([...ids.map(() => 'succeeded'), ...ids.map(() => 'refused V0005')]);
    expect((await sandbox.transfers()).map((row) => row.split(' ')[0])).toEqual(ids);
    expect(
      readFileSync(document.reports.fixme!, 'utf8')
        .split('\n')
        .slice(1, 7)
        .map((row) => row.split(',')[0]!.replace(/^'/, '')),
    ).toEqual(ids);
    const listed = JSON.parse(readFileSync(document.reports.json!, 'utf8')).listed.map(
      ({ subject }: { subject: string }) => subject,
    );
    expect(new Set(listed)).toEqual(new Set(ids));
  });
});

describe('JSON', () => {
  const text = JSON.stringify(ENTRIES);

  test.each<[string, string, string, string, object]>([
    [
      'F38 nested deeper than 32',
      'capture.json',
      `[{"a":${'['.repeat(40)}${']'.repeat(40)}}]`,
      'B0011',
      { line: 1 },
    ],
    ['F38 nested a hundred thousand deep', 'capture.json', '['.repeat(100_000), 'B0011', { line: 1 }],
    [
      'F39 a key twice',
      'capture.json',
      text.replace('"amount":"1.00"', '"amount":"1.00","amount":"2.00"'),
      'B0011',
      { line: 1 },
    ],
    [
      'F40 the key __proto__',
      'capture.json',
      text.replace('"order_no"', '"__proto__"'),
      'B0011',
      { line: 1 },
    ],
    [
      'F42 the last line of NDJSON is cut off',
      'capture.ndjson',
      `${JSON.stringify(ENTRIES[0])}\n${JSON.stringify(ENTRIES[1]).slice(0, 40)}`,
      'B0011',
      { line: 2 },
    ],
    ['cut off in the middle of an array', 'capture.json', text.slice(0, -10), 'B0011', {}],
    ['something after the end', 'capture.json', `${text} x`, 'B0011', { line: 1 }],
    ['an entry that is no object', 'capture.json', '["T1"]', 'B0011', {}],
    [
      'an entry of a megabyte',
      'capture.json',
      JSON.stringify([{ ...ENTRIES[0], note: 'x'.repeat(1_000_000) }]),
      'B0010',
      {},
    ],
    [
      'a misspelt key',
      'capture.json',
      text.replaceAll('"currency"', '"curency"'),
      'B0007',
      { line: 1, column: 'curency' },
    ],
    [
      'a misspelt list',
      'capture.json',
      JSON.stringify({ capture_order: ENTRIES }),
      'B0007',
      { column: 'capture_order' },
    ],
    [
      'a misspelt account in the envelope',
      'capture.json',
      JSON.stringify({ acount_id: 'A9', capture_orders: ENTRIES }),
      'B0007',
      { column: 'acount_id' },
    ],
    [
      'two lists',
      'capture.json',
      JSON.stringify({ capture_orders: ENTRIES, cancel_orders: [] }),
      'B0015',
      {},
    ],
    [
      'F103 a result file',
      'capture.json',
      JSON.stringify([{ ...ENTRIES[0], _result: {} }]),
      'B0019',
      { line: 1 },
    ],
  ])('%s rejects the file', async (_, name, content, code, where) => {
    expect((await expectRejected(name, content)).errors).toMatchObject([{ code, ...where }]);
  });

  test('F41 a number where text is due is an invalid line, of an amount as of an id', async () => {
    const document = await sandbox.run(
      'capture.json',
      JSON.stringify([
        { ...ENTRIES[0], amount: 1.0 },
        { ...ENTRIES[1], transaction_id: 2 },
        { ...ENTRIES[1] },
      ]),
    );
    expect(outcomes(document)).toEqual(['invalid I0002', 'invalid I0002', 'succeeded']);
    expect(readJson(document.reports.fixme)).toMatchObject([{ amount: 1 }, { transaction_id: 2 }]);
  });

  test('F41 numbers come back with the digits that they had', async () => {
    const document = await sandbox.run(
      'capture.json',
      '[{"transaction_id":"T1","order_no":"O-T1","currency":"USD","amount":"1.00","weight":1.0e+2,"n":12345678901234567890}]',
    );
    expect(readFileSync(document.reports.result!, 'utf8')).toContain(
      '"weight":1.0e+2,"n":12345678901234567890,"_result":{',
    );
  });

  test('every shape comes back in its own', async () => {
    const bad = ENTRIES.map((entry) => ({ ...entry, amount: '0' }));
    const fixme = async (name: string, content: string) => {
      const document = await sandbox.run(name, content);
      return readFileSync(document.reports.fixme!, 'utf8');
    };
    expect(JSON.parse(await fixme('capture.json', JSON.stringify(bad)))).toHaveLength(2);
    expect(
      JSON.parse(
        await fixme(
          'capture.json',
          JSON.stringify({ merchant_id: 'M1', account_id: 'A1', capture_orders: bad }),
        ),
      ),
    ).toMatchObject({
      merchant_id: 'M1',
      account_id: 'A1',
      capture_orders: [
        { transaction_id: 'T1', _line_of: expect.stringMatching(/^B\w{16}:1$/) },
        { transaction_id: 'T2' },
      ],
    });
    expect(
      (await fixme('capture.ndjson', bad.map((entry) => JSON.stringify(entry)).join('\n')))
        .split('\n')
        .filter(Boolean),
    ).toHaveLength(2);
  });

  test('the line of an entry is its number, of NDJSON its physical line', async () => {
    const list = await sandbox.run('capture.json', JSON.stringify(ENTRIES, undefined, 2));
    expect(results(list).map(({ line }) => line)).toEqual([1, 2]);
    const lines = await sandbox.run(
      'capture.ndjson',
      `\n${JSON.stringify({ ...ENTRIES[0], amount: '2.00' })}\n\n${JSON.stringify({ ...ENTRIES[1], amount: '2.00' })}`,
    );
    expect(results(lines).map(({ line }) => line)).toEqual([2, 4]);
  });
});

describe('what the file is about (B0015)', () => {
  const operationOf = async (name: string, content: string, change: Partial<Submission> = {}) =>
    (await sandbox.run(name, content, change)).operation;

  test('the operation comes from the column, the flag, the list, or the first word of the name', async () => {
    expect(await operationOf('all.csv', csv(`operation,${ENTRY}`, `capture,${line('T1')}`))).toBe('capture');
    expect(await operationOf('all.csv', GOOD, { operation: 'cancel' })).toBe('cancel');
    expect(await operationOf('all.json', JSON.stringify({ capture_orders: ENTRIES }))).toBe('capture');
    expect(await operationOf('captures_eu-2026.csv', GOOD)).toBe('capture');
    expect(await operationOf('CANCEL 3.csv', GOOD)).toBe('cancel');
  });

  test.each<[string, string, string, Partial<Submission>, object]>([
    ['nothing says it', 'november.csv', GOOD, {}, {}],
    ['nothing says it of an array', 'november.json', JSON.stringify(ENTRIES), {}, {}],
    [
      'a column that is empty throughout',
      'november.csv',
      csv(`operation,${ENTRY}`, `,${line('T1')}`),
      {},
      {},
    ],
    ['flag and name contradict', 'capture.csv', GOOD, { operation: 'cancel' }, {}],
    ['list and name contradict', 'capture.json', JSON.stringify({ refund_orders: [] }), {}, {}],
    [
      'list and flag contradict',
      'november.json',
      JSON.stringify({ refund_orders: [] }),
      { operation: 'cancel' },
      {},
    ],
    [
      'a line contradicts the name',
      'capture.csv',
      csv(`operation,${ENTRY}`, `capture,${line('T1')}`, `cancel,${line('T2')}`),
      {},
      { line: 3, column: 'operation' },
    ],
  ])('%s', async (_, name, content, change, where) => {
    const document = await expectRejected(name, content, change);
    expect(document.errors).toMatchObject([{ code: 'B0015', ...where }]);
  });

  test('a column may vary, and a word that is no operation is an invalid line', async () => {
    const document = await sandbox.run(
      'november.csv',
      csv(
        `operation,${ENTRY}`,
        `capture,${line('T1')}`,
        `Cancel,${line('T2', '100.00')}`,
        `pay,${line('T3')}`,
        `,${line('T4')}`,
      ),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded', 'invalid I0002', 'invalid I0001']);
    expect(document).toMatchObject({ operation: 'mixed', totals: null });
  });
});

describe('whose the lines are', () => {
  beforeEach(() => sandbox.account());
  const of = (merchant: string, account: string, id: string) => `${merchant},${account},${line(id)}`;
  const WITH_IDS = `merchant_id,account_id,${ENTRY}`;
  const FLAGS = { merchantId: 'M1', accountId: 'A1' };

  test('F101 a line of another account under flags or in a folder rejects the file', async () => {
    const document = await expectRejected(
      'capture.csv',
      csv(WITH_IDS, of('M1', 'A1', 'T1'), of('M1', 'A2', 'T2')),
      FLAGS,
    );
    expect(document.errors).toMatchObject([{ code: 'B0015', line: 3, column: 'account_id' }]);
  });

  test('F101 so does one of another merchant, and an envelope of another account', async () => {
    const csvFile = await expectRejected('capture.csv', csv(WITH_IDS, of('M2', 'A1', 'T1')), FLAGS);
    expect(csvFile.errors).toMatchObject([{ code: 'B0015', line: 2, column: 'merchant_id' }]);
    const envelope = JSON.stringify({ merchant_id: 'M1', account_id: 'A2', capture_orders: ENTRIES });
    expect((await expectRejected('capture.json', envelope, FLAGS)).errors).toMatchObject([{ code: 'B0015' }]);
    const entry = JSON.stringify({
      merchant_id: 'M1',
      account_id: 'A1',
      capture_orders: [{ ...ENTRIES[0], account_id: 'A2' }],
    });
    expect((await expectRejected('capture.json', entry)).errors).toMatchObject([
      { code: 'B0015', line: 1, column: 'account_id' },
    ]);
    const numbers = '{"merchant_id":1,"account_id":"A1","capture_orders":[]}';
    expect((await expectRejected('capture.json', numbers)).errors).toMatchObject([{ code: 'B0015' }]);
  });

  test('columns decide where nothing else does, and an account that there is not is an invalid line', async () => {
    await sandbox.given({ id: 'U1', account: 2 });
    const document = await sandbox.run(
      'capture.csv',
      csv(WITH_IDS, of('M1', 'A1', 'T1'), of('M1', 'A2', 'U1'), of('M1', 'A9', 'T2'), of('', 'A1', 'T3')),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded', 'invalid I0013', 'invalid I0001']);
    expect(document.breakdown.map(({ account, lines }) => [account, lines.total])).toEqual([
      ['A1', 1],
      ['A2', 1],
      ['A9', 1],
      ['A1', 1],
    ]);
  });

  test('with several accounts and neither columns nor flags nobody guesses', async () => {
    expect((await expectRejected('capture.csv', GOOD)).errors).toMatchObject([
      { code: 'B0006', column: 'merchant_id' },
      { code: 'B0006', column: 'account_id' },
    ]);
  });

  test('a transaction of another account is not there', async () => {
    const document = await sandbox.run('capture.csv', GOOD, { merchantId: 'M1', accountId: 'A2' });
    expect(outcomes(document)).toEqual(['refused V0001', 'refused V0001']);
  });
});

describe('read wrongly (B0020)', () => {
  const lines = (bad: number, all: number, amount = '1,00') =>
    csv(
      ENTRY,
      ...Array.from(
        { length: all },
        (_, index) => `T${index + 1},O-T${index + 1},USD,${index < bad ? `"${amount}"` : '1.00'}`,
      ),
    );

  test('F104 one line of ten that is unreadable rejects the file', async () => {
    const { errors } = await expectRejected('capture.csv', lines(1, 10));
    expect(errors).toMatchObject([
      {
        code: 'B0020',
        message: expect.stringContaining('1 of 10'),
        hint: expect.stringContaining('--decimal'),
      },
    ]);
  });

  test('F104 one of eleven does not, and neither do nine of nine', async () => {
    expect(outcomes(await sandbox.run('capture.csv', lines(1, 11)))).toEqual([
      'invalid I0021',
      ...Array(10).fill('succeeded'),
    ]);
    expect((await sandbox.run('capture.csv', lines(9, 9))).lines).toMatchObject({ invalid: 9 });
  });

  test('F104 reasons are counted one by one, by code and column', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => line(`T${(index % 12) + 1}`, `${index + 1}.00`));
    rows[3] = 'T4,O-T4,USD,"4,00"';
    rows[4] = 'T5,O-T5,DEM,4.00';
    expect((await sandbox.run('capture.csv', csv(ENTRY, ...rows))).lines).toMatchObject({ invalid: 2 });
    rows[5] = 'T6,O-T6,USD,"6,00"';
    const document = await sandbox.run('capture.csv', csv(ENTRY, ...rows));
    expect(document.errors).toMatchObject([
      { code: 'B0020', message: expect.stringContaining('2 of 20 lines have I0021 in amount') },
    ]);
  });

  test('a missing field is no reading fault: it is the line that is wrong', async () => {
    const content = csv(ENTRY, ...Array.from({ length: 10 }, (_, index) => `T${index + 1},,USD,1.00`));
    expect((await sandbox.run('capture.csv', content)).lines).toMatchObject({ invalid: 10 });
  });
});

test('F103 a result file dropped by mistake is rejected, and names its fixme', async () => {
  const first = await sandbox.run('capture.csv', csv(ENTRY, line('T1'), line('T2', '0')));
  const name = first.reports.result!.split('/').at(-1)!;
  const before = await sandbox.transfers();
  const document = await sandbox.run(name, readFileSync(first.reports.result!));
  expect(document).toMatchObject({ status: 'rejected', exit: 6 });
  expect(document.errors).toMatchObject([
    { code: 'B0019', message: expect.stringContaining(first.reports.fixme!.split('/').at(-1)!) },
  ]);
  expect(await sandbox.transfers()).toEqual(before);
});
