/**
 * F19: the memory that a file takes does not depend on its length. `npm run test:long` compares a million lines with a
 * tenth of them (MEMORY_LINES=1000000); 20 million are a gigabyte.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../src/ledger/sqlite.ts';
import type { RunDocument } from '../../src/report/document.ts';
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

/** Validates and executes the file in a process of its own. @returns its peak resident memory, bytes */
async function peakOf(file: string, lines: number): Promise<number> {
  const arguments_ = [CHILD, 'run', file, '--data', data, '--json', '--quiet'];
  const ended = await promisify(execFile)(process.execPath, arguments_).catch((error) => error);
  expect(ended.code, ended.stderr).toBe(3);
  const { batches } = JSON.parse(ended.stdout) as RunDocument;
  expect(batches[0]!.lines).toMatchObject({ total: lines, succeeded: lines * 0.9, refused: lines * 0.1 });
  return Number(/maxRSS (\d+)/.exec(ended.stderr)![1]) * 1024;
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
