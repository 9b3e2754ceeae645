/**
 * Group commit. Callers hand over jobs; the writer takes all that wait, executes them in one transaction, commits once
 * and then answers all. What is answered is durable.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Files commit instructions of about this weight at a time: larger commits gain nothing, and cost memory. */
const FULL_GROUP = 10_000;

/** A caller that keeps handing over is waited for at most this long. */
const MOST_GATHERING_MS = 500;

/** After a gathered commit the lock is left free this long; a second process would never get it otherwise. */
const LOCK_FREE_MS = 30;

export interface Job<Request, Answer> {
  readonly request: Request;
  /** Weight of its instructions. */
  readonly size: number;
  /** The caller hands over more at once, so the writer may gather. */
  readonly more: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class Writer<Request, Answer> {
  readonly #execute: (requests: readonly Request[]) => Promise<readonly Answer[]>;
  readonly #full: number;
  #waiting: Job<Request, Answer>[] = [];
  #running = false;
  /** Ends the gathering of the group that waits. */
  #go: (() => void) | undefined;

  /**
   * @param execute executes requests in order, in one transaction, and commits
   * @param full weight of a group that nothing more is added to
   */
  constructor(
    execute: (requests: readonly Request[]) => Promise<readonly Answer[]>,
    full: number = FULL_GROUP,
  ) {
    this.#execute = execute;
    this.#full = full;
  }

  submit(request: Request, size: number, more: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, size, more, resolve, reject });
      if (!this.#mayGather()) this.#go?.();
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      if (this.#mayGather()) await this.#gather();
      const group = this.#take();
      await this.#commit(group);
      if (group.some(({ more }) => more)) await sleep(LOCK_FREE_MS);
    }
    this.#running = false;
  }

  /** True while every caller that waits has more to come and the group is not full. */
  #mayGather(): boolean {
    let size = 0;
    for (const job of this.#waiting) {
      if (!job.more) return false;
      size += job.size;
    }
    return size < this.#full;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#go?.(), MOST_GATHERING_MS);
      this.#go = () => {
        clearTimeout(timer);
        this.#go = undefined;
        resolve();
      };
    });
  }

  /** As many of the waiting jobs as make a full group, in their order. */
  #take(): readonly Job<Request, Answer>[] {
    let size = 0;
    let count = 0;
    while (count < this.#waiting.length && size < this.#full) size += this.#waiting[count++]!.size;
    return this.#waiting.splice(0, count);
  }

  async #commit(group: readonly Job<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.#execute(group.map(({ request }) => request));
      for (const [index, job] of group.entries()) job.resolve(answers[index]!);
    } catch (error) {
      // What waits was handed over after the group and may build on it: it must not happen without it.
      for (const job of [...group, ...this.#waiting.splice(0)]) job.reject(error);
    }
  }
}
