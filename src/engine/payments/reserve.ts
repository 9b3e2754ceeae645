/** The reservation: what makes an order number a payment's, committed before anybody is asked for money. */
import { type Reason, reason } from '../../core/code.ts';
import type { CheckoutRequest, Order } from '../../core/payment.ts';
import { newTransactionId, TRANSACTION_ID_BYTES } from '../../core/payment-id.ts';
import { orderFault } from '../../core/payment-order.ts';
import { subscriptionFault } from '../../core/subscription.ts';
import { stateOf } from '../../core/transaction.ts';
import { type KnownAccount, readAccountsNamed } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import {
  insertPayment,
  type NewPayment,
  type StoredPayment,
  transactionsOfOrder,
} from '../../ledger/payments.ts';
import { loadTransactions } from '../../ledger/transactions.ts';
import { PAUSED } from '../group.ts';
import { loadReserved, type OpenPayment } from './open-payment.ts';
import { findFirst, type KeyedRequest, takeKey } from './request-key.ts';
import type { Till } from './till.ts';

/** What is reserved besides the order. */
export interface Reservation {
  readonly request: CheckoutRequest;
  readonly keyed: KeyedRequest | undefined;
  readonly way: NewPayment['way'];
  readonly method: string | undefined;
  readonly session: string | undefined;
  /** What else speaks against it, in the order of checks: before the order number is looked at. */
  readonly fault: (account: KnownAccount) => Refused | undefined;
}

export type Refused = { readonly failure: Reason } | { readonly notFound: Reason };

/** A new payment, the one that the same request has made before, or why there is none. */
export type Reserved = Refused | { readonly first: StoredPayment } | { readonly made: OpenPayment };

/** Reserves the order in the transaction of `statements`. */
export async function reserve(till: Till, statements: Statements, wanted: Reservation): Promise<Reserved> {
  const { request, keyed, way, method, session } = wanted;
  const { order, ip } = request;
  const [account] = await readAccountsNamed(statements, [request]);
  if (account === undefined) return { failure: reason('I0013') };
  const first = await findFirst(statements, account, keyed);
  if (first !== undefined) return 'failure' in first ? first : { first };
  if (account.paused) return { failure: PAUSED };
  const now = till.clock();
  const refused = accountFault(account, order, now) ?? wanted.fault(account);
  if (refused !== undefined) return refused;
  const taken = await orderTaken(statements, account, wanted, now);
  if (taken !== undefined) return { failure: taken };
  const transactionId = newTransactionId(now, till.random(TRANSACTION_ID_BYTES));
  const txn = await insertPayment(statements, {
    accountNumber: account.number,
    transactionId,
    state: session === undefined ? 'in_doubt' : 'created',
    way,
    method,
    order,
    ip,
    session,
    at: now,
  });
  await takeKey(statements, account, keyed, txn, now);
  return { made: await loadReserved(statements, account, txn, transactionId) };
}

function accountFault(
  { settings }: KnownAccount,
  { message, currency }: Order,
  now: number,
): Refused | undefined {
  const { currencies, time_zone } = settings;
  if (!currencies.includes(currency)) {
    return { failure: reason('V0003', `the account has ${currencies.join(', ')}`, { column: 'currency' }) };
  }
  const { subscription, payment_method } = message;
  if (subscription === undefined) return undefined;
  const fault = subscriptionFault(subscription, payment_method !== undefined, now, time_zone);
  return fault && { failure: fault };
}

/** I0061 or I0062: asked inside the reserving transaction, so that of many requests one gets the order. */
async function orderTaken(
  statements: Statements,
  { number, settings }: KnownAccount,
  { request, way }: Reservation,
  now: number,
): Promise<Reason | undefined> {
  const ids = await transactionsOfOrder(statements, number, request.order.orderNo);
  if (ids.length === 0) return undefined;
  // An attempt to charge a contract is made once, whatever became of it: the next one has a number of its own.
  if (way === 'recurring') return reason('I0061', 'this attempt was made already', { column: 'order_no' });
  const loaded = await loadTransactions(statements, new Map([[number, ids]]));
  return orderFault(loaded.map(({ transaction }) => stateOf(transaction, now, settings.lifetime)));
}
