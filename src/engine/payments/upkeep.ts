/** What has to be done for payments from time to time, though nobody asks: each bounded, each safe to do twice. */
import { overdueTransfer } from '../../core/transaction.ts';
import { readAccountNumbered, readAccounts } from '../../ledger/accounts.ts';
import { deleteAnswersBefore } from '../../ledger/answers.ts';
import { doubtsSince } from '../../ledger/payments.ts';
import { dropToken } from '../../ledger/tokens.ts';
import { type LoadedTransaction, loadTransactionsAfter } from '../../ledger/transactions.ts';
import { askAbout } from './ask.ts';
import { appendAll } from './commit.ts';
import { loadWorking } from './open-payment.ts';
import type { Till } from './till.ts';

/**
 * A payment younger than this is still being asked about, by this process or another one; afterwards a connector that
 * has not heard of it refuses it for good.
 */
const PATIENCE_MS = 30_000;

/** Payments asked about in one call at most. */
const MOST_ASKED = 200;

/** Transactions looked at in one call, and in one read: a million are looked at in less than two hours of calls. */
const MOST_LOOKED_AT = 10_000;
const PAGE = 2_000;

/** Transfers written in one call at most. */
const MOST_WRITTEN = 1_000;

/** First answers under idempotency keys are kept so long: 30 days, in milliseconds. */
const ANSWER_LIFETIME = 30 * 24 * 60 * 60 * 1000;

/** Answers forgotten in one call at most. */
const MOST_FORGOTTEN = 10_000;

export class Upkeep {
  readonly #till: Till;
  /** How far each walk has come: key of a transaction. */
  #askedUpTo = 0;
  #lookedUpTo = 0;

  constructor(till: Till) {
    this.#till = till;
  }

  /** Asks connectors about payments that are in doubt; returns how many of them are known now. */
  async resolveDoubts(): Promise<number> {
    const { database, clock, connector, asking } = this.#till;
    const since = clock() - PATIENCE_MS;
    const doubts = await doubtsSince(database.reads, since, this.#askedUpTo, MOST_ASKED);
    this.#askedUpTo = doubts.length < MOST_ASKED ? 0 : doubts.at(-1)!.txn;
    let known = 0;
    for (const { txn, reference } of doubts) {
      if (asking.has(txn)) continue;
      const payment = await askAbout(this.#till, txn, () => connector.resolve(reference));
      if (payment !== undefined && payment.decisions.at(-1)?.outcome !== 'unknown') known += 1;
    }
    return known;
  }

  /** Writes down what has run out: authorisations, and payments whose shopper never came. Returns how many. */
  async writeOverdue(): Promise<number> {
    const { reads } = this.#till.database;
    const accounts = await readAccounts(reads);
    const lifetimes = new Map(accounts.map(({ number, settings }) => [number, settings.lifetime]));
    let written = 0;
    for (let looked = 0; looked < MOST_LOOKED_AT && written < MOST_WRITTEN; looked += PAGE) {
      const page = await loadTransactionsAfter(reads, this.#lookedUpTo, PAGE);
      const now = this.#till.clock();
      const overdue = page.filter(
        ({ accountNumber, transaction }) =>
          overdueTransfer(transaction, now, lifetimes.get(accountNumber)!) !== undefined,
      );
      const due = overdue.slice(0, MOST_WRITTEN - written);
      written += (await Promise.all(due.map((one) => this.#writeOne(one)))).filter(Boolean).length;
      if (due.length < overdue.length) this.#lookedUpTo = due.at(-1)!.number;
      else this.#lookedUpTo = page.length < PAGE ? 0 : page.at(-1)!.number;
      if (page.length < PAGE) break;
    }
    return written;
  }

  /** Forgets answers that nobody asks for any more; returns how many. */
  forgetAnswers(): Promise<number> {
    const { jobs, clock } = this.#till;
    return jobs.run((statements) =>
      deleteAnswersBefore(statements, clock() - ANSWER_LIFETIME, MOST_FORGOTTEN),
    );
  }

  /** Asked once more inside the transaction: somebody may have captured or cancelled it meanwhile. */
  #writeOne({ accountNumber, transaction: { transactionId }, number }: LoadedTransaction): Promise<boolean> {
    return this.#till.jobs.run(async (statements) => {
      const working = await loadWorking(statements, accountNumber, transactionId);
      const account = await readAccountNumbered(statements, accountNumber);
      const now = this.#till.clock();
      const overdue = overdueTransfer(working.transaction, now, account.settings.lifetime);
      if (overdue === undefined) return false;
      await appendAll(statements, { account, working }, [overdue], now);
      if (overdue.kind === 'lapse') await dropToken(statements, number);
      return true;
    });
  }
}
