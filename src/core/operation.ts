/**
 * The operations that can be batched, in one table. Limits: specification, section "Limits"; a payout is one
 * request each, and fifty of them make a chunk.
 */
export const OPERATIONS = {
  capture: { limit: 50, list: 'capture_orders', status: 'capture_status', words: ['capture', 'captures'] },
  cancel: { limit: 50, list: 'cancel_orders', status: 'cancel_status', words: ['cancel', 'cancels'] },
  review: { limit: 100, list: 'review_orders', status: 'review_status', words: ['review', 'reviews'] },
  refund: { limit: 50, list: 'refund_orders', status: 'refund_status', words: ['refund', 'refunds'] },
  payout: { limit: 50, list: undefined, status: 'status', words: ['payout', 'payouts'] },
} as const;

export type Operation = keyof typeof OPERATIONS;

/**
 * Memory that one instruction takes while it is executed, a capture's being 1 (measured): a payout is a message of its
 * own, with an answer of its own.
 */
export function weightOf(operation: Operation): number {
  return operation === 'payout' ? 10 : 1;
}

/** The operations whose instructions act on a transaction, many to a request. */
export type EntryOperation = Exclude<Operation, 'payout'>;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly Operation[];

export function isOperation(text: string): text is Operation {
  return Object.hasOwn(OPERATIONS, text);
}

/** The operation a file's name begins with: `refunds_eu.csv` and `refund-2026-11-20.csv` say refund. */
export function operationOfFileName(name: string): Operation | undefined {
  const word = /^[a-z]+/i.exec(name)?.[0].toLowerCase();
  return word === undefined
    ? undefined
    : OPERATION_NAMES.find((op) => (OPERATIONS[op].words as readonly string[]).includes(word));
}

/** The operation whose list has this name in a request: `refund_orders` says refund. */
export function operationOfList(list: string): EntryOperation | undefined {
  const found = OPERATION_NAMES.find((op) => OPERATIONS[op].list === list);
  return found === 'payout' ? undefined : found;
}
