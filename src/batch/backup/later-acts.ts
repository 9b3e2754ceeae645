/**
 * What people did about statements and breaks after a backup was made. No file of done/ proves it, so that it is not taken
 * back; where the database that was there before can still be read, it is at least counted.
 */
import { Database, type Statements, WrongVersion } from '../../ledger/database.ts';
import { hasAct } from '../../ledger/restored.ts';
import { DatabaseBroken, DatabaseBusy } from '../../ledger/sqlite.ts';

export interface LaterActs {
  /** Statement files that were loaded. */
  readonly statements: number;
  /** Decisions on breaks. */
  readonly decisions: number;
}

/**
 * @param kept path of the database that was moved aside
 * @param head hash of the backup's newest act
 * @returns undefined where that database cannot be read, or knows nothing of the backup
 */
export async function laterActs(kept: string, head: string): Promise<LaterActs | undefined> {
  try {
    const database = await Database.openSnapshot(kept);
    try {
      return (await hasAct(database.reads, head)) ? await countAfter(database.reads, head) : undefined;
    } finally {
      await database.close();
    }
  } catch (error) {
    // It may have been put aside because it is damaged, or be of another program's version.
    if (error instanceof DatabaseBroken || error instanceof DatabaseBusy || error instanceof WrongVersion)
      return undefined;
    throw error;
  }
}

async function countAfter(statements: Pick<Statements, 'all'>, head: string): Promise<LaterActs> {
  const [counts] = await statements.all<LaterActs>(
    `SELECT count(*) FILTER (WHERE act = 'statement.load') AS statements,
       count(*) FILTER (WHERE act GLOB 'break.*' AND act <> 'break.decide') AS decisions
     FROM audit WHERE number > (SELECT number FROM audit WHERE hash = ?)`,
    [head],
  );
  return counts!;
}
