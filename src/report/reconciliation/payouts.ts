/** Payouts of the acquirer, added up from the lines in them, and whether the bank has them. */
import { grouped, isZero } from '../html/decimal.ts';
import { longTable } from '../html/table.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { check, count, given, section } from '../html/words.ts';
import type { PayoutCheck, ReconciliationDocument } from './document.ts';
import { payoutAddsUp } from './proofs.ts';
import { date, figureOf, NOTHING } from './words.ts';

export function payouts({ payouts: found }: ReconciliationDocument): Html | undefined {
  if (found.length === 0) return undefined;
  const unexplained = found.filter(({ residual }) => residual !== null && !isZero(residual)).length;
  const words =
    unexplained === 0
      ? 'No payout differs from its lines.'
      : `${count(unexplained, 'payout')} ${unexplained === 1 ? 'differs' : 'differ'} from the lines in ${unexplained === 1 ? 'it' : 'them'}.`;
  return section(
    'payouts',
    'Payouts',
    html`<p class="lead">What the lines of a payout add up to, and what was paid out. The residual is what is paid out less what is calculated. ${words}</p>\n`,
    longTable('Payouts, the newest first', COLUMNS, found.map(row)),
  );
}

const COLUMNS = [
  { title: 'Payout', look: 'plain' },
  { title: 'Lines', look: 'number' },
  { title: 'Parts', look: 'number' },
  { title: 'Calculated', look: 'number' },
  { title: 'Paid out', look: 'number' },
  { title: 'Residual', look: 'number' },
  { title: 'Credited', look: 'plain' },
  { title: 'Sums', look: 'short' },
] as const;

function row(payout: PayoutCheck): readonly Part[] {
  const { reference, currency, day, lines, calculated, stated, residual, credited } = payout;
  const left = figureOf(currency, residual);
  return [
    html`${given(reference)}${day === '' ? '' : html`<div class="hint">${date(day)}</div>`}`,
    grouped(lines),
    partsOf(payout),
    lines === 0 ? NOTHING : figureOf(currency, calculated),
    figureOf(currency, stated),
    residual === null || isZero(residual) ? left : html`<strong class="fails">${left}</strong>`,
    credited === null ? NOTHING : date(credited),
    check(payoutAddsUp(payout), 'differ'),
  ];
}

/** The parts that have an amount, in the order in which money comes in and is kept back. */
function partsOf({ parts }: PayoutCheck): Part {
  const shown = Object.entries(parts)
    .filter(([, amount]) => !isZero(amount))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  if (shown.length === 0) return NOTHING;
  return shown.map(
    ([name, amount]) => html`<div><span class="currency">${given(name)}</span> ${grouped(amount)}</div>`,
  );
}

const ORDER = ['payment', 'refund', 'chargeback', 'fee', 'reserve', 'adjustment'] as const;

/** Names may be in the plural. */
function rank(name: string): number {
  const at = ORDER.findIndex((first) => name.startsWith(first));
  return at === -1 ? ORDER.length : at;
}
