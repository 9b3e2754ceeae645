/**
 * Statements of acquirers and banks, and what they do not agree on with the books. Lines are kept as they were read: what
 * matches what is worked out afresh every time, so that it does not depend on the order in which statements came. Only
 * breaks are kept, because people decide about them.
 */
export const sql = `
-- What is compared with statements: the books of an account at one gateway.
CREATE TABLE reconciliation (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  gateway TEXT NOT NULL,
  UNIQUE (account, gateway)
) STRICT;

-- One statement of a file; its place in the file counts from 1. Without loaded_at its lines are still being read.
CREATE TABLE statement (
  number INTEGER PRIMARY KEY,
  reconciliation INTEGER NOT NULL REFERENCES reconciliation (number),
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  place INTEGER NOT NULL,
  profile TEXT NOT NULL,
  -- Other files of the profile may have been read with another mapping.
  reading TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('balance', 'payouts', 'bank')),
  source TEXT NOT NULL,
  -- What the statement says of itself; balances as JSON.
  id TEXT,
  whose TEXT,
  first_day TEXT,
  last_day TEXT,
  sequence INTEGER,
  made TEXT,
  opening TEXT,
  closing TEXT,
  -- Days of its first and last line, where lines have days.
  first_booked TEXT,
  last_booked TEXT,
  lines INTEGER NOT NULL DEFAULT 0,
  contradictions TEXT NOT NULL DEFAULT '[]',
  loaded_at INTEGER,
  UNIQUE (reconciliation, sha256, place)
) STRICT;

-- role: 0 stands in another statement too and counts there, 1 compared with transactions, 2 the acquirer's own (fees,
-- payouts, reserves), 3 a bank's, 4 said twice by its own statement and counted once.
CREATE TABLE statement_line (
  number INTEGER PRIMARY KEY,
  reconciliation INTEGER NOT NULL,
  statement INTEGER NOT NULL REFERENCES statement (number),
  line INTEGER NOT NULL,
  role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 4),
  kind TEXT NOT NULL,
  currency TEXT NOT NULL,
  gross INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  net INTEGER NOT NULL,
  booked TEXT NOT NULL,
  valued TEXT,
  reference TEXT NOT NULL,
  other_references TEXT,
  identity TEXT,
  payout TEXT,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX statement_line_elsewhere ON statement_line (reconciliation, statement) WHERE role = 0;
CREATE INDEX statement_line_by_identity ON statement_line (reconciliation, identity) WHERE identity IS NOT NULL;
CREATE INDEX statement_line_by_statement ON statement_line (statement);
CREATE INDEX statement_line_paid_out ON statement_line (reconciliation) WHERE kind = 'payout';

CREATE TABLE break (
  reconciliation INTEGER NOT NULL REFERENCES reconciliation (number),
  id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'expected', 'resolved', 'closed')),
  side TEXT NOT NULL,
  kind TEXT NOT NULL,
  reference TEXT NOT NULL,
  currency TEXT,
  statement_currency TEXT,
  ledger TEXT,
  statement TEXT,
  compared INTEGER NOT NULL,
  day TEXT NOT NULL,
  due TEXT,
  why TEXT NOT NULL,
  place TEXT,
  found TEXT NOT NULL,
  closed TEXT,
  assignee TEXT,
  resolution TEXT,
  PRIMARY KEY (reconciliation, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX break_by_state ON break (reconciliation, state);
CREATE INDEX break_by_id ON break (id);

-- By the acquirer's own reference of a payment.
CREATE INDEX decision_by_reference ON payment_decision (reference_no) WHERE reference_no IS NOT NULL;

-- What a remote gateway was asked to move can be compared only with its currency.
ALTER TABLE remote_line ADD COLUMN currency TEXT NOT NULL DEFAULT '';
ALTER TABLE remote_line ADD COLUMN order_no TEXT;
CREATE INDEX remote_line_by_order ON remote_line (account, order_no) WHERE order_no IS NOT NULL;
`;
