/** A signed envelope is verified against the account's keys before any of its entries counts. Contract, "JSON". */
import { readFile, stat } from 'node:fs/promises';
import { reason } from '../core/code.ts';
import type { FileShape, JsonObject, JsonShape } from '../core/row.ts';
import { FileRejected } from '../files/rejected.ts';
import type { AccountBook, KnownAccount } from '../ledger/accounts.ts';
import type { JsonFields, JsonValue } from '../wire/canonical.ts';
import { type Key, verifySignature } from '../wire/signature.ts';
import { parseStrictJson } from '../wire/strict-json.ts';

/** The account's valid keys, read from their files. */
export type KeysOf = (account: KnownAccount) => Promise<readonly Key[]>;

/** A signature covers the whole message, which is held in memory for it. */
const LARGEST_SIGNED = 1024 * 1024;

/** Throws FileRejected when the envelope carries a signature that is not the account's. */
export async function checkEnvelope(
  shape: FileShape,
  path: string,
  accounts: AccountBook,
  keysOf: KeysOf,
): Promise<void> {
  if (shape.format !== 'json' || shape.envelope === undefined) return;
  const signature = shape.envelope.get('encryption_data');
  if (signature === undefined) return;
  const fault = await signatureFault(shape, shape.envelope, signature, path, accounts, keysOf);
  if (fault !== undefined) throw new FileRejected([reason('B0016', fault)]);
}

async function signatureFault(
  shape: JsonShape,
  envelope: JsonObject,
  signature: unknown,
  path: string,
  accounts: AccountBook,
  keysOf: KeysOf,
): Promise<string | undefined> {
  if (typeof signature !== 'string') return 'encryption_data is not text';
  if ((await stat(path)).size > LARGEST_SIGNED) return 'a signed file may have at most 1 MiB';
  const merchantId = envelope.get('merchant_id');
  const accountId = envelope.get('account_id');
  const account =
    typeof merchantId === 'string' && typeof accountId === 'string'
      ? accounts.find(merchantId, accountId)
      : undefined;
  if (account === undefined) return 'the account that should have signed it is unknown';
  const parsed = parseStrictJson(new TextDecoder(shape.encoding).decode(await readFile(path)));
  if ('fault' in parsed) return parsed.fault;
  const message = parsed.value;
  if (!isFields(message)) return 'the message is not an object';
  const holds = (await keysOf(account)).some((key) => verifySignature(message, signature, key));
  return holds ? undefined : 'it does not match any valid key of the account';
}

function isFields(value: JsonValue): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
