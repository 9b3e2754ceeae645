/** Key files: made or copied into keys/, where only their owner can read them. What they hold is never printed. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountIds, NamedKey } from '../batch/accounts.ts';
import type { Folders } from '../batch/folders.ts';
import type { Refusal } from '../batch/refusal.ts';
import { syncFolder } from '../batch/take.ts';
import { fingerprint, parseKey } from '../wire/signature.ts';
import { UsageError } from './errors.ts';
import { say } from './output.ts';

export interface KeyFile extends NamedKey {
  readonly path: string;
}

/** 43 characters of base64url. */
const KEY_BYTES = 32;

/** Longest part of a file's name that an id becomes. */
const LONGEST_PART = 48;

/**
 * Puts a key file into keys/, does `register` with it and takes the file away again when that refuses or fails.
 * @param given path of a key file to copy; without one a new key is made
 */
export async function withKeyFile(
  folders: Folders,
  account: AccountIds,
  given: string | undefined,
  register: (key: NamedKey) => Promise<Refusal | undefined>,
): Promise<KeyFile | Refusal> {
  const text =
    given === undefined ? `${randomBytes(KEY_BYTES).toString('base64url')}\n` : await readGiven(given);
  const print = fingerprintOf(text, given ?? 'the new key');
  const file = await store(folders, account, text);
  const path = join(folders.keys, file);
  try {
    const refusal = await register({ file, fingerprint: print });
    if (refusal === undefined) return { file, path, fingerprint: print };
    await rm(path);
    return refusal;
  } catch (error) {
    await rm(path);
    throw error;
  }
}

async function readGiven(path: string): Promise<string> {
  const about = await stat(path).catch(() => undefined);
  if (about === undefined || !about.isFile()) throw new UsageError(`there is no key file ${path}`);
  if ((about.mode & 0o077) !== 0)
    say(`note: others on this machine may read ${path}; chmod 600 takes that away`);
  return readFile(path, 'utf8');
}

/** The fingerprint of the key in a file's text. */
export function fingerprintOf(text: string, where: string): string {
  const parsed = parseKey(text);
  if ('fault' in parsed) throw new UsageError(`${where}: ${parsed.fault}`);
  return fingerprint(parsed.key);
}

/** Writes the text under the first free name of the account; returns the name. */
async function store(folders: Folders, { merchantId, accountId }: AccountIds, text: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const file = `${plain(merchantId)}.${plain(accountId)}.${count}.key`;
    try {
      const handle = await open(join(folders.keys, file), 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(folders.keys);
      return file;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** An id as part of a file's name. Two ids may become the same; the count keeps their files apart. */
function plain(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_PART);
}
