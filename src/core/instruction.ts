/**
 * From the fields of a record to an instruction. The schemas say which fields an operation has, which of them it
 * needs and what they may hold; specification, "Batch order entries", and the contract's "Required".
 */
import * as z from 'zod';
import { readAmount } from './amount-field.ts';
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import { ENTRY_MESSAGES } from './entry-message.ts';
import type { Entry, Payout } from './gateway.ts';
import { type AmountStyle, parseAmount } from './money.ts';
import { type EntryOperation, OPERATION_NAMES, type Operation } from './operation.ts';
import { payoutOf } from './payout-amounts.ts';
import { nestPayoutFields, PAYOUT_COLUMNS, payoutMessage } from './payout-message.ts';
import { quote } from './quote.ts';
import { id } from './text.ts';

/** Fields that say where a line belongs and how it relates to others; they may stand on the line of any operation. */
const lineFields = {
  operation: id.optional(),
  merchant_id: id.optional(),
  account_id: id.optional(),
  repeat_of: id.optional(),
};

/** A line may say everything that an entry of the API says, and where it belongs. */
const entrySchemas = {
  capture: z.strictObject({ ...lineFields, ...ENTRY_MESSAGES.capture.shape }),
  cancel: z.strictObject({ ...lineFields, ...ENTRY_MESSAGES.cancel.shape }),
  review: z.strictObject({ ...lineFields, ...ENTRY_MESSAGES.review.shape }),
  refund: z.strictObject({ ...lineFields, ...ENTRY_MESSAGES.refund.shape }),
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
  const payout = payoutOf(parsed.data, line, style);
  if ('reasons' in payout) return invalid('payout', fields, style, leastReason(payout.reasons));
  const { sourceAmount, paymentAmount, sourceCurrency, paymentCurrency } = payout;
  // The schema has made sure that one of the two is given.
  const own =
    paymentAmount === undefined
      ? ([sourceAmount!, sourceCurrency] as const)
      : ([paymentAmount, paymentCurrency] as const);
  return { operation: 'payout', line, amount: own[0], currency: own[1], payout };
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

/** The first of those with the lowest code. */
function leastReason(reasons: readonly Reason[]): Reason {
  return reasons.reduce((least, next) => (next.code < least.code ? next : least));
}

function isReason(read: number | undefined | Reason): read is Reason {
  return typeof read === 'object';
}
