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
  return signText(signedText(message), key);
}

/** True when `signature` (whatever the sender put there) is the message's, in hex digits of either case. */
export function verifySignature(message: JsonFields, signature: unknown, key: Key): boolean {
  return (
    isSignature(signature) &&
    jsonFault(message) === undefined &&
    verifyText(signedText(message), signature, key)
  );
}

/**
 * What a signature covers: the canonical JSON of the message without `encryption_data`.
 * @throws NotCanonical when the message has no canonical form
 */
export function signedText(message: JsonFields): string {
  const { encryption_data: _, ...signed } = message;
  return canonicalJson(signed);
}

/** The signature of such a text. */
function signText(text: string, key: Key): string {
  return hmacOf(text, key).toString('hex');
}

/** True when the signature is the text's; compared in constant time. */
export function verifyText(text: string, signature: Signature, key: Key): boolean {
  return timingSafeEqual(hmacOf(text, key), Buffer.from(signature, 'hex'));
}

/** Text with the shape of a signature: 64 hex digits of either case. */
export type Signature = string & { readonly signature: unique symbol };

export function isSignature(value: unknown): value is Signature {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}

function hmacOf(text: string, key: Key): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
