/**
 * Payments that the engine itself authorises. A payment's row is written when its order number is reserved, before any
 * connector is asked, and never changes; what becomes of it are transfers of its transaction.
 */
export const sql = `
CREATE TABLE payment (
  txn INTEGER PRIMARY KEY REFERENCES txn (number),
  kind TEXT NOT NULL,
  method TEXT,
  message TEXT NOT NULL,
  ip TEXT NOT NULL,
  notify_url TEXT,
  session TEXT UNIQUE
) STRICT;
`;
