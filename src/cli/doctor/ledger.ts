/** The database: that it opens, that it is sound, that its clock and its batches are as they should be. */
import { findBehind } from '../../batch/backup/behind.ts';
import type { Folders } from '../../batch/folders.ts';
import { overview } from '../../batch/overview.ts';
import { Database, NoDatabase, WrongVersion } from '../../ledger/database.ts';
import { journalMode, newestTime, quickFaults } from '../../ledger/integrity.ts';
import { migrationHint } from '../failure.ts';
import { counted } from '../output.ts';
import { type Diagnosis, ok, warning, wrong } from './diagnosis.ts';

/** A clock may be corrected by this much without anybody wondering. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The open database, or why it cannot be opened. */
export async function openForDiagnosis(folders: Folders): Promise<Database | Diagnosis> {
  try {
    return await Database.open(folders.database);
  } catch (error) {
    if (error instanceof NoDatabase)
      return wrong(
        'database',
        `there is none at ${folders.database}`,
        'Make a data directory: batchgate init',
      );
    if (error instanceof WrongVersion)
      return wrong('database', `B0024: ${error.message}`, migrationHint(error));
    return wrong(
      'database',
      error instanceof Error ? error.message : String(error),
      'Check permissions and the disk; a damaged database comes back from a backup.',
    );
  }
}

export async function checkDatabase({ reads }: Database): Promise<readonly Diagnosis[]> {
  const faults = await quickFaults(reads, 5);
  const mode = await journalMode(reads);
  return [
    faults.length === 0
      ? ok('database', 'opens, has the right version and is sound')
      : wrong(
          'database',
          `it is damaged: ${faults.join('; ')}`,
          'Stop everything and restore the data directory from a backup.',
        ),
    mode === 'wal'
      ? ok('write-ahead log', 'in use')
      : wrong(
          'write-ahead log',
          `the database is in mode ${mode}`,
          'The file system cannot do it; keep the data directory on a local disk.',
        ),
  ];
}

export async function checkClock({ reads }: Database, now: number): Promise<Diagnosis> {
  const newest = await newestTime(reads);
  const time = (at: number) => new Date(at).toISOString();
  if (newest === undefined || now >= newest - CLOCK_TOLERANCE_MS) return ok('clock', time(now));
  return wrong(
    'clock',
    `it says ${time(now)}, the newest entry of the ledger is of ${time(newest)}`,
    'Set the clock; nothing should run until then.',
  );
}

/** F106 */
export async function checkBehind(database: Database, folders: Folders): Promise<Diagnosis> {
  const behind = await findBehind({ database, folders });
  return behind === undefined
    ? ok('finished files', 'the ledger knows all that are proved')
    : wrong('finished files', `the ledger is behind its own OK files: ${behind}`, 'batchgate restore');
}

export async function checkBatches(database: Database, folders: Folders): Promise<Diagnosis> {
  const all = await overview({ database, folders });
  const interrupted = all.filter(({ status }) => status === 'interrupted');
  const unknown = all.filter(({ status, open }) => status === 'unknown' && open);
  if (interrupted.length > 0) {
    return warning(
      'batches',
      `interrupted: ${interrupted.map(({ batch }) => batch).join(', ')}`,
      `batchgate batch resume ${interrupted[0]!.batch}`,
    );
  }
  if (unknown.length > 0) {
    return warning(
      'batches',
      `unknown outcomes in ${unknown.map(({ batch }) => batch).join(', ')}`,
      `batchgate batch resolve ${unknown[0]!.batch}`,
    );
  }
  return ok('batches', `${counted(all.length, 'batch')}, none interrupted`);
}
