/** Messages that a merchant's developer has in a file, and the keys that sign them. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { loadConfig } from '../config.ts';
import type { JsonFields, JsonValue } from '../wire/canonical.ts';
import { isFields } from '../wire/messages/values.ts';
import { type Key, parseKey } from '../wire/signature.ts';
import { parseStrictJson } from '../wire/strict-json.ts';
import { type AccountArgs, chosenAccount } from './account-choice.ts';
import { inData, keysOf } from './compose.ts';
import { UsageError } from './errors.ts';
import { asTyped, STDIN } from './files.ts';

/** The one JSON object in a file, or on standard input. */
export async function readMessage(path: string): Promise<JsonFields> {
  const bytes = path === STDIN ? Buffer.from(await text(process.stdin)) : await readFile(path);
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${asTyped(path)} is not UTF-8`);
  }
  const parsed = parseStrictJson(content);
  if ('fault' in parsed) throw new UsageError(`${asTyped(path)}: ${parsed.fault}`);
  if (!isFields(parsed.value)) throw new UsageError(`${asTyped(path)} is not one JSON object`);
  return parsed.value;
}

/** An account with the key that signs for it. */
export interface Signer {
  readonly merchantId: string;
  readonly accountId: string;
  readonly key: Key;
}

/** The newest valid key of the account that the flags, else the message, name. */
export function signerOf(
  args: AccountArgs & { readonly data: string | undefined },
  message: JsonFields,
): Promise<Signer> {
  return inData(loadConfig(args), async (opened) => {
    const account = await chosenAccount(opened, {
      merchant: args.merchant ?? textOf(message.merchant_id),
      account: args.account ?? textOf(message.account_id),
    });
    const { merchantId, accountId } = account;
    const key = (await keysOf(opened.folders, account)).at(-1);
    if (key !== undefined) return { merchantId, accountId, key };
    throw new UsageError(
      `account ${merchantId}/${accountId} has no valid key`,
      'Make one: batchgate account rotate-key',
    );
  });
}

/** Text that a message carries under a name; undefined for anything else. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export async function keyInFile(path: string): Promise<Key> {
  const parsed = parseKey(await readFile(path, 'utf8'));
  if ('fault' in parsed) throw new UsageError(`${path}: ${parsed.fault}`);
  return parsed.key;
}
