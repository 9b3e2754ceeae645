/**
 * The answers of /v1 as schemas: for the documentation, and for whoever has to believe an answer. Specification,
 * "Resources and their fields"; what it leaves open is decided in the contract, "HTTP". Every object is strict: a field
 * that is not here is a field that nobody has agreed on.
 */
import * as z from 'zod';
import { CODES, type Code } from '../core/code.ts';
import type { EntryOperation } from '../core/operation.ts';
import { payoutMessage } from '../core/payout-message.ts';
import { STATES } from '../core/state.ts';

const text = z.string();
const signature = text.regex(/^[0-9a-f]{64}$/);

/** A decimal amount as this gateway writes it. */
const decimal = text.regex(/^\d{1,15}(\.\d{1,4})?$/);

/** `CODE:sentence`. */
const verdict = text.regex(/^[A-Z]\d{4}:.+$/s);

/** What every answer begins with. */
const ids = { merchant_id: text, account_id: text };

const accepted = { return_status: z.literal('1'), return_message: z.literal('OK') };

/** 1 done, 0 refused, 2 pending. */
const entryStatus = z.enum(['1', '0', '2']);

/** What an entry echoes as it was sent: a malformed one may have carried anything there, or nothing. */
const echoed = { transaction_id: text, order_no: text, currency: text, amount: text };

/** Empty, or `CODE:sentence`. */
const errorMessage = z.union([z.literal(''), verdict]);

/** One result per order, as the specification's "Batch order entries" lists them. */
export const ENTRY_ANSWERS = {
  capture: z.strictObject({ ...echoed, capture_status: entryStatus, error_message: errorMessage }),
  cancel: z.strictObject({ ...echoed, cancel_status: entryStatus, error_message: errorMessage }),
  review: z.strictObject({
    ...echoed,
    review_flag: text,
    review_status: entryStatus,
    error_message: errorMessage,
  }),
  refund: z.strictObject({
    ...echoed,
    refund_amount: text,
    refund_reason: text,
    refund_status: entryStatus,
    refund_message: verdict,
    refund_reference: text,
    refund_reference_id: text,
  }),
} satisfies Record<EntryOperation, z.ZodType>;

const envelope = { ...ids, ...accepted, encryption_data: signature };

/** The four batch operations: one result per order of the request, in its order. */
export const BATCH_ANSWERS = {
  capture: z.strictObject({ ...envelope, capture_orders: z.array(ENTRY_ANSWERS.capture) }),
  cancel: z.strictObject({ ...envelope, cancel_orders: z.array(ENTRY_ANSWERS.cancel) }),
  review: z.strictObject({ ...envelope, review_orders: z.array(ENTRY_ANSWERS.review) }),
  refund: z.strictObject({ ...envelope, refund_orders: z.array(ENTRY_ANSWERS.refund) }),
} satisfies Record<EntryOperation, z.ZodType>;

const ruleVerdict = z.enum(['pass', 'review', 'fail']);

/** A moment with its offset, which is written without a colon. */
const dateTime = text.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);

const contract = {
  contract_name: text,
  recurring_id: text,
  recurring_deduction_period: text,
  /** Empty when there is no next charge. */
  recurring_deduction_time: z.union([dateTime, z.literal('')]),
};

/** The XML result of a direct payment, once its elements are read: text as strings, what is absent stays absent. */
export const paymentAnswer = z.strictObject({
  ...ids,
  order_no: text,
  amount: decimal,
  currency: text,
  transaction_id: text,
  card: text.regex(/^\d{6}\*+\d{4}$/).optional(),
  order_status: z.enum(['1', '0', '2']),
  result_info: text.regex(/^(0000|[A-Z]\d{4}):.+$/s),
  ...optional(contract),
  note: text.optional(),
  token_id: text.optional(),
  connector: text,
  threeds_result: z.enum(['Y', 'A', 'N', 'U', '-']),
  risk_action: z.enum(['accept', 'review', 'reject']),
  risk_score: text.regex(/^(\d{1,2}|100)$/),
  risk_reasons: z.array(z.strictObject({ name: text, status: ruleVerdict })).optional(),
  encryption_data: signature,
});

/** The XML result of a payment by an alternative method: the shopper goes on at `issuer_url`. */
export const issuerAnswer = z.strictObject({
  ...ids,
  order_no: text,
  amount: decimal,
  currency: text,
  issuer_url: text,
  encryption_data: signature,
});

/** What is known of a transaction. Fields that an imported transaction never had are empty. */
const foundRecord = z.strictObject({
  amount: decimal,
  currency: text,
  order_no: text,
  reference_no: text,
  transaction_id: text,
  'the service': text,
  shopper_email: text,
  shopper_phone: text,
  delivery_information: z.strictObject({
    delivery_address: text,
    delivery_city: text,
    delivery_country: text,
    delivery_firstname: text,
    delivery_lastname: text,
    delivery_postal_code: text,
    delivery_state: text,
  }),
  antifraud_provider: text,
  fraud_check_result: z.array(z.strictObject({ check_items: text, status: ruleVerdict })),
  is3ds: z.enum(['1', '0']),
  payment_status: z.enum(Object.values(STATES).map(String)),
  query_result: z.literal('1'),
  subscription_result: z.strictObject({ ...contract, recurring_status: z.enum(['1', '0', '2']) }).optional(),
  transaction_date: text.regex(/^\d{14}$/),
});

/** What was asked for by name and is not there. */
const missingRecord = z.strictObject({
  order_no: text.optional(),
  transaction_id: text.optional(),
  query_result: z.literal('0'),
});

/** The query: at most 100 records; `cursor` when a span of time has more. */
export const queryAnswer = z.strictObject({
  ...envelope,
  orders_list: z.array(z.discriminatedUnion('query_result', [foundRecord, missingRecord])),
  cursor: text.optional(),
});

/** The beneficiary as it is echoed: without `bank_code`, and with the clearing system of its bank's country. */
const { beneficiary, ...payoutRequest } = payoutMessage.shape;
const { bank_code: _, ...bankDetails } = beneficiary.shape.bank_details.unwrap().shape;
const echoedBeneficiary = z.strictObject({
  ...beneficiary.shape,
  bank_details: z.strictObject({ ...bankDetails, local_clearing_system: text }).optional(),
});

/** A payout: the request and what was made of it. Figures are integers in minor units. */
export const payoutAnswer = z.strictObject({
  ...ids,
  ...payoutRequest,
  beneficiary: echoedBeneficiary,
  status: z.enum(['SCHEDULED', 'PROCESSING', 'COMPLETED', 'FAILED']),
  /** Code and sentence, or empty. */
  failure_type: text,
  failure_reason: text,
  /** Empty when nothing was paid. */
  transaction_id: text,
  short_reference_id: text,
  /** Empty when the request names no payer. */
  payer_id: text,
  amount_beneficiary_receives: z.int(),
  amount_payer_pays: z.int(),
  fee_amount: z.int(),
  fee_currency: text,
  created_at: dateTime,
  last_updated_at: dateTime,
  encryption_data: signature,
});

/** Why a whole request was refused: JSON for every operation. The ids are empty, and nothing is signed, until the account is known. */
export const errorAnswer = z.strictObject({
  ...ids,
  return_status: z.literal('0'),
  return_message: verdict,
  request_id: text,
  errors: z.array(
    z.strictObject({
      path: text,
      code: z.enum(Object.keys(CODES) as [Code, ...Code[]]),
      message: text,
      hint: text,
      retry: z.enum(['no', 'later', 'yes', 'query first', 'resolve first']),
    }),
  ),
  encryption_data: signature.optional(),
});

/** The same fields, none of them required. */
function optional<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return z.object(shape).partial().shape;
}
