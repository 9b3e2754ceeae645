/** Compares what the program says and holds with the reference model. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { stateOf } from '../../src/core/transaction.ts';
import { loadTransactionsAfter } from '../../src/ledger/transactions.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import type { InstructionFile } from '../support/instruction-file.ts';
import type { Sandbox } from '../support/ledger.ts';
import type { ModelBatch } from './batches.ts';
import { DIGITS, decimalOf, type ReadLine } from './reading.ts';
import type { Reference } from './reference.ts';

const OUTCOMES = ['succeeded', 'pending', 'refused', 'invalid', 'duplicate', 'unknown', 'not_sent'] as const;

/** One line of a result file: our columns, and the input's own as they came back. */
interface ResultLine {
  readonly ours: Readonly<Record<string, string>>;
  readonly cells: readonly string[];
  readonly entry: object;
}

const OURS = ['line', 'outcome', 'code', 'message', 'hint', 'chunk', 'attempt', 'gateway_reference', 'batch'];

/** Line by line: outcome, code, chunk, attempt and reference; and the input's own columns, untouched. */
export function compareResult(document: BatchDocument, file: InstructionFile, batch: ModelBatch): void {
  const result = readResult(document.reports.result!, file);
  expect(result).toHaveLength(file.lines.length);
  const found = result.map(({ ours }) => ours);
  expect(found).toEqual(
    batch.reads.map(({ line }) => {
      const { fate, chunk, attempt } = batch.standings.get(line)!;
      const { id } = batch.name;
      const isDone = fate.outcome === 'succeeded' || fate.outcome === 'pending';
      return {
        line: String(line),
        outcome: fate.outcome,
        code: fate.code,
        chunk: String(chunk ?? ''),
        attempt: String(attempt ?? ''),
        gateway_reference: isDone ? `${id}-${line}${attempt === 1 ? '' : `-${attempt}`}` : '',
        batch: id,
      };
    }),
  );
  result.forEach(({ cells, entry }, at) => {
    if (file.format === 'csv') expect(cells.slice(0, file.cells[at]!.length)).toEqual(file.cells[at]);
    else expect(entry).toEqual(file.entries[at]);
  });
}

function readResult(path: string, file: InstructionFile): ResultLine[] {
  const text = readFileSync(path, 'utf8');
  return file.format === 'csv' ? readCsv(text, file) : readJson(text, file);
}

function readCsv(text: string, { delimiter, header }: InstructionFile): ResultLine[] {
  const options = { bom: true, delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true };
  const [head, ...records] = parse(text, options) as string[][];
  expect(head!.slice(0, header.length).map((name) => name.trim().toLowerCase())).toEqual(
    header.map((name) => name.toLowerCase()),
  );
  return records.map((record) => {
    const tail = record.slice(-OURS.length);
    const surplus = record.length - OURS.length - header.length;
    const cells = record.slice(0, header.length).map(unguarded);
    return {
      ours: wanted(Object.fromEntries(OURS.map((name, at) => [name, tail[at]!]))),
      cells: surplus > 0 ? [...cells, ...record.slice(header.length, header.length + surplus)] : cells,
      entry: {},
    };
  });
}

function readJson(text: string, { format, frame }: InstructionFile): ResultLine[] {
  const entries = (
    format === 'ndjson'
      ? text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : format === 'array'
        ? JSON.parse(text)
        : JSON.parse(text)[`${frame.operation}_orders`]
  ) as { _result: Record<string, unknown> }[];
  return entries.map(({ _result, ...entry }) => {
    const ours = Object.fromEntries(
      Object.entries(_result).map(([key, value]) => [key, String(value ?? '')]),
    );
    return { ours: wanted(ours), cells: [], entry };
  });
}

function wanted({ message, hint, ...ours }: Record<string, string>): Record<string, string> {
  // Whatever has a code has a sentence and a hint to go with it.
  expect(message === '').toBe(ours.code === '');
  expect(hint === '').toBe(ours.code === '');
  return ours;
}

function unguarded(cell: string): string {
  return /^'+ *[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** Exactly the refused, invalid and unsent lines are in fixme, exactly the duplicates in held, each under its first. */
export function compareRest(
  document: BatchDocument,
  { delimiter }: InstructionFile,
  batch: ModelBatch,
): void {
  const { id } = batch.name;
  const { fixme, held } = document.reports;
  const wrong = batch.linesThatAre('refused', 'invalid', 'not_sent').map((line) => `${id}:${line}`);
  expect(marks(fixme, '_line_of', delimiter)).toEqual(wrong);
  const duplicates = batch.linesThatAre('duplicate').map((line) => {
    const first = batch.standings.get(line)!.fate.first!;
    return `${first.batch.id}:${first.line}`;
  });
  expect(marks(held, '_first', delimiter)).toEqual(duplicates);
}

/** The values of one of our columns in a fixme or held file, whatever its format. */
function marks(path: string | null, column: string, delimiter: string): string[] {
  if (path === null) return [];
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  if (!path.endsWith('.csv')) {
    return [...text.matchAll(new RegExp(`"${column}":"([^"]*)"`, 'g'))].map((match) => match[1]!);
  }
  const options = { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true };
  const [head, ...records] = parse(text, options) as string[][];
  return records.map((record) => record[head!.indexOf(column)]!);
}

/** Counts, totals, breakdown and exit code: the totals equation, computed from the model's lines. */
export function compareDocument(document: BatchDocument, batch: ModelBatch): void {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<string, number>;
  for (const { line } of batch.reads) counts[batch.standings.get(line)!.fate.outcome]! += 1;
  expect(document.lines).toEqual({ total: batch.reads.length, ...counts });
  expect(document.exit).toBe(exitOf(counts));
  expect(document.chunks.planned).toBe(batch.chunksPlanned);
  const rows = breakdownOf(batch);
  const found = new Map(
    document.breakdown.map((row) => [
      `${row.merchant}/${row.account}/${row.operation}/${row.currency}`,
      {
        lines: row.lines,
        amounts: row.amounts,
        moved: [row.moved_in, row.moved_out, row.fees],
        unreadable: row.unreadable_amounts,
      },
    ]),
  );
  expect(found).toEqual(rows);
  const operations = new Set(batch.reads.map(({ operation }) => operation).filter((word) => word !== ''));
  if (operations.size <= 1 && document.operation !== 'mixed')
    expect(document.totals).toEqual(totalsOf(document));
  else expect(document.totals).toBeNull();
}

function exitOf(counts: Readonly<Record<string, number>>): number {
  if (counts.refused! + counts.invalid! + counts.duplicate! + counts.not_sent! > 0) return 3;
  return counts.pending! > 0 ? 9 : 0;
}

interface Row {
  lines: Record<string, number>;
  sums: Record<string, bigint>;
  moved: [bigint, bigint, bigint];
  unreadable: number;
}

function breakdownOf(batch: ModelBatch): Map<string, unknown> {
  const rows = new Map<string, Row>();
  const row = ({ merchantId, accountId, operation }: ReadLine, currency: string): Row => {
    const key = `${merchantId}/${accountId}/${operation}/${currency}`;
    const fresh: Row = { lines: { total: 0 }, sums: { instructed: 0n }, moved: [0n, 0n, 0n], unreadable: 0 };
    for (const outcome of OUTCOMES) {
      fresh.lines[outcome] = 0;
      fresh.sums[outcome] = 0n;
    }
    if (!rows.has(key)) rows.set(key, fresh);
    return rows.get(key)!;
  };
  for (const read of batch.reads) {
    const { outcome, moved } = batch.standings.get(read.line)!.fate;
    const own = row(read, read.currency);
    own.lines.total! += 1;
    own.lines[outcome]! += 1;
    if (read.amount === undefined) own.unreadable += 1;
    else {
      own.sums.instructed! += read.amount;
      own.sums[outcome]! += read.amount;
    }
    if (moved.currency === '' || moved.in + moved.out + moved.fees === 0n) continue;
    const money = row(read, moved.currency).moved;
    [moved.in, moved.out, moved.fees].forEach((amount, at) => {
      money[at]! += amount;
    });
  }
  return new Map(
    [...rows].map(([key, { lines, sums, moved, unreadable }]) => {
      const currency = key.split('/').at(-1)!;
      const text = (sum: bigint) => (currency === '' ? String(sum) : decimalOf(sum, currency));
      const amounts = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, text(sum)]));
      return [key, { lines, amounts, moved: moved.map(text), unreadable }];
    }),
  );
}

/** Per currency, the sum of the breakdown's amounts. A row without lines only shows what moved: it is no total. */
function totalsOf({ breakdown }: BatchDocument): Record<string, Record<string, string>> {
  const totals: Record<string, Record<string, string>> = {};
  for (const { currency, amounts, lines } of breakdown) {
    if (currency === '' || lines.total === 0) continue;
    const before = totals[currency];
    totals[currency] = Object.fromEntries(
      Object.entries(amounts).map(([name, amount]) => [name, added(before?.[name] ?? '0', amount, currency)]),
    );
  }
  return totals;
}

function added(one: string, other: string, currency: string): string {
  const minor = (text: string) => {
    const [whole, fraction = ''] = text.split('.');
    return BigInt(whole! + fraction.padEnd(DIGITS[currency]!, '0'));
  };
  return decimalOf(minor(one) + minor(other), currency);
}

interface StoredRow {
  readonly sequence: number;
  readonly subject: string;
  readonly kind: number;
  readonly amount: number;
  readonly batch: string | null;
  readonly line: number | null;
  readonly reference: string | null;
  readonly repeat_of: string | null;
}

const KINDS = [
  '',
  'capture',
  'cancel',
  'refund',
  'review_accepted',
  'review_rejected',
  'expire',
  'fee',
  'payout',
  'exchange_out',
  'exchange_in',
];

/** The ledger's rows after a number are those that the model expects, in its order and without a gap. */
export async function compareLedger(sandbox: Sandbox, model: Reference, after: number): Promise<number> {
  const rows = await sandbox.database.reads.all<StoredRow>(
    `SELECT r.sequence, ifnull(t.transaction_id, p.request_id) AS subject, r.kind, r.amount, b.id AS batch, r.line,
       r.reference, r.repeat_of
     FROM transfer AS r LEFT JOIN txn AS t ON t.number = r.txn LEFT JOIN payout AS p ON p.number = r.payout
     LEFT JOIN batch AS b ON b.number = r.batch WHERE r.sequence > ? ORDER BY r.sequence`,
    [after],
  );
  const found = rows.map(({ sequence, subject, kind, amount, batch, line, reference, repeat_of }) =>
    [sequence, subject, KINDS[kind], amount, batch, line, reference, repeat_of].join(' '),
  );
  const expected = model.rows
    .slice(after)
    .map(({ subject, kind, amount, batch, line, reference, repeatOf }, at) =>
      [after + at + 1, subject, kind, amount, batch.id, line, reference, repeatOf].join(' '),
    );
  expect(found).toEqual(expected);
  return after + rows.length;
}

/** Balances by account, currency and book; invariant 1: per account and currency they sum to nothing. */
export async function compareBalances(sandbox: Sandbox, model: Reference): Promise<void> {
  const rows = await sandbox.database.reads.all<{ key: string; amount: string }>(
    `SELECT account || '/' || currency || '/' || book AS key, amount FROM balance WHERE amount <> '0' ORDER BY 1`,
  );
  const found = new Map(rows.map(({ key, amount }) => [key, BigInt(amount)]));
  expect(found).toEqual(new Map([...model.books].filter(([, sum]) => sum !== 0n).sort(byKey)));
  const sums = new Map<string, bigint>();
  for (const [key, amount] of found) {
    const place = key.slice(0, key.lastIndexOf('/'));
    sums.set(place, (sums.get(place) ?? 0n) + amount);
  }
  expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
}

function byKey([one]: [string, bigint], [other]: [string, bigint]): number {
  return one < other ? -1 : 1;
}

/** Invariants 2, 3, 9: what the transfers add up to is what the model has, in its state and within its bounds. */
export async function compareTransactions(sandbox: Sandbox, model: Reference): Promise<void> {
  const loaded = await loadTransactionsAfter(sandbox.database.reads, 0, 1_000_000);
  expect(loaded).toHaveLength(model.transactions.size);
  for (const { accountNumber, transaction } of loaded) {
    const { transactionId, amount, captured, refunded, cancelled, expired } = transaction;
    const mine = model.transactions.get(`${accountNumber}/${transactionId}`)!;
    const { lifetime } = model.accounts[accountNumber - 1]!;
    const figures = (one: { captured: unknown; refunded: unknown; cancelled: unknown; expired: unknown }) =>
      [one.captured, one.refunded, one.cancelled, one.expired].join(' ');
    expect([transactionId, figures(transaction), stateOf(transaction, sandbox.now, lifetime)]).toEqual([
      mine.id,
      figures(mine),
      model.stateOf(mine, sandbox.now),
    ]);
    expect(0 <= refunded && refunded <= captured && captured + cancelled + expired <= amount).toBe(true);
    if (mine.opening === 'cancelled') expect(captured).toBe(0);
  }
}
