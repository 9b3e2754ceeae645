/**
 * Every reason that a user can meet has a stable code, one plain sentence, a hint and a word on whether trying again
 * can help. The order of this table is the order of precedence: the first that applies is the answer.
 */

/** Whether sending the same thing again can end differently. */
export type Retry = 'no' | 'later' | 'yes' | 'query first' | 'resolve first';

interface CodeEntry {
  readonly sentence: string;
  readonly hint: string;
  readonly retry: Retry;
}

export const CODES = {
  I0001: {
    sentence: 'A required field is missing',
    hint: 'Fill in the field and send it again.',
    retry: 'no',
  },
  I0002: {
    sentence: 'A field is malformed or unknown',
    hint: 'Correct the field and send it again.',
    retry: 'no',
  },
  I0013: {
    sentence: 'The merchant or account is unknown, or the signature is wrong',
    hint: 'Check merchant_id, account_id and the key that signs; whoever runs batchgate finds them with `batchgate account show`.',
    retry: 'no',
  },
  I0021: {
    sentence: 'The amount is malformed',
    hint: 'Write a positive decimal number with a dot and nothing else, for example 10.50.',
    retry: 'no',
  },
  I0022: {
    sentence: 'The amount has more decimals than its currency, or there is no such currency',
    hint: 'Use an ISO 4217 code and at most its number of decimals.',
    retry: 'no',
  },
  I0051: {
    sentence: 'There are no orders, or too many, in one request',
    hint: 'Send between one order and the limit of the operation.',
    retry: 'no',
  },
  I0061: {
    sentence: 'The order number is used by another payment',
    hint: 'Use a new order_no.',
    retry: 'no',
  },
  I0062: {
    sentence: 'The same request or order is in progress',
    hint: 'Query the order, then decide.',
    retry: 'query first',
  },
  V0001: {
    sentence: 'There is no such transaction in this account',
    hint: 'Check transaction_id and the account.',
    retry: 'no',
  },
  V0002: {
    sentence: 'The order_no differs from the one of the transaction',
    hint: 'Check that order_no and transaction_id belong to the same payment.',
    retry: 'no',
  },
  V0003: {
    sentence: 'The currency differs from the expected one',
    hint: 'Use the currency of the transaction; a new one needs a currency that account and payment method have.',
    retry: 'no',
  },
  V0009: {
    sentence: 'The transaction is not under review',
    hint: 'Only a transaction in review can be reviewed, once.',
    retry: 'no',
  },
  V0008: {
    sentence: 'The authorisation has expired',
    hint: 'Ask the shopper for a new payment.',
    retry: 'no',
  },
  V0007: {
    sentence: 'The state of the transaction does not allow it',
    hint: 'Query the transaction; `batchgate explain` tells its whole story.',
    retry: 'no',
  },
  V0004: { sentence: 'The amount differs from the expected one', hint: 'Correct the amount.', retry: 'no' },
  V0005: {
    sentence: 'The amount is more than is left to capture',
    hint: 'Capture at most what is left.',
    retry: 'no',
  },
  V0006: {
    sentence: 'The amount is more than is left to refund',
    hint: 'Refund at most what is left.',
    retry: 'no',
  },
  V0010: {
    sentence: 'The same transaction, operation and amount stand twice in one request',
    hint: 'Give each entry its own reference if both are meant.',
    retry: 'no',
  },
  V0011: {
    sentence: 'The balance is too small for the payout',
    hint: 'Try again when the balance has grown.',
    retry: 'later',
  },
  V0012: {
    sentence: 'There is no exchange rate',
    hint: 'Try again when there is a rate for the two currencies: rates.csv in the data directory has them.',
    retry: 'later',
  },
  V0013: {
    sentence: 'The bank details of the beneficiary are invalid',
    hint: 'Check the IBAN and the BIC with the beneficiary.',
    retry: 'no',
  },
  V0014: {
    sentence: 'The two payout amounts disagree at the exchange rate',
    hint: 'Give one of source_amount and payment_amount only.',
    retry: 'no',
  },
  V0015: {
    sentence: 'The reference or request_id was used before with other content',
    hint: 'Use a new one.',
    retry: 'no',
  },
  D0005: {
    sentence: 'The issuer does not honour the card',
    hint: 'Ask the shopper for another card.',
    retry: 'no',
  },
  D0014: {
    sentence: 'There is no such card',
    hint: 'Ask the shopper to check the card number.',
    retry: 'no',
  },
  D0051: {
    sentence: 'The card has insufficient funds',
    hint: 'Try again later or with another card.',
    retry: 'later',
  },
  D0054: { sentence: 'The card has expired', hint: 'Ask the shopper for another card.', retry: 'no' },
  D0065: {
    sentence: 'The issuer requires authentication',
    hint: 'Use the hosted page, which can show the challenge.',
    retry: 'no',
  },
  D0082: {
    sentence: 'The security code is wrong',
    hint: 'Ask the shopper to check the security code.',
    retry: 'no',
  },
  R0001: { sentence: 'Risk refused the payment', hint: 'See risk_reasons.', retry: 'no' },
  R0002: {
    sentence: 'Risk holds the payment for review',
    hint: 'Accept or reject it with a review.',
    retry: 'no',
  },
  E0001: {
    sentence: 'The outcome is unknown',
    hint: 'Query the transaction before anything else; for a line of a file, run `batchgate batch resolve`.',
    retry: 'resolve first',
  },
  E0002: { sentence: 'The gateway is unavailable; nothing happened', hint: 'Try again.', retry: 'yes' },
  E0003: {
    sentence: 'Internal error; nothing happened',
    hint: 'Try again, and report it if it stays.',
    retry: 'yes',
  },
  B0001: {
    sentence: 'The line repeats one that was executed before',
    hint: 'If both are meant, name the first line in the column repeat_of, or use `batchgate batch release`.',
    retry: 'no',
  },
  B0002: {
    sentence: 'The bytes are not text in the expected encoding',
    hint: 'Save the file as UTF-8, or name its encoding with --encoding.',
    retry: 'no',
  },
  B0003: {
    sentence: 'The file has NUL or binary bytes',
    hint: 'Export the file again; it was damaged or not finished.',
    retry: 'no',
  },
  B0004: {
    sentence: 'A quote is not closed, or stands inside an unquoted cell',
    hint: 'Quote the whole cell and double the quotes in it.',
    retry: 'no',
  },
  B0005: {
    sentence: 'A column name is used twice or is forbidden',
    hint: 'Give every column its own name.',
    retry: 'no',
  },
  B0006: {
    sentence: 'A required column is missing',
    hint: '`batchgate template` writes a file with the right header.',
    retry: 'no',
  },
  B0007: { sentence: 'A column name is misspelt', hint: 'Correct the name of the column.', retry: 'no' },
  B0008: {
    sentence: 'The line has another number of cells than the header',
    hint: 'Quote cells that contain the delimiter.',
    retry: 'no',
  },
  B0009: {
    sentence: 'The control total, count, hash or sequence differs',
    hint: 'Find out whether the file is complete before sending it again.',
    retry: 'no',
  },
  B0010: {
    sentence: 'A record is larger than 64 KiB',
    hint: 'Check the delimiter, the quotes and the line ends.',
    retry: 'no',
  },
  B0011: {
    sentence: 'The JSON is not valid',
    hint: 'Correct the JSON; keys must not repeat and nesting is at most 32 deep.',
    retry: 'no',
  },
  B0012: {
    sentence: 'The file contains card data',
    hint: 'Remove card numbers and security codes: batchgate never needs them.',
    retry: 'no',
  },
  B0013: {
    sentence: 'A spreadsheet has changed the value',
    hint: 'Export the file again with every id column as text.',
    retry: 'no',
  },
  B0014: {
    sentence: 'The reference or request_id was used before for something else',
    hint: 'Use a new one, or correct the amount.',
    retry: 'no',
  },
  B0015: {
    sentence: 'The operation or the account is unclear or contradictory',
    hint: 'Name the operation in the file name or with --operation, and keep one account to its own folder.',
    retry: 'no',
  },
  B0016: {
    sentence: "The envelope's signature is wrong",
    hint: 'Sign the message again with the key of the account.',
    retry: 'no',
  },
  B0017: { sentence: 'The file is compressed', hint: 'Unpack it first.', retry: 'no' },
  B0018: {
    sentence: 'It is not a plain file, or it changed after it was taken',
    hint: 'Send a plain, finished file.',
    retry: 'yes',
  },
  B0019: {
    sentence: 'It is a result file of batchgate',
    hint: 'Correct the fixme file instead and send that.',
    retry: 'no',
  },
  B0020: {
    sentence: 'Too many lines are unreadable for the same reason; the file was probably read wrongly',
    hint: 'Check --decimal, --thousands, --delimiter and --encoding.',
    retry: 'no',
  },
  B0021: {
    sentence: 'The file has no final line end',
    hint: 'Check that the file is complete.',
    retry: 'no',
  },
  B0022: {
    sentence: 'The file grew after it was taken',
    hint: 'Send what was added as a file of its own.',
    retry: 'no',
  },
  B0023: {
    sentence: 'The environment does not allow it',
    hint: 'Use a data directory of the other environment.',
    retry: 'no',
  },
  B0024: {
    sentence: 'The database has another version than the program',
    hint: 'Run `batchgate migrate` with the newer program.',
    retry: 'no',
  },
  B0025: {
    sentence: 'The batch is already running elsewhere',
    hint: 'Wait for it, or run the same command again later.',
    retry: 'yes',
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;

/** Why something was refused: an expected failure, carried as a value. */
export interface Reason {
  readonly code: Code;
  /** One plain sentence, with the figures that matter. */
  readonly message: string;
  /** What to do, when it is more than the code's own hint. */
  readonly hint?: string;
  /** First physical line in the file, where that is known. */
  readonly line?: number;
  /** Name (or number, from 1) of the column, where that is known. */
  readonly column?: string | number;
  /** It looks like a forgery, or like a gateway that does something else than it was asked: a person has to look. */
  readonly alarm?: true;
}

/** A reason with the code's sentence and, after a colon, what is particular about this case. */
export function reason(code: Code, detail?: string, where: Omit<Reason, 'code' | 'message'> = {}): Reason {
  const sentence = CODES[code].sentence;
  return { code, message: detail === undefined ? `${sentence}.` : `${sentence}: ${detail}.`, ...where };
}

/** The hint of a reason: its own, else its code's. */
export function hintOf(given: Reason): string {
  return given.hint ?? CODES[given.code].hint;
}

/** True when the command `batch retry` may try a line again that was refused with this code. */
export function retryHelps(code: Code): boolean {
  const { retry } = CODES[code];
  return retry === 'later' || retry === 'yes';
}
