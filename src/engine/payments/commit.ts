/** What a payment's commit writes: transfers with their books and events, and the decision itself. */
import type { Decision, Outcome } from '../../core/payment-decision.ts';
import { together } from '../../core/together.ts';
import type { PlannedTransfer } from '../../core/transaction.ts';
import type { BookSums } from '../../core/transfer.ts';
import { applyBalanceChanges, BalanceChanges } from '../../ledger/balances.ts';
import type { Statements } from '../../ledger/database.ts';
import { insertEvents, type NewEvent } from '../../ledger/events.ts';
import { endDoubt, insertDecision, type StoredDecision, type StoredPayment } from '../../ledger/payments.ts';
import { dropToken, keepToken } from '../../ledger/tokens.ts';
import { appendTransfers, type NewTransfer } from '../../ledger/transactions.ts';
import { verdict } from '../../wire/messages/values.ts';
import { append, type Effects } from '../effect.ts';
import { openContract } from '../subscriptions/open.ts';
import type { OpenPayment } from './open-payment.ts';
import type { Till } from './till.ts';

/**
 * Appends transfers of one transaction.
 * @param request id of the request by which they came
 * @param detail fields of their notifications
 */
export async function appendAll(
  statements: Statements,
  { account, working }: Pick<OpenPayment, 'account' | 'working'>,
  planned: readonly PlannedTransfer[],
  now: number,
  request?: string,
  detail?: Readonly<Record<string, string>>,
): Promise<void> {
  const balances = new BalanceChanges();
  const events: NewEvent[] = [];
  const transfers: NewTransfer[] = [];
  const books = (number: number, currency: string): BookSums => balances.of(number, currency);
  const effects: Effects = { now, events, books };
  for (const one of planned) append(effects, account, working, transfers, one, {}, detail);
  await together([
    appendTransfers(statements, [{ batchNumber: undefined, attempt: undefined, request, transfers }], now),
    applyBalanceChanges(statements, balances),
    insertEvents(statements, events, now),
  ]);
}

/** Writes a decision with all that follows from it; returns the payment with it. */
export async function writeDecision(
  till: Till,
  statements: Statements,
  open: OpenPayment,
  decision: Decision,
  request?: string,
): Promise<StoredPayment> {
  const { account, payment } = open;
  const now = till.clock();
  const { outcome, reason, referenceNo, threeDs } = decision;
  const stored: StoredDecision = { outcome, reason, referenceNo, threeDs, at: now };
  const detail = reason === undefined ? {} : { result_info: verdict(reason) };
  await together([
    insertDecision(statements, payment.txn, stored),
    appendAll(statements, open, decision.transfers, now, request, detail),
    outcome === 'unknown' ? Promise.resolve() : endDoubt(statements, payment.txn),
    settleToken(statements, payment, outcome, now),
  ]);
  const decided = { ...payment, decisions: [...payment.decisions, stored] };
  if (outcome !== 'approved' && outcome !== 'review') return decided;
  const tokenId = payment.attempt?.token;
  const begins = payment.order.message.subscription !== undefined && payment.way !== 'recurring';
  if (begins && tokenId !== undefined)
    await openContract(statements, { ...payment, account, tokenId, at: now });
  return decided;
}

/** A card that the payment brought to be stored is kept with it, or dropped with it. */
async function settleToken(
  statements: Statements,
  { txn, attempt }: StoredPayment,
  outcome: Outcome,
  now: number,
): Promise<void> {
  if (attempt?.token === undefined) return;
  if (outcome === 'approved' || outcome === 'review') await keepToken(statements, txn, now);
  if (outcome === 'declined' || outcome === 'left') await dropToken(statements, txn);
}
