/**
 * Subscriptions. A contract's terms never change, its charges are only appended: where it stands follows from them and
 * from the transactions that they made. A charge's row is committed before the card is asked, and its primary key keeps
 * two processes from beginning the same one; its order number keeps them from asking twice. `contract_wake` says when a
 * contract is worth looking at again: it may be early, never late, and decides nothing.
 */
export const sql = `
CREATE TABLE contract (
  number INTEGER PRIMARY KEY,
  recurring_id TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES account (number),
  txn INTEGER NOT NULL UNIQUE REFERENCES txn (number),
  token_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999999),
  terms TEXT NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE contract_charge (
  contract INTEGER NOT NULL REFERENCES contract (number),
  cycle INTEGER NOT NULL CHECK (cycle > 1),
  attempt INTEGER NOT NULL CHECK (attempt > 0),
  order_no TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (contract, cycle, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX contract_charge_by_order ON contract_charge (order_no) WHERE order_no IS NOT NULL;

CREATE TABLE contract_ended (
  contract INTEGER PRIMARY KEY REFERENCES contract (number),
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;

CREATE TABLE contract_wake (
  contract INTEGER PRIMARY KEY REFERENCES contract (number),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX contract_wake_by_time ON contract_wake (at);
`;
