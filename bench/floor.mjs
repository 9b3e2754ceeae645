/**
 * The floor that a run is compared with: the same file parsed with csv-parse, and the same state change as a set-based
 * SQL script on the same driver and pragmas, in one commit. No validation beyond the join, no identities, no journal,
 * no chunks, no report.
 *
 * usage: node bench/floor.mjs DATABASE CAPTURE.CSV
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Connection } from '../dist/ledger/sqlite.js';

const [database, file] = process.argv.slice(2);
const ROWS_A_STATEMENT = 20_000;

const connection = await Connection.open(database, 'write');
await connection.exec(`
PRAGMA foreign_keys = ON;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -32000;
PRAGMA wal_autocheckpoint = 4000;
BEGIN IMMEDIATE;
CREATE TEMP TABLE staged (transaction_id TEXT NOT NULL, order_no TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL);`);

let rows = [];
const stage = async () => {
  await connection.run(
    `INSERT INTO staged SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]') FROM json_each(?)`,
    [JSON.stringify(rows)],
  );
  rows = [];
};

const parser = createReadStream(file).pipe(parse({ from_line: 2 }));
for await (const [, , transactionId, orderNo, currency, amount] of parser) {
  rows.push([transactionId, orderNo, currency, Number(amount.replace('.', ''))]);
  if (rows.length === ROWS_A_STATEMENT) await stage();
}
await stage();

await connection.exec(`
INSERT INTO transfer (txn, kind, amount, at)
  SELECT t.number, 1, s.amount, 0 FROM staged AS s CROSS JOIN txn AS t
    ON t.account = 1 AND t.transaction_id = s.transaction_id AND t.order_no = s.order_no AND t.currency = s.currency
    AND s.amount <= t.amount - t.captured - t.cancelled;
UPDATE balance SET amount = CAST(amount AS INTEGER) + (SELECT sum(amount) FROM staged WHERE staged.currency = balance.currency)
  WHERE book = 'merchant';
COMMIT;`);
const [{ done }] = await connection.all('SELECT count(*) AS done FROM transfer');
await connection.close();
process.stdout.write(`${done}\n`);
