/**
 * Hints that something has changed in an inbox. They only wake somebody up early: events get lost, come twice, and stop
 * for good when a watched folder is deleted and made again, so whoever listens looks for himself from time to time.
 */
import { watch } from 'chokidar';

/** Merchants' and accounts' folders, and the files in them. */
const DEPTH = 2;

export interface Hints {
  /** Resolves at the next hint, when the time is over, or when somebody wakes it. */
  next(milliseconds: number): Promise<void>;
  wake(): void;
  close(): Promise<void>;
}

/** @param polling for folders on a network, which give no events */
export function hintsOf(inbox: string, polling: boolean): Hints {
  let wake: (() => void) | undefined;
  let missed = false;
  const hint = () => {
    missed = wake === undefined;
    wake?.();
  };
  const watcher = watch(inbox, {
    depth: DEPTH,
    followSymlinks: false,
    usePolling: polling,
    ignoreInitial: true,
  });
  // What cannot be watched is still found by looking.
  watcher.on('all', hint).on('error', () => undefined);
  return {
    next(milliseconds) {
      if (missed) {
        missed = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => wake?.(), milliseconds);
        wake = () => {
          clearTimeout(timer);
          wake = undefined;
          resolve();
        };
      });
    },
    wake: hint,
    close: () => watcher.close(),
  };
}
