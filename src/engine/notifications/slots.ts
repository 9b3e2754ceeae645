/** Which events are in flight, and for whom there is room: a slow receiver takes its own slots and nobody else's. */
import type { DueEvent } from '../../ledger/deliveries.ts';

/** Requests in flight at most: to one receiver, for one account, and altogether. */
export const PER_RECEIVER = 4;
const PER_ACCOUNT = 16;
export const SLOTS = 64;

interface Slot {
  readonly event: DueEvent;
  readonly abort: AbortController;
}

export class Slots {
  readonly #taken = new Map<number, Slot>();

  get areEmpty(): boolean {
    return this.#taken.size === 0;
  }

  get areFull(): boolean {
    return this.#taken.size >= SLOTS;
  }

  /** Numbers of the events in flight. */
  get numbers(): readonly number[] {
    return [...this.#taken.keys()];
  }

  get fullReceivers(): readonly string[] {
    return this.#full(({ receiver }) => receiver, PER_RECEIVER);
  }

  get fullAccounts(): readonly number[] {
    return this.#full(({ accountNumber }) => accountNumber, PER_ACCOUNT);
  }

  /** Takes a slot, or returns undefined when there is no room for the event. */
  take(event: DueEvent): AbortController | undefined {
    const isFull =
      this.areFull ||
      this.fullReceivers.includes(event.receiver) ||
      this.fullAccounts.includes(event.accountNumber);
    if (isFull) return undefined;
    const abort = new AbortController();
    this.#taken.set(event.number, { event, abort });
    return abort;
  }

  leave({ number }: DueEvent): void {
    this.#taken.delete(number);
  }

  abortAll(why: symbol): void {
    for (const { abort } of this.#taken.values()) abort.abort(why);
  }

  /** Who has as many slots as it may have. */
  #full<Who>(whoOf: (event: DueEvent) => Who, most: number): readonly Who[] {
    const counts = new Map<Who, number>();
    for (const { event } of this.#taken.values())
      counts.set(whoOf(event), (counts.get(whoOf(event)) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([who]) => who);
  }
}
