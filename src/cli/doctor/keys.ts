/** Key files: there, private, and the ones that the accounts know. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf } from '../../batch/accounts.ts';
import type { Folders } from '../../batch/folders.ts';
import { type KnownAccount, readAccounts } from '../../ledger/accounts.ts';
import type { Database } from '../../ledger/database.ts';
import { hasTokens } from '../../ledger/tokens.ts';
import { fingerprint, parseKey } from '../../wire/signature.ts';
import { CARD_KEY_FILE } from '../card-key.ts';
import { HASH_KEY_FILE } from '../compose.ts';
import { counted } from '../output.ts';
import { type Diagnosis, ok, warning, wrong } from './diagnosis.ts';

export async function checkKeys({ reads }: Database, folders: Folders): Promise<readonly Diagnosis[]> {
  if (!existsSync(folders.keys))
    return [wrong('keys', `${folders.keys} is missing`, 'Restore it from wherever keys are kept safe.')];
  const accounts = await readAccounts(reads);
  const found = [
    ...(await checkPrivacy(folders)),
    ...(await checkHashKey(folders)),
    ...(await checkCardKey(reads, folders)),
  ];
  for (const account of accounts) found.push(...(await checkAccount(folders, account)));
  if (accounts.length === 0)
    found.push(
      warning(
        'accounts',
        'there is none yet',
        'batchgate account add --merchant M1 --account A1 --currency USD',
      ),
    );
  return found.length > 0
    ? found
    : [ok('keys', `private, and those of ${counted(accounts.length, 'account')} are there`)];
}

async function checkPrivacy(folders: Folders): Promise<readonly Diagnosis[]> {
  const paths = [folders.keys, ...(await readdir(folders.keys)).map((name) => join(folders.keys, name))];
  const found: Diagnosis[] = [];
  for (const path of paths) {
    const { mode } = await stat(path);
    if ((mode & 0o077) === 0) continue;
    const right = path === folders.keys ? '700' : '600';
    found.push(
      wrong(
        'keys',
        `others on this machine may read ${path}`,
        `chmod ${right} ${path}, and consider new keys: batchgate account rotate-key`,
      ),
    );
  }
  return found;
}

async function checkHashKey({ keys }: Folders): Promise<readonly Diagnosis[]> {
  if (existsSync(join(keys, HASH_KEY_FILE))) return [];
  return [
    wrong(
      'keys',
      `${join(keys, HASH_KEY_FILE)} is missing`,
      'Restore it: without it, files with card data are not recognised again.',
    ),
  ];
}

/** Stored cards can be read with their key alone; a new one would be made when the next card is stored. */
async function checkCardKey(reads: Database['reads'], { keys }: Folders): Promise<readonly Diagnosis[]> {
  const path = join(keys, CARD_KEY_FILE);
  if (existsSync(path) || !(await hasTokens(reads))) return [];
  return [
    wrong(
      'keys',
      `${path} is missing, and cards are stored`,
      'Restore it before anything else runs: without it no stored card can be charged again.',
    ),
  ];
}

async function checkAccount(folders: Folders, account: KnownAccount): Promise<readonly Diagnosis[]> {
  const valid = account.settings.keys.filter(({ revoked }) => !revoked);
  if (valid.length === 0) {
    const mend = `batchgate account rotate-key --merchant ${account.merchantId} --account ${account.accountId}`;
    return [warning('keys', `account ${nameOf(account)} has no valid key`, mend)];
  }
  const faults = await Promise.all(
    valid.map(async (key) => {
      const fault = await faultOf(join(folders.keys, key.file), key.fingerprint);
      return fault === undefined
        ? []
        : [
            wrong(
              'keys',
              `account ${nameOf(account)}, key ${key.fingerprint}: ${fault}`,
              'Restore the file, or make a new key and revoke this one.',
            ),
          ];
    }),
  );
  return faults.flat();
}

async function faultOf(path: string, expected: string): Promise<string | undefined> {
  if (!existsSync(path)) return `${path} is missing`;
  const parsed = parseKey(await readFile(path, 'utf8'));
  if ('fault' in parsed) return parsed.fault;
  return fingerprint(parsed.key) === expected ? undefined : `${path} holds another key`;
}
