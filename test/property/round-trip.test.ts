/** Ids are bytes: whatever they look like, they come back as they came in, however often a fixme file goes round. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKnownField } from '../../src/core/instruction.ts';
import { openFile } from '../../src/files/open.ts';
import { Sandbox } from '../support/ledger.ts';
import { csvCell } from './files.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);

/** What no id can have: control characters, half of a surrogate pair, line and paragraph separators. */
const NO_ID = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

const hostile = fc.constantFrom(
  ...['00123', '1e5', '12345678901234567890', '-1', '+49', '@cmd', '=1+1', "'", "'=1", "''-1", ' =1', ' x '],
  ...['"', '""', ',', ';', '|', 'a,b;c|d', "O'Neil", 'null', 'TRUE', '1.0', '01-Mar', '1.23E+15', '#REF!'],
  ...[
    'Größe',
    'ß',
    'ﬁ',
    'e\u0301',
    'é',
    '😀',
    '\u200f',
    '\u202e',
    '\uFEFF',
    '\u00a0',
    '１２',
    '<b>',
    '--',
    '0',
  ],
);
const id = fc
  .oneof(
    hostile,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  )
  .filter((text) => !NO_ID.test(text) && text.trim() !== '' && text.length <= 64);

/** Free text may also have line breaks and tabs. */
const note = fc.oneof(id, fc.constantFrom('', 'two\nlines', 'CR\rLF\r\n', '\t', "\t'", '\r'));

interface Line {
  readonly transaction_id: string;
  readonly order_no: string;
  readonly reference: string;
  readonly kommentar: string;
}

const line = fc.record<Line>({ transaction_id: id, order_no: id, reference: id, kommentar: note });

const dialect = fc.record({
  format: fc.constantFrom('csv', 'csv', 'ndjson', 'json'),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.boolean(),
});

test('F23, F98, F105 input → fixme → input → fixme: byte-equal cells and entries', {
  timeout: 300_000,
}, async () => {
  const sandbox = await Sandbox.make();
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 9 }), dialect, async (lines, style) => {
      let content = write(lines, style);
      const name = `capture.${style.format}`;
      for (let round = 1; round <= 2; round += 1) {
        files += 1;
        // Nothing of it is known, so every line is refused or invalid.
        const document = await sandbox.run(name, content, { operation: 'capture' });
        expect(document.status).toBe('completed');
        expect(document.lines.refused + document.lines.invalid).toBe(lines.length);
        expect(await read(document.reports.fixme!, name)).toEqual(lines.map(withoutBlanks));
        expect(await read(document.reports.result!, name)).toEqual(lines.map(withoutBlanks));
        content = readFileSync(document.reports.fixme!, 'utf8');
      }
    }),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
  expect(files).toBeGreaterThan(0);
  await sandbox.remove();
});

const COLUMNS = ['transaction_id', 'order_no', 'currency', 'amount', 'reference', 'kommentar'] as const;

function write(
  lines: readonly Line[],
  { format, delimiter, lineEnd, mark }: { format: string; delimiter: string; lineEnd: string; mark: boolean },
): string {
  const records = lines.map((one) => ({ ...one, currency: 'USD', amount: '1.00' }));
  const bom = mark ? '\uFEFF' : '';
  if (format === 'ndjson') return bom + records.map((one) => `${JSON.stringify(one)}\n`).join('');
  if (format === 'json') return bom + JSON.stringify(records);
  const cell = (text: string) => {
    const written = csvCell(text);
    return written.startsWith('"') || !written.includes(delimiter) ? written : `"${written}"`;
  };
  const rows = [COLUMNS, ...records.map((one) => COLUMNS.map((column) => one[column]))];
  return bom + rows.map((cells) => cells.map(cell).join(delimiter) + lineEnd).join('');
}

/** Our own reading of a file, cells or entry members: intake's reader, which has tests against csv-parse of its own. */
async function read(path: string, name: string): Promise<Partial<Line>[]> {
  const opened = await openFile(path, name, {}, isKnownField);
  const found: Partial<Line>[] = [];
  const { shape } = opened;
  for await (const rows of opened.rows()) {
    for (const { cells, entry } of rows) {
      const value = (column: string) =>
        shape.format === 'csv' ? cells[shape.columns.indexOf(column)] : entry?.get(column);
      const [transaction_id, order_no, reference, kommentar] = [
        'transaction_id',
        'order_no',
        'reference',
        'kommentar',
      ].map(value);
      found.push(withoutBlanks({ transaction_id, order_no, reference, kommentar } as Line));
    }
  }
  return found;
}

function withoutBlanks(line: Line): Partial<Line> {
  return Object.fromEntries(Object.entries(line).filter(([, text]) => text !== ''));
}
