/** Everything about payments that an engine has, put together. */
import type { Database } from '../../ledger/database.ts';
import type { Connector } from '../connector/connector.ts';
import { JobQueue } from '../job-queue.ts';
import { CardVault } from './card-vault.ts';
import { HostedDesk } from './hosted.ts';
import { Payments } from './payments.ts';
import type { Till } from './till.ts';
import { Upkeep } from './upkeep.ts';

export interface PaymentOptions {
  readonly connector: Connector;
  /** So many random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** A hash that only the owner of the data directory can make. */
  readonly keyedHash: (text: string) => string;
  /** The key of stored cards; asked for when a card is stored or used. */
  readonly cardKey: () => Uint8Array;
}

export class PaymentDesk {
  readonly payments: Payments;
  readonly hosted: HostedDesk;
  readonly upkeep: Upkeep;

  constructor(database: Database, clock: () => number, options: PaymentOptions) {
    const { connector, random, keyedHash, cardKey } = options;
    const till: Till = {
      database,
      clock,
      connector,
      random,
      keyedHash,
      jobs: new JobQueue(database),
      vault: new CardVault(cardKey, random),
      asking: new Set(),
    };
    this.payments = new Payments(till);
    this.hosted = new HostedDesk(till);
    this.upkeep = new Upkeep(till);
  }
}
