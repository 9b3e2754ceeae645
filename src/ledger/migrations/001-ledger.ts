/**
 * The first schema. Amounts are integers in minor units, times epoch milliseconds, sums decimal text (they can exceed
 * what SQLite's integers and JavaScript's numbers hold).
 *
 * A transaction has a small integer key of its own, so that the index of transfers by transaction stays compact however
 * random the ids are. Its row is never updated: what happens to it is appended to `transfer`.
 */
export const sql = `
CREATE TABLE setting (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  number INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (merchant_id, account_id)
) STRICT;

CREATE TABLE txn (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  transaction_id TEXT NOT NULL,
  order_no TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 999999999999999),
  state TEXT NOT NULL,
  captured INTEGER NOT NULL CHECK (captured >= 0),
  refunded INTEGER NOT NULL CHECK (refunded BETWEEN 0 AND captured),
  cancelled INTEGER NOT NULL CHECK (cancelled >= 0 AND captured + cancelled <= amount),
  authorised_at INTEGER NOT NULL,
  UNIQUE (account, transaction_id)
) STRICT;

CREATE TABLE payout (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  request_id TEXT NOT NULL,
  content TEXT NOT NULL,
  reference TEXT NOT NULL,
  source_currency TEXT NOT NULL,
  payment_currency TEXT NOT NULL,
  source_amount INTEGER NOT NULL CHECK (source_amount > 0),
  payer_pays INTEGER NOT NULL CHECK (payer_pays > 0),
  fee INTEGER NOT NULL CHECK (fee >= 0),
  beneficiary_receives INTEGER NOT NULL CHECK (beneficiary_receives > 0),
  payment_date TEXT NOT NULL,
  message TEXT NOT NULL,
  batch INTEGER,
  line INTEGER,
  attempt INTEGER,
  at INTEGER NOT NULL,
  UNIQUE (account, request_id)
) STRICT;

CREATE TABLE transfer (
  sequence INTEGER PRIMARY KEY,
  txn INTEGER,
  payout INTEGER,
  kind INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  at INTEGER NOT NULL,
  batch INTEGER,
  line INTEGER,
  attempt INTEGER,
  reference TEXT,
  repeat_of TEXT,
  note TEXT,
  CHECK ((txn IS NULL) <> (payout IS NULL))
) STRICT;
CREATE INDEX transfer_by_txn ON transfer (txn) WHERE txn IS NOT NULL;
CREATE INDEX transfer_by_payout ON transfer (payout) WHERE payout IS NOT NULL;

CREATE TABLE balance (
  account INTEGER NOT NULL REFERENCES account (number),
  currency TEXT NOT NULL,
  book TEXT NOT NULL,
  amount TEXT NOT NULL,
  PRIMARY KEY (account, currency, book)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer (
  account INTEGER NOT NULL REFERENCES account (number),
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account, operation, idempotency_key)
) STRICT, WITHOUT ROWID;

-- What the engine reads. A plan shadows these names with its own, which see the ledger and its foreseen effects.
CREATE VIEW seen_transfer AS SELECT * FROM transfer;
CREATE VIEW seen_payout AS SELECT * FROM payout;
CREATE VIEW seen_balance AS SELECT * FROM balance;
CREATE VIEW seen_answer AS SELECT * FROM answer;

CREATE TABLE batch (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sameness TEXT NOT NULL,
  status TEXT NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  operation TEXT NOT NULL,
  gateway TEXT NOT NULL,
  sequence INTEGER,
  intake TEXT NOT NULL,
  stop_requested INTEGER NOT NULL DEFAULT 0,
  closed INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX batch_by_sameness ON batch (sameness);

CREATE TABLE batch_revision (
  batch INTEGER NOT NULL REFERENCES batch (number),
  revision INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  opening TEXT NOT NULL,
  document TEXT,
  PRIMARY KEY (batch, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
  batch INTEGER NOT NULL REFERENCES batch (number),
  number INTEGER NOT NULL,
  repeats TEXT NOT NULL,
  lines TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'stopped', 'done')),
  PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunk (
  batch INTEGER NOT NULL REFERENCES batch (number),
  attempt INTEGER NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  account INTEGER NOT NULL,
  operation TEXT NOT NULL,
  lines TEXT NOT NULL,
  results TEXT NOT NULL,
  PRIMARY KEY (batch, attempt, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE settlement (
  batch INTEGER NOT NULL REFERENCES batch (number),
  line INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (batch, line, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  act TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
`;
