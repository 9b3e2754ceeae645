/** Changes to merchants' accounts, each with its act in the audit. */
import type { RiskSettings } from '../core/risk.ts';
import {
  type AccountSettings,
  insertAccount,
  type KnownAccount,
  readAccountsNamed,
  updateAccount,
} from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Statements } from '../ledger/database.ts';
import type { BatchContext } from './context.ts';
import type { Refusal } from './refusal.ts';

type Acting = Pick<BatchContext, 'database' | 'clock' | 'actor'>;

export interface AccountIds {
  readonly merchantId: string;
  readonly accountId: string;
}

/** A key as an account knows it: the file's name under keys/, and what people compare it by. */
export interface NamedKey {
  readonly file: string;
  readonly fingerprint: string;
}

export type NewAccount = AccountIds & {
  readonly settings: Pick<AccountSettings, 'currencies' | 'capture' | 'lifetime' | 'time_zone'>;
  readonly key: NamedKey;
};

export function addAccount(context: Acting, account: NewAccount): Promise<Refusal | undefined> {
  return context.database.write(async (statements) => {
    const [existing] = await readAccountsNamed(statements, [account]);
    if (existing !== undefined) return { refusal: `account ${nameOf(account)} is there already` };
    const { key, settings } = account;
    await insertAccount(statements, { ...account, settings: { ...settings, keys: [key] } }, context.clock());
    await audit(context, statements, 'account.add', account, { ...settings, key: key.fingerprint });
    return undefined;
  });
}

/** The new key counts at once; the others count until they are revoked. */
export function addKey(context: Acting, account: AccountIds, key: NamedKey): Promise<Refusal | undefined> {
  return change(context, account, 'account.rotate-key', { key: key.fingerprint }, (settings) => {
    if (settings.keys.some(({ fingerprint }) => fingerprint === key.fingerprint)) {
      return { refusal: `account ${nameOf(account)} has or had the key ${key.fingerprint}` };
    }
    return { ...settings, keys: [...settings.keys, { ...key, revoked: false }] };
  });
}

export function revokeKey(
  context: Acting,
  account: AccountIds,
  fingerprint: string,
): Promise<Refusal | undefined> {
  return change(context, account, 'account.revoke-key', { key: fingerprint }, (settings) => {
    const key = settings.keys.find((one) => one.fingerprint === fingerprint);
    if (key === undefined) return { refusal: `account ${nameOf(account)} has no key ${fingerprint}` };
    if (key.revoked) return { refusal: `the key ${fingerprint} is revoked already` };
    return { ...settings, keys: settings.keys.map((one) => (one === key ? { ...one, revoked: true } : one)) };
  });
}

/** Lists of an account: addresses (or networks) that may query it, and origins that may frame its hosted pages. */
const LISTS = {
  ip: { setting: 'allow_ip', there: 'is allowed already', missing: 'is not among the allowed addresses' },
  storefront: {
    setting: 'storefronts',
    there: 'is registered already',
    missing: 'is not among the registered storefronts',
  },
} as const;

export type AccountList = keyof typeof LISTS;

export function allow(
  context: Acting,
  account: AccountIds,
  list: AccountList,
  value: string,
): Promise<Refusal | undefined> {
  const { setting, there } = LISTS[list];
  return change(context, account, `account.allow-${list}`, { [list]: value }, (settings) =>
    settings[setting].includes(value)
      ? { refusal: `${value} ${there}` }
      : { ...settings, [setting]: [...settings[setting], value] },
  );
}

export function forbid(
  context: Acting,
  account: AccountIds,
  list: AccountList,
  value: string,
): Promise<Refusal | undefined> {
  const { setting, missing } = LISTS[list];
  return change(context, account, `account.forbid-${list}`, { [list]: value }, (settings) =>
    settings[setting].includes(value)
      ? { ...settings, [setting]: settings[setting].filter((one) => one !== value) }
      : { refusal: `${value} ${missing}` },
  );
}

/** @param make the settings of risk out of those before */
export function setRisk(
  context: Acting,
  account: AccountIds,
  make: (before: RiskSettings) => RiskSettings,
): Promise<Refusal | undefined> {
  return change(
    context,
    account,
    'account.risk',
    ({ risk }) => risk,
    (settings) => {
      const risk = make(settings.risk);
      if (risk.review > risk.reject)
        return {
          refusal: `a payment cannot be refused from ${risk.reject} on and held only from ${risk.review} on`,
        };
      return { ...settings, risk };
    },
  );
}

/** Reads, changes and writes the settings in one transaction, so that no other change is lost. */
function change(
  context: Acting,
  ids: AccountIds,
  act: string,
  detail: object | ((changed: AccountSettings) => object),
  make: (settings: AccountSettings) => AccountSettings | Refusal,
): Promise<Refusal | undefined> {
  return context.database.write(async (statements) => {
    const [account] = await readAccountsNamed(statements, [ids]);
    if (account === undefined) return { refusal: `there is no account ${nameOf(ids)}` };
    const settings = make(account.settings);
    if ('refusal' in settings) return settings;
    const changed: KnownAccount = { ...account, settings };
    await updateAccount(statements, changed);
    await audit(context, statements, act, ids, typeof detail === 'function' ? detail(settings) : detail);
    return undefined;
  });
}

function audit(
  { clock, actor }: Acting,
  statements: Statements,
  act: string,
  account: AccountIds,
  detail: object,
): Promise<void> {
  return appendAct(statements, {
    at: clock(),
    who: actor,
    act,
    subject: nameOf(account),
    detail: JSON.stringify(detail),
  });
}

/** How people name an account: `M1/A1`. */
export function nameOf({ merchantId, accountId }: AccountIds): string {
  return `${merchantId}/${accountId}`;
}
