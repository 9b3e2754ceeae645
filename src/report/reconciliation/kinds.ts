/** The listed breaks by kind and by age: how many, how severe, how much. */
import { BREAK_KINDS, SEVERITIES, type Severity } from '../../core/break.ts';
import type { Bars } from '../html/bars.ts';
import { grouped, sum } from '../html/decimal.ts';
import { barFigure } from '../html/figure.ts';
import { table } from '../html/table.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { count, section } from '../html/words.ts';
import type { ListedBreak, ReconciliationDocument } from './document.ts';
import { breaksAre, inState, KINDS, SEVERITY_MARKS, severityMark, sumsBelow } from './words.ts';

/** How old open breaks are, in days. */
const AGES = [
  { name: '0–1 day', most: 1 },
  { name: '2–7 days', most: 7 },
  { name: '8–30 days', most: 30 },
  { name: 'over 30 days', most: Infinity },
] as const;

/** Breaks that something is common to. */
interface Group {
  readonly name: string;
  readonly breaks: readonly ListedBreak[];
}

export async function kinds({ breaks, unlisted }: ReconciliationDocument): Promise<Html | undefined> {
  const listed = breaks.filter(({ state }) => state !== 'closed');
  if (listed.length === 0) return undefined;
  const open = inState(listed, 'open');
  const left =
    unlisted === 0
      ? ''
      : html`<p class="lead">Counted are the first ${grouped(listed.length)}; ${breaksAre(unlisted)} not.</p>\n`;
  return section(
    'kinds',
    'Breaks by kind and age',
    left,
    open.length === 0 ? '' : html`<div class="pair">\n${await drawings(open)}</div>\n`,
    kindTable(listed),
    open.length === 0 ? '' : ageTable(open),
  );
}

async function drawings(open: readonly ListedBreak[]): Promise<Part> {
  return [
    await figureOf(byKind(open), 'kinds-drawn', 'Open breaks by kind'),
    await figureOf(byAge(open), 'ages-drawn', 'Open breaks by age'),
  ];
}

function byKind(breaks: readonly ListedBreak[]): readonly Group[] {
  return BREAK_KINDS.map((kind) => ({
    name: KINDS[kind].word,
    breaks: breaks.filter((one) => one.kind === kind),
  })).filter((group) => group.breaks.length > 0);
}

/** All ages, also those that no break has: the scale is part of what is said. */
function byAge(breaks: readonly ListedBreak[]): readonly Group[] {
  const ageOf = ({ age_days }: ListedBreak) => AGES.findIndex(({ most }) => age_days <= most);
  return AGES.map(({ name }, at) => ({ name, breaks: breaks.filter((one) => ageOf(one) === at) }));
}

function figureOf(groups: readonly Group[], id: string, title: string): Promise<Html | undefined> {
  const severities = SEVERITIES.filter((one) => groups.some((group) => number(group, one) > 0));
  const words = groups.map((group) => {
    const parts = severities.filter((one) => number(group, one) > 0);
    const split = parts.map((one) => `${grouped(number(group, one))} ${one}`).join(', ');
    return `${group.name}: ${grouped(group.breaks.length)}${split === '' ? '' : ` (${split})`}.`;
  });
  const legend = severities.map((one) => html`${severityMark(one)}`);
  return barFigure(barsOf(groups, severities), { id, title, words: words.join(' '), legend });
}

function barsOf(groups: readonly Group[], severities: readonly Severity[]): Bars {
  const series = severities.map((severity) => ({
    texts: 'inside' as const,
    bars: groups.map((group) => {
      const value = number(group, severity);
      const { sign, paint } = SEVERITY_MARKS[severity];
      return { value, text: grouped(value), sign, paint };
    }),
  }));
  return { categories: groups.map(({ name }) => name), series, scale: 'lines', names: 'break' };
}

function number({ breaks }: Group, severity: Severity): number {
  return breaks.filter((one) => one.severity === severity).length;
}

function kindTable(breaks: readonly ListedBreak[]): Html {
  const columns = [
    { title: 'Kind', look: 'plain' },
    { title: 'What it means', look: 'text' },
    { title: 'Open', look: 'number' },
    { title: 'Expected', look: 'number' },
    { title: 'Resolved', look: 'number' },
    { title: 'Net difference', look: 'number' },
  ] as const;
  const rows = BREAK_KINDS.flatMap((kind) => {
    const of = breaks.filter((one) => one.kind === kind);
    if (of.length === 0) return [];
    const { word, meaning } = KINDS[kind];
    const numbers = (['open', 'expected', 'resolved'] as const).map((state) =>
      grouped(inState(of, state).length),
    );
    return [[word, meaning, ...numbers, netOf(of)]];
  });
  return table('Breaks by kind', columns, rows);
}

function ageTable(open: readonly ListedBreak[]): Html {
  const columns = [
    { title: 'Age', look: 'plain' },
    { title: 'Breaks', look: 'number' },
    { title: 'High', look: 'number' },
    { title: 'Medium', look: 'number' },
    { title: 'Low', look: 'number' },
    { title: 'Net difference', look: 'number' },
  ] as const;
  const rows = byAge(open).map((group) => [
    group.name,
    grouped(group.breaks.length),
    ...SEVERITIES.map((severity) => grouped(number(group, severity))),
    netOf(group.breaks),
  ]);
  return table('Open breaks by age', columns, rows);
}

/** What the breaks differ by, each currency for itself; between two currencies nothing can be said. */
function netOf(breaks: readonly ListedBreak[]): Part {
  const amounts = new Map<string | null, string[]>();
  for (const { currency, difference } of breaks) {
    if (difference === null) continue;
    const others = amounts.get(currency);
    if (others === undefined) amounts.set(currency, [difference]);
    else others.push(difference);
  }
  const order = ([a]: [string | null, unknown], [b]: [string | null, unknown]) =>
    a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
  const sums = [...amounts].sort(order).map(([currency, all]) => [currency, sum(all)] as const);
  const between = breaks.filter(({ difference }) => difference === null).length;
  if (between === 0) return sumsBelow(sums);
  const words = html`<div class="hint">${count(between, 'break')} between currencies</div>`;
  return sums.length === 0 ? words : [sumsBelow(sums), words];
}
