/** What merchants are told of, and how often it is tried. Engine decisions, "Notifications". */
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
