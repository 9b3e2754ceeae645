/** Balances per account, currency and book, kept in the same commit as the transfers that change them. */
import { getOrSet } from '../core/get-or-set.ts';
import { BOOKS, type Book, BookSums } from '../core/transfer.ts';
import type { Statements } from './database.ts';

/** Changes of balances, gathered while a group is decided. */
export class BalanceChanges {
  readonly #sums = new Map<string, { accountNumber: number; currency: string; sums: BookSums }>();

  of(accountNumber: number, currency: string): BookSums {
    const key = `${accountNumber}/${currency}`;
    return getOrSet(this.#sums, key, () => ({ accountNumber, currency, sums: new BookSums() })).sums;
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
  const changed = [...changes.entries()].flatMap(({ accountNumber, currency, sums }) =>
    BOOKS.map((book) => ({ accountNumber, currency, book, change: sums.of(book) })).filter(
      ({ change }) => change !== 0n,
    ),
  );
  if (changed.length === 0) return;
  const before = await statements.all<BalanceRow>(
    `SELECT b.account, b.currency, b.book, b.amount FROM json_each(?) AS w CROSS JOIN seen_balance AS b
       ON b.account = w.value->>0 AND b.currency = w.value->>1 AND b.book = w.value->>2`,
    [JSON.stringify(changed.map(({ accountNumber, currency, book }) => [accountNumber, currency, book]))],
  );
  const known = new Map(
    before.map(({ account, currency, book, amount }) => [`${account}/${currency}/${book}`, BigInt(amount)]),
  );
  const after = changed.map(({ accountNumber, currency, book, change }) => {
    const sum = (known.get(`${accountNumber}/${currency}/${book}`) ?? 0n) + change;
    return [accountNumber, currency, book, String(sum)];
  });
  await statements.run(
    `INSERT INTO balance (account, currency, book, amount)
     SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?) WHERE true
     ON CONFLICT (account, currency, book) DO UPDATE SET amount = excluded.amount`,
    [JSON.stringify(after)],
  );
}
