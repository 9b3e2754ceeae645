/** A drawing on the page: for wide and narrow screens, with the same in words, and what its colours stand for. */
import { type Bars, drawBars } from './bars.ts';
import { NARROW, WIDE } from './drawing.ts';
import { type Html, html, type Part, raw } from './template.ts';

export interface Figure {
  /** Unique on the page. */
  readonly id: string;
  readonly title: Part;
  /** The figures in words, for those who do not see the drawing. */
  readonly words: string;
  /** The SVG for a width in CSS pixels. */
  readonly draw: (id: string, width: number) => Promise<string>;
  /** Labels of what its colours stand for. */
  readonly legend: readonly Html[];
  readonly note?: Part;
}

export async function figure({ id, title, words, draw, legend, note = '' }: Figure): Promise<Html> {
  const wide = await draw(`${id}w`, WIDE);
  const narrow = await draw(`${id}n`, NARROW);
  return html`<figure aria-labelledby="${id}">
<figcaption id="${id}">${title}</figcaption>
<div role="img" aria-label="${words}">
<div class="drawing wide">${raw(wide)}</div>
<div class="drawing narrow">${raw(narrow)}</div>
</div>
<p class="legend">${legend.map((label) => html`${label} `)}</p>
${note}</figure>
`;
}

/** A figure of horizontal bars; nothing where there is no bar. */
export async function barFigure(bars: Bars, about: Omit<Figure, 'draw'>): Promise<Html | undefined> {
  if (bars.categories.length === 0) return undefined;
  return figure({ ...about, draw: (id, width) => drawBars(bars, id, width) });
}
