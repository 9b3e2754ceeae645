/** A copy of the whole database, as it is at one moment, while others go on writing. */
import type { Statements } from './database.ts';
import { integrityFaults } from './integrity.ts';
import { Connection, DatabaseBroken } from './sqlite.ts';

/** Faults of a copy that are named. */
const MOST_FAULTS = 3;

/** Writes the copy; the path must not exist yet. */
export async function copyInto(statements: Pick<Statements, 'all'>, path: string): Promise<void> {
  await statements.all('VACUUM INTO ?', [path]);
}

/**
 * Reads a copy from end to end.
 * @throws DatabaseBroken when it is not sound
 */
export async function checkCopy(path: string): Promise<void> {
  const copy = await Connection.open(path, 'read');
  try {
    const faults = await integrityFaults(copy, MOST_FAULTS);
    if (faults.length > 0) throw new DatabaseBroken(`${path}: ${faults.join('; ')}`, 'SQLITE_CORRUPT');
  } finally {
    await copy.close();
  }
}
