/**
 * The signature of the API, and the keys that make it. `encryption_data` is the lower-case hex HMAC-SHA-256, with the
 * account's key, over the canonical JSON of the message without `encryption_data`. This is the project's choice where
 * the specification says "not shown"; contract, "HTTP".
 */
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type JsonFields, jsonFault } from './canonical.ts';

/** An account's key. It never shows its bytes when something prints or logs it. */
export type Key = KeyObject;

const SHORTEST_KEY = 32;

/**
 * A key from the text of its file: the UTF-8 bytes without the trailing newline.
 * @returns the key, or what is wrong with it
 */
export function parseKey(text: string): { readonly key: Key } | { readonly fault: string } {
  const secret = text.replace(/\r?\n$/, '');
  const length = [...secret].length;
  return length < SHORTEST_KEY
    ? { fault: `the key has ${length} characters; it needs at least ${SHORTEST_KEY}` }
    : { key: createSecretKey(secret, 'utf8') };
}

/** What a person may compare keys by: the first 16 hex digits of the SHA-256 of its bytes. */
export function fingerprint(key: Key): string {
  return createHash('sha256').update(key.export()).digest('hex').slice(0, 16);
}

/**
 * The value of `encryption_data` for a message; one that the message already carries does not count.
 * @throws NotCanonical when the message has no canonical form
 */
export function signMessage(message: JsonFields, key: Key): string {
  return hmacOf(message, key).toString('hex');
}

/** True when `signature` (whatever the sender put there) is the message's, in hex digits of either case. */
export function verifySignature(message: JsonFields, signature: unknown, key: Key): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  if (jsonFault(message) !== undefined) return false;
  return timingSafeEqual(hmacOf(message, key), Buffer.from(signature, 'hex'));
}

function hmacOf(message: JsonFields, key: Key): Buffer {
  const { encryption_data: _, ...signed } = message;
  return createHmac('sha256', key).update(canonicalJson(signed), 'utf8').digest();
}
