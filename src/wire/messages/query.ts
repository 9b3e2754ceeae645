/**
 * The messages of the query: what is asked for, and the records of what was found. Specification, "Transaction query
 * record"; contract, "HTTP: Query".
 */
import * as z from 'zod';
import { type Reason, reason } from '../../core/code.ts';
import {
  MOST_QUERIED,
  type QueriedTransaction,
  type QueryAnswer,
  type QueryRecord,
  type Selection,
} from '../../core/query.ts';
import { STATES } from '../../core/state.ts';
import { day, id, name } from '../../core/text.ts';
import type { JsonFields } from '../canonical.ts';
import { parseMessage } from './issues.ts';
import { writeContract } from './payment.ts';
import { type Refused, refusedFor } from './refused.ts';
import { amountText, compactTime, isList } from './values.ts';

/** One id, several with commas between, or a list. */
const names = z.union([z.string(), z.array(id)], 'one id, several with commas between, or a list').optional();

/** The request of the query without its envelope. */
export const queryMessage = z.strictObject({
  order_no: names,
  transaction_id: names,
  date_from: z.string().optional(),
  date_to: z.string().optional(),
  cursor: name.optional(),
});

type QueryMessage = z.infer<typeof queryMessage>;

/** Reads the request of the query. Nothing given asks for the newest. */
export function readQuery(fields: JsonFields): Selection | Refused {
  const long = (['order_no', 'transaction_id'] as const).find((field) => {
    const given = fields[field];
    return isList(given) && given.length > MOST_QUERIED;
  });
  if (long !== undefined) return tooMany(long);
  const parsed = parseMessage(queryMessage, fields);
  return 'reasons' in parsed ? parsed : selectionOf(parsed.message);
}

function selectionOf(message: QueryMessage): Selection | Refused {
  const { order_no, transaction_id, date_from, date_to, cursor } = message;
  const byDate = date_from !== undefined || date_to !== undefined;
  if (order_no !== undefined || transaction_id !== undefined) {
    const column = (['date_from', 'date_to', 'cursor'] as const).find(
      (field) => message[field] !== undefined,
    );
    return column === undefined
      ? byName(order_no, transaction_id)
      : misplaced(column, 'belongs to no query by id');
  }
  if (byDate) return byTime(date_from, date_to, cursor);
  return cursor === undefined ? { by: 'newest' } : misplaced('cursor', 'belongs to a query by date');
}

function byName(
  orders: QueryMessage['order_no'],
  transactions: QueryMessage['order_no'],
): Selection | Refused {
  const orderNos = idsOf(orders);
  const transactionIds = idsOf(transactions);
  const count = orderNos.length + transactionIds.length;
  if (count > MOST_QUERIED) return tooMany(orderNos.length > 0 ? 'order_no' : 'transaction_id');
  if (count === 0) {
    const column = orders === undefined ? 'transaction_id' : 'order_no';
    return misplaced(column, 'names nothing');
  }
  const malformed = [...faults('order_no', orderNos), ...faults('transaction_id', transactionIds)];
  return malformed.length > 0 ? refusedFor(malformed) : { by: 'name', orderNos, transactionIds };
}

/** Each id once. */
function idsOf(given: QueryMessage['order_no']): readonly string[] {
  const all = typeof given === 'string' ? given.split(',').map((one) => one.trim()) : (given ?? []);
  return [...new Set(all.filter((one) => one !== ''))];
}

function faults(column: string, ids: readonly string[]): readonly Reason[] {
  const isSound = ids.every((one) => id.safeParse(one).success);
  return isSound
    ? []
    : [reason('I0002', `${column}; expected ids of 1 to 64 printable characters`, { column })];
}

function tooMany(column: string): Refused {
  return { reasons: [reason('I0051', `at most ${MOST_QUERIED} can be asked for`, { column })] };
}

function misplaced(column: string, why: string): Refused {
  return { reasons: [reason('I0002', `${column} ${why}`, { column })] };
}

/** The last moment that dates can name, epoch milliseconds. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Both ends belong to the span: a day to its end, a second to its end. */
function byTime(
  from: string | undefined,
  to: string | undefined,
  cursor: string | undefined,
): Selection | Refused {
  const start = from === undefined ? { from: 0 } : spanOf(from);
  const end = to === undefined ? { to: END_OF_TIME } : spanOf(to);
  const malformed = [start === undefined ? 'date_from' : [], end === undefined ? 'date_to' : []].flat();
  if (start === undefined || end === undefined) {
    return refusedFor(
      malformed.map((column) =>
        reason('I0002', `${column}; expected YYYY-MM-DD or yyyyMMddHHmmss, UTC`, { column }),
      ),
    );
  }
  if (start.from >= end.to) return misplaced('date_to', 'is before date_from');
  return { by: 'date', from: start.from, to: end.to, cursor };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day or second that a text names, epoch milliseconds, its end excluded. */
function spanOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, date, hour, minute, second] =
    /^(\d{8})(\d{2})(\d{2})(\d{2})$/.exec(text) ?? /^(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const named = date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  if (!day.safeParse(named).success) return undefined;
  const from = Date.parse(hour === undefined ? named : `${named}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(from) ? undefined : { from, to: from + (hour === undefined ? DAY_MS : 1000) };
}

type Found = Exclude<QueryAnswer, { readonly failure: Reason }>;

/** The response's `orders_list`, and its `cursor` where a span of time has more. */
export function writeQuery({ records, cursor }: Found): JsonFields {
  const list = { orders_list: records.map(writeRecord) };
  return cursor === undefined ? list : { ...list, cursor };
}

/** What an imported transaction never had is empty; a subscription is there only where there is one. */
function writeRecord(record: QueryRecord): JsonFields {
  if ('missing' in record) {
    const { orderNo, transactionId } = record.missing;
    return {
      ...(orderNo === undefined ? {} : { order_no: orderNo }),
      ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
      query_result: '0',
    };
  }
  const { found } = record;
  const { message, contract } = found;
  return {
    amount: amountText(found.amount, found.currency),
    currency: found.currency,
    order_no: found.orderNo,
    reference_no: found.referenceNo,
    transaction_id: found.transactionId,
    'the service': message?.['the service'] ?? '',
    shopper_email: message?.shopper_email ?? '',
    shopper_phone: message?.shopper_phone ?? '',
    delivery_information: deliveryOf(message),
    antifraud_provider: 'rules',
    fraud_check_result: (found.risk?.reasons ?? []).map((rule) => ({
      check_items: rule.name,
      status: rule.status,
    })),
    is3ds: found.is3ds ? '1' : '0',
    payment_status: String(STATES[found.state]),
    query_result: '1',
    ...(contract === undefined
      ? {}
      : { subscription_result: { ...writeContract(contract), recurring_status: String(contract.status) } }),
    transaction_date: compactTime(found.createdAt),
  };
}

function deliveryOf(message: QueriedTransaction['message']): JsonFields {
  return {
    delivery_address: message?.delivery_address ?? '',
    delivery_city: message?.delivery_city ?? '',
    delivery_country: message?.delivery_country ?? '',
    delivery_firstname: message?.delivery_firstname ?? '',
    delivery_lastname: message?.delivery_lastname ?? '',
    delivery_postal_code: message?.delivery_postal_code ?? '',
    delivery_state: message?.delivery_state ?? '',
  };
}
