/** Whether any process has a database open. */
import { existsSync } from 'node:fs';
import { logDamage } from './log-damage.ts';
import { Connection, DatabaseBroken, DatabaseBusy } from './sqlite.ts';

/**
 * Asks for the whole file, which SQLite gives only to somebody who is alone with it. Afterwards the file has everything
 * that its write-ahead log had. Nobody can be seen to work on a database that is too damaged to be asked, and one whose log
 * is damaged is not opened: SQLite would cut the log off.
 */
export async function isInUse(path: string): Promise<boolean> {
  if (!existsSync(path) || (await logDamage(path)) !== undefined) return false;
  const connection = await Connection.open(path, 'write');
  try {
    await connection.exec(
      'PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK',
    );
    return false;
  } catch (error) {
    if (error instanceof DatabaseBusy) return true;
    if (error instanceof DatabaseBroken) return false;
    throw error;
  } finally {
    await connection.close();
  }
}
