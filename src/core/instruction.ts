/**
 * From the fields of a record to an instruction. The schemas say which fields an operation has, which of them it
 * needs and what they may hold; specification, "Batch order entries", and the contract's "Required".
 */
import * as z from 'zod';
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import type { Entry, Payout } from './gateway.ts';
import { type AmountFault, type AmountStyle, formatAmount, MAX_MINOR, parseAmount } from './money.ts';
import { type EntryOperation, OPERATION_NAMES, type Operation } from './operation.ts';
import { nestPayoutFields, PAYOUT_COLUMNS, type PayoutMessage, payoutMessage } from './payout-message.ts';
import { decimal, freeText, id } from './text.ts';

/** Fields that say where a line belongs and how it relates to others; they may stand on the line of any operation. */
const lineFields = {
  operation: id.optional(),
  merchant_id: id.optional(),
  account_id: id.optional(),
  repeat_of: id.optional(),
};

const entryFields = {
  ...lineFields,
  reference: id.optional(),
  transaction_id: id,
  order_no: id,
  currency: id,
  amount: decimal,
};

const entrySchemas = {
  capture: z.strictObject(entryFields),
  cancel: z.strictObject(entryFields),
  review: z.strictObject({ ...entryFields, review_flag: z.enum(['0', '1'], '0 (reject) or 1 (accept)') }),
  refund: z.strictObject({ ...entryFields, refund_amount: decimal, refund_reason: freeText.optional() }),
} satisfies Record<EntryOperation, z.ZodType>;

/** Every column name that means something, per operation, in the order of the specification. */
const COLUMNS: Readonly<Record<Operation, readonly string[]>> = {
  capture: Object.keys(entrySchemas.capture.shape),
  cancel: Object.keys(entrySchemas.cancel.shape),
  review: Object.keys(entrySchemas.review.shape),
  refund: Object.keys(entrySchemas.refund.shape),
  payout: [...Object.keys(lineFields), ...PAYOUT_COLUMNS],
};

const REQUIRED: Readonly<Record<Operation, readonly string[]>> = {
  capture: ['transaction_id', 'order_no', 'currency', 'amount'],
  cancel: ['transaction_id', 'order_no', 'currency', 'amount'],
  review: ['transaction_id', 'order_no', 'currency', 'amount', 'review_flag'],
  refund: ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'],
  payout: ['request_id', 'payment_method', 'source_currency', 'payment_currency', 'beneficiary.entity_type'],
};

/** Columns that hold amounts, in any operation. */
export const AMOUNT_COLUMNS: ReadonlySet<string> = new Set([
  'amount',
  'refund_amount',
  'payment_amount',
  'source_amount',
]);

export function columnsOf(operation: Operation): readonly string[] {
  return COLUMNS[operation];
}

/** Fields of a payout of which one group must be there; the first group names what is missing. */
const PAYOUT_ALTERNATIVES: readonly (readonly (readonly string[])[])[] = [
  [['payment_amount'], ['source_amount']],
  [['beneficiary.company_name'], ['beneficiary.first_name', 'beneficiary.last_name']],
  [
    ['beneficiary.bank_details.iban'],
    ['beneficiary.bank_details.account_number', 'beneficiary.bank_details.bank_country_code'],
  ],
];

/** Columns without which no line of the operation can be valid, and which are not among `columns`. */
export function missingColumns(operation: Operation, columns: readonly string[]): readonly string[] {
  const missing = REQUIRED[operation].filter((column) => !columns.includes(column));
  if (operation !== 'payout') return missing;
  const isThere = (group: readonly string[]) => group.every((column) => columns.includes(column));
  const alternatives = PAYOUT_ALTERNATIVES.filter((groups) => !groups.some(isThere));
  return [...missing, ...alternatives.flatMap((groups) => groups[0]!)];
}

const KNOWN: ReadonlySet<string> = new Set(OPERATION_NAMES.flatMap((operation) => COLUMNS[operation]));

/** True for every field name that some operation knows; list elements count by their position: `….person_documents.0.file_url`. */
export function isKnownField(name: string): boolean {
  return KNOWN.has(name) || KNOWN.has(name.replace(/\.\d+(?=\.|$)/g, '.0'));
}

/** An instruction as the batch runner carries it: what to do, in which account, and the money that its line names. */
export type Instruction =
  | (InstructionFrame & { readonly operation: EntryOperation; readonly entry: Entry })
  | (InstructionFrame & { readonly operation: 'payout'; readonly payout: Payout });

interface InstructionFrame {
  readonly line: number;
  /** Acted-on amount in minor units (a refund's refund_amount, a payout's own amount) and its currency. */
  readonly amount: number;
  readonly currency: string;
}

/** What a line is when it cannot be executed: the first reason that applies, and its amount where that can be read. */
export interface InvalidLine {
  readonly reason: Reason;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
}

/**
 * Parses one record of `operation`.
 * @param fields the filled known fields by name
 * @param style how the file writes amounts
 * @returns the instruction, or the reason with the lowest place in the order of codes
 */
export function parseInstruction(
  operation: Operation,
  line: number,
  fields: Readonly<Record<string, string>>,
  style: AmountStyle,
): Instruction | InvalidLine {
  return operation === 'payout'
    ? parsePayout(line, fields, style)
    : parseEntry(operation, line, fields, style);
}

export function isInvalid(parsed: Instruction | InvalidLine): parsed is InvalidLine {
  return 'reason' in parsed;
}

/** The acted-on amount and currency of a record that is invalid for another cause, where they can be read. */
export function amountOf(
  operation: Operation | undefined,
  fields: Readonly<Record<string, string>>,
  style: AmountStyle,
): { amount: number | undefined; currency: string | undefined } {
  const [amountField, currencyField] = actedOn(operation, fields);
  const currency = fields[currencyField];
  const digits = currency === undefined ? undefined : digitsOf(currency);
  const text = fields[amountField];
  const minor = digits === undefined || text === undefined ? undefined : parseAmount(text, digits, style);
  return {
    amount: typeof minor === 'number' ? minor : undefined,
    currency: digits === undefined ? undefined : currency,
  };
}

/** Names of the fields that hold the acted-on amount and its currency. */
function actedOn(
  operation: Operation | undefined,
  fields: Readonly<Record<string, string>>,
): readonly [string, string] {
  if (operation === 'refund') return ['refund_amount', 'currency'];
  if (operation !== 'payout') return ['amount', 'currency'];
  return fields.payment_amount === undefined
    ? ['source_amount', 'source_currency']
    : ['payment_amount', 'payment_currency'];
}

function parseEntry(
  operation: EntryOperation,
  line: number,
  fields: Readonly<Record<string, string>>,
  style: AmountStyle,
): Instruction | InvalidLine {
  const parsed = entrySchemas[operation].safeParse(fields);
  if (!parsed.success) return invalid(operation, fields, style, reasonOfIssues(parsed.error.issues, fields));
  const given: EntryFields = parsed.data;
  const { currency } = given;
  const amount = readAmount('amount', given.amount, 'currency', currency, style);
  const refundAmount =
    given.refund_amount === undefined
      ? undefined
      : readAmount('refund_amount', given.refund_amount, 'currency', currency, style);
  if (isReason(amount) || isReason(refundAmount)) {
    return invalid(operation, fields, style, leastReason([amount, refundAmount].filter(isReason)));
  }
  const entry: Entry = {
    transactionId: given.transaction_id,
    orderNo: given.order_no,
    currency,
    amount,
    refundAmount,
    reviewFlag: given.review_flag === undefined ? undefined : given.review_flag === '1' ? 1 : 0,
    refundReason: given.refund_reason,
    reference: given.reference,
    line,
    repeatOf: given.repeat_of,
  };
  return { operation, line, amount: refundAmount ?? amount, currency, entry };
}

type EntryFields = z.infer<typeof entrySchemas.capture> &
  Partial<z.infer<typeof entrySchemas.refund>> &
  Partial<z.infer<typeof entrySchemas.review>>;

function parsePayout(
  line: number,
  fields: Readonly<Record<string, string>>,
  style: AmountStyle,
): Instruction | InvalidLine {
  const nested = nestPayoutFields(fields, Object.keys(lineFields));
  const parsed = payoutMessage.safeParse(nested);
  if (!parsed.success) return invalid('payout', fields, style, reasonOfIssues(parsed.error.issues, fields));
  const message: PayoutMessage = parsed.data;
  const sourceAmount = payoutAmount('source', message.source_amount, message.source_currency, style);
  const paymentAmount = payoutAmount('payment', message.payment_amount, message.payment_currency, style);
  if (isReason(sourceAmount) || isReason(paymentAmount)) {
    return invalid('payout', fields, style, leastReason([sourceAmount, paymentAmount].filter(isReason)));
  }
  const payout: Payout = {
    message: inDots(message, sourceAmount, paymentAmount),
    requestId: message.request_id,
    sourceCurrency: message.source_currency,
    paymentCurrency: message.payment_currency,
    sourceAmount,
    paymentAmount,
    line,
  };
  // The schema has made sure that one of the two is given.
  const own =
    paymentAmount === undefined
      ? ([sourceAmount!, message.source_currency] as const)
      : ([paymentAmount, message.payment_currency] as const);
  return { operation: 'payout', line, amount: own[0], currency: own[1], payout };
}

/** The message as the wire carries it: amounts with a dot, whatever the file's own style. */
function inDots(
  message: PayoutMessage,
  source: number | undefined,
  payment: number | undefined,
): PayoutMessage {
  return {
    ...message,
    ...(source === undefined
      ? {}
      : { source_amount: formatAmount(source, digitsOf(message.source_currency)!) }),
    ...(payment === undefined
      ? {}
      : { payment_amount: formatAmount(payment, digitsOf(message.payment_currency)!) }),
  };
}

/** One side of a payout: its currency must exist even where its amount is not given. */
function payoutAmount(
  side: 'source' | 'payment',
  text: string | undefined,
  currency: string,
  style: AmountStyle,
): number | undefined | Reason {
  if (text !== undefined) return readAmount(`${side}_amount`, text, `${side}_currency`, currency, style);
  return digitsOf(currency) === undefined ? noSuchCurrency(currency, `${side}_currency`) : undefined;
}

/** Minor units, or I0021 for what is no amount at all, or I0022 for one that its currency cannot have. */
function readAmount(
  field: string,
  text: string,
  currencyField: string,
  currency: string,
  style: AmountStyle,
): number | Reason {
  const digits = digitsOf(currency);
  // Without a currency the shape of the number can still be judged, and that code comes first.
  const minor = parseAmount(text, digits ?? 20, style);
  if (digits === undefined) {
    return minor === 'malformed' || minor === 'not_positive'
      ? amountReason(minor, field, text, currency, style)
      : noSuchCurrency(currency, currencyField);
  }
  return typeof minor === 'number' ? minor : amountReason(minor, field, text, currency, style);
}

function noSuchCurrency(currency: string, column: string): Reason {
  return reason('I0022', `${quote(currency)} is no active ISO 4217 currency with a minor unit`, { column });
}

function amountReason(
  fault: AmountFault,
  field: string,
  text: string,
  currency: string,
  style: AmountStyle,
): Reason {
  switch (fault) {
    case 'malformed':
      return reason('I0021', `${field} is ${quote(text)}`, { column: field, ...commaHint(text, style) });
    case 'not_positive':
      return reason('I0021', `${field} is ${quote(text)}, not above zero`, { column: field });
    case 'too_large':
      return reason('I0021', `${field} is ${quote(text)}, above ${MAX_MINOR} minor units`, { column: field });
    case 'too_many_decimals':
      return reason(
        'I0022',
        `${field} is ${quote(text)}, but ${currency} has ${digitsOf(currency)} decimals`,
        { column: field },
      );
  }
}

function commaHint(text: string, style: AmountStyle): { hint?: string } {
  if (style.decimal === 'dot' && /^[\d. ]*\d,\d{1,4}$/.test(text)) {
    return { hint: 'If this file writes amounts with a decimal comma, say so with --decimal comma.' };
  }
  return style.decimal === 'comma' && /^\d+\.\d+$/.test(text)
    ? {
        hint: 'This file is read with decimal commas (--decimal comma); a dot is not allowed then unless --thousands dot.',
      }
    : {};
}

function invalid(
  operation: Operation,
  fields: Readonly<Record<string, string>>,
  style: AmountStyle,
  found: Reason,
): InvalidLine {
  return { reason: found, ...amountOf(operation, fields, style) };
}

/** The reason with the lowest place: a missing field (I0001) before a malformed one (I0002) before an amount (I0021). */
function reasonOfIssues(
  issues: readonly z.core.$ZodIssue[],
  fields: Readonly<Record<string, string>>,
): Reason {
  return leastReason(issues.map((issue) => reasonOfIssue(issue, fields)));
}

/** The first of those with the lowest code. */
function leastReason(reasons: readonly Reason[]): Reason {
  return reasons.reduce((least, next) => (next.code < least.code ? next : least));
}

function isReason(read: number | undefined | Reason): read is Reason {
  return typeof read === 'object';
}

function reasonOfIssue(issue: z.core.$ZodIssue, fields: Readonly<Record<string, string>>): Reason {
  const column = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const name = [...issue.path, issue.keys[0]].join('.');
    return reason('I0002', `${name} does not belong to this operation`, { column: name });
  }
  if (issue.code === 'custom' && issue.params?.missing === true)
    return reason('I0001', issue.message, { column });
  const value = fields[column];
  if (value === undefined) {
    // A list is not missing where its elements are given: there are too many of them.
    const isGiven = Object.keys(fields).some((name) => name.startsWith(`${column}.`));
    return isGiven
      ? reason('I0002', `${column}; expected ${issue.message}`, { column })
      : reason('I0001', column, { column });
  }
  if (AMOUNT_COLUMNS.has(column)) return reason('I0021', `${column} is ${quote(value)}`, { column });
  return reason('I0002', `${column} is ${quote(value)}; expected ${issue.message}`, { column });
}

/** A value as messages show it: in quotes, at most 40 characters. */
function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
