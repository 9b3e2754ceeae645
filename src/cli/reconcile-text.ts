/** What a person sees on the terminal of a reconciliation: verdict, equations, what is open, and what to do next. */
import { BREAK_KINDS } from '../core/break.ts';
import type { ListedBreak, ReconciliationDocument, SideTotals } from '../report/reconciliation/document.ts';
import { counted, printable } from './output.ts';
import { type Colors, colorsOf } from './summary.ts';
import { table } from './table.ts';

/** Breaks that are shown; all of them stand in the reports. */
const SHOWN = 10;

export function reconciliationText(document: ReconciliationDocument, color: boolean): string {
  const colors = colorsOf(color);
  const open = document.breaks.filter(({ state }) => state === 'open');
  const parts = [
    headline(document, colors),
    ...document.errors.map(({ message, hint }) =>
      [
        `  ${colors.red('not loaded')} ${printable(message)}`,
        ...(hint === undefined ? [] : [`        ${colors.dim(hint)}`]),
      ].join('\n'),
    ),
    ...document.statements.map((one) => statementLine(one, colors)),
    document.comparisons.length === 0 ? '' : equations(document),
    open.length === 0 ? '' : kinds(document),
    open.length === 0 ? '' : breaks(open.slice(0, SHOWN)),
    open.length > SHOWN || document.unlisted > 0
      ? colors.dim(
          `  … and ${counted(document.counts.open - Math.min(open.length, SHOWN), 'more open break')}; all of them: batchgate break list`,
        )
      : '',
    ...Object.entries(document.reports).map(
      ([name, path]) => `  ${(name === 'html' ? 'report' : name).padEnd(7)} ${colors.cyan(path)}`,
    ),
    nextStep(document, colors),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function headline(document: ReconciliationDocument, colors: Colors): string {
  const { counts, account, merchant, errors, comparisons, statements } = document;
  const whose = colors.bold(`${printable(merchant)}/${printable(account)}`);
  if (comparisons.length + statements.length + counts.open === 0)
    return `${whose}  nothing was compared: no statement is loaded`;
  const resolved = counts.resolved === 0 ? '' : `, ${counts.resolved} resolved by people`;
  const closed = counts.closed === 0 ? '' : `, ${counts.closed} explained since the last time`;
  const expected = counts.expected === 0 ? '' : `, ${counts.expected} expected`;
  if (counts.open > 0)
    return `${whose}  ${colors.yellow(`${counted(counts.open, 'open break')}${expected}${resolved}${closed}`)}`;
  const verdict = `nothing is open${expected}${resolved}${closed}`;
  return `${whose}  ${errors.length === 0 ? colors.green(verdict) : verdict}`;
}

function statementLine(
  { file, profile, lines, period, repeat, counted_elsewhere }: ReconciliationDocument['statements'][number],
  colors: Colors,
): string {
  const days = period === null ? '' : `, ${period[0]} to ${period[1]}`;
  const before = repeat ? ', loaded before' : '';
  const elsewhere =
    counted_elsewhere === 0 ? '' : `, ${counted_elsewhere} of them in another statement too and counted once`;
  return colors.dim(
    `  ${printable(file)}: ${profile}, ${counted(lines, 'line')}${days}${before}${elsewhere}`,
  );
}

function equations({ comparisons }: ReconciliationDocument): string {
  const row = (side: string, currency: string, what: string, sums: SideTotals) => [
    side,
    currency,
    what,
    String(sums.count),
    sums.total,
    sums.matched,
    sums.open,
    ...[sums.expected, sums.resolved],
  ];
  return table(
    [
      'side',
      'currency',
      '',
      ['count', 'right'],
      ['total', 'right'],
      ['= matched', 'right'],
      ['+ open', 'right'],
      ['+ expected', 'right'],
      ['+ resolved', 'right'],
    ],
    comparisons.flatMap(({ side, currency, ledger, statement }) => [
      row(side, currency, 'ledger', ledger),
      row('', '', 'statement', statement),
    ]),
  );
}

function kinds({ breaks, unlisted }: ReconciliationDocument): string {
  if (unlisted > 0) return '';
  const open = breaks.filter(({ state }) => state === 'open');
  const said = BREAK_KINDS.map((kind) => [kind, open.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`);
  return `  ${said.join(', ')}`;
}

function breaks(shown: readonly ListedBreak[]): string {
  return table(
    [
      'break',
      'kind',
      'reference',
      'currency',
      ['ledger', 'right'],
      ['statement', 'right'],
      ['days', 'right'],
      'severity',
    ],
    shown.map((one) => [
      one.id,
      one.kind,
      printable(one.reference),
      one.currency ?? 'lines',
      one.ledger ?? '–',
      one.statement === null
        ? '–'
        : `${one.statement}${one.statement_currency === null ? '' : ` ${one.statement_currency}`}`,
      String(one.age_days),
      one.severity,
    ]),
  );
}

/** A command that changed something ends by naming the next useful one. */
function nextStep({ breaks }: ReconciliationDocument, colors: Colors): string {
  const [first] = breaks;
  if (first?.state !== 'open') return '';
  return colors.dim(`  next: batchgate break show ${first.id}`);
}
