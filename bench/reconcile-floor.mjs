/**
 * The floor that a reconciliation is compared with: the same statement parsed with csv-parse into a temporary table, and
 * one SQL join of it with the ledger on the same driver. Nothing is checked, kept or reported; it only counts the lines
 * that the ledger has with the same reference, currency and amount.
 *
 * usage: node bench/reconcile-floor.mjs DATABASE SETTLEMENT.CSV
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Connection } from '../dist/ledger/sqlite.js';

const [database, file] = process.argv.slice(2);
const ROWS_A_STATEMENT = 20_000;

const connection = await Connection.open(database, 'write');
await connection.exec(`
PRAGMA cache_size = -32000;
CREATE TEMP TABLE line (reference TEXT NOT NULL, currency TEXT NOT NULL, gross INTEGER NOT NULL);
BEGIN;`);

let rows = [];
const stage = async () => {
  await connection.run(
    `INSERT INTO line SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
     FROM json_each(?)`,
    [JSON.stringify(rows)],
  );
  rows = [];
};

const parser = createReadStream(file).pipe(parse({ from_line: 2 }));
for await (const [reference, , , currency, gross] of parser) {
  rows.push([reference, currency, Number(gross.replace('.', ''))]);
  if (rows.length === ROWS_A_STATEMENT) await stage();
}
await stage();

const [{ matched }] = await connection.all(`
SELECT count(*) AS matched FROM line AS l
CROSS JOIN txn AS t ON t.account = 1 AND t.transaction_id = l.reference AND t.currency = l.currency
WHERE l.gross IN (t.captured, -t.refunded) OR EXISTS (SELECT 1 FROM transfer AS x
  WHERE x.txn = t.number AND l.gross = CASE x.kind WHEN 1 THEN x.amount WHEN 3 THEN -x.amount END)`);
await connection.close();
process.stdout.write(`${matched}\n`);
