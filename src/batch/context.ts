/** What the pipeline is given by whoever puts the program together. */
import type { Gateway } from '../core/gateway.ts';
import type { Database } from '../ledger/database.ts';
import type { KeysOf } from './envelope.ts';
import type { Folders } from './folders.ts';

export type Phase = 'reading' | 'executing' | 'reporting';

/** Told how far a file is; `total` is unknown while it is read for the first time. */
export type OnProgress = (phase: Phase, lines: number, total: number | undefined) => void;

export interface BatchContext {
  readonly folders: Folders;
  readonly database: Database;
  readonly gateway: Gateway;
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
}
