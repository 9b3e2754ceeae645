/** Charges as commands show them. */
import type { ChargeOutcome } from '../../../core/contract.ts';

/** What became of an attempt, for programs. */
export const OUTCOME_NAMES = {
  free: 'free',
  begun: 'not_asked',
  waiting: 'pending',
  approved: 'approved',
  declined: 'declined',
} as const satisfies Readonly<Record<ChargeOutcome, string>>;

/** The same, for people. */
export function outcomeInWords(outcome: ChargeOutcome): string {
  return OUTCOME_NAMES[outcome].replace('_', ' ');
}
