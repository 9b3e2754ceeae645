/** What `init --demo` puts into a new data directory: everything needed to see batchgate at work in a minute. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addAccount } from '../batch/accounts.ts';
import { importTransactions } from '../batch/import.ts';
import type { Config } from '../config.ts';
import { AUTHORISATION_LIFETIME } from '../core/transaction.ts';
import { actor, type Opened, RATES_FILE } from './compose.ts';
import { UsageError } from './errors.ts';
import { withKeyFile } from './key-files.ts';
import { quoted } from './output.ts';

/** The package's own samples. */
const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

const TRANSACTIONS = 'transactions.csv';

/** In an order in which each file finds what it needs. */
export const DEMO_FILES = [
  'capture.csv',
  'cancel.csv',
  'review.json',
  'refunds-2026-11-20.csv',
  'refund.json',
  'payout.csv',
  'payout.ndjson',
  'payouts-2026-11-20.xml',
  'mixed.csv',
  'cancel-rejected.csv',
] as const;

/** What acquirer and bank say of it. */
export const DEMO_STATEMENTS = ['settlement-2026-11-20.csv', 'bank-2026-11-21.xml'] as const;

export const DEMO_ACCOUNT = { merchantId: 'M1', accountId: 'A1' } as const;

/** Whether `init --demo` made the data directory. */
export function hasDemo({ folders }: Opened): boolean {
  return existsSync(join(folders.root, 'samples', TRANSACTIONS));
}

export async function addDemo(
  config: Config,
  opened: Opened,
): Promise<{ readonly transactions: number; readonly files: number }> {
  const settings = {
    currencies: ['USD', 'EUR', 'JPY'],
    capture: 'manual' as const,
    lifetime: AUTHORISATION_LIFETIME,
    time_zone: 'UTC',
  };
  const key = await withKeyFile(opened.folders, DEMO_ACCOUNT, undefined, (made) =>
    addAccount(actor(config, opened), { ...DEMO_ACCOUNT, settings, key: made }),
  );
  if ('refusal' in key) throw new UsageError(key.refusal);
  const folder = join(opened.folders.root, 'samples');
  await mkdir(folder, { recursive: true });
  for (const name of [TRANSACTIONS, ...DEMO_FILES, ...DEMO_STATEMENTS])
    await copyFile(join(SAMPLES, name), join(folder, name));
  await copyFile(join(SAMPLES, RATES_FILE), join(opened.folders.root, RATES_FILE));
  const imported = await importTransactions(opened.database, join(folder, TRANSACTIONS), {
    ...actor(config, opened),
    name: TRANSACTIONS,
  });
  return { transactions: imported.added, files: DEMO_FILES.length };
}

/** Commands to try, one after the other. */
export function demoCommands(samples: string, data: string): readonly string[] {
  const file = (name: string) => quoted(join(samples, name));
  return [
    `batchgate plan ${file('capture.csv')}${data}`,
    `batchgate run ${file('capture.csv')}${data}`,
    `batchgate run ${file('capture.csv')}${data}   # the same file again: nothing is executed twice`,
    `batchgate run ${DEMO_FILES.slice(1).map(file).join(' ')}${data}`,
    `batchgate reconcile ${DEMO_STATEMENTS.map(file).join(' ')}${data}`,
    `batchgate explain T1003${data}`,
    `batchgate batch list${data}`,
    `batchgate verify${data}`,
  ];
}
