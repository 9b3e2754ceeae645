/** The totals equation per operation and currency, in lines and in money, calculated again from its parts. */
import { OUTCOMES, type Outcome } from '../../core/outcome.ts';
import type { ReportDocument } from '../document.ts';
import { difference, grouped, isZero, sum } from './decimal.ts';
import { addAmounts, addLines, type Group, groupName, groupsOf } from './groups.ts';
import { label } from './outcome-look.ts';
import { type Html, html, type Part } from './template.ts';
import { byName, check, count, money, section } from './words.ts';

export function totals(document: ReportDocument, figure: Part): Html {
  const groups = groupsOf(document.breakdown);
  return section(
    'totals',
    'Totals',
    html`<p class="lead">Instructed = succeeded + pending + refused + invalid + duplicate + unknown + not sent, in lines and in money.
Every sum on this page was added up again from its parts when the page was written.</p>
<div class="cards">
${groups.map(card)}<div class="card checks">
<h3>Checks over the whole file</h3>
<ul>
${checks(document, groups).map((line) => html`<li>${line}</li>\n`)}</ul>
${figure}</div>
</div>`,
  );
}

/** The equation of one group, written as people add up: the parts, a line, their sum, and what it must be. */
function card(group: Group): Html {
  const { currency, lines, amounts, unreadable } = group;
  const lineSum = OUTCOMES.reduce((total, outcome) => total + lines[outcome], 0);
  const amountSum = sum(OUTCOMES.map((outcome) => amounts[outcome]));
  return html`<div class="card">
<table>
<caption>${groupName(group)}</caption>
<thead><tr><th scope="col">Outcome</th><th scope="col" class="number">Lines</th><th scope="col" class="number">Amount, ${currency || 'no currency'}</th></tr></thead>
<tbody>
${OUTCOMES.map((outcome) => part(outcome, lines[outcome], amounts[outcome]))}</tbody>
<tfoot>
<tr class="rule"><th scope="row">Sum</th><td class="number">${grouped(lineSum)}</td><td class="number">${grouped(amountSum)}</td></tr>
<tr><th scope="row">Instructed</th><td class="number">${grouped(lines.total)}</td><td class="number">${grouped(amounts.instructed)}</td></tr>
<tr><th scope="row">Check</th><td class="number">${checkLines(lineSum, lines.total)}</td><td class="number">${checkAmounts(amountSum, amounts.instructed)}</td></tr>
</tfoot>
</table>
${unreadable === 0 ? '' : html`<p class="note">${count(unreadable, 'amount')} could not be read: counted in lines, not in money.</p>`}
</div>
`;
}

function part(outcome: Outcome, lines: number, amount: string): Html {
  const none = lines === 0 && isZero(amount) ? html` class="none"` : '';
  return html`<tr${none}><th scope="row">${label(outcome)}</th><td class="number">${grouped(lines)}</td><td class="number">${grouped(amount)}</td></tr>
`;
}

function checkLines(found: number, stated: number): Html {
  return check(found === stated, `differs by ${grouped(found - stated)}`);
}

function checkAmounts(found: string, stated: string): Html {
  const left = difference(found, stated);
  return check(isZero(left), `differs by ${grouped(left)}`);
}

/** The equations that concern the whole file. */
function checks(
  { lines, totals: perCurrency, breakdown }: ReportDocument,
  groups: readonly Group[],
): readonly Part[] {
  const filled = OUTCOMES.filter((outcome) => lines[outcome] > 0);
  const parts = filled.map(
    (outcome) =>
      html` ${outcome === filled[0] ? '=' : '+'} ${grouped(lines[outcome])} ${outcome.replace('_', ' ')}`,
  );
  const lineSum = OUTCOMES.reduce((total, outcome) => total + lines[outcome], 0);
  const all: Part[] = [
    html`${count(lines.total, 'line')} in the file${parts} ${checkLines(lineSum, lines.total)}`,
  ];
  if (groups.length > 0) {
    const inGroups = addLines(groups.map((group) => group.lines)).total;
    all.push(
      html`${count(inGroups, 'line')} in the tables per operation and currency ${checkLines(inGroups, lines.total)}`,
    );
  }
  for (const [currency, amounts] of byName(perCurrency ?? {})) {
    const found = addAmounts(
      breakdown.filter((row) => row.currency === currency).map((row) => row.amounts),
    ).instructed;
    all.push(
      html`${money(currency, amounts.instructed)} instructed in the file, and in its table ${checkAmounts(found, amounts.instructed)}`,
    );
  }
  return all;
}
