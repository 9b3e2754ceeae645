/** What did not succeed, by code: the sentence, what to do, how many lines and how much money. */
import type { ExceptionRow, ReportDocument } from '../document.ts';
import { grouped } from './decimal.ts';
import { label } from './outcome-look.ts';
import { table } from './table.ts';
import { type Html, html, type Part } from './template.ts';
import { byName, codeName, given, money, prose, section } from './words.ts';

/** The codes of the lines that did not succeed, those with most lines first. */
export function exceptions({ exceptions: found, lines }: ReportDocument, figure: Part): Html | undefined {
  if (found.length === 0) {
    const all = lines.total > 0 && lines.succeeded === lines.total;
    return all ? section('exceptions', 'Exceptions', html`<p>None: every line succeeded.</p>`) : undefined;
  }
  const columns = [
    { title: 'Code', look: 'short' },
    { title: 'Outcome', look: 'short' },
    { title: 'What it means, and what to do', look: 'text' },
    { title: 'Lines', look: 'number' },
    { title: 'Amounts', look: 'number' },
  ] as const;
  const rows = byLines(found).map(({ code, outcome, sentence, hint, lines: count, amounts }) => [
    codeName(code),
    label(outcome),
    html`${sentence}<div class="hint">${prose(hint)}</div>`,
    grouped(count),
    byName(amounts).map(([currency, amount]) => html`<div>${money(currency, amount)}</div>`),
  ]);
  return section('exceptions', 'Exceptions', table('Exceptions by code', columns, rows), figure);
}

/** Most lines first, then by code: the order of table and chart. */
export function byLines(rows: readonly ExceptionRow[]): readonly ExceptionRow[] {
  return rows.toSorted((a, b) => b.lines - a.lines || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
}

/** Heading of what `errors` shows. */
export const WARNINGS = 'Warnings and alarms';
export const REJECTED = 'Why it was rejected';

/** Why the file was rejected, or what is to be known about one that was not. */
export function errors({ errors: found, status }: ReportDocument): Html | undefined {
  if (found.length === 0) return undefined;
  const title = status === 'rejected' ? REJECTED : WARNINGS;
  const columns = [
    { title: 'Code', look: 'short' },
    { title: 'What is wrong, and what to do', look: 'text' },
    { title: 'Line', look: 'number' },
    { title: 'Column', look: 'plain' },
  ] as const;
  const rows = found.map(({ code, message, hint, line, column }) => [
    codeName(code),
    html`${given(message)}<div class="hint">${prose(hint ?? '')}</div>`,
    line ?? '–',
    column === undefined ? '–' : given(String(column)),
  ]);
  return section('errors', title, table(title, columns, rows));
}
