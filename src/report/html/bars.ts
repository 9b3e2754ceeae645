/** Horizontal bars as SVG, by echarts. Static: no script, no animation, the same bytes whatever was drawn before. */
import type { EChartsCoreOption } from 'echarts/core';
import type { Outcome } from '../../core/outcome.ts';
import { visible } from '../visible.ts';
import { grouped } from './decimal.ts';
import { LOOKS } from './outcome-look.ts';

/** A chart of horizontal bars, stacked where there are several series. */
export interface Bars {
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  /** `percent`: from 0 to 100 %. `lines`: as far as they need. */
  readonly scale: 'percent' | 'lines';
}

export interface Series {
  readonly bars: readonly Bar[];
  /** `inside` for stacked bars, where there is room; `right` for single ones. */
  readonly texts: 'inside' | 'right';
}

/** A value, what is written with the sign of its outcome on or beside its bar, and the outcome that colours it. */
export interface Bar {
  readonly value: number;
  readonly text: string;
  readonly outcome: Outcome;
}

/** The light colours; style.ts knows them by these values and changes them for dark screens. */
export const COLOURS: Readonly<Record<Outcome, string>> = {
  succeeded: '#2a7d53',
  pending: '#2f6fb5',
  refused: '#b3261e',
  invalid: '#d9822b',
  duplicate: '#5f6b7a',
  unknown: '#7a3fc0',
  not_sent: '#98a2b0',
};

/** Patterns over some of the colours, so that outcomes differ in greyscale too. */
const PATTERNS: Readonly<Partial<Record<Outcome, object>>> = {
  pending: stripes(Math.PI / 2, 6),
  refused: stripes(Math.PI / 4, 4),
  invalid: stripes(-Math.PI / 4, 6),
  unknown: stripes(0, 4),
  not_sent: stripes(Math.PI / 4, 9),
};

function stripes(rotation: number, gap: number): object {
  const decal = {
    symbol: 'rect',
    rotation,
    color: 'rgba(255,255,255,0.3)',
    dashArrayX: [1, 0],
    dashArrayY: [2, gap],
    symbolSize: 1,
  };
  return { decal };
}

/** Sizes in CSS pixels. */
const BAR = 20;
const STEP = 34;
const AXIS = 30;
const CHARACTER = 8;

/**
 * Draws the bars.
 * @param id makes the names inside the SVG unique on the page
 * @param width in CSS pixels; the text keeps its size, so narrow screens get a drawing of their own
 */
export async function drawBars(bars: Bars, id: string, width: number): Promise<string> {
  const key = JSON.stringify([bars, id, width]);
  const drawn = DRAWN.get(key) ?? (await draw(bars, id, width));
  // The newest are kept: whoever executes many small files draws the same few charts again and again.
  DRAWN.delete(key);
  DRAWN.set(key, drawn);
  if (DRAWN.size > MOST_KEPT) DRAWN.delete(DRAWN.keys().next().value!);
  return drawn;
}

const DRAWN = new Map<string, string>();

/** Charts that are kept, a few kilobytes each. */
const MOST_KEPT = 100;

async function draw(bars: Bars, id: string, width: number): Promise<string> {
  const { init } = await loadEcharts();
  const height = bars.categories.length * STEP + AXIS;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(optionOf(bars, width));
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

function optionOf({ categories, series, scale }: Bars, width: number): EChartsCoreOption {
  const text = { fontSize: 13, fontFamily: 'inherit', color: '#444c56' };
  const left = Math.min(
    width * 0.4,
    2 * CHARACTER + CHARACTER * Math.max(...categories.map((name) => name.length)),
  );
  const longest = Math.max(...series.flatMap(({ bars }) => bars.map((bar) => bar.text.length)));
  const right = scale === 'percent' ? 5 * CHARACTER : (longest + 3) * CHARACTER;
  const written = ({ value, text: words, outcome }: Bar, texts: Series['texts']) => {
    const { sign } = LOOKS[outcome];
    const room = texts === 'right' ? Infinity : ((value / 100) * (width - left - right)) / CHARACTER;
    if (room > words.length + 3) return `${words} ${sign}`;
    return room > 2 ? sign : '';
  };
  return {
    animation: false,
    grid: { left, right, top: 2, bottom: AXIS - 4, outerBoundsMode: 'none' },
    xAxis: {
      type: 'value',
      ...(scale === 'percent' ? { max: 100, interval: 25 } : { minInterval: 1, splitNumber: 4 }),
      axisLabel: { ...text, formatter: scale === 'percent' ? '{value} %' : grouped, hideOverlap: true },
      splitLine: { lineStyle: { color: '#dfe3e8' } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: categories.map(visible),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: '#8a94a1' } },
      axisLabel: { ...text, width: left - 10, overflow: 'truncate' },
    },
    series: series.map(({ bars, texts }) => ({
      type: 'bar',
      silent: true,
      barWidth: BAR,
      ...(texts === 'inside' ? { stack: 'all' } : {}),
      label: { show: true, position: texts, ...text, ...(texts === 'inside' ? { color: '#fff' } : {}) },
      data: bars.map((bar) => ({
        value: bar.value,
        itemStyle: { color: COLOURS[bar.outcome], ...PATTERNS[bar.outcome] },
        label: { formatter: written(bar, texts) },
      })),
    })),
  };
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
