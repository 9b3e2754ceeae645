/**
 * Spares a gateway that is down, and whoever waits for it: after some failures in a row nothing is sent for a while,
 * then one request to see whether it is back. F72
 */

export interface BreakerOptions {
  /** Failures in a row after which nothing more is sent. */
  readonly failures: number;
  /** How long nothing is sent at first, milliseconds; twice as long after every vain try. */
  readonly coolMs: number;
  /** And at most so long. */
  readonly longestMs: number;
}

type State =
  | { readonly is: 'closed'; readonly failures: number }
  | { readonly is: 'open'; readonly until: number; readonly coolMs: number }
  | { readonly is: 'trying'; readonly coolMs: number };

const CLOSED: State = { is: 'closed', failures: 0 };

export class Breaker {
  readonly #options: BreakerOptions;
  #state: State = CLOSED;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /**
   * Whether a request may be sent; whoever is let through reports how it ended.
   * @param now milliseconds of a clock that never goes back
   */
  admits(now: number): boolean {
    const state = this.#state;
    if (state.is === 'closed') return true;
    if (state.is === 'trying' || now < state.until) return false;
    this.#state = { is: 'trying', coolMs: state.coolMs };
    return true;
  }

  succeeded(): void {
    this.#state = CLOSED;
  }

  failed(now: number): void {
    const state = this.#state;
    const { failures, coolMs, longestMs } = this.#options;
    if (state.is === 'trying') this.#open(now, Math.min(state.coolMs * 2, longestMs));
    else if (state.is === 'closed' && state.failures + 1 >= failures) this.#open(now, coolMs);
    else if (state.is === 'closed') this.#state = { is: 'closed', failures: state.failures + 1 };
  }

  #open(now: number, coolMs: number): void {
    this.#state = { is: 'open', until: now + coolMs, coolMs };
  }
}
