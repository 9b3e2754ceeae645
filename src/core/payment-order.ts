/** Whether an order number is free. Engine decisions, "Codes". */
import { type Reason, reason } from './code.ts';
import type { State } from './state.ts';

/** Nothing was paid and nothing can be any more: the order may be paid afresh. */
const FREES: ReadonlySet<State> = new Set(['declined', 'rejected', 'expired', 'cancelled']);

/** Why an order number cannot be used, given the states of the transactions that have it: I0061 or I0062. */
export function orderFault(states: readonly State[]): Reason | undefined {
  const taken = states.filter((state) => !FREES.has(state));
  const used = taken.find((state) => state !== 'in_doubt');
  if (used !== undefined) {
    return reason('I0061', `that payment is ${used.replaceAll('_', ' ')}`, { column: 'order_no' });
  }
  return taken.length === 0
    ? undefined
    : reason('I0062', 'the outcome of the payment with this order_no is not known yet', {
        column: 'order_no',
      });
}
