/** Remote gateways: whether they are there, know an account of this data directory, and sign what they answer. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { nameOf } from '../../batch/accounts.ts';
import type { Folders } from '../../batch/folders.ts';
import type { Config, GatewayConfig, RemoteConfig } from '../../config.ts';
import { unconfigured } from '../../config.ts';
import type { Reason } from '../../core/code.ts';
import { EMBEDDED } from '../../core/gateway.ts';
import { type KnownAccount, readAccounts } from '../../ledger/accounts.ts';
import type { Database } from '../../ledger/database.ts';
import { readSetting } from '../../ledger/settings.ts';
import { readKey } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { Gateways, gatewayNamed } from '../gateways.ts';
import { LedgerMerchants } from '../merchants.ts';
import { type Diagnosis, ok, warning, wrong } from './diagnosis.ts';

/** Somebody waits for the doctor: one try, and not for long. Seconds. */
const PATIENCE = 10;

/** Asks every gateway that the configuration names for a transaction that nobody has: it changes nothing. */
export async function checkGateways(
  config: Config,
  database: Database,
  folders: Folders,
): Promise<readonly Diagnosis[]> {
  const environment = (await readSetting(database.reads, 'environment')) ?? '';
  const preferred = preferredOf(config);
  if (typeof preferred === 'object') return [preferred];
  const remote = impatient(config.remote, preferred);
  const names = Object.keys(remote.gateways);
  const usable = names.filter((name) => remote.gateways[name]!.environment === environment);
  const others = names.filter((name) => !usable.includes(name));
  const found = others.map((name) =>
    elsewhere(name, remote.gateways[name]!, environment, name === preferred),
  );
  if (environment === 'live' && preferred === EMBEDDED) found.push(nothingExecutes(usable));
  if (usable.length === 0) return found;
  const account = await signer(database, folders);
  if (account === undefined) return [...found, ...usable.map(cannotAsk)];
  const merchants = new LedgerMerchants(database, (file) => readKey(folders, file));
  const gateways = new Gateways({ remote }, environment, merchants);
  try {
    const asked = usable.map((name) => examine(name, remote.gateways[name]!, gateways, account));
    return [...found, ...(await Promise.all(asked))];
  } finally {
    await gateways.close();
  }
}

/** What executes unless a command line says otherwise. */
function preferredOf(config: Config): string | Diagnosis {
  try {
    return gatewayNamed(config, undefined);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return wrong('gateway', error.message, error.hint ?? 'Correct gateway in batchgate.yaml.');
  }
}

function impatient({ gateways }: RemoteConfig, preferred: string): RemoteConfig {
  const named =
    preferred === EMBEDDED || Object.hasOwn(gateways, preferred)
      ? gateways
      : { ...gateways, [preferred]: unconfigured(preferred) };
  const changed = Object.entries(named).map(([name, one]) => {
    return [name, { ...one, attempts: 1, deadline: Math.min(one.deadline, PATIENCE) }] as const;
  });
  return { preferred, gateways: Object.fromEntries(changed) };
}

/** The first account that can sign. */
async function signer({ reads }: Database, folders: Folders): Promise<KnownAccount | undefined> {
  for (const account of await readAccounts(reads)) {
    const valid = account.settings.keys.filter(({ revoked }) => !revoked);
    const keys = await Promise.all(valid.map(({ file }) => readKey(folders, file).catch(() => undefined)));
    if (keys.length > 0 && keys.every((key) => key !== undefined)) return account;
  }
  return undefined;
}

async function examine(
  name: string,
  settings: GatewayConfig,
  gateways: Gateways,
  account: KnownAccount,
): Promise<Diagnosis> {
  const { ca, signs } = settings;
  if (ca !== undefined && !existsSync(ca))
    return wrong(
      titleOf(name),
      `there is no ${ca}`,
      'Put the PEM file there, or correct ca in batchgate.yaml.',
    );
  try {
    const { merchantId, accountId } = account;
    const nobodys = {
      by: 'name',
      orderNos: [],
      transactionIds: [`batchgate-doctor-${randomUUID()}`],
    } as const;
    const answer = await gateways.remote(name).gateway.query({ merchantId, accountId, selection: nobodys });
    if ('failure' in answer) return explained(name, settings, account, answer.failure);
    const signed = signs === 'everything' ? 'signed' : 'not signed, as the configuration says';
    return ok(titleOf(name), `${settings.url} answers account ${nameOf(account)}; its answer is ${signed}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return wrong(titleOf(name), error.message, error.hint ?? 'Correct its settings in batchgate.yaml.');
  }
}

/** Why there was no good answer, and how to get one. */
function explained(
  name: string,
  { url }: GatewayConfig,
  account: KnownAccount,
  { code, message, alarm }: Reason,
): Diagnosis {
  const said = `${url}: ${code} ${message}`;
  const title = titleOf(name);
  if (alarm === true)
    return wrong(
      title,
      said,
      'Send nothing there before it is clear who answers: compare url and ca, profile and signs with what its operator says, and the key of the account.',
    );
  if (code === 'I0013')
    return wrong(
      title,
      `it refuses account ${nameOf(account)}: ${said}`,
      `Its operator must know the key (batchgate account show --merchant ${account.merchantId} --account ${account.accountId} prints the fingerprint) and the address of this machine.`,
    );
  return code === 'E0002'
    ? wrong(title, said, 'Check url, network and firewall; if it is down, wait: nothing is lost.')
    : wrong(title, said, 'Check that url is the address above /v1, and profile and signs.');
}

function elsewhere(
  name: string,
  settings: GatewayConfig,
  environment: string,
  isPreferred: boolean,
): Diagnosis {
  const message = `B0023: it is ${settings.environment}, this data directory is ${environment}: it is never used here`;
  const mend = `Correct its environment in batchgate.yaml, or use it with a data directory that is ${settings.environment}.`;
  return (isPreferred ? wrong : warning)(titleOf(name), message, mend);
}

/** A live directory has no engine of its own. */
function nothingExecutes(usable: readonly string[]): Diagnosis {
  const mend =
    usable.length > 0
      ? `Name it with --gateway, or once for all in batchgate.yaml: gateway: ${usable[0]}`
      : 'Add it under gateways in batchgate.yaml, with environment: live.';
  return warning('gateway', 'a live directory executes nothing unless a live gateway is named', mend);
}

function cannotAsk(name: string): Diagnosis {
  return warning(
    titleOf(name),
    'not asked: there is no account with a valid key to sign with',
    'batchgate account add, then doctor again.',
  );
}

function titleOf(name: string): string {
  return `gateway ${name}`;
}
