/** Charts as SVG, by echarts. Static: no script, no animation, the same bytes whatever was drawn before. */
import type { EChartsCoreOption } from 'echarts/core';

/** Widths the drawings are made for, in CSS pixels: the page's column, and a telephone. Text keeps its size in both. */
export const WIDE = 530;
export const NARROW = 320;

/** Sizes in CSS pixels: a bar, the step from one to the next, and a character of the text. */
export const BAR = 20;
export const STEP = 34;
export const CHARACTER = 8;

export const TEXT = { fontSize: 13, fontFamily: 'inherit', color: '#444c56' };

/** The axis that names the bars, from top to bottom; names that are too long are cut, or broken into lines. */
export function nameAxis(names: readonly string[], left: number, overflow: 'truncate' | 'break'): object {
  return {
    type: 'category',
    inverse: true,
    data: overflow === 'break' ? names.map(clipped) : names,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: '#8a94a1' } },
    axisLabel: { ...TEXT, width: left - 10, overflow },
  };
}

/** Room for the names, at most two fifths of the width. */
export function roomFor(names: readonly string[], width: number): number {
  return Math.min(width * 0.4, 2 * CHARACTER + CHARACTER * Math.max(...names.map((name) => name.length)));
}

/** The step between bars whose names are broken into lines: as high as the longest needs. */
export function nameStep(names: readonly string[], left: number): number {
  const longest = CHARACTER * Math.max(...names.map((name) => clipped(name).length));
  return Math.max(STEP, Math.ceil(longest / (left - 10)) * LINE + 4);
}

/** Height of a line of text, in CSS pixels. */
export const LINE = 16;

/** Longer names are in the table only. */
const MOST_CHARACTERS = 48;

function clipped(name: string): string {
  return name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS - 1)}…` : name;
}

export interface Canvas {
  /** Makes the names inside the SVG unique on the page. */
  readonly id: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a chart.
 * @param key says everything that the option depends on besides the canvas, as JSON can
 */
export async function drawChart(
  key: unknown,
  canvas: Canvas,
  option: () => EChartsCoreOption,
): Promise<string> {
  const name = JSON.stringify([key, canvas]);
  const drawn = DRAWN.get(name) ?? (await draw(canvas, option()));
  // The newest are kept: whoever executes many small files draws the same few charts again and again.
  DRAWN.delete(name);
  DRAWN.set(name, drawn);
  if (DRAWN.size > MOST_KEPT) DRAWN.delete(DRAWN.keys().next().value!);
  return drawn;
}

const DRAWN = new Map<string, string>();

/** Charts that are kept, a few kilobytes each. */
const MOST_KEPT = 100;

async function draw({ id, width, height }: Canvas, option: EChartsCoreOption): Promise<string> {
  const { init } = await loadEcharts();
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    return tidy(chart.renderToSVGString({ useViewBox: true }), id);
  } finally {
    chart.dispose();
  }
}

async function loadEcharts() {
  const [core, { BarChart }, { GridComponent }, { SVGRenderer }] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  core.use([BarChart, GridComponent, SVGRenderer]);
  return core;
}

/** Only what draws: no style sheet for pointers, no namespaces (HTML has them), names that do not count up per process. */
function tidy(svg: string, id: string): string {
  return svg
    .replace(/<style[^>]*>.*?<\/style>/gs, '')
    .replace(
      / (?:class|ecmeta_\w+|pointer-events|xmlns(?::xlink)?|version|baseProfile|xml:space)="[^"]*"/g,
      '',
    )
    .replace(/( id="|url\(#)zr\d+-/g, `$1${id}-`)
    .replace(/^<svg width="\d+" height="\d+"/, '<svg aria-hidden="true" focusable="false"')
    .replace(/\n+/g, '\n')
    .trim();
}
