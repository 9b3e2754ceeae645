/** What a person sees on the terminal of one batch: verdict, totals, where the reports are, and what to do next. */
import pc from 'picocolors';
import { EXIT } from '../batch/exit.ts';
import { OUTCOMES, type Outcome } from '../core/outcome.ts';
import type { BatchDocument } from '../report/document.ts';
import { counted, printable } from './output.ts';
import { table } from './table.ts';

export type Colors = ReturnType<typeof pc.createColors>;

export function colorsOf(color: boolean): Colors {
  return pc.createColors(color);
}

/**
 * The summary of one batch as text.
 * @param handedIn name of the file that was handed in now, where a repeat may have another than the first time
 */
export function batchSummary(document: BatchDocument, color: boolean, handedIn = document.file): string {
  const colors = colorsOf(color);
  const parts = [
    headline(document, handedIn, colors),
    document.lines.total > 0 ? totalsTable(document) : '',
    unreadableNote(document, colors),
    ...document.errors.slice(0, 20).map((error) => errorLine(error, colors)),
    reportsText(document, colors),
    nextStep(document, colors),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

/** One batch in one line, for those who see many. */
export function batchLine(document: BatchDocument, colors: Colors, handedIn: string): string {
  const [first] = document.errors;
  return `${headline(document, handedIn, colors)}${first === undefined ? '' : `\n${errorLine(first, colors)}`}`;
}

function headline(document: BatchDocument, handedIn: string, colors: Colors): string {
  const { batch, status, repeat, lines, exit } = document;
  const paint =
    exit === EXIT.done
      ? colors.green
      : exit === EXIT.rejected || exit === EXIT.unknown
        ? colors.red
        : colors.yellow;
  const file = printable(handedIn);
  const before = handedIn === document.file ? '' : ` as ${printable(document.file)}`;
  const again = repeat ? ` (executed before${before}; nothing was executed again)` : '';
  const said = status === 'completed' ? verdict(document) : status;
  return `${colors.bold(file)}  ${paint(said)}${again}  ${colors.dim(`batch ${batch}, ${counted(lines.total, 'line')}`)}`;
}

/** Lines by outcome, in words. */
export function verdict({ lines }: Pick<BatchDocument, 'lines'>): string {
  if (lines.total === 0) return 'no lines, nothing to do';
  if (lines.succeeded === lines.total) return 'every line succeeded';
  const parts = OUTCOMES.filter((outcome) => lines[outcome] > 0).map(
    (outcome) => `${lines[outcome]} ${words(outcome)}`,
  );
  return parts.join(', ');
}

function words(outcome: Outcome): string {
  return outcome.replace('_', ' ');
}

/**
 * Lines and amounts by operation, currency and outcome, and by account where there are several.
 * @param valid what to call lines of which nothing is sent, where that is no outcome
 */
export function totalsTable({ breakdown }: Pick<BatchDocument, 'breakdown'>, valid = 'not sent'): string {
  const used = OUTCOMES.filter((outcome) => breakdown.some(({ lines }) => lines[outcome] > 0));
  const several = new Set(breakdown.map(({ merchant, account }) => `${merchant}/${account}`)).size > 1;
  const rows = breakdown.map(({ merchant, account, operation, currency, lines, amounts }) => [
    operation || '–',
    ...(several ? [`${merchant}/${account}`] : []),
    currency || '–',
    String(lines.total),
    amounts.instructed,
    ...used.map((outcome) => (lines[outcome] === 0 ? '' : `${amounts[outcome]} (${lines[outcome]})`)),
  ]);
  const figures = [
    'lines',
    'instructed',
    ...used.map((outcome) => (outcome === 'not_sent' ? valid : words(outcome))),
  ].map((name) => [name, 'right'] as const);
  return table(['operation', ...(several ? ['account'] : []), 'currency', ...figures], rows);
}

/** Lines without a readable amount count, but add nothing to the amounts. */
export function unreadableNote(
  {
    breakdown,
  }: { readonly breakdown: readonly Pick<BatchDocument['breakdown'][number], 'unreadable_amounts'>[] },
  colors: Colors,
): string {
  const unreadable = breakdown.reduce((sum, row) => sum + row.unreadable_amounts, 0);
  if (unreadable === 0) return '';
  return colors.dim(
    `  ${counted(unreadable, 'line')} without a readable amount ${unreadable === 1 ? 'is' : 'are'} counted, but in no sum`,
  );
}

/** One reason with its place and its hint. */
export function errorLine(
  { code, message, hint, line, column }: BatchDocument['errors'][number],
  colors: Colors,
): string {
  const where = [
    line === undefined ? '' : `line ${line}`,
    column === undefined ? '' : `column ${column}`,
  ].filter((part) => part !== '');
  const place = where.length === 0 ? '' : `${where.join(', ')}: `;
  return `  ${colors.red(code)} ${place}${printable(message)}${hint === undefined ? '' : `\n        ${colors.dim(hint)}`}`;
}

function reportsText({ reports }: BatchDocument, colors: Colors): string {
  const named = [
    ['report', reports.html],
    ['result', reports.result],
    ['fixme', reports.fixme],
    ['held', reports.held],
    ['pain002', reports.pain002 ?? null],
  ] as const;
  return named
    .filter(([, path]) => path !== null)
    .map(([name, path]) => `  ${name.padEnd(7)} ${colors.cyan(path!)}`)
    .join('\n');
}

/** A command that changed something ends by naming the next useful one. */
function nextStep({ batch, status, lines, reports }: BatchDocument, colors: Colors): string {
  const say = (text: string) => colors.dim(`  next: ${text}`);
  if (status === 'rejected') return say('correct the file and run it again');
  if (status === 'interrupted') return say('run the same command again; it goes on where it was');
  if (status === 'stopped') return say(`batchgate batch resume ${batch}`);
  if (lines.unknown > 0) return say(`batchgate batch resolve ${batch}`);
  if (reports.fixme !== null) return say('correct the fixme file and run that');
  if (reports.held !== null)
    return say(`if the duplicates are meant: batchgate batch release ${batch} --line N --reason "…"`);
  if (lines.pending > 0) return say(`batchgate batch resolve ${batch}, once the payouts are due`);
  // In a CSV file the first line is the header.
  return lines.total > 0 ? say(`batchgate explain ${batch}:${reports.pain002 === undefined ? 2 : 1}`) : '';
}
