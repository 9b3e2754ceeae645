/** What somebody may do about a break. */
import type { Break, BreakKind } from '../../core/break.ts';

/** About one that is open. */
const ADVICE: Readonly<Record<BreakKind, string>> = {
  missing_in_statement:
    'Load the statement that should have it, if it was not loaded yet; else ask whoever made the statement where the money is.',
  missing_in_ledger:
    'Find out who ordered it: another system, the acquirer itself, or a file that was never executed here. Nothing of it is in these books.',
  amount_differs: 'Compare both sides, and ask whoever made the statement for the difference.',
  currency_differs: 'Find out who converted it, and at which rate.',
  duplicate_in_statement:
    'Ask whoever made the statement whether the money really moved twice; if it did, one of them has to come back.',
  ambiguous: 'Decide which of the candidates it is; a reference in the statement would settle it.',
  balance_gap: 'A statement is probably missing or was cut short: load the ones before and after it.',
  control_total: 'The statement contradicts itself: ask whoever made it for a complete one.',
  fee_differs: 'Compare the fee with the agreement, and claim the difference or correct `reconcile.fees`.',
};

export function adviceFor(one: Pick<Break, 'state' | 'kind' | 'due'>): string {
  switch (one.state) {
    case 'open':
      return ADVICE[one.kind];
    case 'expected':
      return `Wait: it should be in a statement by ${one.due ?? 'then'}. If it is, reconciling closes it.`;
    case 'resolved':
      return 'Nothing: somebody has explained it. It opens again by itself if its figures change.';
    case 'closed':
      return 'Nothing: the ledger or a later statement has explained it.';
  }
}
