/** Breaks as comparing finds them, on their way to where they are kept. */
import type { BreakKind, FoundBreak, Side } from '../core/break.ts';
import { contentId } from '../wire/content-id.ts';

/**
 * What a break is about, so that it keeps its id from run to run, whatever else becomes known: the nth movement of a
 * transaction in the books, or a line by its identity, else by its place in its file; or a figure of a statement.
 */
export type Anchor = readonly (string | number | null)[];

/** @param books whose: merchant, account, gateway */
export function breakId(books: readonly string[], side: Side, anchor: Anchor): string {
  return contentId('K', [...books, side, anchor]);
}

/** A statement's line as people find it. */
export function placeOf(file: string, line: number): string {
  return `${file}:${line}`;
}

/** What is wrong, in a sentence that needs no other column to be understood. */
export const MEANINGS: Readonly<Record<BreakKind, string>> = {
  missing_in_statement: 'The ledger has it; no statement says it.',
  missing_in_ledger: 'A statement says it; the ledger knows nothing of it.',
  amount_differs: 'Ledger and statement have it with different amounts.',
  currency_differs: 'Ledger and statement have it in different currencies.',
  duplicate_in_statement: 'The statement says it more often than the ledger has it.',
  ambiguous: 'Several could explain it, so none was taken.',
  balance_gap: 'Balances do not fit what lies between them.',
  control_total: 'A stated total is not that of the lines.',
  fee_differs: 'Another fee was kept than was agreed.',
};

/** Where found breaks go: a block at a time, in any order. */
export type Take = (found: readonly FoundBreak[]) => Promise<void>;
