/**
 * The sender of notifications. Events wait in the ledger; a few of each receiver are in flight at a time, so that a slow
 * one delays nobody but itself. Only one process sends for a database: it holds a lock that the kernel frees with it, so
 * no event is in flight twice, and what a crash left unrecorded is sent again under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { standingAfter } from '../../core/notification.ts';
import { type KnownAccount, readAccountNumbered } from '../../ledger/accounts.ts';
import type { Database } from '../../ledger/database.ts';
import {
  type DueEvent,
  dropOldBodies,
  dueEvents,
  recordTries,
  type TriedEvent,
} from '../../ledger/deliveries.ts';
import { Writer } from '../../ledger/group-commit.ts';
import { Ownership } from '../../ledger/owner.ts';
import type { Key } from '../../wire/signature.ts';
import type { AddressRules } from './address.ts';
import { letterOf } from './letter.ts';
import { type Posted, post } from './post.ts';
import type { Resolve } from './resolve.ts';
import { PER_RECEIVER, SLOTS, Slots } from './slots.ts';

/** One try, from looking up the host to the end of the answer. */
const DEADLINE_MS = 15_000;

/** How often the ledger is asked for new events when there were none. */
const POLL_MS = 1_000;

/** Requests in flight when the process is to end get this long. */
const GRACE_MS = 3_000;

/** Bodies of delivered events are kept 30 days; every so many looks at the ledger some of the older ones go. */
const BODY_LIFETIME = 30 * 24 * 60 * 60 * 1_000;
const BODIES_AT_A_TIME = 1_000;
const LOOKS_BETWEEN = 600;

export interface NotifierOptions {
  readonly database: Database;
  readonly environment: string;
  /** Valid keys of an account, oldest first. */
  readonly keysOf: (account: KnownAccount) => Promise<readonly Key[]>;
  readonly rules: AddressRules;
  readonly resolve: Resolve;
  /** Path of the small database whose lock the sender holds. */
  readonly lock: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** From 0 to 1: spreads tries that failed together. */
  readonly chance: () => number;
  /** Milliseconds for one try, where it is not the usual 15 seconds. */
  readonly deadline?: number;
  /** Told of every try, once it is recorded. */
  readonly onTry?: (tried: TriedEvent) => void;
  /** Told of errors that are no receiver's fault. */
  readonly onError?: (error: unknown) => void;
}

/** What one pass did. */
export interface Pass {
  readonly delivered: number;
  /** Tries that failed and will be repeated. */
  readonly failed: number;
  readonly dead: number;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #writer: Writer<TriedEvent, undefined>;
  readonly #slots = new Slots();
  /** The receiver that was asked last. */
  #cursor = '';
  #happened = false;
  /** Ends the waiting for something to happen. */
  #wake: () => void = () => undefined;
  #stopping = false;
  #serving: Promise<void> | undefined;
  /** Why a pass cannot go on: what it sent could not be written down. */
  #failure: unknown;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#writer = new Writer(async (tried) => {
      await options.database.write((statements) => recordTries(statements, tried));
      return tried.map(() => undefined);
    });
  }

  /** Sends from now on, as soon as no other process does. */
  start(): void {
    this.#stopping = false;
    this.#serving ??= this.#serve();
  }

  /** Ends: requests in flight get a moment to be answered; what is not is sent again by the next process. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#happens();
    const grace = setTimeout(() => this.#slots.abortAll(STOPPED), GRACE_MS);
    await this.#serving;
    clearTimeout(grace);
    this.#serving = undefined;
  }

  /**
   * Sends everything that is due at a moment, and ends. Not to be mixed with `start`.
   * @returns undefined when another process sends for this database
   */
  async runOnce(now: number = this.#options.clock()): Promise<Pass | undefined> {
    const ownership = await Ownership.take(this.#options.lock);
    if (ownership === undefined) return undefined;
    const pass = { delivered: 0, failed: 0, dead: 0 };
    const count = ({ state }: TriedEvent) => {
      pass[state === 'waiting' ? 'failed' : state] += 1;
    };
    try {
      await this.#dropBodies();
      while (this.#failure === undefined) {
        // While it looks, tries may end and make room for what it did not look for.
        const nothingElse = this.#slots.areEmpty;
        if ((await this.#launchDue(now, count)) > 0) continue;
        if (nothingElse) break;
        await this.#something();
      }
    } finally {
      await this.#landed();
      await ownership.release();
    }
    if (this.#failure !== undefined) throw this.#failure;
    return pass;
  }

  async #serve(): Promise<void> {
    const ownership = await this.#owned();
    if (ownership === undefined) return;
    try {
      for (let look = 0; !this.#stopping; look += 1) {
        if (look % LOOKS_BETWEEN === 0) await this.#guarded(() => this.#dropBodies());
        const launched = await this.#guarded(() => this.#launchDue(this.#options.clock()));
        if (!launched) await this.#something(POLL_MS);
      }
    } finally {
      await this.#landed();
      await ownership.release();
    }
  }

  /** The lock, as soon as it is free; undefined when the process is to end before. */
  async #owned(): Promise<Ownership | undefined> {
    while (!this.#stopping) {
      const ownership = await this.#guarded(() => Ownership.take(this.#options.lock));
      if (ownership !== undefined) return ownership;
      await this.#something(POLL_MS);
    }
    return undefined;
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.onError?.(error);
      return undefined;
    }
  }

  #happens(): void {
    this.#happened = true;
    this.#wake();
  }

  /** Resolves when a try has ended or the process is to end, or after `timeout` milliseconds. */
  async #something(timeout?: number): Promise<void> {
    if (!this.#happened) {
      await new Promise<void>((resolve) => {
        const timer = timeout === undefined ? undefined : setTimeout(resolve, timeout);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#happened = false;
  }

  async #landed(): Promise<void> {
    while (!this.#slots.areEmpty) await this.#something();
  }

  /** Sends what is due, as far as there is room; returns how many. */
  async #launchDue(now: number, onTried?: (tried: TriedEvent) => void): Promise<number> {
    if (this.#slots.areFull) return 0;
    const due = await this.#due(now);
    const keys = await this.#keysOf(due);
    let launched = 0;
    for (const event of due) {
      const abort = this.#slots.take(event);
      if (abort === undefined) continue;
      this.#cursor = event.receiver;
      this.#launch(event, keys.get(event.accountNumber)!, abort, onTried);
      launched += 1;
    }
    return launched;
  }

  /** Due events for which there is room, from after the receiver that was asked last; at the end it begins anew. */
  async #due(now: number): Promise<readonly DueEvent[]> {
    const { numbers, fullReceivers, fullAccounts } = this.#slots;
    const selection = {
      now,
      perReceiver: PER_RECEIVER,
      limit: SLOTS,
      except: { numbers, receivers: fullReceivers, accounts: fullAccounts },
    };
    const { reads } = this.#options.database;
    const found = await dueEvents(reads, { ...selection, after: this.#cursor });
    if (found.length > 0 || this.#cursor === '') return found;
    return dueEvents(reads, { ...selection, after: '' });
  }

  /** Keys by account; none where they cannot be read, which is that account's trouble alone. */
  async #keysOf(due: readonly DueEvent[]): Promise<ReadonlyMap<number, readonly Key[]>> {
    const { database, keysOf } = this.#options;
    const keys = new Map<number, readonly Key[]>();
    for (const number of new Set(due.map(({ accountNumber }) => accountNumber))) {
      const account = await readAccountNumbered(database.reads, number);
      keys.set(number, (await this.#guarded(() => keysOf(account))) ?? []);
    }
    return keys;
  }

  #launch(
    event: DueEvent,
    keys: readonly Key[],
    abort: AbortController,
    onTried?: (tried: TriedEvent) => void,
  ): void {
    void this.#try(event, keys, abort)
      .then((tried) => {
        if (tried === undefined) return;
        onTried?.(tried);
        this.#options.onTry?.(tried);
      })
      .catch((error: unknown) => {
        this.#failure = error;
        this.#options.onError?.(error);
      })
      .finally(() => {
        this.#slots.leave(event);
        this.#happens();
      });
  }

  /** One try, written down; undefined when it was given up because the process is to end. */
  async #try(event: DueEvent, keys: readonly Key[], abort: AbortController): Promise<TriedEvent | undefined> {
    const { clock, chance, deadline = DEADLINE_MS } = this.#options;
    const timer = setTimeout(() => abort.abort(), deadline);
    const { result, outcome } = await this.#post(event, keys, abort.signal);
    clearTimeout(timer);
    if (abort.signal.reason === STOPPED) return undefined;
    const [tries, at] = [event.tries + (event.silent ? 0 : 1), clock()];
    const standing = standingAfter(result, tries, at, chance());
    const tried = { number: event.number, ...standing, tries, outcome, at, gone: result === 'gone' };
    await this.#recorded(tried);
    return tried;
  }

  async #post(event: DueEvent, keys: readonly Key[], signal: AbortSignal): Promise<Posted> {
    if (event.silent)
      return { result: 'hopeless', outcome: 'the address is turned off: it answered 410 before' };
    if (keys.length === 0) return { result: 'failed', outcome: 'the account has no key to sign with' };
    const { environment, clock, rules, resolve } = this.#options;
    const sent = await this.#guarded(() => {
      const letter = letterOf(event, environment, keys, clock());
      return post(event.url, letter, { rules, resolve, signal });
    });
    return sent ?? { result: 'failed', outcome: 'internal error' };
  }

  /**
   * What a server has sent and cannot write down yet stays in flight until it can: it would be sent again and again. A
   * pass ends instead.
   */
  async #recorded(tried: TriedEvent): Promise<void> {
    for (;;) {
      try {
        return await this.#writer.submit(tried, 1, false);
      } catch (error) {
        if (this.#serving === undefined || this.#stopping) throw error;
        this.#options.onError?.(error);
        await sleep(POLL_MS);
      }
    }
  }

  /** Sequence numbers stay for ever; what was said long ago does not. */
  async #dropBodies(): Promise<void> {
    const { database, clock } = this.#options;
    const before = clock() - BODY_LIFETIME;
    await database.write((statements) => dropOldBodies(statements, before, BODIES_AT_A_TIME));
  }
}

/** Why a request was given up when the process is to end. */
const STOPPED = Symbol('stopped');
