/** Asking a connector, outside any transaction, and writing down what it said. */
import type { Card, PaymentResult } from '../../core/payment.ts';
import { type ConnectorAnswer, decidePayment } from '../../core/payment-decision.ts';
import { authenticationOf } from '../../core/payment-threeds.ts';
import type { Statements } from '../../ledger/database.ts';
import type { StoredPayment } from '../../ledger/payments.ts';
import { DatabaseBroken, DatabaseBusy } from '../../ledger/sqlite.ts';
import type { ConnectorRequest } from '../connector/connector.ts';
import { writeDecision } from './commit.ts';
import { caseOf, loadOpenPayment, type OpenPayment } from './open-payment.ts';
import { resultOf } from './result.ts';
import type { Till } from './till.ts';

/** The question for an authorisation of a payment. */
export function authorisationOf({ transactionId, order }: StoredPayment, card: Card): ConnectorRequest {
  const { currency, amount, message } = order;
  return { reference: transactionId, card, currency, amount, authentication: authenticationOf(message) };
}

/**
 * Asks, and decides on the answer.
 * @param call the question
 * @param request id of the request that asks
 * @returns the payment with its decision; undefined when the decision could not be written: it stays in doubt then
 */
export async function askAbout(
  till: Till,
  txn: number,
  call: () => Promise<ConnectorAnswer>,
  request?: string,
): Promise<StoredPayment | undefined> {
  till.asking.add(txn);
  try {
    const answer = await answerOf(call);
    return await till.jobs.run((statements) => settle(till, statements, txn, answer, request));
  } catch (error) {
    // The connector may have done it: whoever cannot write it down must not say that nothing happened.
    if (error instanceof DatabaseBusy || error instanceof DatabaseBroken) return undefined;
    throw error;
  } finally {
    till.asking.delete(txn);
  }
}

/** A connector that fails has perhaps been heard all the same. */
async function answerOf(call: () => Promise<ConnectorAnswer>): Promise<ConnectorAnswer> {
  try {
    return await call();
  } catch {
    return { is: 'unknown' };
  }
}

/** Decides a payment that is in doubt; what somebody else has decided meanwhile stays. */
async function settle(
  till: Till,
  statements: Statements,
  txn: number,
  answer: ConnectorAnswer,
  request: string | undefined,
): Promise<StoredPayment> {
  const open = await loadOpenPayment(statements, txn);
  const { payment, working } = open;
  const isRepeated = answer.is === 'unknown' && payment.decisions.at(-1)?.outcome === 'unknown';
  if (working.transaction.standing !== 'in_doubt' || isRepeated) return payment;
  return writeDecision(till, statements, open, decidePayment(caseOfAttempt(open), answer), request);
}

function caseOfAttempt(open: OpenPayment) {
  const { attempt, transactionId } = open.payment;
  if (attempt === undefined) throw new Error(`${transactionId} is in doubt and was paid with nothing`);
  return caseOf(open, attempt.risk);
}

/** The result of a payment whose decision could not be written. */
export function resultInDoubt(till: Till, open: OpenPayment): Promise<PaymentResult> {
  const unknown = decidePayment(caseOfAttempt(open), { is: 'unknown' });
  return resultOf(till, till.database.reads, open.payment, { ...unknown, at: till.clock() });
}
