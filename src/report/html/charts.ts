/** The charts: what became of the money, and why it was not more; each with the same in words. */
import { OUTCOMES, type Outcome } from '../../core/outcome.ts';
import type { BreakdownRow, ExceptionRow, ReportDocument } from '../document.ts';
import type { Bar, Bars } from './bars.ts';
import { basisPoints, grouped, isZero } from './decimal.ts';
import { byLines } from './exceptions.ts';
import { barFigure } from './figure.ts';
import { groupName, groupsOf } from './groups.ts';
import { LOOKS, label } from './outcome-look.ts';
import { type Html, html } from './template.ts';

/** More bars than this are left to the tables. */
const MOST_BARS = 12;

interface Chart {
  readonly title: string;
  /** The figures in words, for those who do not see the drawing. */
  readonly words: string;
  readonly bars: Bars;
  /** The outcomes that its colours stand for. */
  readonly outcomes: readonly Outcome[];
  readonly left: number;
}

/** What became of the money and the lines, per operation and currency. */
export async function shareFigure(document: ReportDocument): Promise<Html | undefined> {
  return figureOf(shareChart(document), 'shares');
}

/** Why lines did not succeed; nothing when all of them did. */
export async function exceptionFigure({ exceptions }: ReportDocument): Promise<Html | undefined> {
  return figureOf(exceptionChart(byLines(exceptions)), 'codes');
}

/** Where the lines belong: for a batch without exceptions. */
export async function accountFigure({ exceptions, breakdown }: ReportDocument): Promise<Html | undefined> {
  return exceptions.length > 0 ? undefined : figureOf(accountChart(breakdown), 'accounts');
}

function figureOf({ title, words, bars, outcomes, left }: Chart, id: string): Promise<Html | undefined> {
  const note = left === 0 ? '' : html`<p class="note">And ${left} more in the table.</p>`;
  return barFigure(bars, { id, title, words, legend: outcomes.map(label), note: html`${note}\n` });
}

/** One bar: the share of each outcome in the money of a group, or in all lines, in hundredths of a per cent. */
interface Shares {
  readonly name: string;
  readonly of: (outcome: Outcome) => number;
}

/** How the instructed money and lines came out, in per cent: money of several currencies does not add up. */
function shareChart({ breakdown, lines }: ReportDocument): Chart {
  const groups = groupsOf(breakdown).filter(({ amounts }) => !isZero(amounts.instructed));
  const ofMoney = groups.slice(0, MOST_BARS).map((group) => ({
    name: groupName(group),
    of: (outcome: Outcome) => basisPoints(group.amounts[outcome], group.amounts.instructed),
  }));
  const ofLines = {
    name: 'all lines',
    of: (outcome: Outcome) => basisPoints(`${lines[outcome]}`, `${lines.total}`),
  };
  const all: readonly Shares[] = lines.total === 0 ? ofMoney : [...ofMoney, ofLines];
  const outcomes = OUTCOMES.filter((outcome) => all.some((shares) => shares.of(outcome) > 0));
  const series = outcomes.map((outcome) => ({
    texts: 'inside' as const,
    bars: all.map((shares) => {
      const points = shares.of(outcome);
      return barOf(outcome, points / 100, percent(points));
    }),
  }));
  const words = all.map(({ name, of }) => {
    const parts = outcomes.filter((outcome) => of(outcome) > 0);
    return `${name}: ${parts.map((outcome) => `${LOOKS[outcome].word.toLowerCase()} ${percent(of(outcome))}`).join(', ')}.`;
  });
  return {
    title: 'What became of the instructed money and lines',
    words: words.join(' '),
    bars: { categories: all.map(({ name }) => name), series, scale: 'percent' },
    outcomes,
    left: groups.length - ofMoney.length,
  };
}

/** Rounded down, so that less than everything is never shown as everything. */
function percent(points: number): string {
  return points === 10_000 ? '100 %' : `${Math.floor(points / 100)}.${Math.floor((points % 100) / 10)} %`;
}

function exceptionChart(rows: readonly ExceptionRow[]): Chart {
  const shown = rows.slice(0, MOST_BARS);
  return {
    title: 'Lines that did not succeed, by code',
    words: shown
      .map((row) => `${row.code}, ${row.sentence}: ${row.lines} ${LOOKS[row.outcome].word.toLowerCase()}.`)
      .join(' '),
    bars: singleBars(shown.map((row) => ({ name: row.code, lines: row.lines, outcome: row.outcome }))),
    outcomes: OUTCOMES.filter((outcome) => shown.some((row) => row.outcome === outcome)),
    left: rows.length - shown.length,
  };
}

function accountChart(rows: readonly BreakdownRow[]): Chart {
  const named = rows
    .map((row) => ({
      name: `${row.account} · ${groupName(row)}`,
      lines: row.lines.total,
      outcome: 'succeeded' as const,
    }))
    .toSorted((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1));
  const shown = named.slice(0, MOST_BARS);
  return {
    title: 'Lines per account, operation and currency',
    words: shown.map(({ name, lines }) => `${name}: ${lines}.`).join(' '),
    bars: singleBars(shown),
    outcomes: ['succeeded'],
    left: named.length - shown.length,
  };
}

function singleBars(rows: readonly { name: string; lines: number; outcome: Outcome }[]): Bars {
  const bars = rows.map(({ lines, outcome }) => barOf(outcome, lines, grouped(lines)));
  return { categories: rows.map(({ name }) => name), series: [{ bars, texts: 'right' }], scale: 'lines' };
}

function barOf(outcome: Outcome, value: number, text: string): Bar {
  return { value, text, sign: LOOKS[outcome].sign, paint: outcome };
}
