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
  /** Where it is: what was sent to another address is not asked for here. */
  readonly address: string;
  /** For so many milliseconds what is sent again under its idempotency key is answered, and not executed again; 0: never. */
  readonly idempotentMs: number;
  /** So many milliseconds after a request was sent it has been executed, or never will be. */
  readonly settledMs: number;
  /** Chunks in flight at most. */
  readonly concurrency: number;
}

export type Executor = EngineExecutor | RemoteExecutor;
