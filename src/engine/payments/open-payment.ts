/** A payment with everything that a decision on it is made of. */

import type { RiskVerdict } from '../../core/payment.ts';
import type { Case } from '../../core/payment-decision.ts';
import { authenticationOf } from '../../core/payment-threeds.ts';
import { together } from '../../core/together.ts';
import { overdueTransfer } from '../../core/transaction.ts';
import { type KnownAccount, readAccountNumbered } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import { loadPayments, type StoredPayment } from '../../ledger/payments.ts';
import { loadTransactions } from '../../ledger/transactions.ts';
import type { WorkingTransaction } from '../workspace.ts';

export interface OpenPayment {
  readonly payment: StoredPayment;
  readonly account: KnownAccount;
  readonly working: WorkingTransaction;
}

/** @param txn key of the payment's transaction */
export async function loadOpenPayment(
  statements: Pick<Statements, 'all' | 'json'>,
  txn: number,
): Promise<OpenPayment> {
  const payment = await loadPayment(statements, txn);
  const [account, working] = await together([
    readAccountNumbered(statements, payment.accountNumber),
    loadWorking(statements, payment.accountNumber, payment.transactionId),
  ]);
  return { payment, account, working };
}

/** A payment that was reserved a moment ago. */
export async function loadReserved(
  statements: Pick<Statements, 'json'>,
  account: KnownAccount,
  txn: number,
  transactionId: string,
): Promise<OpenPayment> {
  const [payment, working] = await together([
    loadPayment(statements, txn),
    loadWorking(statements, account.number, transactionId),
  ]);
  return { payment, account, working };
}

async function loadPayment(statements: Pick<Statements, 'json'>, txn: number): Promise<StoredPayment> {
  const payment = (await loadPayments(statements, [txn])).get(txn);
  if (payment === undefined) throw new Error(`transaction number ${txn} has no payment`);
  return payment;
}

/** A transaction to which effects can be appended. */
export async function loadWorking(
  statements: Pick<Statements, 'json'>,
  accountNumber: number,
  transactionId: string,
): Promise<WorkingTransaction> {
  const [loaded] = await loadTransactions(statements, new Map([[accountNumber, [transactionId]]]));
  if (loaded === undefined) throw new Error(`account number ${accountNumber} has no ${transactionId}`);
  return { ...loaded, executed: [...loaded.executed], requested: [...loaded.requested] };
}

/** The shopper can still do something about it. */
export function isWaiting(
  { account, working }: OpenPayment,
  standing: 'created' | 'challenge',
  now: number,
): boolean {
  return (
    working.transaction.standing === standing &&
    overdueTransfer(working.transaction, now, account.settings.lifetime) === undefined
  );
}

/** What the payment is decided on. */
export function caseOf(
  { payment, account }: Pick<OpenPayment, 'payment' | 'account'>,
  verdict: RiskVerdict,
): Case {
  return {
    amount: payment.order.amount,
    verdict,
    authentication: authenticationOf(payment.order.message),
    canChallenge: payment.session !== undefined,
    capture: account.settings.capture,
  };
}
