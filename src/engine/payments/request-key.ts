/**
 * Idempotency of payments. The key is taken in the commit that reserves the order, before anybody is asked, and points at
 * the payment: a request that is repeated while the first one runs, or after a crash, never charges again.
 */
import { type Reason, reason } from '../../core/code.ts';
import type { CallOptions } from '../../core/gateway.ts';
import type { AuthoriseRequest, CheckoutRequest } from '../../core/payment.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import { findAnswers, insertAnswers } from '../../ledger/answers.ts';
import type { Statements } from '../../ledger/database.ts';
import { loadPayments, type StoredPayment } from '../../ledger/payments.ts';

/** A request under a key. */
export interface KeyedRequest {
  readonly operation: 'authorise' | 'checkout';
  readonly key: string;
  /** What makes it the same request. */
  readonly hash: string;
}

/** @param keyedHash the content may hold a card number, so its hash must not be one that anybody can make */
export function keyedRequest(
  operation: KeyedRequest['operation'],
  request: CheckoutRequest | AuthoriseRequest,
  { idempotencyKey: key, requestHash }: CallOptions,
  keyedHash: (text: string) => string,
): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  const asked = [request.order, 'means' in request ? request.means : undefined];
  const content = JSON.stringify(asked, (name, value) => (name === 'securityCode' ? undefined : value));
  return { operation, key, hash: requestHash ?? keyedHash(content) };
}

/** The payment that the first request under the key made; a failure when that was another request. */
export async function findFirst(
  statements: Statements,
  account: KnownAccount,
  keyed: KeyedRequest | undefined,
): Promise<StoredPayment | { readonly failure: Reason } | undefined> {
  if (keyed === undefined) return undefined;
  const { operation, key, hash } = keyed;
  const [stored] = await findAnswers(statements, [{ accountNumber: account.number, operation, key }]);
  if (stored === undefined) return undefined;
  if (stored.requestHash !== hash)
    return { failure: reason('V0015', 'the idempotency key belongs to another request') };
  const txn = Number(stored.answer);
  const payment = (await loadPayments(statements, [txn])).get(txn);
  if (payment === undefined) throw new Error(`the answer under a key names transaction number ${txn}`);
  return payment;
}

/** Takes the key for the payment that its request has made. */
export async function takeKey(
  statements: Statements,
  account: KnownAccount,
  keyed: KeyedRequest | undefined,
  txn: number,
  at: number,
): Promise<void> {
  if (keyed === undefined) return;
  const { operation, key, hash } = keyed;
  const answer = {
    accountNumber: account.number,
    operation,
    key,
    requestHash: hash,
    answer: String(txn),
    at,
  };
  await insertAnswers(statements, [answer]);
}
