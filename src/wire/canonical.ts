/** Canonical JSON (RFC 8785): one text for one value, whoever wrote it, so that a signature can cover the value. */
import canonicalize from 'canonicalize';

/** What JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonFields;

/** An object: the fields of a message. */
export interface JsonFields {
  readonly [key: string]: JsonValue;
}

/** How many objects and lists may lie inside one another: no message of the API needs a third of it. */
export const MAX_DEPTH = 32;

/** A value that two programs may read differently, and that is therefore never signed. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

/**
 * The value as RFC 8785 writes it.
 * @throws NotCanonical for anything that `jsonFault` names
 */
export function canonicalJson(value: JsonValue): string {
  const fault = jsonFault(value);
  if (fault !== undefined) throw new NotCanonical(fault);
  return serialize(value)!;
}

// The package is CommonJS and exports the function itself; its types say that the function is a member `default`.
const serialize = canonicalize as unknown as (input: unknown) => string | undefined;

/** Why the value has no canonical form that everybody agrees on, in words without its content; undefined when it has one. */
export function jsonFault(value: JsonValue, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return textFault(value);
    case 'number':
      return numberFault(value);
    case 'boolean':
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (depth === MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}`;
      return isList(value) ? listFault(value, depth + 1) : objectFault(value, depth + 1);
    default:
      return `JSON has no ${typeof value}`;
  }
}

/** `Array.isArray` does not tell read-only lists from objects. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function listFault(list: readonly JsonValue[], depth: number): string | undefined {
  for (const element of list) {
    const fault = jsonFault(element, depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function objectFault(object: JsonFields, depth: number): string | undefined {
  for (const key of Object.keys(object)) {
    const fault = textFault(key) ?? jsonFault(object[key]!, depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Reading by code points, only a surrogate without its partner is seen as one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function textFault(text: string): string | undefined {
  return LONE_SURROGATE.test(text) ? 'a string holds half of a surrogate pair' : undefined;
}

function numberFault(number: number): string | undefined {
  if (!Number.isFinite(number)) return 'a number is not finite';
  const exact = !Number.isInteger(number) || Number.isSafeInteger(number);
  return exact ? undefined : `a whole number is beyond ±${Number.MAX_SAFE_INTEGER}`;
}
