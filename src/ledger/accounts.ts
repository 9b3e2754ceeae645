/** Merchants' accounts: who may send instructions, in which currencies, by which rules. */
import * as z from 'zod';
import type { Account } from '../core/gateway.ts';
import { riskSettings } from '../core/risk.ts';
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
  risk: riskSettings.prefault({}),
  keys: z
    .array(z.strictObject({ file: z.string(), fingerprint: z.string(), revoked: z.boolean().default(false) }))
    .default([]),
});

export type AccountSettings = z.infer<typeof accountSettings>;

export interface KnownAccount extends Account {
  readonly settings: AccountSettings;
  /** No money may move. */
  readonly paused: boolean;
}

interface AccountRow {
  readonly number: number;
  readonly merchant_id: string;
  readonly account_id: string;
  readonly settings: string;
  readonly paused: 0 | 1;
}

const COLUMNS = `number, merchant_id, account_id, settings,
  EXISTS (SELECT 1 FROM pause WHERE pause.account IN (0, account.number)) AS paused`;

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

/** The account with this number, which some row of the ledger names. */
export async function readAccountNumbered(
  statements: Pick<Statements, 'all'>,
  number: number,
): Promise<KnownAccount> {
  const [row] = await statements.all<AccountRow>(`SELECT ${COLUMNS} FROM account WHERE number = ?`, [number]);
  if (row === undefined) throw new Error(`the ledger has no account number ${number}`);
  return fromRow(row);
}

function fromRow(row: AccountRow): KnownAccount {
  return {
    number: row.number,
    merchantId: row.merchant_id,
    accountId: row.account_id,
    settings: accountSettings.parse(JSON.parse(row.settings)),
    paused: row.paused === 1,
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
