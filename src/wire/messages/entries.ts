/**
 * The messages of capture, cancel, review and refund: a request's list of orders to entries, and results to the
 * response's list. Specification, "Batch order entries"; contract, "HTTP".
 */
import { isBlank } from '../../core/blank.ts';
import { type Reason, reason } from '../../core/code.ts';
import { nearest } from '../../core/distance.ts';
import { ENTRY_MESSAGES } from '../../core/entry-message.ts';
import type { Entry, Result } from '../../core/gateway.ts';
import { isInvalid, parseInstruction } from '../../core/instruction.ts';
import { DOT } from '../../core/money.ts';
import { type EntryOperation, OPERATIONS } from '../../core/operation.ts';
import type { JsonFields, JsonValue } from '../canonical.ts';
import { maskNumbers } from '../card-number.ts';
import { leastOf, MOST_REASONS, type Refused, unknownField, withoutHint } from './refused.ts';
import { isFields, isList, verdict } from './values.ts';

/** An entry, or why it alone is refused. */
export type ReadEntry = Entry | { readonly reason: Reason };

/**
 * The entries of a request.
 * @param fields of the message, without its envelope
 * @returns one per order, a malformed one with its reason; or why the request as a whole is refused: I0051 for a list
 *   that is missing, empty or too long, I0002 for any other field
 */
export function readEntries(
  operation: EntryOperation,
  fields: JsonFields,
): { readonly entries: readonly ReadEntry[] } | Refused {
  const { list } = OPERATIONS[operation];
  const read = ordersOf(operation, fields);
  const others = Object.keys(fields).filter((name) => name !== list);
  if ('orders' in read && others.length === 0) {
    return { entries: read.orders.map((order) => readEntry(operation, order)) };
  }
  const meant = fields[list] === undefined ? [list] : [];
  const strangers = others.slice(0, MOST_REASONS).map((name) => unknownField(name, meant));
  return { reasons: 'orders' in read ? strangers : [read.fault, ...strangers].slice(0, MOST_REASONS) };
}

/** The list, or what is wrong with it. */
function ordersOf(
  operation: EntryOperation,
  fields: JsonFields,
): { readonly orders: readonly JsonValue[] } | { readonly fault: Reason } {
  const { list, limit } = OPERATIONS[operation];
  const orders = fields[list];
  const fault = (code: 'I0051' | 'I0002', detail: string) => ({
    fault: reason(code, `${list} ${detail}`, { column: list }),
  });
  if (orders === undefined || orders === null || orders === '') return fault('I0051', 'is missing');
  if (!isList(orders)) return fault('I0002', 'must be a list');
  if (orders.length === 0) return fault('I0051', 'is empty');
  if (orders.length > limit) {
    return fault('I0051', `has ${orders.length} orders, at most ${limit} are allowed`);
  }
  return { orders };
}

/** Per operation the fields that an entry may have. */
const FIELDS: Readonly<Record<EntryOperation, readonly string[]>> = {
  capture: Object.keys(ENTRY_MESSAGES.capture.shape),
  cancel: Object.keys(ENTRY_MESSAGES.cancel.shape),
  review: Object.keys(ENTRY_MESSAGES.review.shape),
  refund: Object.keys(ENTRY_MESSAGES.refund.shape),
};

/** Stands for a value that cannot be read, so that the others are judged as if it could. */
const READABLE = '1';

function readEntry(operation: EntryOperation, order: JsonValue): ReadEntry {
  if (!isFields(order)) return { reason: reason('I0002', 'the entry must be an object') };
  const texts: Record<string, string> = {};
  const faults: Reason[] = [];
  for (const name of Object.keys(order)) {
    const value = order[name]!;
    if (!FIELDS[operation].includes(name)) {
      // What a misspelt name stands for is not missing as well.
      const absent = FIELDS[operation].filter((field) => !Object.hasOwn(order, field));
      const meant = nearest(name, absent);
      if (meant !== undefined) texts[meant] = READABLE;
      faults.push(unknownField(name, absent));
      if (faults.length === MOST_REASONS) return { reason: leastOf(faults) };
    } else if (typeof value !== 'string' && value !== null) {
      texts[name] = READABLE;
      faults.push(reason('I0002', `${name} must be a string`, { column: name }));
    } else if (value !== null && !isBlank(value)) {
      texts[name] = value;
    }
  }
  const parsed = parseInstruction(operation, 0, texts, DOT);
  if (isInvalid(parsed)) return { reason: leastOf([...faults, withoutHint(parsed.reason)]) };
  if (faults.length > 0 || parsed.operation === 'payout') return { reason: leastOf(faults) };
  return withoutCards(parsed.entry);
}

/** The one free text of an entry is kept in the ledger. */
function withoutCards(entry: Entry): Entry {
  const { refundReason } = entry;
  return refundReason === undefined ? entry : { ...entry, refundReason: maskNumbers(refundReason) };
}

/** The longest echo of a field that was refused; free text may be longer than anything else. */
const LONGEST_ECHO = 64;
const LONGEST_TEXT_ECHO = 4096;

/**
 * The response's list.
 * @param fields of the request, whose entries are echoed
 * @param results one per order of the request, in its order; of a malformed one that it is refused
 */
export function writeEntries(
  operation: EntryOperation,
  fields: JsonFields,
  results: readonly Result[],
): readonly JsonFields[] {
  const orders = fields[OPERATIONS[operation].list];
  if (!isList(orders) || orders.length !== results.length) {
    throw new Error(`${results.length} results do not answer the ${operation} request`);
  }
  const write = WRITE[operation];
  return orders.map((order, index) => write(isFields(order) ? order : {}, results[index]!));
}

/** The fields of a response entry, in the order of the specification. */
const WRITE: Readonly<Record<EntryOperation, (order: JsonFields, result: Result) => JsonFields>> = {
  capture: (order, result) => ({
    amount: echo(order.amount),
    capture_status: statusOf(result),
    currency: echo(order.currency),
    error_message: errorMessage(result),
    order_no: echo(order.order_no),
    transaction_id: echo(order.transaction_id),
  }),
  cancel: (order, result) => ({
    amount: echo(order.amount),
    cancel_status: statusOf(result),
    currency: echo(order.currency),
    error_message: errorMessage(result),
    order_no: echo(order.order_no),
    transaction_id: echo(order.transaction_id),
  }),
  review: (order, result) => ({
    amount: echo(order.amount),
    currency: echo(order.currency),
    error_message: errorMessage(result),
    order_no: echo(order.order_no),
    review_flag: echo(order.review_flag),
    review_status: statusOf(result),
    transaction_id: echo(order.transaction_id),
  }),
  refund: (order, result) => ({
    amount: echo(order.amount),
    currency: echo(order.currency),
    order_no: echo(order.order_no),
    refund_amount: echo(order.refund_amount),
    refund_message: errorMessage(result) || 'V0000:OK',
    refund_reason: maskNumbers(echo(order.refund_reason, LONGEST_TEXT_ECHO)),
    refund_reference: 'reference' in result ? result.reference : '',
    refund_reference_id: echo(order.reference),
    refund_status: statusOf(result),
    transaction_id: echo(order.transaction_id),
  }),
};

/** 1 done, 0 refused, 2 pending. */
function statusOf({ status }: Result): string {
  if (status === 'done') return '1';
  return status === 'pending' || status === 'unknown' ? '2' : '0';
}

/** Empty, or `CODE:sentence`. */
function errorMessage(result: Result): string {
  if ('reason' in result) return verdict(result.reason);
  if (result.status === 'repeat') throw new Error('a request without origin was answered as a repeat');
  return '';
}

/** What the entry carried, if it was text: as much of it as an accepted one could have, and no half of a character. */
function echo(value: JsonValue | undefined, most = LONGEST_ECHO): string {
  if (typeof value !== 'string') return '';
  if (value.length <= most) return value;
  const last = value.charCodeAt(most - 1);
  return value.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
