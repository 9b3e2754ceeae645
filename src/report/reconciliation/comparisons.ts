/** What was compared, as equations that prove themselves: on both sides, total = matched + open + expected + resolved. */
import { difference, grouped, isEqual, isZero } from '../html/decimal.ts';
import { type Html, html, type Part, raw } from '../html/template.ts';
import { check, count, given, section } from '../html/words.ts';
import type { Comparison, ReconciliationDocument, SideTotals } from './document.ts';
import { overall, partSum } from './proofs.ts';
import { PART_NAMES, type PartName, partMark, SIDE_WORDS } from './words.ts';

export function comparisons(document: ReconciliationDocument): Html | undefined {
  const equations = overall(document);
  if (document.comparisons.length === 0 && equations.length === 0) return undefined;
  const sides =
    document.comparisons.length === 0
      ? ''
      : 'On both sides, total = matched + open + expected + resolved. The difference is the statements’ amount less the ledger’s.\n';
  return section(
    'totals',
    'Totals',
    html`<p class="lead">${raw(sides)}Every sum on this page was added up again from its parts when the page was written.</p>
<div class="cards">
${document.comparisons.map(card)}<div class="card checks">
<h3>Checks over everything</h3>
<ul>
${equations.map(({ what, holds, whenNot }) => html`<li>${what} ${check(holds, whenNot)}</li>\n`)}</ul>
</div>
</div>`,
  );
}

/** Both equations of one comparison, side by side. The roles say again what stacked cells on a telephone would lose. */
function card({ side, currency, ledger, statement }: Comparison): Html {
  const { word, compares } = SIDE_WORDS[side];
  return html`<div class="card sides">
<table role="table">
<caption>${word} · ${given(currency)}</caption>
<thead role="rowgroup">${row('col', 'Amount', ['Ledger', 'Statements', 'Difference'])}</thead>
<tbody role="rowgroup">
${PART_NAMES.map((part) => partRow(part, ledger[part], statement[part]))}</tbody>
<tfoot role="rowgroup">
${row('row', 'Sum', amounts(partSum(ledger), partSum(statement)), 'rule')}${row('row', 'Total', amounts(ledger.total, statement.total))}${row('row', 'Check', [checkSide(ledger), checkSide(statement), ''])}${row('row', 'Count', [entries(ledger.count), count(statement.count, 'line'), ''], 'light')}</tfoot>
</table>
<p class="note">${compares}</p>
</div>
`;
}

function partRow(part: PartName, ledger: string, statement: string): Html {
  const none = isZero(ledger) && isZero(statement);
  return row('row', partMark(part), amounts(ledger, statement), none ? 'none' : undefined);
}

function row(scope: 'row' | 'col', name: Part, cells: readonly Part[], look?: string): Html {
  const cell = (part: Part) =>
    scope === 'col'
      ? html`<th scope="col" role="columnheader" class="number">${part}</th>`
      : html`<td role="cell" class="number">${part}</td>`;
  const role = scope === 'col' ? 'columnheader' : 'rowheader';
  return html`<tr role="row"${look === undefined ? '' : html` class="${look}"`}><th scope="${scope}" role="${role}">${name}</th>${cells.map(cell)}</tr>
`;
}

function amounts(ledger: string, statement: string): readonly Part[] {
  return [grouped(ledger), grouped(statement), grouped(difference(statement, ledger))];
}

function checkSide(side: SideTotals): Html {
  const found = partSum(side);
  return check(isEqual(found, side.total), `differs by ${grouped(difference(found, side.total))}`);
}

function entries(number: number): string {
  return `${grouped(number)} ${number === 1 ? 'entry' : 'entries'}`;
}
