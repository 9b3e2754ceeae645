/** The beginning of a contract: in the commit that approves its first payment, or holds it for review. */
import type { Order } from '../../core/payment.ts';
import { readTerms } from '../../core/subscription.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import { insertContract, setWake } from '../../ledger/contracts.ts';
import type { Statements } from '../../ledger/database.ts';
import { readContracts } from './contracts.ts';
import { wakeAt } from './wake.ts';

/** A first payment that was approved or is held for review. */
export interface FirstPayment {
  readonly account: KnownAccount;
  /** Key of its transaction in the ledger. */
  readonly txn: number;
  readonly transactionId: string;
  /** Its message carries a `subscription` that `subscriptionFault` found no fault with. */
  readonly order: Order;
  /** The stored card. */
  readonly tokenId: string;
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
}

/**
 * Writes the contract that an order asks for. The payment's transfers are to be in the ledger before: where the
 * contract stands follows from them.
 */
export async function openContract(
  statements: Statements,
  { account, txn, transactionId, order, tokenId, at }: FirstPayment,
): Promise<void> {
  const { subscription } = order.message;
  if (subscription === undefined) throw new Error(`order ${order.orderNo} asks for no subscription`);
  const terms = readTerms(subscription, order.orderNo, at, account.settings.time_zone);
  if ('code' in terms) throw new Error(`order ${order.orderNo} was accepted, and yet: ${terms.message}`);
  const number = await insertContract(statements, {
    recurringId: `R${transactionId}`,
    accountNumber: account.number,
    txn,
    tokenId,
    currency: order.currency,
    amount: order.contractAmount ?? order.amount,
    terms,
    openedAt: at,
  });
  const [contract] = await readContracts(statements, [number]);
  await setWake(statements, number, wakeAt(contract!.standing, at));
}
