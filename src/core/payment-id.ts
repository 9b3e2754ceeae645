/** Ids that the engine makes: they start with a letter and have only digits and capitals, so no spreadsheet changes them. */

/** Base 32 without I, L, O and U, in the order of ASCII: texts of one length sort as their numbers do. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 50 bits of milliseconds last until the year 37000. */
const TIME_LENGTH = 10;

/** Random bytes that a transaction's id takes: five bits of each count. */
export const TRANSACTION_ID_BYTES = 12;

/** Bytes that a payout's id takes. */
export const PAYOUT_ID_BYTES = 20;

/** Random bytes that a token's id takes: nobody guesses 125 bits. */
export const TOKEN_ID_BYTES = 25;

/**
 * The id of a new transaction: ordered by time, so that new ones stand together in the ledger's index.
 * @param at epoch milliseconds
 * @param random `TRANSACTION_ID_BYTES` bytes
 */
export function newTransactionId(at: number, random: Uint8Array): string {
  return `T${timeText(at)}${lettersOf(random)}`;
}

/** @param random `TOKEN_ID_BYTES` bytes */
export function newTokenId(random: Uint8Array): string {
  return `K${lettersOf(random)}`;
}

/**
 * The id of a payout that was asked for outside files.
 * @param digest `PAYOUT_ID_BYTES` bytes that follow from its account and request_id
 */
export function payoutId(digest: Uint8Array): string {
  return `P${lettersOf(digest)}`;
}

function timeText(at: number): string {
  let text = '';
  for (let rest = at; text.length < TIME_LENGTH; rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length]! + text;
  }
  return text;
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]!).join('');
}
