/** Horizontal bars. */
import type { EChartsCoreOption } from 'echarts/core';
import { visible } from '../visible.ts';
import { fill, type Paint } from './colours.ts';
import { grouped } from './decimal.ts';
import { BAR, CHARACTER, drawChart, nameAxis, nameStep, roomFor, STEP, TEXT } from './drawing.ts';

/** A chart of horizontal bars, stacked where there are several series. */
export interface Bars {
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  /** `percent`: from 0 to 100 %. `lines`: as far as they need. */
  readonly scale: 'percent' | 'lines';
  /** What becomes of names that are too long; `truncate` unless told. */
  readonly names?: 'truncate' | 'break';
}

export interface Series {
  readonly bars: readonly Bar[];
  /** `inside` for stacked bars, where there is room; `right` for single ones. */
  readonly texts: 'inside' | 'right';
}

/** A value, what is written with the sign of what it stands for on or beside its bar, and its colour. */
export interface Bar {
  readonly value: number;
  readonly text: string;
  readonly sign: string;
  readonly paint: Paint;
}

/** The axis below, in CSS pixels. */
const AXIS = 30;

/**
 * Draws the bars.
 * @param id makes the names inside the SVG unique on the page
 * @param width in CSS pixels; the text keeps its size, so narrow screens get a drawing of their own
 */
export function drawBars(bars: Bars, id: string, width: number): Promise<string> {
  const { categories, names } = bars;
  const step = names === 'break' ? nameStep(categories, roomFor(categories, width)) : STEP;
  const height = categories.length * step + AXIS;
  return drawChart(['bars', bars], { id, width, height }, () => optionOf(bars, width));
}

function optionOf({ categories, series, scale, names = 'truncate' }: Bars, width: number): EChartsCoreOption {
  const left = roomFor(categories, width);
  const longest = Math.max(...series.flatMap(({ bars }) => bars.map((bar) => bar.text.length)));
  const right = scale === 'percent' ? 5 * CHARACTER : (longest + 3) * CHARACTER;
  const whole = scale === 'percent' ? 100 : endOf(series);
  const written = ({ value, text: words, sign }: Bar, texts: Series['texts']) => {
    const room = texts === 'right' ? Infinity : ((value / whole) * (width - left - right)) / CHARACTER;
    if (room > words.length + 3) return `${words} ${sign}`;
    return room > 2 ? sign : '';
  };
  return {
    animation: false,
    grid: { left, right, top: 2, bottom: AXIS - 4, outerBoundsMode: 'none' },
    xAxis: {
      type: 'value',
      ...(scale === 'percent' ? { max: 100, interval: 25 } : { minInterval: 1, splitNumber: 4 }),
      axisLabel: { ...TEXT, formatter: scale === 'percent' ? '{value} %' : grouped, hideOverlap: true },
      splitLine: { lineStyle: { color: '#dfe3e8' } },
    },
    yAxis: nameAxis(categories.map(visible), left, names),
    series: series.map(({ bars, texts }) => ({
      type: 'bar',
      silent: true,
      barWidth: BAR,
      ...(texts === 'inside' ? { stack: 'all' } : {}),
      label: { show: true, position: texts, ...TEXT, ...(texts === 'inside' ? { color: '#fff' } : {}) },
      data: bars.map((bar) => ({
        value: bar.value,
        itemStyle: fill(bar.paint),
        label: { formatter: written(bar, texts) },
      })),
    })),
  };
}

/** Where the axis ends at the furthest: a little beyond the longest of the stacked bars. */
function endOf(series: readonly Series[]): number {
  const ends = series[0]?.bars.map((_, at) => series.reduce((end, { bars }) => end + bars[at]!.value, 0));
  return 1.25 * Math.max(1, ...(ends ?? []));
}
