/** What the writers of the line files share: the lines they are given, the text they give back, and our own columns. */
import { hintOf } from '../core/code.ts';
import type { LineOutcome, Outcome } from '../core/outcome.ts';
import type { Row } from '../core/row.ts';
import { visible } from './visible.ts';

/** One line of the file and what became of it. */
export interface ReportedLine {
  readonly row: Row;
  readonly outcome: LineOutcome;
}

/**
 * Masks the card numbers in a text. It is asked for every text of a line that has card data (B0012).
 * @param column the column in lower case, or the dotted path of a JSON member: ids and references stay whole (F100)
 */
export type Mask = (text: string, column: string) => string;

/** `result`: every line. `fixme`: what a person can correct. `held`: what a person can release. */
export type LineFile = 'result' | 'fixme' | 'held';

/** The text of one line file: `head`, then the blocks in the order of the input, then `tail`. */
export interface LineWriter {
  readonly head: string;
  /** The text of those lines that belong in this file; `''` when none does. */
  block(lines: readonly ReportedLine[]): string;
  readonly tail: string;
}

const WANTED: Readonly<Record<LineFile, ReadonlySet<Outcome> | 'all'>> = {
  result: 'all',
  fixme: new Set<Outcome>(['refused', 'invalid', 'not_sent']),
  held: new Set<Outcome>(['duplicate']),
};

/** The lines that belong in the file, in their order. */
export function linesFor(file: LineFile, lines: readonly ReportedLine[]): readonly ReportedLine[] {
  const wanted = WANTED[file];
  return wanted === 'all' ? lines : lines.filter(({ outcome }) => wanted.has(outcome.outcome));
}

/** One of our columns: its name, and what it says of a line; undefined where there is nothing to say. */
export interface OurColumn {
  readonly name: string;
  readonly value: (line: ReportedLine, batch: string) => string | number | undefined;
}

/** Our columns of each file, in their order. Contract, "Reports of a batch". */
export const OUR_COLUMNS: Readonly<Record<LineFile, readonly OurColumn[]>> = {
  result: [
    { name: 'line', value: ({ row }) => row.line },
    { name: 'outcome', value: ({ outcome }) => outcome.outcome },
    { name: 'code', value: ({ outcome }) => outcome.reason?.code ?? '' },
    { name: 'message', value: message },
    { name: 'hint', value: hint },
    { name: 'chunk', value: ({ outcome }) => outcome.chunk },
    { name: 'attempt', value: ({ outcome }) => outcome.attempt },
    { name: 'gateway_reference', value: ({ outcome }) => outcome.reference ?? '' },
    { name: 'batch', value: (_, batch) => batch },
  ],
  fixme: [
    { name: '_problem', value: problem },
    { name: '_hint', value: hint },
    { name: '_line_of', value: ({ row }, batch) => `${batch}:${row.line}` },
  ],
  held: [
    { name: '_first', value: ({ outcome }) => outcome.first ?? '' },
    { name: 'repeat_of', value: () => '' },
  ],
};

/** A gateway may have put anything into a message; a control character would have intake refuse the file (B0003). */
function message({ outcome: { reason } }: ReportedLine): string {
  return reason === undefined ? '' : visible(reason.message);
}

function hint({ outcome: { reason } }: ReportedLine): string {
  return reason === undefined ? '' : visible(hintOf(reason));
}

function problem(line: ReportedLine): string {
  const { reason } = line.outcome;
  return reason === undefined ? 'The line was not sent.' : `${reason.code}: ${message(line)}`;
}

/** True when card numbers may stand in the line, whichever of its reasons came first. */
export function hasCardData({ row, outcome }: ReportedLine): boolean {
  return outcome.reason?.code === 'B0012' || row.faults.some((fault) => fault.code === 'B0012');
}
