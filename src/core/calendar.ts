/** Days as an account counts them: in its own time zone. */
import { getOrSet } from './get-or-set.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Zones lie at most this far from UTC. */
const FARTHEST_MS = 14 * 60 * 60 * 1000;

/** Offsets of zones are whole quarters of an hour. */
const QUARTER_MS = 15 * 60 * 1000;

/**
 * The day at a moment, YYYY-MM-DD.
 * @param at epoch milliseconds
 * @param timeZone name of the IANA database
 */
export function dayOf(at: number, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return getOrSet(formats, timeZone, () => new Intl.DateTimeFormat('sv-SE', { timeZone })).format(at);
}

/** The moment at which a day (YYYY-MM-DD) begins, epoch milliseconds. */
export function startOfDay(day: string, timeZone: string): number {
  let at = Date.parse(day) - FARTHEST_MS;
  while (dayOf(at, timeZone) < day) at += QUARTER_MS;
  return at;
}
