/** How many requests an account may send. In the memory of this process: a restart forgets. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { reason } from '../core/code.ts';
import type { Merchant } from './ports.ts';
import { type Refusal, refusalWith } from './refusal.ts';

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts a request of the account; refuses the one that is too many. */
export type CountRequest = (merchant: Merchant) => Promise<Refusal | undefined>;

export function requestCounter(limit: RateLimit | undefined): CountRequest {
  if (limit === undefined) return async () => undefined;
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.seconds });
  return async ({ accountNumber }) => {
    try {
      await limiter.consume(accountNumber);
      return undefined;
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      return tooMany(limit, Math.max(1, Math.ceil(rejected.msBeforeNext / 1000)));
    }
  };
}

function tooMany({ requests, seconds }: RateLimit, wait: number): Refusal {
  const detail = `more than ${requests} requests in ${seconds} s`;
  return refusalWith(429, reason('E0002', detail, { hint: `Try again in ${wait} s.` }), wait);
}
