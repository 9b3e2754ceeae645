/** The messages of the query from the side that asks: a selection to its fields, and the records. The other side is query.ts. */
import type { QueriedTransaction, QueryRecord, Selection } from '../../core/query.ts';
import { STATES, type State } from '../../core/state.ts';
import type { JsonFields } from '../canonical.ts';
import { queryAnswer } from '../responses.ts';
import { readContract } from './payment-answer.ts';
import { shapeFault } from './shape-fault.ts';
import { compactTime } from './values.ts';
import { readAmountText, readCompactTime } from './values-read.ts';

/** The fields of a request, without its envelope. */
export function writeQueryRequest(selection: Selection): JsonFields {
  switch (selection.by) {
    case 'name':
      return {
        ...(selection.orderNos.length === 0 ? {} : { order_no: selection.orderNos }),
        ...(selection.transactionIds.length === 0 ? {} : { transaction_id: selection.transactionIds }),
      };
    case 'date':
      return {
        date_from: compactTime(selection.from),
        // The wire includes the second that ends a span.
        ...(selection.to > LAST_SECOND ? {} : { date_to: compactTime(selection.to - 1) }),
        ...(selection.cursor === undefined ? {} : { cursor: selection.cursor }),
      };
    case 'newest':
      return {};
  }
}

/** The end of the last year that four digits can write, epoch milliseconds. A span that goes beyond it is open. */
const LAST_SECOND = 253_402_300_800_000;

/** What an answer to the query says. */
export interface AnsweredQuery {
  readonly records: readonly QueryRecord[];
  readonly cursor: string | undefined;
}

/**
 * Reads the answer; its signature, where there is one, has held.
 * @returns also in words why it cannot be read
 */
export function readQueryAnswer(fields: JsonFields): AnsweredQuery | { readonly fault: string } {
  // The specification does not sign it.
  const parsed = queryAnswer.partial({ encryption_data: true }).safeParse(fields);
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const records = parsed.data.orders_list.map(readRecord);
  const sound = records.filter((record) => record !== undefined);
  return sound.length === records.length
    ? { records: sound, cursor: parsed.data.cursor }
    : { fault: 'a record has an amount or a time that cannot be' };
}

type RecordFields = ReturnType<typeof queryAnswer.parse>['orders_list'][number];
type FoundFields = Extract<RecordFields, { readonly query_result: '1' }>;

function readRecord(record: RecordFields): QueryRecord | undefined {
  if (record.query_result === '0')
    return { missing: { orderNo: record.order_no, transactionId: record.transaction_id } };
  const amount = readAmountText(record.amount, record.currency);
  const createdAt = readCompactTime(record.transaction_date);
  const contract = contractOf(record);
  if (amount === undefined || createdAt === undefined || contract === 'fault') return undefined;
  const reasons = record.fraud_check_result.map(({ check_items, status }) => ({ name: check_items, status }));
  const found: QueriedTransaction = {
    transactionId: record.transaction_id,
    orderNo: record.order_no,
    currency: record.currency,
    amount,
    state: stateOf(record.payment_status),
    referenceNo: record.reference_no,
    createdAt,
    is3ds: record.is3ds === '1',
    message: messageOf(record),
    risk: reasons.length === 0 ? undefined : { reasons },
    contract,
  };
  return { found };
}

/** The schema has made sure that there is such a state. */
function stateOf(status: string): State {
  return (Object.keys(STATES) as State[]).find((state) => String(STATES[state]) === status)!;
}

const RECURRING_STATUS = { '0': 0, '1': 1, '2': 2 } as const;

function contractOf({ subscription_result: given }: FoundFields): QueriedTransaction['contract'] | 'fault' {
  if (given === undefined) return undefined;
  return readContract(given, RECURRING_STATUS[given.recurring_status]) ?? 'fault';
}

/** As much of the order as a record tells; undefined where it tells nothing. */
function messageOf(record: FoundFields): QueriedTransaction['message'] {
  const { 'the service': service, shopper_email, shopper_phone, delivery_information } = record;
  const told = Object.entries({
    'the service': service,
    shopper_email,
    shopper_phone,
    ...delivery_information,
  });
  const filled = told.filter(([, text]) => text !== '');
  if (filled.length === 0) return undefined;
  const { order_no, currency, amount } = record;
  return { order_no, currency, amount, ...Object.fromEntries(filled) };
}
