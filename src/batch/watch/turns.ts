/** Who may go on when: a signal for a loop that waits for changes, and turns that come one after the other. */

/** Whoever waits looks again at what may have changed since. */
export class Signal {
  #waiting: (() => void) | undefined;

  /** Resolves at the next `raise`. One waits at a time, having looked just before. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  raise(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

/** One of many that are taken in the order in which they were asked for. */
export interface Turn {
  /** Resolves when every turn before this one has ended. */
  readonly come: Promise<void>;
  /** Once is enough; more often does nothing. */
  readonly end: () => void;
}

export class Turns {
  #last: Promise<void> = Promise.resolve();

  next(): Turn {
    const come = this.#last;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last = Promise.all([come, ended]).then(() => undefined);
    return { come, end };
  }
}
