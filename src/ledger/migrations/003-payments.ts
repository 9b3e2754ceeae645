/**
 * Payments that the engine itself authorises. A payment's row is written when its order number is reserved, before any
 * connector is asked, and never changes; what becomes of it are transfers of its transaction. What it is paid with and
 * what was decided stand in rows of their own, written once. No column holds a card number or a security code.
 *
 * `payment_doubt` lists what a connector has still to say, and is emptied as it speaks. `acquirer_request` belongs to
 * the simulated acquirer: it is what that acquirer remembers, and no part of the merchant's books.
 */
export const sql = `
CREATE TABLE payment (
  txn INTEGER PRIMARY KEY REFERENCES txn (number),
  kind TEXT NOT NULL CHECK (kind IN ('direct', 'hosted', 'apm', 'recurring')),
  method TEXT,
  message TEXT NOT NULL,
  items TEXT NOT NULL,
  contract_amount INTEGER,
  ip TEXT NOT NULL,
  notify_url TEXT,
  session TEXT UNIQUE
) STRICT;

CREATE TABLE payment_attempt (
  txn INTEGER PRIMARY KEY REFERENCES payment (txn),
  account INTEGER NOT NULL REFERENCES account (number),
  masked_card TEXT,
  card_hash TEXT,
  token TEXT,
  email TEXT,
  ip TEXT,
  risk TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempt_by_card ON payment_attempt (account, card_hash, at) WHERE card_hash IS NOT NULL;
CREATE INDEX attempt_by_email ON payment_attempt (account, email, at) WHERE email IS NOT NULL;
CREATE INDEX attempt_by_ip ON payment_attempt (account, ip, at) WHERE ip IS NOT NULL;

CREATE TABLE payment_decision (
  number INTEGER PRIMARY KEY,
  txn INTEGER NOT NULL REFERENCES payment (txn),
  outcome TEXT NOT NULL CHECK (outcome IN ('approved', 'review', 'declined', 'challenge', 'unknown', 'left')),
  reason TEXT,
  reference_no TEXT,
  threeds TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX decision_by_txn ON payment_decision (txn);

CREATE TABLE payment_doubt (
  txn INTEGER PRIMARY KEY REFERENCES payment (txn),
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  token_id TEXT PRIMARY KEY NOT NULL,
  account INTEGER NOT NULL REFERENCES account (number),
  txn INTEGER NOT NULL REFERENCES payment (txn),
  first6 TEXT NOT NULL,
  last4 TEXT NOT NULL,
  expiry TEXT NOT NULL,
  card_hash TEXT NOT NULL,
  sealed TEXT NOT NULL,
  kept_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX token_by_card ON token (account, card_hash);
CREATE INDEX token_by_txn ON token (txn);

CREATE TABLE acquirer_request (
  reference TEXT PRIMARY KEY NOT NULL,
  answer TEXT NOT NULL,
  known_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
