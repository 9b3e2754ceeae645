/** The story of a transaction: how it came in, every transfer since, its state then and now, and what is left of it. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { isState, type State } from '../../core/state.ts';
import {
  applyTransfer,
  expiresNow,
  SHOPPER_LIFETIME,
  stateOf,
  type Transaction,
} from '../../core/transaction.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import { type OpeningRecord, transfersOfTransaction } from '../../ledger/transfers.ts';
import { BatchNames, isoTime, type TransferStory, transferStory } from './transfers.ts';

export interface TransactionStory {
  readonly merchant: string;
  readonly account: string;
  readonly transaction_id: string;
  readonly order_no: string;
  readonly currency: string;
  readonly amount: string;
  readonly opening: {
    readonly state: State;
    readonly captured: string;
    readonly refunded: string;
    readonly cancelled: string;
    readonly authorised_at: string;
  };
  readonly transfers: readonly (TransferStory & { readonly state_after: State })[];
  /** Now. */
  readonly state: State;
  readonly captured: string;
  readonly refunded: string;
  readonly cancelled: string;
  readonly expired: string;
  readonly left_to_capture: string;
  readonly left_to_refund: string;
}

export async function transactionStory(
  statements: Pick<Statements, 'all' | 'json'>,
  opening: OpeningRecord,
  account: KnownAccount,
  now: number,
): Promise<TransactionStory> {
  const { currency } = opening;
  const { lifetime } = account.settings;
  const names = new BatchNames(statements);
  const begun = transactionOf(opening);
  let transaction = begun;
  const transfers: TransactionStory['transfers'][number][] = [];
  for (const transfer of await transfersOfTransaction(statements, opening.number)) {
    transaction = applyTransfer(transaction, transfer.kind, transfer.amount, transfer.at);
    const state_after = stateOf(transaction, transfer.at, lifetime);
    transfers.push({ ...(await transferStory(transfer, currency, names)), state_after });
  }
  const money = (minor: number) => formatAmount(minor, digitsOf(currency)!);
  return {
    merchant: account.merchantId,
    account: account.accountId,
    transaction_id: opening.transaction_id,
    order_no: opening.order_no,
    currency,
    amount: money(opening.amount),
    opening: {
      state: begun.standing,
      captured: money(opening.captured),
      refunded: money(opening.refunded),
      cancelled: money(opening.cancelled),
      authorised_at: isoTime(opening.authorised_at),
    },
    transfers,
    state: stateOf(transaction, now, lifetime),
    captured: money(transaction.captured),
    refunded: money(transaction.refunded),
    cancelled: money(transaction.cancelled),
    expired: money(transaction.expired),
    left_to_capture: money(leftToCapture(transaction, now, lifetime)),
    left_to_refund: money(transaction.captured - transaction.refunded),
  };
}

export function transactionOf(opening: OpeningRecord): Transaction {
  if (!isState(opening.state)) throw new Error(`the ledger has a transaction in the state ${opening.state}`);
  return {
    transactionId: opening.transaction_id,
    orderNo: opening.order_no,
    currency: opening.currency,
    amount: opening.amount,
    standing: opening.state,
    captured: opening.captured,
    refunded: opening.refunded,
    cancelled: opening.cancelled,
    expired: 0,
    review: undefined,
    authorisedAt: opening.authorised_at,
    waitsUntil: opening.waits === 1 ? opening.authorised_at + SHOPPER_LIFETIME : undefined,
  };
}

function leftToCapture(transaction: Transaction, now: number, lifetime: number): number {
  const state = stateOf(transaction, now, lifetime);
  const isOpen =
    (state === 'authorised' || state === 'partially_captured') && !expiresNow(transaction, now, lifetime);
  return isOpen ? transaction.amount - transaction.captured - transaction.cancelled - transaction.expired : 0;
}
