/** Payouts: decided on the merchant's balance as it stands by now; the money moves at acceptance. */
import { createHash } from 'node:crypto';
import { lineReference } from '../core/answer.ts';
import { reason } from '../core/code.ts';
import type { Movement, Payout, PayoutRequest, Result } from '../core/gateway.ts';
import { decidePayout, type PayoutFigures, payoutTransfers } from '../core/payout.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import type { StoredPayout } from '../ledger/payouts.ts';
import { canonicalJson, type JsonValue } from '../wire/canonical.ts';
import { bankFault } from './bank.ts';
import type { PayoutSchedule } from './terms.ts';
import type { Workspace } from './workspace.ts';

/** Decides one payout; effects go to the workspace. */
export function decidePayoutRequest(
  request: PayoutRequest,
  account: KnownAccount,
  workspace: Workspace,
  schedule: PayoutSchedule,
): Result {
  const { payout, origin } = request;
  const message = JSON.stringify(payout.message);
  const content = createHash('sha256')
    .update(canonicalJson(JSON.parse(message) as JsonValue))
    .digest('base64url');
  const before = workspace.payout(account.number, payout.requestId);
  if (before !== undefined) return again(request, before, content, workspace.now);
  const { currencies } = account.settings;
  if (!currencies.includes(payout.sourceCurrency)) {
    return {
      status: 'refused',
      reason: reason('V0003', `the account has ${currencies.join(', ')}`, { column: 'source_currency' }),
    };
  }
  const today = dayOf(workspace.now);
  const day = payout.message.payment_date ?? today;
  const figures = decidePayout(payout, {
    balance: workspace.merchantBalance(account.number, payout.sourceCurrency),
    fee: schedule.fee(payout),
    rate: schedule.rate(payout, day),
    bankFault: bankFault(payout.message),
  });
  if ('code' in figures) return { status: 'refused', reason: figures };
  const reference =
    origin === undefined ? `P-${account.number}-${payout.requestId}` : lineReference(origin, payout.line);
  const number = workspace.addPayout({
    accountNumber: account.number,
    requestId: payout.requestId,
    content,
    reference,
    sourceCurrency: payout.sourceCurrency,
    paymentCurrency: payout.paymentCurrency,
    ...figures,
    paymentDate: day,
    message,
    batchNumber: origin?.batchNumber,
    line: origin === undefined ? undefined : payout.line,
    attempt: origin?.attempt,
    at: workspace.now,
  });
  const transfers = workspace.transfersOf(origin);
  for (const { kind, amount, currency } of payoutTransfers(payout, figures)) {
    workspace.books(account.number, currency).transfer(kind, amount);
    transfers.push({
      txn: undefined,
      payout: number,
      kind,
      amount,
      line: origin === undefined ? undefined : payout.line,
      reference: undefined,
      repeatOf: undefined,
      note: undefined,
    });
  }
  return accepted(reference, day > today, movements(payout, figures));
}

/** A request_id is unique for ever: the same content is a repeat (the same answer over HTTP), other content is refused. */
function again(request: PayoutRequest, before: StoredPayout, content: string, now: number): Result {
  const sameContent = before.content === content;
  const { origin, payout } = request;
  const answer = () => accepted(before.reference, before.paymentDate > dayOf(now), movements(payout, before));
  if (origin === undefined) {
    if (!sameContent) return { status: 'refused', reason: reason('V0015', `request_id ${before.requestId}`) };
    return answer();
  }
  // This very line was executed before: the first answer again.
  if (before.batchNumber === origin.batchNumber && before.line === payout.line) return answer();
  if (!sameContent) {
    return {
      status: 'invalid',
      reason: reason('B0014', `request_id ${before.requestId}`, { column: 'request_id' }),
    };
  }
  return { status: 'repeat', first: { batchNumber: before.batchNumber ?? 0, line: before.line ?? 0 } };
}

function accepted(reference: string, scheduled: boolean, moved: readonly Movement[]): Result {
  return { status: scheduled ? 'pending' : 'done', reference, moved };
}

function movements(payout: Payout, figures: PayoutFigures): readonly Movement[] {
  return [
    {
      currency: payout.sourceCurrency,
      movedIn: 0,
      movedOut: figures.payerPays - figures.fee,
      fees: figures.fee,
    },
  ];
}

/** The day in UTC, YYYY-MM-DD. */
function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
