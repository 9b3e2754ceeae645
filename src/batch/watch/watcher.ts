/**
 * Watching an inbox: one loop claims what is complete, another executes what is claimed, one file after the other.
 * Claims do not wait for execution, so that a sender sees at once that the file was taken.
 */
import type { ClaimedFile } from '../../files/inbox/claim.ts';
import { type Hints, hintsOf } from '../../files/inbox/hints.ts';
import type { BatchDocument } from '../../report/document.ts';
import { type BatchContext, Interrupted } from '../context.ts';
import type { Folders } from '../folders.ts';
import { Arrivals, type Completion } from './arrivals.ts';
import { executeClaimed, type FolderSettings } from './claimed.ts';
import { Claims } from './claims.ts';

/** While files are not complete yet the inbox is looked at this often, so that a claim follows within two seconds. */
const LOOK_AGAIN_MS = 500;

/** Files under way at most: while one executes, the reports of the others are written. */
const MOST_RUNNING = 4;

/** What could not be executed for a passing reason is tried again after this long. */
const TRY_AGAIN_MS = 5_000;

export interface WatchOptions {
  readonly folders: Folders;
  /** Milliseconds without a change after which a file is complete. */
  readonly settle: number;
  /** The inbox is looked at this often when nothing hints at a change, milliseconds. */
  readonly rescan: number;
  /** For an inbox on a network. */
  readonly polling: boolean;
  /** End when the inbox is empty. */
  readonly once: boolean;
  readonly completionOf: (place: readonly string[]) => Completion;
  readonly settingsOf: (place: readonly string[]) => FolderSettings;
  /** The context in which a file is executed. */
  readonly contextOf: (claimed: ClaimedFile) => BatchContext;
  /** The exit code of a process that is to end. */
  readonly interruption: () => number | undefined;
  /** Aborted when it is to end. */
  readonly asked: AbortSignal;
  readonly on: (event: WatchEvent) => void;
}

export type WatchEvent =
  | { readonly is: 'claimed'; readonly file: ClaimedFile; readonly waiting: number }
  | {
      readonly is: 'over';
      readonly file: ClaimedFile;
      readonly document: BatchDocument;
      readonly waiting: number;
    }
  /** It stays claimed and is tried again. */
  | { readonly is: 'trouble'; readonly file: ClaimedFile; readonly why: unknown }
  /** It cannot be read or does not lie where files belong. */
  | { readonly is: 'unreadable'; readonly path: string; readonly why: string };

interface Queued {
  readonly file: ClaimedFile;
  readonly cutOff: boolean;
}

export class Watcher {
  readonly #options: WatchOptions;
  readonly #claims: Claims;
  readonly #arrivals: Arrivals;
  readonly #hints: Hints;
  readonly #queue: Queued[] = [];
  /** Files whose execution or reports are under way. */
  readonly #running = new Set<Promise<void>>();
  readonly #told = new Set<string>();
  /** Wakes the executing loop. */
  #go: (() => void) | undefined;
  /** Nothing more will be claimed. */
  #claimed = false;
  #failed: { readonly error: unknown } | undefined;

  private constructor(options: WatchOptions, claims: Claims) {
    const { folders, settle, completionOf, polling } = options;
    this.#options = options;
    this.#claims = claims;
    this.#arrivals = new Arrivals(folders.inbox, settle, completionOf);
    this.#hints = hintsOf(folders.inbox, polling);
  }

  /** Watches until it is interrupted or, with `once`, until the inbox is empty. */
  static async watch(options: WatchOptions): Promise<void> {
    const claims = await Claims.open(options.folders);
    const watcher = new Watcher(options, claims);
    options.asked.addEventListener('abort', () => watcher.#wakeAll());
    try {
      await Promise.all([watcher.#claimAll(), watcher.#executeAll()]);
    } finally {
      await watcher.#hints.close();
      await claims.close();
    }
    if (watcher.#failed !== undefined) throw watcher.#failed.error;
  }

  get #isEnding(): boolean {
    return this.#failed !== undefined || this.#options.interruption() !== undefined;
  }

  async #claimAll(): Promise<void> {
    try {
      const { rescan, settle } = this.#options;
      let tookOver = Number.NEGATIVE_INFINITY;
      while (!this.#isEnding) {
        if (performance.now() - tookOver >= rescan) {
          for (const file of await this.#claims.takeOver()) this.#enqueue({ file, cutOff: false });
          tookOver = performance.now();
        }
        const look = await this.#arrivals.look(performance.now());
        for (const { path, why } of look.unreadable) this.#tellOnce(path, why);
        for (const arrival of look.ready) {
          const file = await this.#claims.claim(arrival).catch((error: unknown) => {
            this.#tellOnce(arrival.path, error instanceof Error ? error.message : String(error));
            return undefined;
          });
          if (file !== undefined) this.#enqueue({ file, cutOff: arrival.cutOff });
        }
        if (this.#options.once && look.unready === 0) break;
        await this.#hints.next(look.unready > 0 ? Math.min(LOOK_AGAIN_MS, settle) : rescan);
      }
    } catch (error) {
      this.#failed = { error };
    } finally {
      this.#claimed = true;
      this.#go?.();
    }
  }

  /** One file executes at a time, in their order; the reports of those before it may still be in the making. */
  async #executeAll(): Promise<void> {
    while (!this.#isEnding) {
      const next = this.#queue[0];
      if (next === undefined) {
        if (this.#claimed && this.#running.size === 0) break;
        if (this.#running.size > 0 && this.#claimed) await Promise.race(this.#running);
        else await this.#pause(undefined);
      } else if (this.#running.size >= MOST_RUNNING) {
        await Promise.race(this.#running);
      } else {
        this.#queue.shift();
        await this.#launch(next);
      }
    }
    await Promise.all(this.#running);
  }

  /** Resolves when the file is executed, or has come to an end otherwise. */
  #launch(queued: Queued): Promise<void> {
    return new Promise((executed) => {
      const running = this.#execute(queued, executed).finally(() => {
        this.#running.delete(running);
        executed();
      });
      this.#running.add(running);
    });
  }

  async #execute(queued: Queued, onExecuted: () => void): Promise<void> {
    const { file, cutOff } = queued;
    const { contextOf, settingsOf, on, once } = this.#options;
    try {
      const context = { ...contextOf(file), onExecuted };
      const document = await executeClaimed(context, file, settingsOf(file.place), cutOff);
      on({ is: 'over', file, document, waiting: this.#queue.length });
      if (document.status !== 'interrupted') return;
    } catch (error) {
      if (error instanceof Interrupted) return;
      on({ is: 'trouble', file, why: error });
    }
    if (once || this.#isEnding) return;
    await this.#pause(TRY_AGAIN_MS);
    this.#queue.push(queued);
  }

  #enqueue(queued: Queued): void {
    this.#queue.push(queued);
    this.#options.on({ is: 'claimed', file: queued.file, waiting: this.#queue.length });
    this.#go?.();
  }

  /** What stays wrong is told once, until it is another thing. */
  #tellOnce(path: string, why: string): void {
    if (this.#told.has(`${path}\n${why}`)) return;
    this.#told.add(`${path}\n${why}`);
    this.#options.on({ is: 'unreadable', path, why });
  }

  /** Until something is claimed, the time is over, or the process is to end. */
  #pause(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(() => this.#go?.(), milliseconds);
      this.#go = () => {
        clearTimeout(timer);
        this.#go = undefined;
        resolve();
      };
    });
  }

  #wakeAll(): void {
    this.#hints.wake();
    this.#go?.();
  }
}
