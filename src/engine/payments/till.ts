/** What all ways of paying work with. */
import type { Database } from '../../ledger/database.ts';
import type { Connector } from '../connector/connector.ts';
import type { JobQueue } from '../job-queue.ts';
import type { CardVault } from './card-vault.ts';

export interface Till {
  readonly database: Database;
  readonly jobs: JobQueue;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** So many random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** A hash that only the owner of the data directory can make. */
  readonly keyedHash: (text: string) => string;
  readonly vault: CardVault;
  readonly connector: Connector;
  /** Keys of the payments that this process is asking about at the moment. */
  readonly asking: Set<number>;
}
