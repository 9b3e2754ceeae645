/**
 * Hints that something has changed in an inbox. They only wake somebody up early: events get lost and come twice, and a
 * network gives none at all, so whoever listens looks for himself from time to time.
 *
 * Each folder is watched by itself and nothing in it: chokidar looks at every file that it watches after every change,
 * which for hundreds of files took longer than executing them, and it loses a folder that was deleted and made again.
 */
import { statSync } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';

/** Changes come in swarms: the next look waits until the swarm is over, or for so long. */
const SWARM_MS = 50;

export class Hints {
  /** By folder, inode and birth: one that was deleted and made again under the same name is another. */
  readonly #watchers = new Map<string, FSWatcher>();
  #wake: (() => void) | undefined;
  /** Runs while a swarm of changes goes on. */
  #swarm: NodeJS.Timeout | undefined;
  /** Something has changed that nobody has looked at yet. */
  #missed = false;

  /** Watches these folders from now on, and no others. What cannot be watched is found by looking. */
  follow(folders: readonly string[]): void {
    const keys = new Map(folders.flatMap((folder) => keyOf(folder).map((key) => [key, folder])));
    for (const [key, watcher] of this.#watchers) if (!keys.has(key)) this.#drop(key, watcher);
    for (const [key, folder] of keys) if (!this.#watchers.has(key)) this.#add(key, folder);
  }

  /** Resolves at the next hint, when the time is over, or when somebody wakes it. */
  next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#wake?.(),
        this.#missed ? Math.min(SWARM_MS, milliseconds) : milliseconds,
      );
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        this.#missed = false;
        resolve();
      };
    });
  }

  /** Ends the waiting at once. */
  wake(): void {
    this.#missed = true;
    this.#wake?.();
  }

  close(): void {
    clearTimeout(this.#swarm);
    for (const [key, watcher] of this.#watchers) this.#drop(key, watcher);
  }

  #add(key: string, folder: string): void {
    // What cannot be watched gives no hints: some systems have no room for more watchers, some file systems no events.
    const watcher = watch(folder, { ignored: (path) => path !== folder, ignoreInitial: true, depth: 0 })
      .on('raw', () => this.#hint())
      // Something may have come between the look and now.
      .on('ready', () => this.#hint())
      .on('error', () => this.#drop(key, watcher));
    this.#watchers.set(key, watcher);
  }

  #drop(key: string, watcher: FSWatcher): void {
    // It hears nothing more from now on; only who wants to know when its handles are closed has to wait.
    void watcher.close();
    this.#watchers.delete(key);
  }

  #hint(): void {
    this.#missed = true;
    this.#swarm ??= setTimeout(() => {
      this.#swarm = undefined;
      this.#wake?.();
    }, SWARM_MS);
  }
}

function keyOf(folder: string): readonly string[] {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? [] : [`${stats.dev}:${stats.ino}:${stats.birthtimeMs} ${folder}`];
}
