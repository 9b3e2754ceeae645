/**
 * Who works on a batch. The owner holds an exclusive lock on a small database beside it for as long as its process
 * lives: the kernel frees the lock with the process, however it ends, and no clock is involved.
 */
import { Connection, DatabaseBusy } from './sqlite.ts';

export class Ownership {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Becomes the owner, or returns undefined when somebody else is. */
  static async take(path: string): Promise<Ownership | undefined> {
    const connection = await Connection.open(path, 'create');
    try {
      await connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return new Ownership(connection);
    } catch (error) {
      await connection.close();
      if (error instanceof DatabaseBusy) return undefined;
      throw error;
    }
  }

  async release(): Promise<void> {
    await this.#connection.exec('ROLLBACK');
    await this.#connection.close();
  }
}
