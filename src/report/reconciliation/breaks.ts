/** The breaks themselves: open ones, the weightiest first, then those that are expected, then those that people resolved. */
import type { BreakState } from '../../core/break.ts';
import { longTable } from '../html/table.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { baseName, code, count, given, section } from '../html/words.ts';
import type { ListedBreak, ReconciliationDocument } from './document.ts';
import { date, figureOf, inState, KINDS, NOTHING, SIDE_WORDS, severityMark, stateMark } from './words.ts';

const STATES: readonly (readonly [state: BreakState, title: string])[] = [
  ['open', 'Open breaks'],
  ['expected', 'Expected breaks'],
  ['resolved', 'Resolved breaks'],
  ['closed', 'Closed breaks'],
];

/** More rows than this are left to the spreadsheet. */
const MOST_LISTED = 1_000;

export function breaks({ breaks: known, unlisted, reports }: ReconciliationDocument): Html | undefined {
  if (known.length === 0 && unlisted === 0) return undefined;
  const listed = STATES.flatMap(([state]) => inState(known, state)).slice(0, MOST_LISTED);
  const left = known.length - listed.length + unlisted;
  const here =
    listed.length === 0
      ? 'No break is listed here.'
      : `${count(listed.length, 'break')} listed, the weightiest first.`;
  const others =
    left === 0 ? '' : ` ${count(left, 'more break')} ${left === 1 ? 'is' : 'are'} not listed here.`;
  const tables = STATES.map(([state, title]) => [title, inState(listed, state)] as const).filter(
    ([, rows]) => rows.length > 0,
  );
  return section(
    'breaks',
    'Breaks',
    html`<p class="lead">${here}${others} Every break is in ${given(baseName(reports.csv))}.</p>\n`,
    tables.map(([title, rows]) => html`<h3>${title}</h3>\n${longTable(title, COLUMNS, rows.map(row))}`),
  );
}

const COLUMNS = [
  { title: 'Break', look: 'plain' },
  { title: 'What is wrong', look: 'text' },
  { title: 'Reference', look: 'id' },
  { title: 'Ledger', look: 'number' },
  { title: 'Statement', look: 'number' },
  { title: 'Difference', look: 'number' },
  { title: 'Age, days', look: 'number' },
] as const;

function row(one: ListedBreak): readonly Part[] {
  const { currency, statement_currency } = one;
  const look = one.state === 'open' ? severityMark(one.severity) : stateMark(one.state);
  return [
    html`${code(one.id)}<div>${look}</div>`,
    html`<strong>${KINDS[one.kind].word}</strong><div>${given(one.why)}</div>${about(one)}`,
    one.reference === '' ? NOTHING : given(one.reference),
    figureOf(currency, one.ledger),
    figureOf(statement_currency ?? currency, one.statement),
    figureOf(currency, one.difference),
    one.age_days,
  ];
}

/** Where it stands, since when, and what people have made of it. */
function about({ state, side, severity, place, day, found, due, closed, ...one }: ListedBreak): Html {
  const facts: Part[] = [
    SIDE_WORDS[side].word,
    ...(place === null ? [] : [given(place)]),
    ...(day === '' ? [] : [html`of ${date(day)}`]),
    html`found ${date(found)}`,
    ...(due === null || state !== 'expected' ? [] : [html`due ${date(due)}`]),
    ...(closed === null ? [] : [html`closed ${date(closed)}`]),
    ...(state === 'open' ? [] : [`severity ${severity}`]),
    ...(one.assignee === null ? [] : [html`assigned to ${given(one.assignee)}`]),
  ];
  const resolution = one.resolution === null ? '' : html`<div>Resolution: ${given(one.resolution)}</div>`;
  return html`${resolution}<div class="hint">${facts.map((fact, at) => html`${at === 0 ? '' : ' · '}${fact}`)}</div>`;
}
