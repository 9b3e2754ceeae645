/** Every transaction, replayed: its figures, its transfers one after the other, and that no line has acted twice. */
import { type Executed, identify } from '../../core/identity.ts';
import { openingFault, transferFault } from '../../core/replay.ts';
import { AUTHORISATION_LIFETIME, applyTransfer } from '../../core/transaction.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { BalanceChanges } from '../../ledger/balances.ts';
import type { Statements } from '../../ledger/database.ts';
import { type RepeatsOf, repeatsByAttempt } from '../../ledger/history.ts';
import type { TransferRecord } from '../../ledger/transfers.ts';
import { historiesAfter, type TransactionHistory } from '../../ledger/verify.ts';
import { transactionOf } from '../explain/transaction.ts';
import { entryOf } from './entry.ts';
import { Finding } from './finding.ts';

/** Transactions read at a time. */
const PAGE = 2_000;

/** Walks all transactions once and books each of them into `books`. */
export async function verifyTransactions(
  statements: Pick<Statements, 'all' | 'json'>,
  accounts: ReadonlyMap<number, KnownAccount>,
  books: BalanceChanges,
  onProgress: (transactions: number) => void,
): Promise<readonly Finding[]> {
  const figures = new Finding(
    'transactions',
    'every transaction follows from its opening by allowed transfers',
  );
  const identities = new Finding('identities', 'no instruction of a file has acted twice');
  const repeats = await repeatsByAttempt(statements);
  for (let after = 0; ; ) {
    const page = await historiesAfter(statements, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return [figures, identities];
    for (const history of page) {
      const { opening } = history;
      const lifetime = accounts.get(opening.account)?.settings.lifetime ?? AUTHORISATION_LIFETIME;
      figures.checked += 1;
      replay(history, lifetime, figures);
      identities.checked += findRepeats(history, repeats, identities);
      const sums = books.of(opening.account, opening.currency);
      sums.opening(opening);
      for (const { kind, amount } of history.transfers) sums.transfer(kind, amount);
    }
    after = last.opening.number;
    onProgress(figures.checked);
  }
}

function replay({ opening, transfers }: TransactionHistory, lifetime: number, figures: Finding): void {
  let transaction = transactionOf(opening);
  const fault = openingFault(transaction);
  if (fault !== undefined) figures.differs(`transaction ${opening.transaction_id}: ${fault}`);
  for (const { sequence, kind, amount, at } of transfers) {
    const wrong = transferFault(transaction, kind, amount, at, lifetime);
    if (wrong !== undefined)
      figures.differs(`transfer #${sequence} of transaction ${opening.transaction_id}: ${wrong}`);
    transaction = applyTransfer(transaction, kind, amount, at);
  }
}

/** Asks of every line that acted what the engine asked when it did; returns how many. */
function findRepeats(
  { opening, transfers }: TransactionHistory,
  repeats: RepeatsOf,
  identities: Finding,
): number {
  const executed: Executed[] = [];
  let instructed = 0;
  for (const transfer of transfers) {
    const { batch, line, attempt } = transfer;
    if (batch === null || line === null || attempt === null) continue;
    const asked = entryOf(transfer, opening);
    if (asked !== undefined && !followsReview(transfer, executed)) {
      instructed += 1;
      const origin = { batch: '', batchNumber: batch, attempt, repeats: repeats.modeOf(batch, attempt) };
      const verdict = identify(asked.operation, asked.entry, origin, executed, (other) =>
        repeats.nameOf(other.batchNumber, other.line),
      );
      if (verdict.is !== 'new') {
        const first = repeats.nameOf(verdict.first.batchNumber, verdict.first.line);
        identities.differs(
          `transfer #${transfer.sequence} of transaction ${opening.transaction_id}: ${repeats.nameOf(batch, line)} repeats ${first}`,
        );
      }
    }
    executed.push(remembered(transfer, batch, line));
  }
  return instructed;
}

/** The capture of an account that captures at once: the line asked for a review. */
function followsReview({ kind, batch, line }: TransferRecord, executed: readonly Executed[]): boolean {
  if (kind !== 'capture') return false;
  return executed.some(
    (other) => other.kind === 'review_accepted' && other.batchNumber === batch && other.line === line,
  );
}

function remembered(
  { kind, amount, reference, repeatOf }: TransferRecord,
  batchNumber: number,
  line: number,
): Executed {
  return {
    kind,
    amount,
    batchNumber,
    line,
    reference: reference ?? undefined,
    repeatOf: repeatOf ?? undefined,
  };
}
