/** Whether SQLite itself finds the database sound. */
import type { Statements } from './database.ts';

/** The first faults of the thorough check; none when the file is sound. */
export async function integrityFaults(
  statements: Pick<Statements, 'all'>,
  limit: number,
): Promise<readonly string[]> {
  const rows = await statements.all<{ integrity_check: string }>(`PRAGMA integrity_check(${limit})`);
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
}

/** The same, without comparing indexes with their tables: much faster. */
export async function quickFaults(
  statements: Pick<Statements, 'all'>,
  limit: number,
): Promise<readonly string[]> {
  const rows = await statements.all<{ quick_check: string }>(`PRAGMA quick_check(${limit})`);
  return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
}

/** How SQLite keeps transactions apart: `wal` everywhere but on file systems that cannot do it. */
export async function journalMode(statements: Pick<Statements, 'all'>): Promise<string> {
  const [row] = await statements.all<{ journal_mode: string }>('PRAGMA journal_mode');
  return row!.journal_mode;
}

/** Time of the newest transfer or act, in epoch milliseconds; undefined in an empty database. */
export async function newestTime(statements: Pick<Statements, 'all'>): Promise<number | undefined> {
  const [row] = await statements.all<{ newest: number | null }>(
    `SELECT max(at) AS newest FROM (
       SELECT at FROM (SELECT at FROM transfer ORDER BY sequence DESC LIMIT 1)
       UNION ALL SELECT at FROM (SELECT at FROM audit ORDER BY number DESC LIMIT 1))`,
  );
  return row?.newest ?? undefined;
}
