/** The story of a payout: what was asked, what it cost, what the beneficiary gets, and when. */
import { dayOf } from '../../core/calendar.ts';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import type { StoredPayout } from '../../ledger/payouts.ts';
import { transfersOfPayout } from '../../ledger/transfers.ts';
import { BatchNames, isoTime, type TransferStory, transferStory } from './transfers.ts';

export interface PayoutStory {
  readonly merchant: string;
  readonly account: string;
  readonly request_id: string;
  readonly accepted_at: string;
  /** The line that asked for it; null for a request to the API. */
  readonly origin: string | null;
  readonly reference: string;
  readonly source_currency: string;
  readonly payer_pays: string;
  readonly fee: string;
  readonly payment_currency: string;
  readonly beneficiary_receives: string;
  readonly payment_date: string;
  readonly status: 'scheduled' | 'completed';
  readonly transfers: readonly TransferStory[];
}

export async function payoutStory(
  statements: Pick<Statements, 'all' | 'json'>,
  payout: StoredPayout,
  account: KnownAccount,
  now: number,
): Promise<PayoutStory> {
  const names = new BatchNames(statements);
  const { sourceCurrency, paymentCurrency } = payout;
  const inSource = (minor: number) => formatAmount(minor, digitsOf(sourceCurrency)!);
  const transfers: TransferStory[] = [];
  for (const transfer of await transfersOfPayout(statements, payout.number)) {
    const currency = transfer.kind === 'exchange_in' ? paymentCurrency : sourceCurrency;
    transfers.push(await transferStory(transfer, currency, names));
  }
  return {
    merchant: account.merchantId,
    account: account.accountId,
    request_id: payout.requestId,
    accepted_at: isoTime(payout.at),
    origin: await names.nameOf({ batch: payout.batchNumber ?? null, line: payout.line ?? null }),
    reference: payout.reference,
    source_currency: sourceCurrency,
    payer_pays: inSource(payout.payerPays),
    fee: inSource(payout.fee),
    payment_currency: paymentCurrency,
    beneficiary_receives: formatAmount(payout.beneficiaryReceives, digitsOf(paymentCurrency)!),
    payment_date: payout.paymentDate,
    status: payout.paymentDate > dayOf(now, account.settings.time_zone) ? 'scheduled' : 'completed',
    transfers,
  };
}
