/** Whole requests that are refused: with which status, and what the answer says. Contract, "HTTP". */
import { CODES, type Code, hintOf, type Reason } from '../core/code.ts';
import type { JsonFields } from '../wire/canonical.ts';
import { MOST_REASONS } from '../wire/messages/refused.ts';
import { verdict } from '../wire/messages/values.ts';

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503;

/** A class of its own, because a message may have any fields and must never pass for a refusal. */
export class Refusal {
  readonly status: RefusalStatus;
  /** The first names the answer. */
  readonly reasons: readonly [Reason, ...Reason[]];
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | undefined;

  constructor(
    status: RefusalStatus,
    reasons: readonly [Reason, ...Reason[]],
    retryAfter: number | undefined,
  ) {
    this.status = status;
    this.reasons = reasons;
    this.retryAfter = retryAfter;
  }
}

/** The status that a code means for a whole request; 400 for every other. */
const STATUS: Readonly<Partial<Record<Code, RefusalStatus>>> = {
  I0013: 401,
  I0061: 409,
  I0062: 409,
  V0015: 409,
  E0001: 500,
  E0002: 503,
  E0003: 500,
};

/** Seconds that a client should wait. */
const RETRY_AFTER: Readonly<Partial<Record<Code, number>>> = { I0062: 1, E0002: 5 };

/** @param reasons at least one; the first decides the status */
export function refusal(...reasons: readonly Reason[]): Refusal {
  const [first, ...others] = reasons;
  if (first === undefined) throw new Error('a refusal without a reason');
  const told = others.slice(0, MOST_REASONS - 1);
  return new Refusal(STATUS[first.code] ?? 400, [first, ...told], RETRY_AFTER[first.code]);
}

/** A refusal whose status says more than its code. */
export function refusalWith(status: RefusalStatus, why: Reason, retryAfter?: number): Refusal {
  return new Refusal(status, [why], retryAfter);
}

/** The fields of the answer, but for its signature. */
export function refusalFields(
  { reasons }: Refusal,
  ids: { readonly merchantId: string; readonly accountId: string },
  requestId: string,
): JsonFields {
  return {
    merchant_id: ids.merchantId,
    account_id: ids.accountId,
    return_status: '0',
    return_message: verdict(reasons[0]),
    request_id: requestId,
    errors: reasons.map((why) => ({
      path: String(why.column ?? ''),
      code: why.code,
      message: why.message,
      hint: hintOf(why),
      retry: CODES[why.code].retry,
    })),
  };
}
