/** What the pipeline is given by whoever puts the program together. */
import type { Reason } from '../core/code.ts';
import type { Database } from '../ledger/database.ts';
import type { KeysOf } from './envelope.ts';
import type { Executor } from './executor.ts';
import type { Folders } from './folders.ts';
import type { Preflight } from './preflight.ts';
import type { Submission } from './submission.ts';

export type Phase = 'reading' | 'executing' | 'reporting';

/** Told how far a file is; `total` is unknown while it is read for the first time. */
export type OnProgress = (phase: Phase, lines: number, total: number | undefined) => void;

/** The process is to end, and what it was doing is begun anew by the same command: nothing of it is lost. */
export class Interrupted extends Error {
  /** The exit code. */
  readonly exit: number;
  constructor(exit: number) {
    super('interrupted');
    this.exit = exit;
  }
}

/** Passes over so few lines are never given up: they are over in a moment. */
const SHORT_PASS = 20_000;

/**
 * Asked from time to time during a pass over a file that sends nothing.
 * @throws Interrupted
 */
export function checkpoint({ interruption }: Pick<BatchContext, 'interruption'>, lines: number): void {
  const exit = lines < SHORT_PASS ? undefined : interruption();
  if (exit !== undefined) throw new Interrupted(exit);
}

export interface BatchContext {
  readonly folders: Folders;
  readonly database: Database;
  /** What executes the batches that name this gateway. */
  readonly executor: (gateway: string) => Executor;
  readonly environment: string;
  readonly version: string;
  readonly keysOf: KeysOf;
  /** Keyed hash, for what must be recognised but not kept. */
  readonly keyedHash: (text: string) => string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Who acts, for the audit. */
  readonly actor: string;
  /** Chunks in flight at most. */
  readonly concurrency: number;
  /** Where reports go when not into the data directory. */
  readonly out: string | undefined;
  /** The exit code of a process that is to end at the next checkpoint; undefined while it may go on. */
  readonly interruption: () => number | undefined;
  readonly onProgress: OnProgress | undefined;
  /** Told as soon as it is known what a file is, before anything of it is executed. */
  readonly onAccepted?: (accepted: Accepted) => Promise<void>;
  /** Asked before a file is accepted: why it is no longer what was taken, if somebody has changed it meanwhile. */
  readonly unchanged?: (taken: {
    readonly sha256: string;
    readonly bytes: number;
  }) => Promise<Reason | undefined>;
  /** Told when nothing more of a file will be executed, before its reports are written. */
  readonly onExecuted?: () => void;
  /** Asked when everything is executed: what has happened to the original meanwhile that the report must say. */
  readonly warnings?: () => Promise<readonly Reason[]>;
}

/** A file that is going to be executed, or was before. */
export interface Accepted {
  readonly batch: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly submission: Submission;
  readonly checked: Preflight;
  readonly repeat: boolean;
}
