/**
 * What a clock on the wall shows in a time zone. A wall time is a number: the epoch milliseconds at which a clock in
 * UTC shows the same, so that days can be added to it without a thought of summer time.
 */
import { getOrSet } from './get-or-set.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The wall time at a moment.
 * @param at epoch milliseconds
 * @param timeZone name of the IANA database
 */
export function wallOf(at: number, timeZone: string): number {
  const format = getOrSet(
    formats,
    timeZone,
    () => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  );
  // Sweden writes `2026-11-20 12:00:00`; offsets are whole seconds, so the fraction is the moment's own.
  const fraction = ((at % 1000) + 1000) % 1000;
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) + fraction;
}

/**
 * The moment at which the wall shows this: the first one where clocks went back and show it twice; where they went
 * forward over it, as much later as they went forward.
 * @returns epoch milliseconds
 */
export function momentOf(wall: number, timeZone: string): number {
  const before = wall - offsetAt(wall - DAY_MS, timeZone);
  if (wallOf(before, timeZone) === wall) return before;
  const after = wall - offsetAt(wall + DAY_MS, timeZone);
  return wallOf(after, timeZone) === wall ? after : before;
}

/** What the wall is ahead of UTC, milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  return wallOf(at, timeZone) - at;
}
