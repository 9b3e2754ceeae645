/**
 * Form fields as a message. Each field is text; the nested ones hold JSON text, read as strictly as a JSON body. What
 * is signed is the message that comes out of it. Contract, "HTTP".
 */
import { OPERATIONS } from '../core/operation.ts';
import { quote } from '../core/quote.ts';
import type { JsonFields, JsonValue } from './canonical.ts';
import { parseStrictJson } from './strict-json.ts';

/** Fields that are objects or lists in JSON; specification, "Nested structures" and "Payout". */
const NESTED: ReadonlySet<string> = new Set([
  ...Object.values(OPERATIONS).flatMap(({ list }) => list ?? []),
  'cart_items',
  'account_owner',
  'total_discount',
  'additional_information',
  'subscription',
  'person',
  'beneficiary',
  'payer',
]);

/**
 * Reads a body of type application/x-www-form-urlencoded.
 * @returns the message, or in words why it is refused; never with a value from it
 */
export function readForm(text: string): { readonly fields: JsonFields } | { readonly fault: string } {
  if (!isDecodable(text)) return { fault: 'its percent-encoding is not UTF-8' };
  const fields = new Map<string, JsonValue>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '__proto__') return { fault: 'it has the field "__proto__"' };
    if (fields.has(name)) return { fault: `the field ${quote(name)} stands twice` };
    const read = NESTED.has(name) && value !== '' ? parseStrictJson(value) : { value };
    if ('fault' in read) return { fault: `in ${name}, ${read.fault}` };
    fields.set(name, read.value);
  }
  return { fields: Object.fromEntries(fields) };
}

/** `URLSearchParams` replaces what it cannot decode, and a signature would cover something else than was sent. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
