/**
 * The one file that talks to sqlite3. It binds only what SQLite stores without loss, turns errors into two kinds (the
 * database is busy; anything else is broken), and never leaves a statement open.
 */
import sqlite3 from 'sqlite3';

export type Value = string | number | null | Uint8Array;

/** Another process holds the lock; nothing was written. */
export class DatabaseBusy extends Error {}

/** The database cannot be used or written: damaged, full, not a database. Nothing of the statement took effect. */
export class DatabaseBroken extends Error {
  /** SQLite's name of the error, for example `SQLITE_FULL`. */
  readonly sqliteCode: string;
  constructor(message: string, sqliteCode: string) {
    super(message);
    this.sqliteCode = sqliteCode;
  }
}

export type OpenMode = 'create' | 'write' | 'read';

const FLAGS: Readonly<Record<OpenMode, number>> = {
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
  write: sqlite3.OPEN_READWRITE,
  read: sqlite3.OPEN_READONLY,
};

export class Connection {
  readonly #database: sqlite3.Database;

  private constructor(database: sqlite3.Database) {
    this.#database = database;
  }

  static open(path: string, mode: OpenMode): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const database = new sqlite3.Database(path, FLAGS[mode], (error) =>
        error === null ? resolve(new Connection(database)) : reject(translated(error)),
      );
    });
  }

  /** Runs statements without parameters. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.exec(sql, (error) => (error === null ? resolve() : reject(translated(error))));
    });
  }

  /** Runs one statement; returns the number of rows it changed. */
  run(sql: string, values: readonly Value[] = []): Promise<number> {
    checkValues(values);
    return new Promise((resolve, reject) => {
      this.#database.run(sql, values, function (error) {
        if (error === null) resolve(this.changes);
        else reject(translated(error));
      });
    });
  }

  /** All rows of a query. `Row` is what the SQL says: the caller writes both. */
  all<Row>(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    checkValues(values);
    return new Promise((resolve, reject) => {
      this.#database.all<Row>(sql, values, (error, rows) =>
        error === null ? resolve(rows) : reject(translated(error)),
      );
    });
  }

  /**
   * The value of a query that returns one JSON text in the column `json`. Many rows are read several times faster so,
   * because SQLite packs them on its own thread.
   */
  async json<T>(sql: string, values: readonly Value[] = []): Promise<T> {
    const [row] = await this.all<{ json: string }>(sql, values);
    if (row === undefined) throw new Error('a query for JSON returned no row');
    return JSON.parse(row.json) as T;
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.close((error) => (error === null ? resolve() : reject(translated(error))));
    });
  }
}

/** sqlite3 turns undefined and BigInt into NULL without a word, and rounds what is no safe integer. */
function checkValues(values: readonly Value[]): void {
  for (const value of values) {
    const storable =
      typeof value === 'string' ||
      value === null ||
      Number.isSafeInteger(value) ||
      value instanceof Uint8Array;
    if (!storable) throw new TypeError(`cannot store ${typeof value} ${String(value)} without loss`);
  }
}

function translated(error: Error): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'SQLITE_ERROR';
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return new DatabaseBusy(error.message);
  const isMachine = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PERM|NOMEM|PROTOCOL)/.test(code);
  return isMachine ? new DatabaseBroken(error.message, code) : error;
}
