/** The schema by numbered steps. The number of the last one stands in the database's `user_version`. */
import * as ledger from './migrations/001-ledger.ts';
import * as requests from './migrations/002-requests.ts';
import * as payments from './migrations/003-payments.ts';
import * as events from './migrations/004-events.ts';
import * as subscriptions from './migrations/005-subscriptions.ts';
import * as pauses from './migrations/006-pauses.ts';
import * as remote from './migrations/007-remote.ts';
import * as reconciliation from './migrations/008-reconciliation.ts';
import type { Connection } from './sqlite.ts';

const MIGRATIONS: readonly { readonly sql: string }[] = [
  ledger,
  requests,
  payments,
  events,
  subscriptions,
  pauses,
  remote,
  reconciliation,
];

/** The version that this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export async function schemaVersion(connection: Connection): Promise<number> {
  const [row] = await connection.all<{ user_version: number }>('PRAGMA user_version');
  return row!.user_version;
}

/** Takes a database from whatever version it has to this program's, one transaction a step. */
export async function migrate(connection: Connection): Promise<void> {
  for (let version = await schemaVersion(connection); version < SCHEMA_VERSION; version += 1) {
    await connection.exec(
      `BEGIN IMMEDIATE; ${MIGRATIONS[version]!.sql}; PRAGMA user_version = ${version + 1}; COMMIT;`,
    );
  }
}
