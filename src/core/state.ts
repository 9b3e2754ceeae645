/** The states of a transaction. Engine decisions, "Transaction states". */

/** States by name, with the number that `payment_status` shows. */
export const STATES = {
  created: 1000,
  in_doubt: 1050,
  challenge: 1100,
  in_review: 1200,
  authorised: 2000,
  partially_captured: 2500,
  captured: 3000,
  partially_refunded: 3500,
  refunded: 4000,
  cancelled: 5000,
  declined: 6000,
  expired: 6100,
  rejected: 6200,
} as const;

export type State = keyof typeof STATES;

export function isState(text: string): text is State {
  return Object.hasOwn(STATES, text);
}
