/**
 * Brings one request to the gateway, again where that can do no harm, and says what is known in the end. Once a request
 * is in doubt it stays so until an answer that can be believed: that nothing happened the second time says nothing of
 * the first. F58, F59, F60, F72
 */
import pLimit from 'p-limit';
import { reason } from '../core/code.ts';
import type { Breaker } from './breaker.ts';
import type { HttpAnswer, Unanswered } from './send.ts';
import { type Expectation, judge, judgeSilence, type Verdict } from './verdict.ts';
import { backoff, retryAfterMs, type Timing } from './waiting.ts';

/** One answer, which nobody may have signed, silences a client for so long at most. */
const LONGEST_QUIET_MS = 3_600_000;

/** One request as it goes out. */
export interface Letter {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** It does no harm to send it twice: it changes nothing, or the gateway knows its key. */
  readonly mayRepeat: boolean;
  /** It may have been sent before, and nobody knows what became of it. */
  readonly sentBefore: boolean;
}

export interface CourierOptions {
  readonly send: (letter: Letter) => Promise<HttpAnswer | Unanswered>;
  readonly breaker: Breaker;
  /** Requests on their way at once at most. */
  readonly concurrency: number;
  /** Times that one request is sent at most. */
  readonly attempts: number;
  /** From the first sending to the last, milliseconds. */
  readonly patienceMs: number;
  readonly timing: Timing;
}

type Unknown = Extract<Verdict, { readonly is: 'unknown' }>;

/** What came of one attempt, and how long the gateway wants to be left alone, milliseconds. */
interface Attempt {
  readonly verdict: Verdict;
  readonly afterMs: number | undefined;
}

const SENT_BEFORE: Unknown = {
  is: 'unknown',
  reason: reason('E0001', 'the request was sent before, and its answer is not known'),
  again: true,
};

export class Courier {
  readonly #options: CourierOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  /** Until when the gateway wants to be left alone, on the clock of `elapsed`. */
  #quietUntil = 0;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  async deliver(letter: Letter, expectation: Expectation): Promise<Verdict> {
    const { attempts, patienceMs, timing } = this.#options;
    const end = timing.elapsed() + patienceMs;
    let doubt = letter.sentBefore ? SENT_BEFORE : undefined;
    for (let attempt = 1; ; attempt += 1) {
      const { verdict, afterMs } = await this.#attempt(letter, expectation, end);
      if (verdict.is === 'unknown') doubt = verdict;
      const known = verdict.is === 'nothing' && doubt !== undefined ? stillInDoubt(doubt, verdict) : verdict;
      if (attempt >= attempts || !mayGoOn(letter, verdict)) return known;
      const wait = Math.max(backoff(attempt, timing.random), afterMs ?? 0);
      if (timing.elapsed() + wait > end) return known;
      await timing.sleep(wait);
    }
  }

  /** Waits until it may be sent, and sends it, unless that is vain. */
  async #attempt(letter: Letter, expectation: Expectation, end: number): Promise<Attempt> {
    const { timing } = this.#options;
    for (;;) {
      const quiet = this.#quietUntil - timing.elapsed();
      if (quiet > 0 && timing.elapsed() + quiet > end)
        return { verdict: leftAlone(quiet), afterMs: undefined };
      if (quiet > 0) await timing.sleep(quiet + backoff(1, timing.random));
      const attempt = await this.#limit(() => this.#sendUnlessQuiet(letter, expectation));
      if (attempt !== undefined) return attempt;
    }
  }

  /** Undefined where the gateway has meanwhile asked to be left alone. */
  async #sendUnlessQuiet(letter: Letter, expectation: Expectation): Promise<Attempt | undefined> {
    const { breaker, send, timing } = this.#options;
    if (timing.elapsed() < this.#quietUntil) return undefined;
    if (!breaker.admits(timing.elapsed())) return { verdict: SPARED, afterMs: undefined };
    const answer = await send(letter);
    if ('failure' in answer || answer.status >= 500) breaker.failed(timing.elapsed());
    else breaker.succeeded();
    if ('failure' in answer) return { verdict: judgeSilence(answer), afterMs: undefined };
    const afterMs = retryAfterMs(answer.retryAfter, timing.clock());
    if (answer.status === 429 && afterMs !== undefined) this.#beQuiet(Math.min(afterMs, LONGEST_QUIET_MS));
    return { verdict: judge(answer, expectation), afterMs };
  }

  /** A shorter time that another answer names does not end a longer one. */
  #beQuiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#options.timing.elapsed() + ms);
  }
}

const SPARED: Verdict = {
  is: 'nothing',
  reason: reason('E0002', 'it has failed several times in a row, and is left alone for a while'),
  again: false,
};

function leftAlone(ms: number): Verdict {
  const detail = `it asked to be left alone for another ${Math.ceil(ms / 1000)} s`;
  return { is: 'nothing', reason: reason('E0002', detail), again: false };
}

/** What is in doubt goes out again only where a repeat does no harm; what did not happen always may. */
function mayGoOn({ mayRepeat }: Letter, verdict: Verdict): boolean {
  return verdict.is !== 'answered' && verdict.again && (verdict.is === 'nothing' || mayRepeat);
}

/** An alarm is kept whatever comes after it. */
function stillInDoubt(
  doubt: Unknown,
  { reason: later }: Extract<Verdict, { readonly is: 'nothing' }>,
): Unknown {
  const message = `${doubt.reason.message} Sent again, it did not go through: ${later.message}`;
  return {
    is: 'unknown',
    reason: { ...doubt.reason, message, ...(later.alarm === true ? { alarm: true } : {}) },
    again: false,
  };
}
