/**
 * What the fields of /v1 mean, in a few words each. The schemas say which fields there are and what they may hold; here
 * stands only what a schema cannot say. A test fails when a field has no words, or words have no field.
 */
import { PAYMENT_FIELDS } from './payment-fields.ts';
import { PAYOUT_FIELDS } from './payout-fields.ts';

/** Fields of every message, of batches, of queries and of errors. */
const COMMON_FIELDS = {
  merchant_id: 'The merchant.',
  account_id: 'One of the accounts of the merchant.',
  encryption_data: 'The signature of the message, see Signatures.',
  order_no:
    "The merchant's order number. A payment that is not declined, rejected, expired or cancelled keeps it for itself.",
  currency: 'ISO 4217 code, for example USD.',
  amount:
    'Decimal with a dot and at most the decimals of its currency, for example 10.50. Authorise and checkout: to be paid. Capture: to be captured now. Cancel: all that is not captured. Review and refund: the amount of the transaction, as a check.',
  transaction_id: 'Id of the transaction at the gateway.',
  reference:
    "The sender's own key. An order of a batch with the same reference and content gets the first result again; other content is refused (V0015). Of a payout: the remittance text.",
  capture_orders:
    'What to capture: 1 to 50 orders. In the answer one result per order, in the same sequence.',
  cancel_orders: 'What to cancel: 1 to 50 orders. In the answer one result per order, in the same sequence.',
  review_orders: 'What to decide: 1 to 100 orders. In the answer one result per order, in the same sequence.',
  refund_orders: 'What to refund: 1 to 50 orders. In the answer one result per order, in the same sequence.',
  review_flag: '1 accepts, 0 rejects.',
  refund_amount: 'What to refund: at most what is captured and not refunded yet.',
  refund_reason: 'Free text, echoed.',
  capture_status: '1 captured, 0 refused.',
  cancel_status: '1 cancelled, 0 refused.',
  review_status: '1 decided, 0 refused.',
  refund_status: '1 refunded, 0 refused, 2 pending.',
  error_message: 'Empty when it is done, else CODE:sentence.',
  refund_message: 'V0000:OK when it is done, else CODE:sentence.',
  refund_reference: 'Id of the refund at the gateway; empty when it was refused.',
  refund_reference_id: 'The reference of the order, or empty.',
  return_status: '1: the request was processed; every order has its own status. 0: the request was refused.',
  return_message: 'OK, or CODE:sentence.',
  request_id:
    'Of a payout: its key, used once for ever. Of an error: what the log of the gateway calls the request.',
  errors: 'What is wrong, in the order of codes; at most 20.',
  path: 'Dotted name of the field, or empty.',
  code: 'Stable identifier of the reason, see Codes. Of a bank: its code.',
  message: 'One sentence.',
  hint: 'What to do.',
  retry: 'Whether sending the same again can end differently.',
  status: 'SCHEDULED, PROCESSING, COMPLETED or FAILED. Of a risk rule: what it says.',
  date_from: 'From this day or second on: YYYY-MM-DD or yyyyMMddHHmmss, UTC.',
  date_to: 'Until the end of this day or second, in the same forms.',
  cursor: 'Where the next page begins: send the same query with the cursor of the last answer.',
  orders_list: 'What was found, newest first, at most 100; one record for each name that was not found.',
} as const;

/** By the field's own name, wherever it stands. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...PAYMENT_FIELDS,
  ...PAYOUT_FIELDS,
  ...COMMON_FIELDS,
};
