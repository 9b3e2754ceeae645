/** The spreadsheet of all breaks: columns, the guard against formulas, and that what is read again is what was written. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { unguard } from '../../../src/core/guard.ts';
import { reconciliationCsv } from '../../../src/report/reconciliation/csv.ts';
import type { ListedBreak } from '../../../src/report/reconciliation/document.ts';
import { HOSTILE } from '../documents.ts';
import { expectGolden } from '../golden.ts';
import { hostile, withBreaks } from './documents.ts';
import { listedBreak } from './parts.ts';

const HEADER =
  'id,state,side,kind,severity,reference,currency,ledger,statement,statement_currency,difference,age_days,day,found,' +
  'due,closed,place,why,assignee,resolution';

async function* blocksOf(...blocks: readonly (readonly ListedBreak[])[]) {
  yield* blocks;
}

async function written(...blocks: readonly (readonly ListedBreak[])[]): Promise<string> {
  let text = '';
  await reconciliationCsv(blocksOf(...blocks), {
    async write(piece) {
      text += piece;
    },
  });
  return text;
}

function read(text: string): readonly Record<string, string>[] {
  return parse(text, { columns: true, bom: true });
}

test('begins with the mark of UTF-8 and the header, also without a break', async () => {
  expect(await written()).toBe(`\uFEFF${HEADER}\n`);
  expect(await written([], [])).toBe(`\uFEFF${HEADER}\n`);
});

test('reconciliation.csv of with-breaks', async () => {
  expectGolden('reconciliation/with-breaks.csv', await written(withBreaks.breaks));
});

test('how breaks come in blocks changes nothing', async () => {
  const [first, ...others] = withBreaks.breaks;
  expect(await written([first!], [], others)).toBe(await written(withBreaks.breaks));
});

describe('formulas', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', ' =1+1', "'=1+1"])(
    '%j gets one apostrophe in front, and reading takes it away',
    async (text) => {
      const [row] = read(await written([listedBreak({ reference: text, place: text, resolution: text })]));
      for (const cell of [row!.reference, row!.place, row!.resolution]) {
        expect(cell).toBe(`'${text}`);
        expect(unguard(cell!)).toBe(text);
      }
    },
  );

  test('amounts and counts stay numbers', async () => {
    const [row] = read(
      await written([listedBreak({ ledger: '-1.50', statement: '-2', difference: '-0.50' })]),
    );
    expect(row).toMatchObject({ ledger: '-1.50', statement: '-2', difference: '-0.50', age_days: '3' });
  });

  test('what is not a number is text in a column of numbers, too', async () => {
    const [row] = read(await written([listedBreak({ ledger: '-1+cmd' })]));
    expect(row!.ledger).toBe("'-1+cmd");
  });
});

test('ids stay text, and what a side does not have is empty', async () => {
  const [row] = read(await written([listedBreak({ reference: '00012345678901234567' })]));
  expect(row).toMatchObject({ reference: '00012345678901234567', statement: '', assignee: '', due: '' });
});

test('F34, F99 texts that want out stay in their cells, and a sentence shows what cannot be seen', async () => {
  const rows = read(await written(hostile.breaks));
  expect(rows).toHaveLength(hostile.breaks.length);
  const tagged = rows.find(({ reference }) => reference === HOSTILE.tag);
  expect(tagged).toMatchObject({ place: HOSTILE.tag, resolution: HOSTILE.tag, why: HOSTILE.tag });
  expect(rows.map(({ why }) => why)).toContain('invoice⟨U+202E⟩fdp.exe');
  expect(rows.map(({ why }) => why)).toContain('a⟨U+0000⟩b⟨U+000A⟩c⟨U+001B⟩[31m');
});
