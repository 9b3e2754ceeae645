/** What was sent to remote gateways. It is written down before it goes out, and stays for as long as it may have happened. */
export const sql = `
-- A chunk that was, or is about to be, sent. The row goes when the chunk is in the journal.
CREATE TABLE intent (
  batch INTEGER NOT NULL REFERENCES batch (number),
  attempt INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (batch, attempt, chunk)
) STRICT, WITHOUT ROWID;

-- A line that a remote gateway has executed or may have executed: it holds its identity.
CREATE TABLE remote_line (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  subject TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  batch INTEGER NOT NULL REFERENCES batch (number),
  attempt INTEGER NOT NULL,
  line INTEGER NOT NULL,
  reference TEXT,
  repeat_of TEXT,
  content TEXT,
  state_before TEXT,
  -- Where it was sent, and for how many milliseconds its key was promised to be remembered there.
  address TEXT NOT NULL,
  remembered INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- When it may have been on its way last.
  last_at INTEGER NOT NULL,
  -- The gateway has answered its request, so it knows the key.
  answered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX remote_line_by_subject ON remote_line (account, subject);
CREATE INDEX remote_line_by_line ON remote_line (batch, line);
`;
