/** What became of a line. Every line of every file has exactly one of these. */
import type { Reason } from './code.ts';

export const OUTCOMES = [
  'succeeded',
  'pending',
  'refused',
  'invalid',
  'duplicate',
  'unknown',
  'not_sent',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface LineOutcome {
  readonly line: number;
  readonly outcome: Outcome;
  readonly reason: Reason | undefined;
  /** Number of the chunk that carried it, or undefined when none did. */
  readonly chunk: number | undefined;
  /** Executions that a person ordered, from 1; undefined when it was never executed. */
  readonly attempt: number | undefined;
  /** The gateway's own id of what it did. */
  readonly reference: string | undefined;
  /** Duplicates: `batch:line` of the line it repeats. */
  readonly first: string | undefined;
}
