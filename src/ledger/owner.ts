/**
 * Who works on a batch. The owner holds an exclusive lock on a small database beside it for as long as its process
 * lives: the kernel frees the lock with the process, however it ends, and no clock is involved.
 */
import { existsSync } from 'node:fs';
import { Connection, DatabaseBusy } from './sqlite.ts';

/** Long enough for somebody who only asks whether it is taken. */
const PATIENCE_MS = 100;

export class Ownership {
  readonly #connection: Connection;
  #released = false;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Becomes the owner, or returns undefined when somebody else is. */
  static async take(path: string): Promise<Ownership | undefined> {
    const connection = await Connection.open(path, 'create');
    try {
      await connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
      return new Ownership(connection);
    } catch (error) {
      await connection.close();
      if (error instanceof DatabaseBusy) return undefined;
      throw error;
    }
  }

  /** Whether somebody owns it now. Asking disturbs nobody: it waits for no lock and keeps none. */
  static async isTaken(path: string): Promise<boolean> {
    if (!existsSync(path)) return false;
    const connection = await Connection.open(path, 'read');
    try {
      await connection.exec('PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_master');
      return false;
    } catch (error) {
      if (error instanceof DatabaseBusy) return true;
      throw error;
    } finally {
      await connection.close();
    }
  }

  /** Once is enough; more often does nothing. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    await this.#connection.exec('ROLLBACK');
    await this.#connection.close();
  }
}
