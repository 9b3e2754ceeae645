/**
 * The database as the rest of the program sees it: reads at any time, and one write transaction after another. Every
 * write of the process goes through one queue, because transactions on a shared connection would interleave.
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logDamage } from './log-damage.ts';
import { migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { Connection, DatabaseBroken, DatabaseBusy, type OpenMode, type Value } from './sqlite.ts';

/** Statements inside or outside a write transaction. */
export type Statements = Pick<Connection, 'run' | 'all' | 'json'>;

/** How long SQLite itself waits for a lock when a database is opened or read. */
const BUSY_TIMEOUT_MS = 5_000;

/** How long a write waits to begin. */
const BEGIN_TIMEOUT_MS = 30_000;

/**
 * A write asks for the lock this often: SQLite on its own soon asks only every tenth of a second, and would miss the
 * moments at which a process that commits back to back leaves the lock free (group-commit.ts).
 */
const BEGIN_EVERY_MS = 5;

/** 32 MB of cache; a checkpoint every 4,000 pages keeps the log short without syncing the database at every commit. */
const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
PRAGMA foreign_keys = ON;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -32000;
PRAGMA wal_autocheckpoint = 4000;
`;

/** The database was made by another version of the program. */
export class WrongVersion extends Error {
  readonly found: number;
  constructor(found: number) {
    super(`the database has version ${found}, this program needs ${SCHEMA_VERSION}`);
    this.found = found;
  }

  /** A newer program has made it. */
  get isNewer(): boolean {
    return this.found > SCHEMA_VERSION;
  }
}

export class NoDatabase extends Error {}

export class Database {
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #beginning: 'BEGIN IMMEDIATE' | 'BEGIN';
  #last: Promise<unknown> = Promise.resolve();

  private constructor(writer: Connection, reader: Connection) {
    this.#writer = writer;
    this.#reader = reader;
    // Foreseeing shares one connection, which may not take the lock of the ledger's file.
    this.#beginning = writer === reader ? 'BEGIN' : 'BEGIN IMMEDIATE';
  }

  /** Makes the file if there is none and brings it to the program's version. */
  static async create(path: string): Promise<void> {
    const connection = await Connection.open(path, 'create');
    try {
      await connection.exec(PRAGMAS);
      await migrate(connection);
    } finally {
      await connection.close();
    }
  }

  /**
   * Brings an existing database to the program's version.
   * @param copyOf where the database as it was is kept, given its version; asked only when there is something to do
   * @returns the version that it had, and the copy if one was made
   * @throws WrongVersion when a newer program has made it
   */
  static async migrate(
    path: string,
    copyOf: (version: number) => string,
  ): Promise<{ readonly from: number; readonly copy: string | undefined }> {
    if (!existsSync(path)) throw new NoDatabase(`there is no database at ${path}`);
    await refuseDamagedLog(path);
    const connection = await Connection.open(path, 'write');
    try {
      await connection.exec(PRAGMAS);
      const from = await schemaVersion(connection);
      if (from > SCHEMA_VERSION) throw new WrongVersion(from);
      if (from === SCHEMA_VERSION) return { from, copy: undefined };
      const copy = copyOf(from);
      await connection.run('VACUUM INTO ?', [copy]);
      await migrate(connection);
      return { from, copy };
    } finally {
      await connection.close();
    }
  }

  /** Opens an existing database of exactly the program's version. */
  static async open(path: string): Promise<Database> {
    const writer = await openChecked(path, 'write');
    // SQLite syncs the folder of its log, too, but believes it when that fails: what is committed would lie in a file
    // whose name a loss of power takes away.
    await syncFolderOf(path);
    await writer.exec('PRAGMA busy_timeout = 0');
    const reader = await Connection.open(path, 'read');
    await reader.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -8000;`);
    return new Database(writer, reader);
  }

  /**
   * Opens an existing database for foreseeing: reads see the ledger, writes go to temporary tables of this connection
   * that shadow the ledger's own, and the file is never changed.
   */
  static async openOverlay(path: string): Promise<Database> {
    const connection = await openChecked(path, 'read');
    await connection.exec(OVERLAY);
    return new Database(connection, connection);
  }

  /** Opens an existing database for reading only, as it is at this moment: what others write meanwhile is not seen. */
  static async openSnapshot(path: string): Promise<Database> {
    const connection = await openChecked(path, 'read');
    // The first read fixes the moment.
    await connection.exec('BEGIN; SELECT count(*) FROM sqlite_master');
    return new Database(connection, connection);
  }

  /** Statements outside a write transaction: each sees what was committed when it began. */
  get reads(): Pick<Connection, 'all' | 'json'> {
    return this.#reader;
  }

  /**
   * Runs `work` in one transaction and commits it; when this resolves, what was written is durable. If `work` throws,
   * nothing was written.
   */
  write<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#transact(work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#reader !== this.#writer) await this.#reader.close();
    await this.#writer.close();
  }

  async #transact<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      const value = await work(this.#writer);
      await this.#writer.exec('COMMIT');
      return value;
    } catch (error) {
      // SQLite may have rolled back by itself already, and then says so; the first error is the one that matters.
      await this.#writer.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Once begun, a write meets no other lock: only here another process can be in its way. */
  async #begin(): Promise<void> {
    const end = performance.now() + BEGIN_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.#writer.exec(this.#beginning);
      } catch (error) {
        if (!(error instanceof DatabaseBusy) || performance.now() >= end) throw error;
        await sleep(BEGIN_EVERY_MS);
      }
    }
  }
}

async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What a plan writes to instead of the ledger, and what it reads. */
const OVERLAY = `
CREATE TEMP TABLE transfer AS SELECT * FROM main.transfer WHERE 0;
CREATE INDEX temp.overlay_transfer_by_txn ON transfer (txn);
CREATE TEMP TABLE payout AS SELECT * FROM main.payout WHERE 0;
CREATE INDEX temp.overlay_payout ON payout (account, request_id);
CREATE TEMP TABLE balance (account INTEGER, currency TEXT, book TEXT, amount TEXT, PRIMARY KEY (account, currency, book)) WITHOUT ROWID;
CREATE TEMP TABLE answer AS SELECT * FROM main.answer WHERE 0;
CREATE INDEX temp.overlay_answer ON answer (account, operation, idempotency_key);
CREATE TEMP TABLE pause AS SELECT * FROM main.pause WHERE 0;
CREATE TEMP TABLE event AS SELECT * FROM main.event WHERE 0;
CREATE TEMP VIEW seen_answer AS SELECT * FROM main.answer UNION ALL SELECT * FROM temp.answer;
CREATE TEMP VIEW seen_transfer AS SELECT * FROM main.transfer UNION ALL SELECT * FROM temp.transfer;
CREATE TEMP VIEW seen_payout AS SELECT * FROM main.payout UNION ALL SELECT * FROM temp.payout;
CREATE TEMP VIEW seen_balance AS SELECT * FROM temp.balance UNION ALL SELECT * FROM main.balance AS below
  WHERE NOT EXISTS (SELECT 1 FROM temp.balance AS above WHERE above.account = below.account
    AND above.currency = below.currency AND above.book = below.book);
`;

async function openChecked(path: string, mode: OpenMode): Promise<Connection> {
  if (!existsSync(path)) throw new NoDatabase(`there is no database at ${path}`);
  await refuseDamagedLog(path);
  const connection = await Connection.open(path, mode);
  if (mode === 'write') await connection.exec(PRAGMAS);
  else await connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -32000;`);
  const version = await schemaVersion(connection);
  if (version === SCHEMA_VERSION) return connection;
  await connection.close();
  throw new WrongVersion(version);
}

/** SQLite would go on without the commits behind the damage. */
async function refuseDamagedLog(path: string): Promise<void> {
  const damage = await logDamage(path);
  if (damage !== undefined) throw new DatabaseBroken(`${path}: ${damage}`, 'SQLITE_CORRUPT');
}

/** For callers outside this folder: the values that statements may bind. */
export type { Value };
