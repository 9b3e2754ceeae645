/**
 * Everything that the ledger, the journal, the kept files and the reports say, checked against one another and made anew
 * from the beginning. The whole ledger goes by in pages, so memory stays flat. Faults, "Invariants".
 */
import { readAccounts } from '../ledger/accounts.ts';
import { BalanceChanges, readBalances } from '../ledger/balances.ts';
import type { BatchContext } from './context.ts';
import { verifyAudit } from './verify/audit.ts';
import { verifyBatches } from './verify/batches.ts';
import { compareBalances } from './verify/books.ts';
import { verifyEvents } from './verify/events.ts';
import { Finding } from './verify/finding.ts';
import { verifyFile, verifySequence } from './verify/ledger.ts';
import { verifyContracts, verifyPayments, verifyTokens } from './verify/payments.ts';
import { verifyPayouts } from './verify/payouts.ts';
import { verifyBreaks, verifyStatements } from './verify/statements.ts';
import { verifyTransactions } from './verify/transactions.ts';

export type OnVerifying = (what: 'transactions' | 'lines', count: number) => void;

/**
 * Verifies everything.
 * @param context whose database is a snapshot: what others write meanwhile must not be seen in part
 */
export async function verify(
  context: Pick<BatchContext, 'database' | 'folders'>,
  onProgress: OnVerifying = () => undefined,
): Promise<readonly Finding[]> {
  const { reads } = context.database;
  return [
    ...(await checked('database', async () => [await verifyFile(reads)])),
    ...(await checked('sequence', async () => [await verifySequence(reads)])),
    ...(await checked('transactions', () => verifyLedger(context, onProgress))),
    ...(await checked('payments', () => verifyPaid(reads))),
    ...(await checked('lines', () => verifyBatches(context, counting(onProgress)))),
    ...(await checked('statements', async () => [await verifyStatements(reads), await verifyBreaks(reads)])),
    ...(await checked('audit', async () => [await verifyAudit(reads)])),
  ];
}

/** Transactions and payouts, and the balances that follow from both. */
async function verifyLedger(
  { database: { reads } }: Pick<BatchContext, 'database'>,
  onProgress: OnVerifying,
): Promise<readonly Finding[]> {
  const accounts = new Map((await readAccounts(reads)).map((account) => [account.number, account]));
  const books = new BalanceChanges();
  const transactions = await verifyTransactions(reads, accounts, books, (count) =>
    onProgress('transactions', count),
  );
  const payouts = await verifyPayouts(reads, books);
  const events = await verifyEvents(reads, accounts);
  return [...transactions, payouts, events, ...compareBalances(await readBalances(reads), books, accounts)];
}

/** What this gateway has authorised itself, and what goes on from there. */
async function verifyPaid(reads: BatchContext['database']['reads']): Promise<readonly Finding[]> {
  return [await verifyPayments(reads), await verifyTokens(reads), await verifyContracts(reads)];
}

/** Each batch counts its lines from 1; here they count on. */
function counting(onProgress: OnVerifying): (lines: number) => void {
  let before = 0;
  let last = 0;
  return (lines) => {
    if (lines < last) before += last;
    last = lines;
    onProgress('lines', before + lines);
  };
}

/** What is so damaged that it cannot be read is a difference, too. */
async function checked(name: string, work: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    const finding = new Finding(name, 'it can be read from its beginning to its end');
    finding.differs(error instanceof Error ? error.message : String(error));
    return [finding];
  }
}
