/**
 * Breaks as they are found, into the ledger: new ones are opened, known ones go on under their ids with what people said
 * of them, and those that are not found any more are closed. A block at a time, each in a transaction of its own: what an
 * interruption leaves undone, the next comparison does.
 */
import { carry, close, type FoundBreak } from '../core/break.ts';
import { breaksAfter, breaksNamed, isSameBreak, putBreaks } from '../ledger/breaks.ts';
import type { Database } from '../ledger/database.ts';

const BLOCK = 1_000;

export interface Changes {
  opened: number;
  changed: number;
  closed: number;
}

export class BreakKeeper {
  readonly #database: Database;
  readonly #books: number;
  readonly #today: string;
  readonly #seen = new Set<string>();
  readonly changes: Changes = { opened: 0, changed: 0, closed: 0 };

  /** @param today `YYYY-MM-DD` */
  constructor(database: Database, books: number, today: string) {
    this.#database = database;
    this.#books = books;
    this.#today = today;
  }

  async take(found: readonly FoundBreak[]): Promise<void> {
    if (found.length === 0) return;
    for (const { id } of found) {
      if (this.#seen.has(id)) throw new Error(`two breaks have the id ${id}`);
      this.#seen.add(id);
    }
    await this.#database.write(async (statements) => {
      const ids = found.map(({ id }) => id);
      const known = new Map((await breaksNamed(statements, ids)).map((one) => [one.id, one]));
      const carried = found.map((one) => carry(one, known.get(one.id), this.#today));
      const changed = carried.filter((one) => {
        const before = known.get(one.id);
        return before === undefined || !isSameBreak(one, before);
      });
      const opened = changed.filter(({ id }) => !known.has(id)).length;
      this.changes.opened += opened;
      this.changes.changed += changed.length - opened;
      await putBreaks(statements, this.#books, changed);
    });
  }

  /** When everything has been found: the others are explained. */
  async end(): Promise<void> {
    const isGone = ({ id }: { readonly id: string }) => !this.#seen.has(id);
    for (let after = ''; ; ) {
      const block = await breaksAfter(
        this.#database.reads,
        this.#books,
        ['open', 'expected', 'resolved'],
        after,
        BLOCK,
      );
      const last = block.at(-1);
      if (last === undefined) return;
      after = last.id;
      const gone = block.filter(isGone).map(({ id }) => id);
      if (gone.length === 0) continue;
      await this.#database.write(async (statements) => {
        const now = await breaksNamed(statements, gone);
        await putBreaks(
          statements,
          this.#books,
          now.map((one) => close(one, this.#today)),
        );
      });
      this.changes.closed += gone.length;
    }
  }
}
