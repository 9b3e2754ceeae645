/**
 * Notifications: written in the transaction of their cause, sent later. The key is the sequence number in the body, so
 * rows are never deleted; only bodies of what was delivered long ago go. Payouts that were accepted before there were
 * notifications have none: the first one that has is kept as a setting.
 */
export const sql = `
CREATE TABLE event (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  txn INTEGER,
  payout INTEGER,
  url TEXT NOT NULL,
  receiver TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT,
  at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
  tries INTEGER NOT NULL DEFAULT 0,
  outcome TEXT,
  ended_at INTEGER,
  CHECK ((txn IS NULL) <> (payout IS NULL)),
  CHECK (body IS NOT NULL OR state = 'delivered'),
  CHECK ((ended_at IS NULL) = (state = 'waiting'))
) STRICT;
CREATE INDEX event_by_txn ON event (txn) WHERE txn IS NOT NULL;
CREATE INDEX event_by_payout ON event (payout) WHERE payout IS NOT NULL;
CREATE INDEX event_waiting ON event (receiver, due_at) WHERE state = 'waiting';
CREATE INDEX event_dead ON event (number) WHERE state = 'dead';
CREATE INDEX event_with_old_body ON event (ended_at) WHERE state = 'delivered' AND body IS NOT NULL;

-- Addresses that answered "gone": nothing is sent there until somebody turns them on again.
CREATE TABLE silent_address (
  account INTEGER NOT NULL REFERENCES account (number),
  url TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (account, url)
) STRICT, WITHOUT ROWID;

INSERT INTO setting (name, value) SELECT 'first payout with events', ifnull(max(number), 0) + 1 FROM payout;
`;
