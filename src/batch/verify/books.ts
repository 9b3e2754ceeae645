/** Balances made anew from openings and transfers, to be compared with those that are kept. Faults, invariants 1 and 6. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { BOOKS } from '../../core/transfer.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { BalanceChanges, BalanceRow } from '../../ledger/balances.ts';
import { nameOf } from '../accounts.ts';
import { Finding } from './finding.ts';

/** Compares every book of every account and currency. */
export function compareBalances(
  kept: readonly BalanceRow[],
  made: BalanceChanges,
  accounts: ReadonlyMap<number, KnownAccount>,
): readonly Finding[] {
  const balances = new Finding('balances', 'every balance is what openings, transfers and payouts make it');
  const zero = new Finding('double entry', 'debits equal credits in every account and currency');
  const keptBy = new Map(
    kept.map((row) => [`${row.account}/${row.currency}/${row.book}`, BigInt(row.amount)]),
  );
  const places = new Map<string, { account: number; currency: string }>();
  for (const { account, currency } of kept) places.set(`${account}/${currency}`, { account, currency });
  for (const { accountNumber: account, currency } of made.entries())
    places.set(`${account}/${currency}`, { account, currency });
  for (const { account, currency } of places.values()) {
    let sum = 0n;
    const where = placeName(account, currency, accounts);
    const money = (minor: bigint) => `${formatAmount(minor, digitsOf(currency) ?? 0)} ${currency}`;
    for (const book of BOOKS) {
      const stands = keptBy.get(`${account}/${currency}/${book}`) ?? 0n;
      const due = made.of(account, currency).of(book);
      sum += stands;
      balances.checked += 1;
      if (stands !== due)
        balances.differs(`${where} ${book}: ${money(stands)} is kept, ${money(due)} is due`);
    }
    zero.checked += 1;
    if (sum !== 0n) zero.differs(`${where}: the books are ${money(sum)} apart`);
  }
  return [balances, zero];
}

function placeName(account: number, currency: string, accounts: ReadonlyMap<number, KnownAccount>): string {
  const known = accounts.get(account);
  return `${known === undefined ? `account number ${account}` : nameOf(known)} ${currency}`;
}
