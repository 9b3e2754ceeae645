/** What people see of a file that was read but not executed: how it was read, its figures, and what is wrong where. */
import { EXIT } from '../batch/exit.ts';
import type { CheckedFile, PlannedFile, ReadFile } from '../report/document.ts';
import { counted, printable } from './output.ts';
import { type Colors, colorsOf, errorLine, totalsTable, unreadableNote, verdict } from './summary.ts';
import { listing, table } from './table.ts';

/** Below this many, what is wrong is said line by line. */
const MOST_SHOWN = 20;

export function checkedText(file: CheckedFile, path: string, color: boolean): string {
  const colors = colorsOf(color);
  const { lines, exit } = file;
  const said =
    exit === EXIT.rejected
      ? colors.red('would be rejected; nothing of it would be executed')
      : exit === EXIT.done
        ? colors.green(lines.total === 0 ? 'has no lines' : `every line is valid`)
        : colors.yellow(`${lines.valid} valid, ${lines.invalid} invalid`);
  return joined([
    `${colors.bold(printable(file.file))}  ${said}  ${colors.dim(counted(lines.total, 'line'))}`,
    readText(file),
    lines.total > 0 ? validityTable(file) : '',
    unreadableNote(file, colors),
    errorsText(file, colors),
    exit === EXIT.rejected ? '' : colors.dim(`  next: batchgate plan ${path}`),
  ]);
}

export function plannedText(file: PlannedFile, path: string, color: boolean): string {
  const colors = colorsOf(color);
  const { lines, exit } = file;
  const paint = exit === EXIT.rejected ? colors.red : exit === EXIT.done ? colors.green : colors.yellow;
  return joined([
    `${colors.bold(printable(file.file))}  ${paint(foreseenVerdict(file))}  ${colors.dim(`${counted(lines.total, 'line')}, ${counted(file.chunks, 'chunk')}`)}`,
    file.executed_before === null ? readText(file) : '',
    lines.total > 0 && file.same_as === null
      ? totalsTable(file, exit === EXIT.rejected ? 'valid' : isUnanswered(file) ? 'not foreseen' : undefined)
      : '',
    unreadableNote(file, colors),
    unforeseenNote(file, colors),
    foreseenText(file, colors),
    errorsText(file, colors),
    exit === EXIT.rejected || file.same_as !== null ? '' : colors.dim(`  next: ${nextOf(file, path)}`),
  ]);
}

function foreseenVerdict(file: PlannedFile): string {
  if (file.exit === EXIT.rejected) return 'would be rejected; nothing of it would be executed';
  if (isUnanswered(file))
    return `cannot be foreseen: ${printable(file.gateway)} ${file.exit === EXIT.credentials ? 'refused to answer' : 'did not answer'}`;
  if (file.executed_before !== null)
    return `was executed before as ${file.executed_before}; running it again executes nothing`;
  if (file.same_as !== null)
    return `is the same as ${printable(file.same_as)}; it would not be executed again`;
  const going = file.goes_on_with === null ? '' : `goes on with ${file.goes_on_with}: `;
  if (file.lines.total === 0) return `${going}has no lines`;
  return `${going}${file.lines.succeeded === file.lines.total ? 'every line would succeed' : `foreseen: ${verdict(file)}`}`;
}

/** The gateway was asked and refused, or could not be reached. */
function isUnanswered({ exit }: PlannedFile): boolean {
  return exit === EXIT.credentials || exit === EXIT.temporary;
}

/** What no query tells. */
function unforeseenNote({ unforeseen, gateway }: PlannedFile, colors: Colors): string {
  if (unforeseen === 0) return '';
  const said = `${counted(unforeseen, 'line')} would be sent, but the outcome cannot be foreseen`;
  return colors.yellow(
    `  ${said}: ${printable(gateway)} is a remote gateway, and payouts cannot be queried there`,
  );
}

function nextOf(file: PlannedFile, path: string): string {
  if (isUnanswered(file)) return `batchgate plan ${path}`;
  return file.executed_before === null
    ? `batchgate run ${path}`
    : `batchgate batch show ${file.executed_before}`;
}

function foreseenText({ foreseen }: PlannedFile, colors: Colors): string {
  return foreseen
    .map(
      ({ code, sentence, hint, lines }) =>
        `  ${colors.yellow(code)} ${counted(lines, 'line')}: ${sentence}.\n        ${colors.dim(hint)}`,
    )
    .join('\n');
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

/** "This is how I read your file": what a person compares with what was meant. */
function readText({ read, operation, totals_calculated }: ReadFile): string {
  if (read.format === '') return '';
  const { understood, kept, ignored } = read.columns;
  const isCsv = read.format === 'csv';
  const thousands = read.thousands === 'none' ? '' : `, thousands ${read.thousands}`;
  const cells =
    read.delimiter === null ? '' : `, ${DELIMITERS[read.delimiter] ?? read.delimiter} between cells`;
  const totals = Object.entries(totals_calculated).map(([currency, amount]) => `${amount} ${currency}`);
  const names = (columns: readonly string[]) => columns.map(printable).join(', ');
  return listing([
    [
      'read as',
      read.format === 'pain001'
        ? `a payment initiation (ISO 20022 pain.001), ${read.encoding}; a line is a transfer, counted from 1`
        : `${isCsv ? 'CSV' : `JSON (${read.format})`}, ${read.encoding}${cells}, decimal ${read.decimal}${thousands}`,
    ],
    ...(understood.length > 0 ? [['columns', names(understood)] as const] : []),
    ...(kept.length > 0 ? [['', `kept, without meaning here: ${names(kept)}`] as const] : []),
    ...(ignored.length > 0 ? [['', `ignored: ${names(ignored)}`] as const] : []),
    ...(operation === '' ? [] : [['operation', operation] as const]),
    ...(totals.length > 0 ? [['adds up to', totals.join(', ')] as const] : []),
    ...(read.blank > 0 ? [['blank', `${counted(read.blank, 'line')} skipped`] as const] : []),
  ]);
}

function validityTable({ breakdown }: CheckedFile): string {
  const several = new Set(breakdown.map(({ merchant, account }) => `${merchant}/${account}`)).size > 1;
  const columns = ['operation', ...(several ? ['account'] : []), 'currency'];
  const figures = ['lines', 'amount', 'valid', 'invalid'].map((name) => [name, 'right'] as const);
  const rows = breakdown.map(({ merchant, account, operation, currency, lines, amounts }) => [
    operation || '–',
    ...(several ? [`${merchant}/${account}`] : []),
    currency || '–',
    String(lines.total),
    amounts.total,
    lines.valid === 0 ? '' : `${amounts.valid} (${lines.valid})`,
    lines.invalid === 0 ? '' : `${amounts.invalid} (${lines.invalid})`,
  ]);
  return table([...columns, ...figures], rows);
}

function errorsText({ errors, unlisted }: ReadFile, colors: Colors): string {
  const left = unlisted + Math.max(0, errors.length - MOST_SHOWN);
  return joined([
    ...errors.slice(0, MOST_SHOWN).map((error) => errorLine(error, colors)),
    left > 0 ? colors.dim(`  … and ${left} more; --json lists up to 100`) : '',
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
