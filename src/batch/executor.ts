/** What executes the chunks of a batch: the embedded engine, or somebody else's gateway. */
import type { Gateway, InstructionGateway } from '../core/gateway.ts';

/** The embedded engine writes to the same ledger, and knows what it has executed. */
export interface EngineExecutor {
  readonly is: 'engine';
  readonly gateway: InstructionGateway;
}

export interface RemoteExecutor {
  readonly is: 'remote';
  readonly gateway: InstructionGateway & Pick<Gateway, 'query'>;
  /** For so many milliseconds what is sent again under its idempotency key is answered, and not executed again; 0: never. */
  readonly idempotentMs: number;
  /** So many milliseconds after a request was sent it has been executed, or never will be. */
  readonly settledMs: number;
  /** Chunks in flight at most. */
  readonly concurrency: number;
}

export type Executor = EngineExecutor | RemoteExecutor;

/** Chunks in flight at most: what is in flight to a remote gateway is unknown when the process ends. */
export function concurrencyOf(executor: Executor, most: number): number {
  return executor.is === 'engine' ? most : Math.min(most, executor.concurrency);
}
