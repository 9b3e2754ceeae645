/**
 * The terms of a subscription and its calendar: when each of its charges is due. Pure: the message of an order in,
 * terms or a reason out. Engine decisions, "Subscriptions"; what the specification does not show is this project's choice.
 *
 * Charge 1 is the first payment, whenever it is made. Charge n is due n − 1 intervals after the start, counted from the
 * start itself and not from the charge before, so that 31 January is followed by 28 February and then by 31 March.
 */
import { dayOf, startOfDay } from './calendar.ts';
import { type Reason, reason } from './code.ts';
import type { SubscriptionMessage } from './payment-message.ts';
import { day } from './text.ts';
import { momentOf, wallOf } from './wall-time.ts';

export type Interval = SubscriptionMessage['interval'];

/** What shopper and merchant have agreed on; it never changes. Times in epoch milliseconds. */
export interface Terms {
  readonly name: string;
  readonly interval: Interval;
  /** Intervals from one charge to the next. */
  readonly intervalCount: number;
  /** Charges in all, the first payment among them; 0: until somebody ends it. */
  readonly cycles: number;
  /** Charges up to this number cost nothing, but for the first payment, which the order itself asks for. */
  readonly freeCycles: number;
  /** The account's zone when the contract was made: its days count in it for ever. */
  readonly timeZone: string;
  /** Start of the calendar. */
  readonly start: number;
  /** Intervals of the calendar that were over before the first payment, which are never charged. */
  readonly skipped: number;
  /** Nothing that is due after this is charged. */
  readonly end: number | undefined;
}

/** After this the calendar ends: years have four digits. */
const LAST_WALL = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the terms that an order asks for.
 * @param orderNo the contract's name, where the message has none
 * @param openedAt moment of the first payment
 * @param timeZone the account's
 * @returns the terms, or I0002 naming the field that cannot be
 */
export function readTerms(
  message: SubscriptionMessage,
  orderNo: string,
  openedAt: number,
  timeZone: string,
): Terms | Reason {
  const { billing_cycle: cycles = 0, promotion_cycle: freeCycles = 0 } = message;
  if (cycles < 0) return malformed('billing_cycle', 'a number of charges from 0 on');
  if (freeCycles < 0) return malformed('promotion_cycle', 'a number of charges from 0 on');
  if (cycles > 0 && freeCycles > cycles) return malformed('promotion_cycle', 'at most billing_cycle');
  const start = readTime(message.contract_start, timeZone, startOfDay) ?? openedAt;
  if (Number.isNaN(start)) return malformed('contract_start', TIME_SHAPE);
  const end = readTime(message.contract_end, timeZone, endOfDay);
  if (Number.isNaN(end)) return malformed('contract_end', TIME_SHAPE);
  if (end !== undefined && end < start) return malformed('contract_end', 'after contract_start');
  const calendar: Calendar = {
    interval: message.interval,
    intervalCount: Number(message.interval_count ?? '1'),
    timeZone,
    start,
  };
  return {
    ...calendar,
    name: message.contract_name ?? message.contract ?? orderNo,
    cycles,
    freeCycles,
    skipped: stepsOver(calendar, openedAt),
    end,
  };
}

/**
 * Why an order cannot begin a subscription, or undefined: asked before anything is paid.
 * @param isApm it is not paid by card
 * @param now epoch milliseconds
 */
export function subscriptionFault(
  message: SubscriptionMessage,
  isApm: boolean,
  now: number,
  timeZone: string,
): Reason | undefined {
  if (isApm) {
    return reason('I0002', 'subscription: only a card can be charged again', { column: 'subscription' });
  }
  const terms = readTerms(message, '', now, timeZone);
  return 'code' in terms ? terms : undefined;
}

/**
 * When a charge is due, epoch milliseconds; undefined where the calendar ends.
 * @param cycle the charge's number; 1 is the first payment
 */
export function dueOf(terms: Terms, cycle: number): number | undefined {
  return step(terms, terms.skipped + cycle - 1);
}

/** `recurring_deduction_period`: the two fields of the order beside one another, such as `3 month`. */
export function periodOf({ interval, intervalCount }: Terms): string {
  return `${intervalCount} ${interval}`;
}

type Calendar = Pick<Terms, 'interval' | 'intervalCount' | 'timeZone' | 'start'>;

/** The moment so many intervals after the start. */
function step({ interval, intervalCount, timeZone, start }: Calendar, steps: number): number | undefined {
  const wall = later(wallOf(start, timeZone), interval, steps * intervalCount);
  return wall <= LAST_WALL ? momentOf(wall, timeZone) : undefined;
}

/** A wall time moved on by whole intervals; NaN where numbers end. */
function later(wall: number, interval: Interval, count: number): number {
  switch (interval) {
    case 'day':
      return wall + count * DAY_MS;
    case 'week':
      return wall + count * 7 * DAY_MS;
    case 'month':
      return monthsLater(wall, count);
    case 'year':
      return monthsLater(wall, count * 12);
  }
}

/** Days that a month does not have become its last one. */
function monthsLater(wall: number, months: number): number {
  const date = new Date(wall);
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const timeOfDay = wall - Date.UTC(year, month, dayOfMonth);
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return Date.UTC(year, month + months, Math.min(dayOfMonth, lastDay)) + timeOfDay;
}

/** How many intervals are over at a moment: the greatest number of steps that does not lead beyond it, or 0. */
function stepsOver(calendar: Calendar, at: number): number {
  const isOver = (steps: number) => (step(calendar, steps) ?? Number.POSITIVE_INFINITY) <= at;
  let [over, open] = [0, 1];
  while (isOver(open)) [over, open] = [open, open * 2];
  while (open - over > 1) {
    const middle = Math.floor((over + open) / 2);
    if (isOver(middle)) over = middle;
    else open = middle;
  }
  return over;
}

const TIME_SHAPE = 'a day as 2026-11-20, or a time as 2026-11-20T08:02:03Z';

/** Before 1970 there are no epoch milliseconds to speak of, and no payment. */
const TIME = /^(?:19[7-9]\d|[2-9]\d{3})-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2}))?$/;

/**
 * A time of the message: a moment, or a day in the account's zone.
 * @param ofDay which moment of a day is meant
 * @returns epoch milliseconds; NaN when it is neither
 */
function readTime(
  text: string | undefined,
  timeZone: string,
  ofDay: (day: string, timeZone: string) => number,
): number | undefined {
  if (text === undefined) return undefined;
  if (!TIME.test(text) || !day.safeParse(text.slice(0, 10)).success) return Number.NaN;
  return text.length === 10 ? ofDay(text, timeZone) : Date.parse(text);
}

/** The last millisecond of a day. */
function endOfDay(day: string, timeZone: string): number {
  return startOfDay(dayOf(Date.parse(day) + DAY_MS, 'UTC'), timeZone) - 1;
}

function malformed(field: keyof SubscriptionMessage, expected: string): Reason {
  return reason('I0002', `subscription.${field}: expected ${expected}`, { column: `subscription.${field}` });
}
