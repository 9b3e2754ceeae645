/** What a server does beside answering: small tasks, each again and again, never twice at the same time. */

export interface Task {
  readonly name: string;
  /** Between the end of one run and the beginning of the next. */
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

export interface Upkeep {
  /** Begins nothing more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

/**
 * Runs each task at once and then in its rhythm. A task that fails is tried again in the same rhythm.
 * @param onError told of what a task throws
 */
export function startUpkeep(tasks: readonly Task[], onError: (task: string, error: unknown) => void): Upkeep {
  const ended = new AbortController();
  const loops = tasks.map((task) => repeat(task, ended.signal, onError));
  return {
    async stop() {
      ended.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat(
  { name, everyMs, run }: Task,
  ended: AbortSignal,
  onError: (task: string, error: unknown) => void,
): Promise<void> {
  while (!ended.aborted) {
    try {
      await run();
    } catch (error) {
      onError(name, error);
    }
    await pause(everyMs, ended);
  }
}

/** Waits, or until the signal comes. */
function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    ended.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      ended.removeEventListener('abort', done);
      resolve();
    }
  });
}
