/** The round trip: what a run could not do is corrected in its fixme file and dropped again. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BatchDocument } from '../../src/report/document.ts';
import { results } from '../support/ledger.ts';
import { csvOf, type Fields, newLedger, randomFile, spareOf } from './files.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 20);

test('fixme of a run, corrected, run again: all bad lines succeed and nothing is executed twice (F29, F31)', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomFile(), async (file) => {
      const sandbox = await newLedger(true);
      try {
        const first = await sandbox.run(file.name, file.content);
        fc.pre(first.reports.fixme !== null);
        const before = await sandbox.transfers();
        const bad = readLines(first);
        const corrected = write(first, bad.map(corrections));
        const again = await sandbox.run(`lines-corrected${extension(file.name)}`, corrected);
        const outcomes = results(again).map(({ outcome, code }) => `${outcome} ${code}`.trim());
        expect(outcomes).toEqual(bad.map(() => 'succeeded'));
        const after = await sandbox.transfers();
        expect(after.slice(0, before.length)).toEqual(before);
        // A review on the account that captures at once would be two.
        expect(after).toHaveLength(before.length + bad.length);
        await expectNoMore(sandbox, again, file.name, corrected, file.content, after);
      } finally {
        await sandbox.remove();
      }
    }),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
});

/** The corrected file again, and the whole first file in other bytes, execute nothing that was executed. */
async function expectNoMore(
  sandbox: Awaited<ReturnType<typeof newLedger>>,
  again: BatchDocument,
  name: string,
  corrected: string,
  content: string,
  after: readonly string[],
): Promise<void> {
  const repeat = await sandbox.run(`again${extension(name)}`, corrected);
  expect(repeat).toEqual({ ...again, repeat: true });
  const whole = await sandbox.run(name, `${content}\n`);
  expect(whole.lines.succeeded + whole.lines.pending).toBe((await sandbox.transfers()).length - after.length);
  const spares = (await sandbox.transfers()).slice(after.length).filter((row) => /^(?:CA|RE)/.test(row));
  expect(spares).toEqual([]);
}

function extension(name: string): string {
  return name.slice(name.indexOf('.'));
}

/** The records of a fixme file, whatever its format. */
function readLines({ reports }: BatchDocument): Fields[] {
  const text = readFileSync(reports.fixme!, 'utf8');
  if (reports.fixme!.endsWith('.csv')) return parse(text, { columns: true, bom: true }) as Fields[];
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields);
}

function write({ reports }: BatchDocument, records: readonly Fields[]): string {
  if (reports.fixme!.endsWith('.csv')) return csvOf(records);
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** What makes a line succeed for certain: a transaction of its own, or a request_id and a cent. */
function corrections(line: Fields, at: number): Fields {
  const place = { merchant_id: 'M1', account_id: 'A1', reference: '' };
  if (line.operation === 'payout') {
    return {
      ...line,
      ...place,
      request_id: `NEW-${at}`,
      source_amount: '0.01',
      payment_date: '',
      account_id: 'A1',
      'beneficiary.bank_details.iban': 'DE89370400440532013000',
    };
  }
  const id = spareOf(line.operation!, at);
  const amounts =
    line.operation === 'refund' ? { amount: '100.00', refund_amount: '1.00' } : { amount: '100.00' };
  return { ...line, ...place, ...amounts, transaction_id: id, order_no: `O-${id}`, currency: 'USD' };
}
