/** The eight operations as the documentation tells of them. */
import * as z from 'zod';
import { ENTRY_MESSAGES } from '../../core/entry-message.ts';
import { OPERATIONS } from '../../core/operation.ts';
import { PAYMENT_MESSAGES } from '../../core/payment-message.ts';
import { payoutMessage } from '../../core/payout-message.ts';
import { id } from '../../core/text.ts';
import { queryMessage } from '../../wire/messages/query.ts';
import type { ApiOperation } from '../../wire/paths.ts';
import {
  BATCH_ANSWERS,
  issuerAnswer,
  paymentAnswer,
  payoutAnswer,
  queryAnswer,
} from '../../wire/responses.ts';

/** A schema under the name by which the document refers to it. */
export type NamedSchemas = Readonly<Record<string, z.ZodType>>;

export interface DocumentedOperation {
  readonly tag: 'Payments' | 'Transactions' | 'Payouts';
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** What may be sent: one of these. */
  readonly requests: NamedSchemas;
  readonly answer: {
    readonly type: 'application/json' | 'application/xml' | 'text/html';
    readonly description: string;
    /** One of these; none for a page. */
    readonly schemas: NamedSchemas;
  };
  /** Statuses of errors besides those that every operation has. */
  readonly errors: readonly string[];
  /** Whether a request changes something, and may therefore carry an idempotency key. */
  readonly changes: boolean;
}

/** What every message begins with. */
const envelope = {
  merchant_id: id,
  account_id: id,
  encryption_data: z.string().regex(/^[0-9a-fA-F]{64}$/),
};

function message<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...envelope, ...shape });
}

function batchMessage(operation: keyof typeof ENTRY_MESSAGES) {
  const { list, limit } = OPERATIONS[operation];
  return message({ [list]: z.array(ENTRY_MESSAGES[operation]).min(1).max(limit) });
}

const BATCH = {
  tag: 'Transactions',
  errors: ['409'],
  changes: true,
} as const;

const batchAnswer = (schemas: NamedSchemas) =>
  ({
    type: 'application/json',
    description:
      'One result per order, in the sequence of the request. A malformed order is refused alone, with its code.',
    schemas,
  }) as const;

export const DOCUMENTED: Readonly<Record<ApiOperation, DocumentedOperation>> = {
  authorise: {
    tag: 'Payments',
    summary: 'Create a direct payment, or one by an alternative method',
    description: [
      'By `card` with its expiry and security code, by a `token_id`, or by a `payment_method`; one of the three.',
      'The answer is XML: the result of a direct payment, or the `issuer_url` where the shopper goes on.',
      'A declined payment is answered 200 with `order_status` 0. After a time-out of the issuer it is 2 with E0001: query it.',
    ].join('\n\n'),
    requests: {
      CardPayment: message(PAYMENT_MESSAGES.card.shape),
      TokenPayment: message(PAYMENT_MESSAGES.token.shape),
      ApmPayment: message(PAYMENT_MESSAGES.apm.shape),
    },
    answer: {
      type: 'application/xml',
      description: 'The result, or where the shopper goes on. Signed as the object of its elements.',
      schemas: { PaymentAnswer: paymentAnswer, IssuerAnswer: issuerAnswer },
    },
    errors: ['404', '409'],
    changes: true,
  },
  checkout: {
    tag: 'Payments',
    summary: 'Create a redirect payment',
    description: [
      'The answer is a page that takes the shopper to the hosted payment page as soon as it is loaded: pass it on to the browser as it is.',
      'The shopper pays there, and goes back to `return_url` or `cancel_url` with `order_no`, `transaction_id`, `order_status`, `result_info` and their signature `encryption_data`.',
    ].join('\n\n'),
    requests: { CheckoutRequest: message(PAYMENT_MESSAGES.checkout.shape) },
    answer: { type: 'text/html', description: 'The page.', schemas: {} },
    errors: ['404', '409'],
    changes: true,
  },
  query: {
    tag: 'Transactions',
    summary: 'Query transactions',
    description: [
      'By `order_no` and `transaction_id` (one, several separated by commas, or a list; together at most 100), by `date_from` and `date_to` (a hundred at a time, on with `cursor`), or without anything the 100 newest.',
      'Only from addresses that are registered for the account.',
    ].join('\n\n'),
    requests: { QueryRequest: message(queryMessage.shape) },
    answer: {
      type: 'application/json',
      description: 'What was found, and a record with `query_result` 0 for each name that was not.',
      schemas: { QueryAnswer: queryAnswer },
    },
    errors: ['403'],
    changes: false,
  },
  capture: {
    ...BATCH,
    summary: 'Capture',
    description:
      'Takes authorised money: whole, or in parts until nothing is left. Allowed while the transaction is authorised or partially captured.',
    requests: { CaptureRequest: batchMessage('capture') },
    answer: batchAnswer({ CaptureAnswer: BATCH_ANSWERS.capture }),
  },
  cancel: {
    ...BATCH,
    summary: 'Cancel',
    description:
      'Gives back what is not captured. The amount must be exactly that. Allowed while the transaction is authorised or partially captured.',
    requests: { CancelRequest: batchMessage('cancel') },
    answer: batchAnswer({ CancelAnswer: BATCH_ANSWERS.cancel }),
  },
  review: {
    ...BATCH,
    summary: 'Review',
    description: 'Accepts or rejects what risk has held. Allowed while the transaction is in review.',
    requests: { ReviewRequest: batchMessage('review') },
    answer: batchAnswer({ ReviewAnswer: BATCH_ANSWERS.review }),
  },
  refund: {
    ...BATCH,
    summary: 'Refund',
    description:
      'Gives captured money back: whole, or in parts until nothing is left. Allowed once something is captured.',
    requests: { RefundRequest: batchMessage('refund') },
    answer: batchAnswer({ RefundAnswer: BATCH_ANSWERS.refund }),
  },
  payout: {
    tag: 'Payouts',
    summary: 'Create a payout',
    description: [
      "Pays a beneficiary from the account's balance. Needs one of `source_amount` and `payment_amount`, the beneficiary's `company_name` or `first_name` and `last_name`, and an `iban` or an `account_number` with `bank_country_code`.",
      'The `request_id` of an accepted payout is used for ever: sent again it is answered and not paid again. A refused one is answered 200 with `status` FAILED and may be tried again under its `request_id`.',
    ].join('\n\n'),
    requests: { PayoutRequest: message(payoutMessage.shape) },
    answer: {
      type: 'application/json',
      description: 'The request, and what was made of it.',
      schemas: { PayoutAnswer: payoutAnswer },
    },
    errors: ['409'],
    changes: true,
  },
};
