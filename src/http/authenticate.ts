/**
 * Who sends a message. Whoever is refused learns nothing: an unknown merchant and a wrong signature get the same answer
 * after the same work. F76, F81
 */
import { createSecretKey } from 'node:crypto';
import { id } from '../core/text.ts';
import type { JsonFields, JsonValue } from '../wire/canonical.ts';
import { isSignature, type Key, type Signature, verifyText } from '../wire/signature.ts';
import type { Merchant, Merchants } from './ports.ts';

/** A refused signature has been compared with so many keys, however few the account has, if there is one. */
const LEAST_TRIES = 2;

/** Stands for the key of an account that does not exist; no signature is ever compared with success. */
const NOBODYS_KEY: Key = createSecretKey(Buffer.alloc(32));

/**
 * The account whose key has signed the message.
 * @param text what a signature of the message covers
 * @returns undefined when there is no such account, or the signature is not its
 */
export async function authenticate(
  message: JsonFields,
  text: string,
  merchants: Merchants,
): Promise<Merchant | undefined> {
  const { merchant_id, account_id, encryption_data } = message;
  if (!isSignature(encryption_data)) return undefined;
  const [merchantId, accountId] = [idOf(merchant_id), idOf(account_id)];
  const remembered = await merchants.find(merchantId, accountId, 'memory');
  if (isSigned(remembered, text, encryption_data)) return remembered;
  // The account may be new, or have a new key: what was known a moment ago refuses nobody.
  const current = await merchants.find(merchantId, accountId);
  return isSigned(current, text, encryption_data) ? current : undefined;
}

/** An id as it can be looked up; one that is none belongs to nobody. */
export function idOf(value: JsonValue | undefined): string {
  const parsed = id.safeParse(value);
  return parsed.success ? parsed.data : '';
}

function isSigned(merchant: Merchant | undefined, text: string, signature: Signature): merchant is Merchant {
  const keys = merchant?.keys ?? [];
  if (keys.some((key) => verifyText(text, signature, key))) return true;
  for (let tries = keys.length; tries < LEAST_TRIES; tries += 1) verifyText(text, signature, NOBODYS_KEY);
  return false;
}
