/** The statements that were compared, with the digest of each file. */
import { grouped } from '../html/decimal.ts';
import { longTable } from '../html/table.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { code, given, section } from '../html/words.ts';
import type { ReconciliationDocument, StatementSummary } from './document.ts';
import { date, NOTHING } from './words.ts';

/** What a statement is of. */
const OF: Readonly<Record<string, string>> = {
  balance: 'Acquirer’s movements',
  payouts: 'Acquirer’s payouts',
  bank: 'Bank’s movements',
};

export function statements({ statements: found }: ReconciliationDocument): Html | undefined {
  if (found.length === 0) return undefined;
  return section(
    'statements',
    'Statements',
    longTable('Statements that were compared', COLUMNS, found.map(row)),
  );
}

const COLUMNS = [
  { title: 'File', look: 'text' },
  { title: 'Of', look: 'id' },
  { title: 'Period', look: 'plain' },
  { title: 'Lines', look: 'number' },
  { title: 'Loaded', look: 'plain' },
] as const;

function row(statement: StatementSummary): readonly Part[] {
  const { file, id, of, profile, period, lines, sha256, repeat, counted_elsewhere: twice } = statement;
  return [
    html`${given(file)}${id === null ? '' : html`<div class="hint">Statement ${given(id)}</div>`}<div class="hint">SHA-256 ${code(sha256)}</div>`,
    html`${OF[of] ?? given(of)}<div class="hint">${given(profile)}</div>`,
    period === null ? NOTHING : html`${date(period[0])} to ${date(period[1])}`,
    html`${grouped(lines)}${twice === 0 ? '' : html`<div class="hint">${grouped(twice)} counted elsewhere</div>`}`,
    repeat ? 'by an earlier run' : 'by this run',
  ];
}
