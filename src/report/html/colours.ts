/** The colours of labels and drawings, by the outcomes that they were chosen for; other things borrow them. */
import type { Outcome } from '../../core/outcome.ts';

export type Paint = Outcome;

/** The light colours; style.ts knows them by these values and changes them for dark screens. */
export const COLOURS: Readonly<Record<Paint, string>> = {
  succeeded: '#2a7d53',
  pending: '#2f6fb5',
  refused: '#b3261e',
  invalid: '#d9822b',
  duplicate: '#5f6b7a',
  unknown: '#7a3fc0',
  not_sent: '#98a2b0',
};

/** Patterns over some of the colours, so that they differ in greyscale too. */
const PATTERNS: Readonly<Partial<Record<Paint, object>>> = {
  pending: stripes(Math.PI / 2, 6),
  refused: stripes(Math.PI / 4, 4),
  invalid: stripes(-Math.PI / 4, 6),
  unknown: stripes(0, 4),
  not_sent: stripes(Math.PI / 4, 9),
};

/** How echarts fills a bar. */
export function fill(paint: Paint): object {
  return { color: COLOURS[paint], ...PATTERNS[paint] };
}

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
