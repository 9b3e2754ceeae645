/**
 * Watching an inbox: one loop claims what is complete, another works on what is claimed. Files are executed one after
 * the other, in their order; while one executes, those after it are read and acknowledged already, and the reports of
 * those before it are written. Claims wait for nothing of that.
 */
import type { ClaimedFile } from '../../files/inbox/claim.ts';
import { Hints } from '../../files/inbox/hints.ts';
import { codeOf, type Left, type Waiting } from '../../files/inbox/scan.ts';
import type { BatchDocument } from '../../report/document.ts';
import { type BatchContext, Interrupted } from '../context.ts';
import type { Folders } from '../folders.ts';
import { type Completion, Lookout } from './arrivals.ts';
import { type Aside, Backlog, type Queued } from './backlog.ts';
import { executeClaimed, type FolderSettings } from './claimed.ts';
import { Claims } from './claims.ts';
import { Signal, Turns } from './turns.ts';

/** While files are not complete yet the inbox is looked at this often, so that a claim follows within two seconds. */
const LOOK_AGAIN_MS = 500;

/** An inbox on a network is looked at this often: it gives no hints. */
const POLL_MS = 1_000;

/** Files under way at most: one executes, the others are read or reported on. */
const MOST_RUNNING = 6;

/** Of files larger than this one at a time is under way: two would take more memory than one may. */
const LARGE_BYTES = 1024 * 1024;

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
  /** End when the inbox is empty, but for what waits for a marker, a control file or a person. */
  readonly once: boolean;
  readonly completionOf: (place: readonly string[]) => Completion;
  readonly settingsOf: (place: readonly string[]) => FolderSettings;
  /** The context in which a file is executed. */
  readonly contextOf: (claimed: ClaimedFile) => BatchContext;
  /** The exit code of a process that is to end. */
  readonly interruption: () => number | undefined;
  /** Aborted when it is to end. */
  readonly asked: AbortSignal;
  /** Whether an error may be gone at the next try: a full disk, a busy database. */
  readonly isPassing: (error: unknown) => boolean;
  readonly on: (event: WatchEvent) => void;
}

export type WatchEvent =
  | { readonly is: 'claimed'; readonly file: ClaimedFile }
  | { readonly is: 'over'; readonly file: ClaimedFile; readonly document: BatchDocument }
  /** It was interrupted and stays claimed: by the end of the process, or for a reason that passes. */
  | { readonly is: 'interrupted'; readonly file: ClaimedFile; readonly document: BatchDocument }
  /** The same, before there was anything to say of its lines. */
  | { readonly is: 'trouble'; readonly file: ClaimedFile; readonly why: unknown }
  /** It waits until an earlier file of the same account was tried again. */
  | { readonly is: 'postponed'; readonly file: ClaimedFile; readonly behind: ClaimedFile }
  /** It stays where it is. Told once, until it is another thing. */
  | ({ readonly is: 'left' } & { readonly left: Left });

export class Watcher {
  readonly #options: WatchOptions;
  readonly #claims: Claims;
  readonly #lookout: Lookout;
  readonly #hints = new Hints();
  readonly #backlog = new Backlog();
  readonly #turns = new Turns();
  /** Files that are read, executed or reported on. */
  readonly #running = new Set<Promise<void>>();
  /** One of them is large. */
  #hasLarge = false;
  /** Raised whenever there may be something to do. */
  readonly #change = new Signal();
  /** Until what was set aside is tried again. */
  #waits: NodeJS.Timeout | undefined;
  #left: ReadonlySet<string> = new Set();
  /** Nothing more will be claimed. */
  #claimed = false;
  #failed: { readonly error: unknown } | undefined;

  private constructor(options: WatchOptions, claims: Claims) {
    const { folders, settle, completionOf } = options;
    this.#options = options;
    this.#claims = claims;
    this.#lookout = new Lookout(folders.inbox, settle, completionOf);
  }

  /** Watches until it is interrupted or, with `once`, until the inbox is empty. */
  static async watch(options: WatchOptions): Promise<void> {
    const claims = await Claims.open(options.folders);
    const watcher = new Watcher(options, claims);
    const wake = () => {
      watcher.#hints.wake();
      watcher.#change.raise();
    };
    options.asked.addEventListener('abort', wake);
    try {
      await Promise.all([watcher.#claimAll(), watcher.#executeAll()]);
    } finally {
      options.asked.removeEventListener('abort', wake);
      watcher.#hints.close();
      clearTimeout(watcher.#waits);
      await claims.close();
    }
    if (watcher.#failed !== undefined) throw watcher.#failed.error;
  }

  get #isEnding(): boolean {
    return this.#failed !== undefined || this.#options.interruption() !== undefined;
  }

  async #claimAll(): Promise<void> {
    try {
      const { rescan, settle, polling, once } = this.#options;
      const quiet = polling ? Math.min(POLL_MS, rescan) : rescan;
      let tookOver = Number.NEGATIVE_INFINITY;
      let notTaken: readonly Left[] = [];
      while (!this.#isEnding) {
        if (performance.now() - tookOver >= rescan) {
          notTaken = await this.#takeOver();
          tookOver = performance.now();
        }
        const arrivals = await this.#lookout.look(performance.now());
        if (!polling && !once) this.#hints.follow(arrivals.folders);
        this.#tellLeft([...notTaken, ...arrivals.left, ...(await this.#claim(arrivals.ready))]);
        if (once && arrivals.settling === 0) break;
        await this.#hints.next(arrivals.settling > 0 ? Math.min(LOOK_AGAIN_MS, settle, quiet) : quiet);
      }
    } catch (error) {
      this.#failed = { error };
    } finally {
      this.#claimed = true;
      this.#change.raise();
    }
  }

  async #takeOver(): Promise<readonly Left[]> {
    const { files, left } = await this.#claims.takeOver();
    for (const file of files) this.#enqueue(file);
    return left;
  }

  /** Claims files; returns those that could not be. */
  async #claim(files: readonly Waiting[]): Promise<readonly Left[]> {
    const left: Left[] = [];
    for (const waiting of files) {
      if (this.#isEnding) break;
      try {
        const file = await this.#claims.claim(waiting);
        if (file !== undefined) this.#enqueue(file);
      } catch (error) {
        left.push({ is: 'unreadable', path: waiting.path, why: codeOf(error) });
        // On a full disk the next one might just fit, and would overtake this one.
        if (this.#options.isPassing(error)) break;
      }
    }
    return left;
  }

  #enqueue(file: ClaimedFile): void {
    this.#backlog.add(file);
    this.#options.on({ is: 'claimed', file });
    this.#change.raise();
  }

  #tellLeft(left: readonly Left[]): void {
    const keyed = new Map(left.map((one) => [`${one.path}\n${one.why}`, one]));
    for (const [key, one] of keyed) if (!this.#left.has(key)) this.#options.on({ is: 'left', left: one });
    this.#left = new Set(keyed.keys());
  }

  async #executeAll(): Promise<void> {
    while (!this.#isEnding) {
      const next = this.#backlog.next((file) => this.#hasRoomFor(file));
      if (next !== undefined) await this.#launch(next);
      else if (this.#claimed && this.#running.size === 0) break;
      else await this.#change.wait();
    }
    await Promise.all(this.#running);
  }

  #hasRoomFor(file: ClaimedFile): boolean {
    return this.#running.size < MOST_RUNNING && !(isLarge(file) && this.#hasLarge);
  }

  /** Begins with a file; resolves when it is acknowledged, or has come to an end otherwise. */
  #launch(queued: Queued): Promise<void> {
    return new Promise((acknowledged) => {
      const running = this.#execute(queued, acknowledged).then((isOver) => {
        this.#running.delete(running);
        if (isLarge(queued.file)) this.#hasLarge = false;
        // The same bytes may lie here twice: the second can be told of the first.
        if (isOver) this.#backlog.takeBack('twin');
        acknowledged();
        this.#change.raise();
      });
      this.#running.add(running);
      if (isLarge(queued.file)) this.#hasLarge = true;
    });
  }

  /** @returns whether it has come to its end */
  async #execute(queued: Queued, onAcknowledged: () => void): Promise<boolean> {
    const { file } = queued;
    const { contextOf, settingsOf, on, isPassing } = this.#options;
    const turn = this.#turns.next();
    try {
      const context = { ...contextOf(file), onExecuted: turn.end };
      const document = await executeClaimed(context, file, settingsOf(file.place), async (accounts) => {
        queued.accounts = accounts;
        onAcknowledged();
        await turn.come;
        this.#stayBehind(queued);
      });
      if (document.status !== 'interrupted') {
        on({ is: 'over', file, document });
        return true;
      }
      const isTwin = this.#isTwin(document);
      if (!isTwin) on({ is: 'interrupted', file, document });
      this.#setAside(queued, isTwin ? 'twin' : 'holds');
    } catch (error) {
      if (error instanceof Interrupted) return false;
      const isPostponed = error instanceof Postponed;
      if (!isPostponed) on({ is: 'trouble', file, why: error });
      this.#setAside(queued, isPostponed || isPassing(error) ? 'holds' : 'free');
    } finally {
      turn.end();
    }
    return false;
  }

  /** @throws when its turn has come and it is not to be executed now after all */
  #stayBehind(queued: Queued): void {
    const exit = this.#options.interruption();
    if (exit !== undefined) throw new Interrupted(exit);
    const ahead = this.#backlog.ahead(queued);
    if (ahead === undefined) return;
    this.#options.on({ is: 'postponed', file: queued.file, behind: ahead.file });
    throw new Postponed();
  }

  /** The same bytes lie here twice, and the first are still being executed or reported on. */
  #isTwin({ errors }: BatchDocument): boolean {
    return errors.some(({ code }) => code === 'B0025') && this.#running.size > 1;
  }

  /** It stays claimed; the next watcher goes on with it when this one does not live so long. */
  #setAside(queued: Queued, why: Aside): void {
    this.#backlog.setAside(queued, why);
    if (this.#options.once) return;
    this.#waits ??= setTimeout(() => {
      this.#waits = undefined;
      this.#backlog.takeBack();
      this.#change.raise();
    }, TRY_AGAIN_MS);
  }
}

function isLarge({ stats }: ClaimedFile): boolean {
  return stats.size > LARGE_BYTES;
}

/** An earlier file of the same account has to be executed first. */
class Postponed extends Error {}
