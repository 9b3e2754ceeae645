/** Ending at a checkpoint: on a signal, or when a deadline has passed. */
import { EXIT } from '../batch/exit.ts';

export interface Interruption {
  /** The exit code, once the process is to end. */
  readonly code: () => number | undefined;
  /** Aborted as soon as there is a code: for what waits for something else than the work itself. */
  readonly asked: AbortSignal;
  /** Gives the signals back. */
  readonly end: () => void;
}

/**
 * Listens for SIGINT and SIGTERM. The first ends the work at the next checkpoint, the second ends the process at once.
 * @param deadline milliseconds from now, or undefined
 * @param remark said at the first signal
 */
export function listenForInterruption(
  deadline: number | undefined,
  remark = 'ending at the next checkpoint; the same command goes on from there',
): Interruption {
  let code: number | undefined;
  const asked = new AbortController();
  const interrupt = (exit: number) => () => {
    if (code === EXIT.interrupted || code === EXIT.terminated) process.exit(code);
    code = exit;
    asked.abort();
    process.stderr.write(`batchgate: ${remark}\n`);
  };
  const onInt = interrupt(EXIT.interrupted);
  const onTerm = interrupt(EXIT.terminated);
  process.on('SIGINT', onInt);
  process.on('SIGTERM', onTerm);
  const timer =
    deadline === undefined
      ? undefined
      : setTimeout(() => {
          code ??= EXIT.temporary;
          asked.abort();
        }, deadline);
  return {
    code: () => code,
    asked: asked.signal,
    end() {
      clearTimeout(timer);
      // A process that was told to end is ending: one more signal still finds somebody who knows the exit code.
      if (code === EXIT.interrupted || code === EXIT.terminated) return;
      process.off('SIGINT', onInt);
      process.off('SIGTERM', onTerm);
    },
  };
}
