/** Merchants' accounts: who may send instructions, in which currencies, by which rules. */
import * as z from 'zod';
import type { Account } from '../core/gateway.ts';
import { AUTHORISATION_LIFETIME } from '../core/transaction.ts';
import type { Statements } from './database.ts';

/** What is kept of an account. Keys are files; here stand only their names and fingerprints. */
const accountSettings = z.strictObject({
  currencies: z.array(z.string()).min(1),
  capture: z.enum(['manual', 'automatic']).default('manual'),
  /** Lifetime of an authorisation, milliseconds. */
  lifetime: z.int().positive().default(AUTHORISATION_LIFETIME),
  time_zone: z.string().default('UTC'),
  allow_ip: z.array(z.string()).default([]),
  /** Origins whose pages may show the hosted pages in a frame. */
  storefronts: z.array(z.string()).default([]),
  keys: z
    .array(z.strictObject({ file: z.string(), fingerprint: z.string(), revoked: z.boolean().default(false) }))
    .default([]),
});

export type AccountSettings = z.infer<typeof accountSettings>;

export interface KnownAccount extends Account {
  readonly settings: AccountSettings;
}

interface AccountRow {
  readonly number: number;
  readonly merchant_id: string;
  readonly account_id: string;
  readonly settings: string;
}

const COLUMNS = 'number, merchant_id, account_id, settings';

/** All accounts, in the order in which they were made. */
export async function readAccounts(statements: Pick<Statements, 'all'>): Promise<readonly KnownAccount[]> {
  const rows = await statements.all<AccountRow>(`SELECT ${COLUMNS} FROM account ORDER BY number`);
  return rows.map(fromRow);
}

/** The accounts among these pairs of ids. */
export async function readAccountsNamed(
  statements: Pick<Statements, 'all'>,
  named: readonly { readonly merchantId: string; readonly accountId: string }[],
): Promise<readonly KnownAccount[]> {
  const rows = await statements.all<AccountRow>(
    `SELECT ${COLUMNS} FROM account
     WHERE (merchant_id, account_id) IN (SELECT value->>0, value->>1 FROM json_each(?))`,
    [JSON.stringify(named.map(({ merchantId, accountId }) => [merchantId, accountId]))],
  );
  return rows.map(fromRow);
}

function fromRow(row: AccountRow): KnownAccount {
  return {
    number: row.number,
    merchantId: row.merchant_id,
    accountId: row.account_id,
    settings: accountSettings.parse(JSON.parse(row.settings)),
  };
}

export async function insertAccount(
  statements: Statements,
  account: { merchantId: string; accountId: string; settings: z.input<typeof accountSettings> },
  now: number,
): Promise<void> {
  await statements.run(
    'INSERT INTO account (merchant_id, account_id, settings, created_at) VALUES (?, ?, ?, ?)',
    [account.merchantId, account.accountId, JSON.stringify(accountSettings.parse(account.settings)), now],
  );
}

export async function updateAccount(statements: Statements, account: KnownAccount): Promise<void> {
  await statements.run('UPDATE account SET settings = ? WHERE number = ?', [
    JSON.stringify(accountSettings.parse(account.settings)),
    account.number,
  ]);
}

/** Looks accounts up by their two ids. */
export class AccountBook {
  readonly #byIds: ReadonlyMap<string, KnownAccount>;
  readonly all: readonly KnownAccount[];

  constructor(accounts: readonly KnownAccount[]) {
    this.all = accounts;
    this.#byIds = new Map(accounts.map((account) => [key(account.merchantId, account.accountId), account]));
  }

  find(merchantId: string, accountId: string): KnownAccount | undefined {
    return this.#byIds.get(key(merchantId, accountId));
  }
}

/** Ids have no control characters, so a newline keeps the two apart. */
function key(merchantId: string, accountId: string): string {
  return `${merchantId}\n${accountId}`;
}
