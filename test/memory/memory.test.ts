/**
 * F19: the memory that a file takes does not depend on its length. `npm run test:long` compares a million lines with a
 * tenth of them (MEMORY_LINES=1000000); 20 million are a gigabyte.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../src/ledger/sqlite.ts';
import type { LineCounts, RunDocument } from '../../src/report/document.ts';
import { call } from '../fault/program.ts';

const LINES = Number(process.env.MEMORY_LINES ?? 300_000);
/** Below 100,000 lines a run ends before its buffers and the heap have got to their usual size. */
const FEWER = LINES / (LINES < 1_000_000 ? 3 : 10);

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const MEGABYTE = 1024 * 1024;

const root = mkdtempSync(join(tmpdir(), 'batchgate-memory-'));
const data = join(root, 'data');

beforeAll(async () => {
  await call('init', '--data', data);
  await call('account', 'add', '--merchant', 'M1', '--account', 'A1', '--currency', 'USD', '--data', data);
  // As an import would bring them; importing takes longer than what is measured here.
  const database = await Connection.open(join(data, 'batchgate.db'), 'write');
  await database.exec(
    `INSERT INTO txn (account, transaction_id, order_no, currency, amount, state, captured, refunded, cancelled, authorised_at)
     WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${LINES})
     SELECT 1, printf('T%019d', i), 'O-' || i, 'USD', 10000, 'authorised', 0, 0, 0, ${Date.now()} FROM n`,
  );
  // And what payouts are paid from.
  await database.exec(
    `INSERT INTO txn (account, transaction_id, order_no, currency, amount, state, captured, refunded, cancelled, authorised_at)
     VALUES (1, 'PURSE', 'O-PURSE', 'USD', 100000000, 'captured', 100000000, 0, 0, ${Date.now()});
     INSERT INTO balance VALUES (1, 'USD', 'merchant', '100000000'), (1, 'USD', 'acquirer', '-100000000')`,
  );
  await database.close();
}, 120_000);

afterAll(() => rmSync(root, { recursive: true }));

/** Captures of `count` transactions; one in ten asks for more than there is. */
async function captures(name: string, count: number, cents: string): Promise<string> {
  const path = join(root, name);
  const file = await open(path, 'w');
  await file.write('transaction_id,order_no,currency,amount,kommentar\n');
  for (let from = 1; from <= count; from += 10_000) {
    let block = '';
    for (let at = from; at < from + 10_000 && at <= count; at += 1) {
      const amount = at % 10 === 0 ? '100.01' : `1.${cents}`;
      block += `T${String(at).padStart(19, '0')},O-${at},USD,${amount},something of the sender's own\n`;
    }
    await file.write(block);
  }
  await file.close();
  return path;
}

/** Payouts; each is a request of its own. */
async function payouts(name: string, count: number): Promise<string> {
  const path = join(root, name);
  const columns = 'request_id,payment_method,source_currency,payment_currency,source_amount';
  const beneficiary = 'beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
  const rest = 'SWIFT,USD,USD,1.00,COMPANY,Example Ltd,DE89370400440532013000';
  const lines = Array.from({ length: count }, (_, at) => `P${at},${rest}\n`);
  await writeFile(path, `${columns},${beneficiary}\n${lines.join('')}`);
  return path;
}

/** Validates and executes the file in a process of its own. @returns its document, and its peak resident memory in bytes */
async function measured(file: string): Promise<{ lines: LineCounts; peak: number }> {
  const arguments_ = [CHILD, 'run', file, '--data', data, '--json', '--quiet'];
  const ended = await promisify(execFile)(process.execPath, arguments_).catch((error) => error);
  const { batches } = JSON.parse(ended.stdout) as RunDocument;
  const peak = Number(/maxRSS (\d+)/.exec(ended.stderr)![1]) * 1024;
  return { lines: batches[0]!.lines, peak };
}

async function peakOf(file: string, total: number): Promise<number> {
  const { lines, peak } = await measured(file);
  expect(lines).toMatchObject({ total, succeeded: total * 0.9, refused: total * 0.1 });
  return peak;
}

test('F19 peak resident memory is under 384 MB, and not more for ten times the lines', {
  timeout: 120_000 + LINES,
}, async () => {
  const short = await peakOf(await captures('capture-short.csv', FEWER, '11'), FEWER);
  const long = await peakOf(await captures('capture-long.csv', LINES, '22'), LINES);
  console.log(
    `${FEWER} lines: ${Math.round(short / MEGABYTE)} MB; ${LINES} lines: ${Math.round(long / MEGABYTE)} MB`,
  );
  expect(long).toBeLessThan(384 * MEGABYTE);
  expect(long - short).toBeLessThan(60 * MEGABYTE);
});

test('F19 a file of payouts takes no more than one of captures', { timeout: 120_000 }, async () => {
  const { lines, peak } = await measured(await payouts('payout.csv', 50_000));
  console.log(`50000 payouts: ${Math.round(peak / MEGABYTE)} MB`);
  expect(lines.succeeded).toBe(50_000);
  expect(peak).toBeLessThan(384 * MEGABYTE);
});
