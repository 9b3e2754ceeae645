/** When a contract is worth looking at again. */
import type { Standing } from '../../core/contract.ts';

/** What waits for an answer, or could not be charged for the moment, is looked at again after so long: five minutes. */
export const PATIENCE_MS = 5 * 60 * 1000;

/**
 * The moment for `contract_wake`; undefined when only a person can make something happen.
 * @param now epoch milliseconds
 */
export function wakeAt(standing: Standing, now: number): number | undefined {
  switch (standing.is) {
    case 'active':
      return standing.next.from;
    case 'waiting':
      return now + PATIENCE_MS;
    default:
      return undefined;
  }
}
