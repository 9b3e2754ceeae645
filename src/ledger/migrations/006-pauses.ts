/** Accounts in which no money is to move until somebody says so; account 0 stands for all. */
export const sql = `
CREATE TABLE pause (
  account INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
`;
