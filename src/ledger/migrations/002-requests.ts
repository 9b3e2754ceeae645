/**
 * What requests over HTTP need of the ledger: transfers without money (a decline, a challenge), the request by which a
 * transfer came, and transactions by order number and by time. SQLite cannot loosen a check, so the table is copied.
 */
export const sql = `
DROP VIEW seen_transfer;
DROP INDEX transfer_by_txn;
DROP INDEX transfer_by_payout;
ALTER TABLE transfer RENAME TO transfer_before;
CREATE TABLE transfer (
  sequence INTEGER PRIMARY KEY,
  txn INTEGER,
  payout INTEGER,
  kind INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  at INTEGER NOT NULL,
  batch INTEGER,
  line INTEGER,
  attempt INTEGER,
  reference TEXT,
  repeat_of TEXT,
  note TEXT,
  request TEXT,
  CHECK ((txn IS NULL) <> (payout IS NULL))
) STRICT;
INSERT INTO transfer (sequence, txn, payout, kind, amount, at, batch, line, attempt, reference, repeat_of, note)
  SELECT sequence, txn, payout, kind, amount, at, batch, line, attempt, reference, repeat_of, note FROM transfer_before;
DROP TABLE transfer_before;
CREATE INDEX transfer_by_txn ON transfer (txn) WHERE txn IS NOT NULL;
CREATE INDEX transfer_by_payout ON transfer (payout) WHERE payout IS NOT NULL;
CREATE VIEW seen_transfer AS SELECT * FROM transfer;

CREATE INDEX txn_by_order ON txn (account, order_no);
CREATE INDEX txn_by_time ON txn (account, authorised_at);
CREATE INDEX answer_by_time ON answer (at);
`;
