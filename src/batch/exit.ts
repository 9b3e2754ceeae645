/** Exit codes of the command line, in one table with their rank: of several, the one with the lowest rank counts. */
import type { BatchDocument, LineCounts } from '../report/document.ts';

export const EXIT = {
  done: 0,
  bug: 1,
  usage: 2,
  someFailed: 3,
  credentials: 4,
  temporary: 5,
  rejected: 6,
  unknown: 7,
  approval: 8,
  pending: 9,
  openBreaks: 10,
  wrong: 11,
  interrupted: 130,
  terminated: 143,
} as const;

const BY_RANK: readonly number[] = [
  EXIT.unknown,
  EXIT.bug,
  EXIT.credentials,
  EXIT.interrupted,
  EXIT.terminated,
  EXIT.temporary,
  EXIT.usage,
  EXIT.rejected,
  EXIT.approval,
  EXIT.openBreaks,
  EXIT.someFailed,
  EXIT.pending,
  EXIT.done,
];

/** The exit code of a command whose parts ended with these. */
export function worstExit(exits: readonly number[]): number {
  return BY_RANK.find((code) => exits.includes(code)) ?? EXIT.done;
}

/** The exit code of a batch that was executed to its end or stopped. */
export function exitOfLines(lines: LineCounts): number {
  if (lines.unknown > 0) return EXIT.unknown;
  if (lines.refused + lines.invalid + lines.duplicate + lines.not_sent > 0) return EXIT.someFailed;
  return lines.pending > 0 ? EXIT.pending : EXIT.done;
}

export function exitOfBatches(batches: readonly BatchDocument[]): number {
  return worstExit(batches.map(({ exit }) => exit));
}
