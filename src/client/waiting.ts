/** How long to wait before a request is sent again. F59, F60 */

/** What is not the same in two runs. */
export interface Timing {
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * A growing and capped wait of which chance takes up to half, so that many senders do not come back at once.
 * @param attempt from 1: the one that has failed
 */
export function backoff(attempt: number, random: () => number): number {
  const whole = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Math.round(whole * (0.5 + random() / 2));
}

/**
 * The header `Retry-After`: seconds, or a date.
 * @param now epoch milliseconds
 * @returns milliseconds from now; undefined for anything else
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
