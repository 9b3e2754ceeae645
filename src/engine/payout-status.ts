/** An accepted payout over time: scheduled until its day comes, then completed, and who is told. */

import { dayOf, startOfDay } from '../core/calendar.ts';
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import type { PayoutRecord } from '../core/payout-record.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import type { NewEvent } from '../ledger/events.ts';
import type { StoredPayout } from '../ledger/payouts.ts';
import { receiverOf } from './notifications/address.ts';

/** The payout as it stands at a moment. Its status follows from its day; nothing has to happen for it to change. */
export function payoutRecord(stored: StoredPayout, { settings }: KnownAccount, now: number): PayoutRecord {
  const { sourceAmount, payerPays, fee, beneficiaryReceives, reference, at, paymentDate } = stored;
  const wasScheduled = paymentDate > dayOf(at, settings.time_zone);
  const isScheduled = wasScheduled && paymentDate > dayOf(now, settings.time_zone);
  return {
    sourceAmount,
    payerPays,
    fee,
    beneficiaryReceives,
    status: isScheduled ? 'SCHEDULED' : 'COMPLETED',
    transactionId: reference,
    createdAt: at,
    updatedAt: wasScheduled && !isScheduled ? startOfDay(paymentDate, settings.time_zone) : at,
  };
}

/** What is told of a payout: its acceptance, and where it is scheduled, on its day, that it is completed. */
export function payoutEvents(account: KnownAccount, url: string, stored: StoredPayout): readonly NewEvent[] {
  const now = payoutRecord(stored, account, stored.at);
  const accepted = payoutEvent(account, url, stored, now);
  if (now.status === 'COMPLETED') return [accepted];
  const due = startOfDay(stored.paymentDate, account.settings.time_zone);
  return [accepted, payoutEvent(account, url, stored, payoutRecord(stored, account, due))];
}

function payoutEvent(
  { number, merchantId, accountId }: KnownAccount,
  url: string,
  { number: payout, requestId, sourceCurrency, paymentCurrency, paymentDate }: StoredPayout,
  { status, transactionId, payerPays, beneficiaryReceives, fee, updatedAt }: PayoutRecord,
): NewEvent {
  return {
    accountNumber: number,
    subject: { payout },
    url,
    receiver: receiverOf(number, url),
    kind: 'payout.status',
    body: {
      event: 'payout.status',
      merchant_id: merchantId,
      account_id: accountId,
      transaction_id: transactionId,
      request_id: requestId,
      currency: sourceCurrency,
      amount: formatAmount(payerPays, digitsOf(sourceCurrency)!),
      payment_currency: paymentCurrency,
      payment_date: paymentDate,
      amount_payer_pays: payerPays,
      amount_beneficiary_receives: beneficiaryReceives,
      fee_amount: fee,
      fee_currency: sourceCurrency,
      status,
      occurred_at: new Date(updatedAt).toISOString(),
    },
    dueAt: updatedAt,
  };
}
