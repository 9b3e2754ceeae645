/** Tables of the page: they scroll when too wide, repeat their head on paper, and stack their cells on a telephone. */
import { grouped } from './decimal.ts';
import { type Html, html, type Part } from './template.ts';

export interface Column {
  readonly title: string;
  /**
   * How its cells look: `number` to the right, `id` with room for one, `text` with whatever room is left; on a
   * telephone `short` ones share a line and need no title.
   */
  readonly look: 'number' | 'id' | 'text' | 'short' | 'plain';
}

/**
 * A table with its caption as its name; the first cell of each row names the row. The roles say again what the elements
 * mean, because stacked cells would lose it.
 */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(({ title, look }) => html`<th scope="col" role="columnheader" class="${look}">${title}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.map((cells) => html`<tr role="row">${cells.map((cell, at) => tableCell(cell, columns[at]!, at === 0))}</tr>\n`)}</tbody>
</table>
</div>
`;
}

/** Rows of a long table that are seen at once. */
const MOST_ROWS = 50;

/**
 * A table that may be long: the first rows, and the others behind a line that opens them, so that what follows stays
 * within reach. Search finds them unopened, and paper has them all.
 */
export function longTable(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Part[])[],
): Html {
  const first = table(caption, columns, rows.slice(0, MOST_ROWS));
  const others = rows.slice(MOST_ROWS);
  if (others.length === 0) return first;
  return html`${first}<details class="others">
<summary>Show ${grouped(others.length)} more</summary>
${table(`${caption}, continued`, columns, others)}</details>
`;
}

function tableCell(cell: Part, { title, look }: Column, first: boolean): Html {
  const label = look === 'short' || look === 'text' ? '' : html` data-label="${title}"`;
  return first
    ? html`<th scope="row" role="rowheader" class="${look}"${label}>${cell}</th>`
    : html`<td role="cell" class="${look}"${label}>${cell}</td>`;
}
