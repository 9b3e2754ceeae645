/** The lines themselves, exceptions first, as far as a page can hold them; and what a new revision changed. */
import type { ReportDocument } from '../document.ts';
import { label } from './outcome-look.ts';
import { table } from './table.ts';
import { type Html, html } from './template.ts';
import { baseName, codeName, count, given, money, prose, section } from './words.ts';

export function listing({ listed, unlisted, reports }: ReportDocument): Html | undefined {
  if (listed.length === 0 && unlisted === 0) return undefined;
  const others =
    unlisted === 0
      ? ''
      : ` ${count(unlisted, 'more line')} ${unlisted === 1 ? 'is' : 'are'} not listed here.`;
  const here =
    listed.length === 0
      ? 'No line is listed here.'
      : `${count(listed.length, 'line')} listed, exceptions first.${others}`;
  const elsewhere =
    reports.result === null ? '' : html` Every line is in ${given(baseName(reports.result))}.`;
  const columns = [
    { title: 'Line', look: 'number' },
    { title: 'Outcome', look: 'short' },
    { title: 'Operation', look: 'short' },
    { title: 'Transaction or payout', look: 'id' },
    { title: 'Order', look: 'id' },
    { title: 'Amount', look: 'number' },
    { title: 'Reason', look: 'text' },
  ] as const;
  const rows = listed.map(
    ({ line, outcome, operation, subject, order, currency, amount, code, message, hint }) => [
      line,
      label(outcome),
      operation,
      given(subject),
      given(order),
      money(currency, amount),
      code === '' ? '' : html`${codeName(code)} ${given(message)}<div class="hint">${prose(hint)}</div>`,
    ],
  );
  return section(
    'lines',
    'Lines',
    html`<p class="lead">${here}${elsewhere}</p>`,
    listed.length === 0 ? '' : table('Lines of the file, exceptions first', columns, rows),
  );
}

/** What this revision says otherwise than the one before. */
export function changes({ changes: found, revision }: ReportDocument): Html | undefined {
  if (revision === 1 && found.length === 0) return undefined;
  const title = `Changes since revision ${revision - 1}`;
  if (found.length === 0) return section('changes', title, html`<p>None.</p>`);
  const columns = [
    { title: 'Line', look: 'number' },
    { title: 'Before', look: 'plain' },
    { title: 'Now', look: 'plain' },
    { title: 'Code', look: 'plain' },
  ] as const;
  const rows = found.map(({ line, from, to, code }) => [
    line,
    label(from),
    label(to),
    code === '' ? '–' : codeName(code),
  ]);
  return section(
    'changes',
    title,
    html`<p class="lead">${count(found.length, 'line')} changed.</p>`,
    table(title, columns, rows),
  );
}
