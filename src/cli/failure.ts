/** What an error means to the user: one sentence, a hint and an exit code. */
import { Interrupted } from '../batch/context.ts';
import { EXIT } from '../batch/exit.ts';
import { BadConfig } from '../config.ts';
import { NoDatabase, WrongVersion } from '../ledger/database.ts';
import { DatabaseBroken, DatabaseBusy } from '../ledger/sqlite.ts';
import { UsageError } from './errors.ts';

export interface Failure {
  readonly exit: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is not listed here is a bug. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { exit: EXIT.usage, message: error.message, hint: error.hint };
  if (error instanceof BadConfig) return { exit: EXIT.usage, message: error.message };
  if (error instanceof NoDatabase) {
    return {
      exit: EXIT.usage,
      message: error.message,
      hint: 'Make a data directory with: batchgate init (or name one with --data DIR).',
    };
  }
  if (error instanceof WrongVersion) {
    return {
      exit: EXIT.usage,
      message: `B0024: ${error.message}`,
      hint: migrationHint(error),
    };
  }
  if (error instanceof Interrupted) {
    return {
      exit: error.exit,
      message: 'ended at a checkpoint',
      hint: 'Run the same command again to go on.',
    };
  }
  if (error instanceof DatabaseBusy) {
    return {
      exit: EXIT.temporary,
      message: 'another process holds the database; nothing was changed',
      hint: 'Run the same command again.',
    };
  }
  if (error instanceof DatabaseBroken) return brokenDatabase(error);
  const unusable = unusablePath(error);
  if (unusable !== undefined) return { exit: EXIT.usage, message: unusable };
  if (isSystemError(error, 'ENOSPC'))
    return {
      exit: EXIT.temporary,
      message: 'the disk is full',
      hint: 'Make room, then run the same command again.',
    };
  if (isSystemError(error, 'EIO'))
    return {
      exit: EXIT.temporary,
      message: `the disk fails (${error.message})`,
      hint: 'Mend the disk, then run the same command again.',
    };
  return {
    exit: EXIT.bug,
    message: `unexpected error; please report it\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  };
}

/** Only an older database can be brought to the program's version. */
export function migrationHint({ isNewer }: WrongVersion): string {
  return isNewer
    ? 'Use the program that has made it, or a newer one.'
    : 'Stop every other batchgate on this data directory, then run: batchgate migrate (it keeps a copy).';
}

function brokenDatabase(error: DatabaseBroken): Failure {
  if (error.sqliteCode === 'SQLITE_CORRUPT' || error.sqliteCode === 'SQLITE_NOTADB') {
    return {
      exit: EXIT.usage,
      message: `the database is damaged (${error.message})`,
      hint: 'Stop everything, then put a backup in its place: batchgate restore DIR (keeps the damaged one).',
    };
  }
  return {
    exit: EXIT.temporary,
    message: `the database cannot be used (${error.message})`,
    hint: 'Mend the disk or its permissions, then run the same command again.',
  };
}

const UNUSABLE: Readonly<Record<string, string>> = {
  EACCES: 'no permission for',
  EPERM: 'no permission for',
  EROFS: 'nothing can be written to',
  ENOENT: 'there is no',
  EISDIR: 'a folder, not a file:',
  ENOTDIR: 'a file, not a folder:',
};

/** A path that the user named and that cannot be used: which, and why. */
function unusablePath(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const why = UNUSABLE[String(error.code)];
  return why === undefined ? undefined : `${why} ${String(error.path)}`;
}

function isSystemError(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}
