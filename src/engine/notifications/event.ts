/** What merchants are told of each effect: the body of its notification, without what the sender adds. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { EVENT_OF_TRANSFER } from '../../core/notification.ts';
import { STATES } from '../../core/state.ts';
import { type PlannedTransfer, remainder, stateOf, type Transaction } from '../../core/transaction.ts';
import type { TransferKind } from '../../core/transfer.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { NewEvent } from '../../ledger/events.ts';
import { receiverOf } from './address.ts';

/** A transaction whose payment may want to be told of what happens to it. */
export interface Told {
  /** Its key in the ledger. */
  readonly number: number;
  readonly transaction: Transaction;
  readonly notifyUrl: string | undefined;
}

/**
 * The event of a transfer, with the transaction as it stands after it; undefined where nobody is to be told.
 * @param at epoch milliseconds of the transfer
 * @param detail fields that only this kind has
 */
export function transferEvent(
  account: KnownAccount,
  { number, transaction, notifyUrl: url }: Told,
  { kind, amount }: PlannedTransfer,
  at: number,
  detail: Readonly<Record<string, string>> = {},
): NewEvent | undefined {
  const event = EVENT_OF_TRANSFER[kind];
  if (event === undefined || url === undefined) return undefined;
  const { transactionId, orderNo, currency } = transaction;
  return {
    accountNumber: account.number,
    subject: { txn: number },
    url,
    receiver: receiverOf(account.number, url),
    kind: event,
    body: {
      event,
      merchant_id: account.merchantId,
      account_id: account.accountId,
      transaction_id: transactionId,
      order_no: orderNo,
      currency,
      ...amountsOf(kind, amount, transaction),
      ...figuresOf(transaction, at, account.settings.lifetime),
      ...STATUS_OF[kind],
      occurred_at: new Date(at).toISOString(),
      ...detail,
    },
    dueAt: at,
  };
}

/** What answers call these amounts: a refund names the payment's own beside its own, what moves nothing the payment's. */
function amountsOf(
  kind: TransferKind,
  moved: number,
  { amount, currency }: Transaction,
): Readonly<Record<string, string>> {
  const money = inCurrency(currency);
  if (kind === 'refund') return { amount: money(amount), refund_amount: money(moved) };
  return { amount: money(moved === 0 ? amount : moved) };
}

/** The transaction after the transfer: state, and what has been and may still be captured and given back. */
function figuresOf(transaction: Transaction, at: number, lifetime: number): Readonly<Record<string, string>> {
  const state = stateOf(transaction, at, lifetime);
  const money = inCurrency(transaction.currency);
  const mayCapture = state === 'authorised' || state === 'partially_captured';
  return {
    payment_status: String(STATES[state]),
    transaction_amount: money(transaction.amount),
    captured_amount: money(transaction.captured),
    refunded_amount: money(transaction.refunded),
    remaining_amount: money(mayCapture ? remainder(transaction) : 0),
  };
}

function inCurrency(currency: string): (minor: number) => string {
  return (minor) => formatAmount(minor, digitsOf(currency)!);
}

/** The status fields that the answer to the operation has; the reason of a decline comes as a detail. */
const STATUS_OF: Readonly<Partial<Record<TransferKind, Readonly<Record<string, string>>>>> = {
  authorise: { order_status: '1', result_info: '0000:Success' },
  hold_for_review: { order_status: '2' },
  decline: { order_status: '0' },
  leave: { order_status: '0' },
  capture: { capture_status: '1' },
  cancel: { cancel_status: '1' },
  review_accepted: { review_status: '1', review_flag: '1' },
  review_rejected: { review_status: '1', review_flag: '0' },
  refund: { refund_status: '1', refund_message: 'V0000:OK' },
};
