/** What merchants are told of, how often it is tried, and what an answer means. Engine decisions, "Notifications". */
import type { TransferKind } from './transfer.ts';

export const EVENT_KINDS = [
  'payment.result',
  'payment.status_changed',
  'capture',
  'cancel',
  'review',
  'refund',
  'payout.status',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** The event that tells of a transfer; a transfer that is not here changes nothing that a merchant could act on. */
export const EVENT_OF_TRANSFER: Readonly<Partial<Record<TransferKind, EventKind>>> = {
  authorise: 'payment.result',
  hold_for_review: 'payment.result',
  decline: 'payment.result',
  leave: 'payment.result',
  expire: 'payment.status_changed',
  lapse: 'payment.status_changed',
  capture: 'capture',
  cancel: 'cancel',
  review_accepted: 'review',
  review_rejected: 'review',
  refund: 'refund',
};

/** `dead`: tries are used up, or its address wants nothing any more; a person may have it sent again. */
export const EVENT_STATES = ['waiting', 'delivered', 'dead'] as const;

export type EventState = (typeof EVENT_STATES)[number];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long each try waits after the one before, milliseconds: ten tries over about three days. */
export const TRY_AFTER: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A wait grows by up to this part of itself, so that what failed together does not come back together. */
const JITTER = 0.1;

/** What became of one try. `gone`: the address wants nothing any more. `hopeless`: it can never become better. */
export type TryResult = 'delivered' | 'failed' | 'gone' | 'hopeless';

/** What a status says of the try: 2xx is delivered, 410 turns the address off, redirections are not followed. */
export function resultOfStatus(status: number): TryResult {
  if (status >= 200 && status < 300) return 'delivered';
  return status === 410 ? 'gone' : 'failed';
}

/** An event after a try. */
export interface Standing {
  readonly state: EventState;
  /** When it is tried next, epoch milliseconds; undefined when it is not. */
  readonly dueAt: number | undefined;
}

/**
 * Where an event stands after a try.
 * @param tries with this one
 * @param now epoch milliseconds of its end
 * @param chance from 0 to 1
 */
export function standingAfter(result: TryResult, tries: number, now: number, chance: number): Standing {
  if (result === 'delivered') return { state: 'delivered', dueAt: undefined };
  const wait = result === 'failed' ? TRY_AFTER[tries] : undefined;
  if (wait === undefined) return { state: 'dead', dueAt: undefined };
  return { state: 'waiting', dueAt: now + wait + Math.floor(wait * JITTER * chance) };
}
