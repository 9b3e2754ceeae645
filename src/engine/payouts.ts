/** Payouts: decided on the merchant's balance as it stands by now; the money moves at acceptance. */
import { createHash } from 'node:crypto';
import { lineReference } from '../core/answer.ts';
import { dayOf } from '../core/calendar.ts';
import { reason } from '../core/code.ts';
import type { Payout, Result } from '../core/gateway.ts';
import { PAYOUT_ID_BYTES, payoutId } from '../core/payment-id.ts';
import { decidePayout, payoutTransfers } from '../core/payout.ts';
import type { StoredPayout } from '../ledger/payouts.ts';
import { canonicalJson, type JsonValue } from '../wire/canonical.ts';
import { bankFault } from './bank.ts';
import { payoutEvents, payoutRecord } from './payout-status.ts';
import type { OpenRequest } from './request.ts';
import type { PayoutSchedule } from './terms.ts';
import type { Workspace } from './workspace.ts';

/** A request for a payout. */
export type OpenPayout = Extract<OpenRequest, { readonly operation: 'payout' }>;

/** Decides one payout; effects go to the workspace. */
export function decidePayoutRequest(
  open: OpenPayout,
  workspace: Workspace,
  schedule: PayoutSchedule,
): Result {
  const { account } = open;
  const { payout, origin } = open.request;
  const message = JSON.stringify(payout.message);
  const content = createHash('sha256')
    .update(canonicalJson(JSON.parse(message) as JsonValue))
    .digest('base64url');
  const before = workspace.payout(account.number, payout.requestId);
  if (before !== undefined) return again(open, before, content, workspace);
  const { currencies, time_zone } = account.settings;
  if (!currencies.includes(payout.sourceCurrency)) {
    const detail = `the account has ${currencies.join(', ')}`;
    return { status: 'refused', reason: reason('V0003', detail, { column: 'source_currency' }) };
  }
  const day = payout.message.payment_date ?? dayOf(workspace.now, time_zone);
  const figures = decidePayout(payout, {
    balance: workspace.merchantBalance(account.number, payout.sourceCurrency),
    fee: schedule.fee(payout),
    rate: schedule.rate(payout, day),
    bankFault: bankFault(payout.message),
  });
  if ('code' in figures) return { status: 'refused', reason: figures };
  const line = origin === undefined ? undefined : payout.line;
  const stored = workspace.addPayout({
    accountNumber: account.number,
    requestId: payout.requestId,
    content,
    reference: origin === undefined ? idOf(account.number, payout) : lineReference(origin, payout.line),
    sourceCurrency: payout.sourceCurrency,
    paymentCurrency: payout.paymentCurrency,
    ...figures,
    paymentDate: day,
    message,
    batchNumber: origin?.batchNumber,
    line,
    attempt: origin?.attempt,
    at: workspace.now,
  });
  const transfers = workspace.transfersOf(open);
  for (const { kind, amount, currency } of payoutTransfers(payout, figures)) {
    workspace.books(account.number, currency).transfer(kind, amount);
    transfers.push({
      txn: undefined,
      payout: stored.number,
      kind,
      amount,
      line,
      reference: undefined,
      repeatOf: undefined,
      note: undefined,
    });
  }
  const { notify_url } = payout.message;
  if (notify_url !== undefined) workspace.events.push(...payoutEvents(account, notify_url, stored));
  return accepted(open, stored, workspace.now);
}

/** A request_id may be long, and end like many others; the engine's own id is short, and its last letters tell payouts apart. */
function idOf(accountNumber: number, { requestId }: Payout): string {
  const digest = createHash('sha256').update(`${accountNumber}/${requestId}`).digest();
  return payoutId(digest.subarray(0, PAYOUT_ID_BYTES));
}

/** A request_id is unique for ever: the same content is a repeat (the same answer over HTTP), other content is refused. */
function again(open: OpenPayout, before: StoredPayout, content: string, { now }: Workspace): Result {
  const sameContent = before.content === content;
  const { origin, payout } = open.request;
  if (origin === undefined) {
    return sameContent
      ? accepted(open, before, now)
      : { status: 'refused', reason: reason('V0015', `request_id ${before.requestId}`) };
  }
  // This very line was executed before: the first answer again.
  if (before.batchNumber === origin.batchNumber && before.line === payout.line)
    return accepted(open, before, now);
  if (!sameContent) {
    return {
      status: 'invalid',
      reason: reason('B0014', `request_id ${before.requestId}`, { column: 'request_id' }),
    };
  }
  return { status: 'repeat', first: { batchNumber: before.batchNumber ?? 0, line: before.line ?? 0 } };
}

function accepted({ account, request: { origin } }: OpenPayout, stored: StoredPayout, now: number): Result {
  const record = payoutRecord(stored, account, now);
  return {
    status: record.status === 'SCHEDULED' ? 'pending' : 'done',
    reference: stored.reference,
    moved: [
      {
        currency: stored.sourceCurrency,
        movedIn: 0,
        movedOut: stored.payerPays - stored.fee,
        fees: stored.fee,
      },
    ],
    ...(origin === undefined ? { payout: record } : {}),
  };
}

/** The result of a stored answer, with what answers do not keep: the payout itself. */
export function withRecord(result: Result, { account, request }: OpenPayout, workspace: Workspace): Result {
  if (result.status !== 'done' && result.status !== 'pending') return result;
  const stored = workspace.payout(account.number, request.payout.requestId);
  if (stored === undefined || request.origin !== undefined) return result;
  // As it was when it was first answered.
  return { ...result, payout: payoutRecord(stored, account, stored.at) };
}
