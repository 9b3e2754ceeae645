/**
 * Requests as fields of messages. What is written is read back as a gateway would read it: a request that would be
 * refused as malformed is not sent. That matters to callers who are not held to the types.
 */
import { noSuchCurrency } from '../core/amount-field.ts';
import type { Reason } from '../core/code.ts';
import { digitsOf } from '../core/currency.ts';
import type { Entry, Payout } from '../core/gateway.ts';
import type { EntryOperation } from '../core/operation.ts';
import type { Means, Order } from '../core/payment.ts';
import type { Selection } from '../core/query.ts';
import type { JsonFields } from '../wire/canonical.ts';
import { readEntries } from '../wire/messages/entries.ts';
import { writeEntriesRequest } from '../wire/messages/entries-answer.ts';
import { readAuthorise, readCheckout } from '../wire/messages/payment.ts';
import { writeOrderRequest } from '../wire/messages/payment-answer.ts';
import { readPayout } from '../wire/messages/payout.ts';
import { writePayoutRequest } from '../wire/messages/payout-answer.ts';
import { readQuery } from '../wire/messages/query.ts';
import { writeQueryRequest } from '../wire/messages/query-answer.ts';
import type { Refused } from '../wire/messages/refused.ts';

/** The fields of a message, without its envelope; or why it is not sent. */
export type Written = { readonly fields: JsonFields } | Reason;

export function entriesFields(operation: EntryOperation, entries: readonly Entry[]): Written {
  const strange = entries.find(({ currency }) => digitsOf(currency) === undefined);
  if (strange !== undefined) return noSuchCurrency(String(strange.currency), 'currency');
  const fields = writeEntriesRequest(operation, entries);
  const read = readEntries(operation, fields);
  if ('reasons' in read) return read.reasons[0]!;
  const malformed = read.entries.find((entry) => 'reason' in entry);
  return malformed === undefined ? { fields } : malformed.reason;
}

export function payoutFields(payout: Payout): Written {
  const fields = writePayoutRequest(payout);
  return checked(fields, readPayout(fields));
}

export function paymentFields(order: Order, means: Means): Written {
  if (digitsOf(order.currency) === undefined) return noSuchCurrency(String(order.currency), 'currency');
  const fields = writeOrderRequest(order, means);
  return checked(fields, readAuthorise(fields));
}

export function checkoutFields(order: Order): Written {
  if (digitsOf(order.currency) === undefined) return noSuchCurrency(String(order.currency), 'currency');
  const fields = writeOrderRequest(order, undefined);
  return checked(fields, readCheckout(fields));
}

export function queryFields(selection: Selection): Written {
  const fields = writeQueryRequest(selection);
  return checked(fields, readQuery(fields));
}

function checked(fields: JsonFields, read: object | Refused): Written {
  return 'reasons' in read ? read.reasons[0]! : { fields };
}
