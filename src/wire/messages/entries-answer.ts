/**
 * The messages of capture, cancel, review and refund from the side that asks: entries to the request's list, and the
 * response's list to what is said of each. The other side is entries.ts.
 */
import { type Reason, reason } from '../../core/code.ts';
import { ENTRY_MESSAGES } from '../../core/entry-message.ts';
import type { Entry } from '../../core/gateway.ts';
import { type EntryOperation, OPERATIONS } from '../../core/operation.ts';
import type { JsonFields } from '../canonical.ts';
import { BATCH_ANSWERS } from '../responses.ts';
import { shapeFault } from './shape-fault.ts';
import { amountText } from './values.ts';
import { readVerdict } from './verdict.ts';

/**
 * The fields of a request, without its envelope. Origin, line and `repeat_of` stay here: the wire never carries them.
 * @param entries in currencies that exist
 */
export function writeEntriesRequest(operation: EntryOperation, entries: readonly Entry[]): JsonFields {
  const names = Object.keys(ENTRY_MESSAGES[operation].shape);
  const write = (entry: Entry) =>
    Object.fromEntries(
      Object.entries(entryFields(entry)).filter(
        ([name, value]) => value !== undefined && names.includes(name),
      ),
    ) as JsonFields;
  return { [OPERATIONS[operation].list]: entries.map(write) };
}

function entryFields(entry: Entry): Readonly<Record<string, string | undefined>> {
  const { currency, refundAmount, reviewFlag } = entry;
  return {
    reference: entry.reference,
    transaction_id: entry.transactionId,
    order_no: entry.orderNo,
    currency,
    amount: amountText(entry.amount, currency),
    review_flag: reviewFlag === undefined ? undefined : String(reviewFlag),
    refund_amount: refundAmount === undefined ? undefined : amountText(refundAmount, currency),
    refund_reason: entry.refundReason,
  };
}

/** What an answer says of one entry: what it echoes, as text, and what became of it. */
export interface AnsweredEntry {
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  readonly amount: string;
  /** Refunds, else undefined. */
  readonly refundAmount: string | undefined;
  /** Reviews, else undefined. */
  readonly reviewFlag: string | undefined;
  /** The sender's own key, which only refunds echo. */
  readonly reference: string | undefined;
  /** The gateway's own id of what it did; empty where the operation has none. */
  readonly gatewayReference: string;
  readonly said:
    | { readonly status: 'done' | 'pending' }
    | { readonly status: 'refused' | 'unknown'; readonly reason: Reason };
}

/**
 * The entries of an answer whose signature has held.
 * @returns in the answer's own order, or in words why it cannot be read
 */
export function readEntriesAnswer(
  operation: EntryOperation,
  fields: JsonFields,
): { readonly entries: readonly AnsweredEntry[] } | { readonly fault: string } {
  const parsed = BATCH_ANSWERS[operation].safeParse(fields);
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const answer: Readonly<Record<string, unknown>> = parsed.data;
  const orders = answer[OPERATIONS[operation].list] as readonly OrderFields[];
  return { entries: orders.map((order) => readOrder(operation, order)) };
}

/** The schema has made sure which of them an operation has. */
type OrderFields = Readonly<
  Record<'transaction_id' | 'order_no' | 'currency' | 'amount', string> &
    Partial<
      Record<
        'refund_amount' | 'review_flag' | 'refund_reference' | 'refund_reference_id' | 'error_message',
        string
      >
    > &
    Partial<Record<`${EntryOperation}_status` | 'refund_message', string>>
>;

function readOrder(operation: EntryOperation, order: OrderFields): AnsweredEntry {
  const status = order[OPERATIONS[operation].status as `${EntryOperation}_status`];
  return {
    transactionId: order.transaction_id,
    orderNo: order.order_no,
    currency: order.currency,
    amount: order.amount,
    refundAmount: order.refund_amount,
    reviewFlag: order.review_flag,
    reference: order.refund_reference_id,
    gatewayReference: order.refund_reference ?? '',
    said: saidOf(status, order.error_message ?? order.refund_message ?? ''),
  };
}

/** What stands in the message of an entry against which there is nothing. */
const NOTHING_WRONG: ReadonlySet<string> = new Set(['', 'V0000:OK']);

/** Status and message must agree: an entry that is done has no reason, one that is refused has one. */
function saidOf(status: string | undefined, message: string): AnsweredEntry['said'] {
  const why = NOTHING_WRONG.has(message) ? undefined : readVerdict(message);
  if (why?.code === 'E0001') return { status: 'unknown', reason: why };
  if (status === '0' && why !== undefined) return { status: 'refused', reason: why };
  if (status !== '0' && why === undefined) return { status: status === '1' ? 'done' : 'pending' };
  return {
    status: 'unknown',
    reason: reason('E0001', 'status and message of the answer contradict each other'),
  };
}
