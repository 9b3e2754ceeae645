/** The order of a charge after the first payment. */
import type { PlannedCharge } from '../../core/contract.ts';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { Order } from '../../core/payment.ts';
import type { PaymentMessage } from '../../core/payment-message.ts';
import type { Contract } from './contracts.ts';

/** Who pays, where to tell of it, and what the merchant has noted. What was ordered, and how the shopper was authenticated, belongs to the first payment. */
const CARRIED_OVER = [
  'the service',
  'note',
  'custom',
  'shopper_id',
  'shopper_email',
  'shopper_phone',
  'shopper_level',
  'first_name',
  'last_name',
  'document',
  'birth_date',
  'billing_country',
  'billing_state',
  'billing_city',
  'billing_address',
  'billing_postal_code',
  'delivery_firstname',
  'delivery_lastname',
  'delivery_country',
  'delivery_state',
  'delivery_city',
  'delivery_address',
  'delivery_postal_code',
  'notify_url',
  'price_id',
] as const satisfies readonly (keyof PaymentMessage)[];

/**
 * The order number of an attempt. It is made from the contract, the cycle and the attempt, so that whoever makes the
 * same attempt again meets the first one instead of charging.
 */
export function orderNoOf(
  { recurringId }: Pick<Contract, 'recurringId'>,
  { cycle, attempt }: Pick<PlannedCharge, 'cycle' | 'attempt'>,
): string {
  return `${recurringId}-${cycle}-${attempt}`;
}

/** @param first the message of the order that made the contract */
export function orderOf(
  contract: Pick<Contract, 'recurringId' | 'currency' | 'amount'>,
  planned: PlannedCharge,
  first: PaymentMessage,
): Order {
  const { currency, amount } = contract;
  const orderNo = orderNoOf(contract, planned);
  const carried = CARRIED_OVER.filter((field) => first[field] !== undefined);
  return {
    message: {
      ...Object.fromEntries(carried.map((field) => [field, first[field]])),
      order_no: orderNo,
      currency,
      amount: formatAmount(amount, digitsOf(currency)!),
    },
    orderNo,
    currency,
    amount,
    items: [],
    contractAmount: undefined,
  };
}
