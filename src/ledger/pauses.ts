/** Named statements on pauses. */
import type { Statements } from './database.ts';

/** Stands for every account, also for those that are added later. */
export const ALL_ACCOUNTS = 0;

interface Pause {
  /** Number of the account, or `ALL_ACCOUNTS`. */
  readonly account: number;
  readonly at: number;
  readonly who: string;
  readonly reason: string;
}

/** Returns false where there was one already: the first reason stands. */
export async function insertPause(
  statements: Statements,
  { account, at, who, reason }: Pause,
): Promise<boolean> {
  const values = [account, at, who, reason];
  return (
    (await statements.run(
      'INSERT OR IGNORE INTO pause (account, at, who, reason) VALUES (?, ?, ?, ?)',
      values,
    )) > 0
  );
}

/** Returns false where there was none. */
export async function deletePause(statements: Statements, account: number): Promise<boolean> {
  return (await statements.run('DELETE FROM pause WHERE account = ?', [account])) > 0;
}
