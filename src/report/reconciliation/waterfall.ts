/** From gross to the bank's credit, a step an amount, in each currency: drawn, in words and as a table. */
import { grouped, isEqual } from '../html/decimal.ts';
import { figure } from '../html/figure.ts';
import { mark } from '../html/outcome-look.ts';
import { table } from '../html/table.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { check, given, section } from '../html/words.ts';
import type { ReconciliationDocument, Waterfall } from './document.ts';
import { type RunningStep, running } from './proofs.ts';
import { drawWaterfall, PAINTS, paintOf, stepText } from './waterfall-drawing.ts';
import { NOTHING } from './words.ts';

const LEGEND = {
  up: mark(PAINTS.up, '+', 'Added'),
  down: mark(PAINTS.down, '−', 'Taken off'),
  sum: mark(PAINTS.sum, '=', 'Sum'),
} as const;

export async function waterfalls({ waterfall }: ReconciliationDocument): Promise<Html | undefined> {
  const shown = waterfall.filter(({ steps }) => steps.length > 0);
  if (shown.length === 0) return undefined;
  const parts = await Promise.all(shown.map(one));
  return section(
    'waterfall',
    'From gross to the bank’s credit',
    html`<p class="lead">What became of the gross amounts on their way to the bank, as far as statements say.</p>\n`,
    parts,
  );
}

async function one(waterfall: Waterfall, at: number): Promise<Html> {
  const { currency } = waterfall;
  const steps = running(waterfall);
  const paints = new Set(steps.map(({ step }) => paintOf(step)));
  const drawing = await figure({
    id: `waterfall-${at}`,
    title: html`${given(currency)}, step by step`,
    words: `${currency}: ${steps.map(({ step }) => `${step.name} ${stepText(step)}`).join(', ')}.`,
    draw: (id, width) => drawWaterfall(steps, id, width),
    legend: (['up', 'down', 'sum'] as const)
      .filter((paint) => paints.has(paint))
      .map((paint) => LEGEND[paint]),
  });
  const columns = [
    { title: 'Step', look: 'plain' },
    { title: 'Lines', look: 'number' },
    { title: 'Amount', look: 'number' },
    { title: 'So far', look: 'number' },
  ] as const;
  const rows = steps.map(row);
  return html`<div class="pair">
${drawing}${table(`Steps from gross to the bank’s credit, ${currency}`, columns, rows)}</div>
`;
}

function row({ step, after }: RunningStep): readonly Part[] {
  const { name, lines, is, amount } = step;
  const number = lines === 0 ? NOTHING : grouped(lines);
  if (is === 'part') return [given(name), number, stepText(step), grouped(after)];
  return [
    html`<strong>${given(name)}</strong>`,
    number,
    html`<strong>${stepText(step)}</strong>`,
    check(isEqual(amount, after), grouped(after)),
  ];
}
