/** Whose breaks there are: the books of accounts at gateways, and the day that it is for them. */
import type { SeverityTerms } from '../../core/break.ts';
import { dayOf } from '../../core/calendar.ts';
import { type KnownAccount, readAccounts } from '../../ledger/accounts.ts';
import type { Database, Statements } from '../../ledger/database.ts';
import { allBooks } from '../../ledger/statements.ts';

/** What looking at breaks needs. */
export interface Looking {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** @param account as MERCHANT/ACCOUNT */
  readonly severityTerms: (account: string) => SeverityTerms;
}

/** What acting on them needs. */
export interface Acting extends Looking {
  readonly database: Database;
  /** Who acts, for the audit. */
  readonly actor: string;
}

/** An account's books at a gateway. */
export interface Books {
  readonly number: number;
  readonly account: KnownAccount;
  readonly gateway: string;
  /** In the account's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  readonly severity: SeverityTerms;
}

/** By number. */
export type AllBooks = ReadonlyMap<number, Books>;

/** All books that were ever compared with a statement. */
export async function booksIn(
  statements: Pick<Statements, 'all'>,
  { clock, severityTerms }: Looking,
): Promise<AllBooks> {
  const accounts = new Map((await readAccounts(statements)).map((account) => [account.number, account]));
  const now = clock();
  const books = (await allBooks(statements)).map(({ number, account: accountNumber, gateway }) => {
    const account = accounts.get(accountNumber)!;
    const today = dayOf(now, account.settings.time_zone);
    const severity = severityTerms(`${account.merchantId}/${account.accountId}`);
    return [number, { number, account, gateway, today, severity }] as const;
  });
  return new Map(books);
}
