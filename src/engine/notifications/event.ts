/** What merchants are told of each effect: the body of its notification, without what the sender adds. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { EVENT_OF_TRANSFER } from '../../core/notification.ts';
import { STATES } from '../../core/state.ts';
import { type PlannedTransfer, stateOf, type Transaction } from '../../core/transaction.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { NewEvent } from '../../ledger/events.ts';

/**
 * The event of a transfer, with the transaction as it stands after it; undefined for a transfer that nobody is told of.
 * @param at epoch milliseconds of the transfer
 * @param detail fields that only this kind has
 */
export function transferEvent(
  account: KnownAccount,
  url: string,
  transaction: Transaction,
  { kind, amount }: PlannedTransfer,
  at: number,
  detail: Readonly<Record<string, string>> = {},
): NewEvent | undefined {
  const event = EVENT_OF_TRANSFER[kind];
  if (event === undefined) return undefined;
  const { transactionId, orderNo, currency } = transaction;
  const state = stateOf(transaction, at, account.settings.lifetime);
  return {
    accountNumber: account.number,
    url,
    kind: event,
    body: {
      event,
      merchant_id: account.merchantId,
      account_id: account.accountId,
      transaction_id: transactionId,
      order_no: orderNo,
      currency,
      amount: formatAmount(amount, digitsOf(currency)!),
      payment_status: String(STATES[state]),
      occurred_at: new Date(at).toISOString(),
      ...detail,
    },
    dueAt: at,
  };
}
