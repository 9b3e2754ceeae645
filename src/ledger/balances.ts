/** Balances per account, currency and book, kept in the same commit as the transfers that change them. */
import { BOOKS, type Book, BookSums } from '../core/transfer.ts';
import type { Statements } from './database.ts';

/** Changes of balances, gathered while a group is decided. */
export class BalanceChanges {
  readonly #sums = new Map<string, { accountNumber: number; currency: string; sums: BookSums }>();

  of(accountNumber: number, currency: string): BookSums {
    const key = `${accountNumber}/${currency}`;
    let found = this.#sums.get(key);
    if (found === undefined) this.#sums.set(key, (found = { accountNumber, currency, sums: new BookSums() }));
    return found.sums;
  }

  entries(): Iterable<{ accountNumber: number; currency: string; sums: BookSums }> {
    return this.#sums.values();
  }
}

export interface BalanceRow {
  readonly account: number;
  readonly currency: string;
  readonly book: Book;
  readonly amount: string;
}

/** Balances as they stand: credits less debits, in minor units. */
export async function readBalances(statements: Pick<Statements, 'all'>): Promise<readonly BalanceRow[]> {
  return statements.all<BalanceRow>(
    'SELECT account, currency, book, amount FROM seen_balance ORDER BY account, currency, book',
  );
}

/** Balance of one book in minor units; zero where nothing was ever booked. */
export async function readBalance(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  currency: string,
  book: Book,
): Promise<bigint> {
  const [row] = await statements.all<{ amount: string }>(
    'SELECT amount FROM seen_balance WHERE account = ? AND currency = ? AND book = ?',
    [accountNumber, currency, book],
  );
  return BigInt(row?.amount ?? '0');
}

/** Adds the changes to the balances. Sums are exact at any size, so they are added here and not in SQL. */
export async function applyBalanceChanges(statements: Statements, changes: BalanceChanges): Promise<void> {
  for (const { accountNumber, currency, sums } of changes.entries()) {
    for (const book of BOOKS) {
      const change = sums.of(book);
      if (change === 0n) continue;
      const before = await readBalance(statements, accountNumber, currency, book);
      await statements.run(
        `INSERT INTO balance (account, currency, book, amount) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account, currency, book) DO UPDATE SET amount = ?4`,
        [accountNumber, currency, book, String(before + change)],
      );
    }
  }
}
