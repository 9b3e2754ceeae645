/** A waterfall: bars that begin where the one before ends, on transparent ones. */
import type { EChartsCoreOption } from 'echarts/core';
import { fill, type Paint } from '../html/colours.ts';
import { absolute, basisPoints, grouped, isNegative, larger, signed } from '../html/decimal.ts';
import {
  BAR,
  CHARACTER,
  drawChart,
  LINE,
  NARROW,
  nameAxis,
  nameStep,
  roomFor,
  STEP,
  TEXT,
} from '../html/drawing.ts';
import { visible } from '../visible.ts';
import type { WaterfallStep } from './document.ts';
import type { RunningStep } from './proofs.ts';

/** What is added, what is taken off, and sums. */
export const PAINTS = { up: 'succeeded', down: 'invalid', sum: 'duplicate' } as const satisfies Record<
  string,
  Paint
>;

export function paintOf({ is, amount }: WaterfallStep): keyof typeof PAINTS {
  if (is === 'sum') return 'sum';
  return isNegative(amount) ? 'down' : 'up';
}

/** The amount of a step as it is written beside its bar. */
export function stepText({ is, amount }: WaterfallStep): string {
  return is === 'sum' ? `= ${grouped(amount)}` : signed(amount);
}

/**
 * Draws the steps.
 * @param id makes the names inside the SVG unique on the page
 * @param width in CSS pixels; on a narrow one names stand above their bars
 */
export function drawWaterfall(steps: readonly RunningStep[], id: string, width: number): Promise<string> {
  const names = steps.map(({ step }) => visible(step.name));
  const above = width <= NARROW;
  const left = above ? EDGE : roomFor(names, width);
  const step = above ? STEP + LINE : nameStep(names, left);
  const height = steps.length * step + 2 * EDGE;
  return drawChart(['waterfall', steps], { id, width, height }, () => ({
    ...optionOf(steps, left),
    yAxis: above ? axisAbove(names, width) : nameAxis(names, left, 'break'),
  }));
}

/** Around the drawing, in CSS pixels. */
const EDGE = 4;

/** What echarts takes for no bar. */
const NONE = '-';

/** Names above the bars. */
function axisAbove(names: readonly string[], width: number): object {
  const axis = nameAxis(names, 0, 'truncate');
  const place = { inside: true, margin: 0, verticalAlign: 'bottom', padding: [0, 0, BAR / 2 + 3, 4] };
  return { ...axis, axisLabel: { ...TEXT, ...place, width: width - 2 * EDGE, overflow: 'truncate' } };
}

function optionOf(steps: readonly RunningStep[], left: number): EChartsCoreOption {
  const texts = steps.map(({ step }) => stepText(step));
  const spans = spansOf(steps);
  const right = (Math.max(...texts.map((text) => text.length)) + 1) * CHARACTER;
  const bar = { type: 'bar', silent: true, barWidth: BAR, barGap: '-100%' };
  const coloured = (of: (span: Span) => number) => ({
    ...bar,
    stack: 'steps',
    barMinHeight: 1,
    data: spans.map((span, at) => ({
      value: of(span) === 0 ? NONE : of(span),
      itemStyle: fill(PAINTS[paintOf(steps[at]!.step)]),
    })),
  });
  const unseen = { itemStyle: { color: 'transparent' } };
  return {
    animation: false,
    grid: { left, right, top: EDGE, bottom: EDGE, outerBoundsMode: 'none' },
    xAxis: {
      type: 'value',
      show: false,
      min: Math.min(0, ...spans.map(({ low }) => low)),
      max: Math.max(0, ...spans.map(({ high }) => high)),
    },
    series: [
      { ...bar, ...unseen, stack: 'steps', data: spans.map((span) => baseOf(span) || NONE) },
      coloured(({ low, high }) => Math.max(high, 0) - Math.max(low, 0)),
      coloured(({ low, high }) => Math.min(low, 0) - Math.min(high, 0)),
      // What is written stands right of where the bar ends, or of zero.
      {
        ...bar,
        ...unseen,
        label: { show: true, position: 'right', ...TEXT },
        data: spans.map(({ high }, at) => ({ value: Math.max(high, 0), label: { formatter: texts[at]! } })),
      },
    ],
  };
}

/** From where to where a bar goes, in per cent of the longest way from zero. */
interface Span {
  readonly low: number;
  readonly high: number;
}

function spansOf(steps: readonly RunningStep[]): readonly Span[] {
  const ends = steps.map(({ step, before, after }) =>
    step.is === 'sum' ? (['0', step.amount] as const) : ([before, after] as const),
  );
  const furthest = ends.flat().map(absolute).reduce(larger, '0');
  return ends.map((pair) => {
    const [a, b] = pair.map((end) => basisPoints(end, furthest) / 100) as [number, number];
    return { low: Math.min(a, b), high: Math.max(a, b) };
  });
}

/** The transparent bar under one that begins beside zero. */
function baseOf({ low, high }: Span): number {
  if (low >= 0) return low;
  return high <= 0 ? high : 0;
}
