/**
 * How messages are signed. Gateways of this family use `hmac-sha256`; those of the older one `sha256-concat`, whose
 * signature covers some fields of the envelope and nothing else. Contract, "HTTP".
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type JsonFields, jsonFault } from '../wire/canonical.ts';
import { isSignature, type Key, signMessage, verifySignature } from '../wire/signature.ts';

export type Profile =
  | { readonly name: 'hmac-sha256' }
  | {
      readonly name: 'sha256-concat';
      /** Fields that a request's signature covers, in this order. */
      readonly request: readonly string[];
      /** Those of an answer. */
      readonly answer: readonly string[];
    };

/** The value of `encryption_data` for a request. */
export function signRequest(profile: Profile, message: JsonFields, key: Key): string {
  return profile.name === 'hmac-sha256'
    ? signMessage(message, key)
    : concatenated(profile.request, message, key).toString('hex');
}

/** True when one of the keys has signed the answer. */
export function isSignedAnswer(profile: Profile, fields: JsonFields, keys: readonly Key[]): boolean {
  const { encryption_data: signature } = fields;
  if (profile.name === 'hmac-sha256') return keys.some((key) => verifySignature(fields, signature, key));
  if (!isSignature(signature) || jsonFault(fields) !== undefined) return false;
  const given = Buffer.from(signature, 'hex');
  return keys.some((key) => timingSafeEqual(concatenated(profile.answer, fields, key), given));
}

/** SHA-256 of the fields, absent ones empty, joined with nothing, and the key. */
function concatenated(names: readonly string[], fields: JsonFields, key: Key): Buffer {
  const values = names.map((name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : canonicalJson(value);
  });
  return createHash('sha256').update(values.join(''), 'utf8').update(key.export()).digest();
}
