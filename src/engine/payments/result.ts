/** What is answered about a payment: made from its rows alone, so that the same question always gets the same answer. */
import { reason } from '../../core/code.ts';
import type { AuthoriseAnswer, CheckoutAnswer, HostedSession, PaymentResult } from '../../core/payment.ts';
import { orderStatusOf } from '../../core/payment-decision.ts';
import type { Statements } from '../../ledger/database.ts';
import type { StoredDecision, StoredPayment } from '../../ledger/payments.ts';
import { contractAtFirst } from '../subscriptions/contracts.ts';
import type { Till } from './till.ts';

type Reads = Pick<Statements, 'all' | 'json'>;

/** @param decision the one that is told: the first is what the request was answered */
export async function resultOf(
  till: Till,
  statements: Reads,
  payment: StoredPayment,
  { outcome, reason: why, threeDs }: StoredDecision,
): Promise<PaymentResult> {
  const { transactionId, attempt } = payment;
  if (attempt === undefined) throw new Error(`${transactionId} was decided before it was paid with anything`);
  const isStored = outcome === 'approved' || outcome === 'review';
  return {
    transactionId,
    orderStatus: orderStatusOf(outcome),
    reason: why,
    maskedCard: attempt.maskedCard,
    tokenId: isStored ? attempt.token : undefined,
    connector: till.connector.name,
    threeDs,
    risk: attempt.risk,
    contract:
      isStored && mayHaveContract(payment)
        ? await contractAtFirst(statements, payment.txn, outcome)
        : undefined,
  };
}

function mayHaveContract({ way, order }: StoredPayment): boolean {
  return way === 'recurring' || order.message.subscription !== undefined;
}

/** Where the shopper of a payment goes on; undefined for one that has no page. */
export function sessionOf({ transactionId, session, way }: StoredPayment): HostedSession | undefined {
  return session === undefined ? undefined : { transactionId, session, kind: way === 'apm' ? 'apm' : 'card' };
}

/** The first answer to a payment's request once more. */
export async function firstAnswer(
  till: Till,
  statements: Reads,
  payment: StoredPayment,
): Promise<AuthoriseAnswer> {
  const session = sessionOf(payment);
  if (session !== undefined) return { session };
  const [first] = payment.decisions;
  return first === undefined
    ? { failure: reason('I0062', 'the first request under this idempotency key is not answered yet') }
    : { payment: await resultOf(till, statements, payment, first) };
}

/** True for what a checkout can be answered. */
export function isCheckoutAnswer(answer: AuthoriseAnswer): answer is CheckoutAnswer {
  return !('payment' in answer);
}
