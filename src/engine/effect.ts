/** What a transfer does beside being written: the transaction, the books, and whoever is to be told of it. */
import { applyTransfer, type PlannedTransfer } from '../core/transaction.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import type { NewTransfer } from '../ledger/transactions.ts';
import { transferEvent } from './notifications/event.ts';
import type { WorkingTransaction, Workspace } from './workspace.ts';

/** What stands beside a transfer in the ledger; all of it empty for what nobody asked for, such as an expiry. */
export type Attribution = Partial<Pick<NewTransfer, 'line' | 'reference' | 'repeatOf' | 'note'>>;

/** Where effects are gathered until they are written. */
export type Effects = Pick<Workspace, 'now' | 'books' | 'events'>;

/**
 * Appends a transfer of a transaction to those of its request.
 * @param detail fields of its notification that only this kind has
 */
export function append(
  workspace: Effects,
  account: KnownAccount,
  working: WorkingTransaction,
  transfers: NewTransfer[],
  planned: PlannedTransfer,
  { line, reference, repeatOf, note }: Attribution = {},
  detail?: Readonly<Record<string, string>>,
): void {
  const { kind, amount } = planned;
  working.transaction = applyTransfer(working.transaction, kind, amount, workspace.now);
  working.transfers += 1;
  workspace.books(account.number, working.transaction.currency).transfer(kind, amount);
  transfers.push({ txn: working.number, payout: undefined, kind, amount, line, reference, repeatOf, note });
  const event = transferEvent(account, working, planned, workspace.now, detail);
  if (event !== undefined) workspace.events.push(event);
}
