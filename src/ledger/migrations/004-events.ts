/** Notifications: written in the transaction of their cause, sent later. The key is the sequence number in the body. */
export const sql = `
CREATE TABLE event (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  url TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
`;
