/** The days that a report is about. What is found never depends on them; only what is told. */
import { dayAfter } from '../core/break.ts';
import { startOfDay } from '../core/calendar.ts';

export interface Period {
  /** Days, `YYYY-MM-DD`, both inclusive; the ends of time where nobody asked. */
  readonly from: string;
  readonly to: string;
  /** The same in epoch milliseconds, the end exclusive. */
  readonly fromAt: number;
  readonly untilAt: number;
}

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

export function periodOf(from: string | undefined, to: string | undefined, timeZone: string): Period {
  return {
    from: from ?? FIRST_DAY,
    to: to ?? LAST_DAY,
    fromAt: from === undefined ? Number.NEGATIVE_INFINITY : startOfDay(from, timeZone),
    untilAt: to === undefined ? Number.POSITIVE_INFINITY : startOfDay(dayAfter(to, 1), timeZone),
  };
}

export function hasMoment({ fromAt, untilAt }: Period, at: number): boolean {
  return at >= fromAt && at < untilAt;
}

/** A movement whose day nobody says belongs to every period. */
export function hasDay({ from, to }: Period, day: string): boolean {
  return day === '' || (day >= from && day <= to);
}
