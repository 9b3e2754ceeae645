/** Jobs on the database, gathered: what waits is done in order in one transaction, committed once, then answered. */
import type { Database, Statements } from '../ledger/database.ts';
import { Writer } from '../ledger/group-commit.ts';

type Job = (statements: Statements) => Promise<unknown>;

/** About a hundred jobs fill a commit: each runs a handful of statements of its own. */
const WEIGHT = 100;

/** A job that fails takes those of its commit with it: none of them has happened. */
export class JobQueue {
  readonly #writer: Writer<Job, unknown>;

  constructor(database: Database) {
    this.#writer = new Writer((jobs) =>
      database.write(async (statements) => {
        const answers: unknown[] = [];
        for (const job of jobs) answers.push(await job(statements));
        return answers;
      }),
    );
  }

  /** What the job returns, once what it wrote is durable. */
  run<T>(job: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#writer.submit(job, WEIGHT, false) as Promise<T>;
  }
}
