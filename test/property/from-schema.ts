/** Messages made from a schema of the interface's own document, and what can be done to them on the way. */
import fc from 'fast-check';

/** A schema of the document, as far as messages need it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface Making {
  /** Finds what a `$ref` means. */
  readonly resolve: (reference: string) => Schema;
  /** Values for a field by its name that lead further than any that the schema allows. */
  readonly likely: Readonly<Record<string, readonly string[]>>;
}

/** Optional fields of an object that are filled: more of ninety would only hide one another. */
const MOST_OPTIONAL = 6;

/** Elements of a list that is made: a few, or as many as are allowed. */
const FEW = 3;

/** Messages that the schema allows. */
export function fromSchema(schema: Schema, making: Making, name = ''): fc.Arbitrary<Json> {
  const made = bySchema(schema, making);
  const likely = making.likely[name];
  return likely === undefined
    ? made
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...likely) }, { weight: 1, arbitrary: made });
}

function bySchema(schema: Schema, making: Making): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) return bySchema(making.resolve(schema.$ref), making);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => bySchema(one, making)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return object(schema, making);
    case 'array':
      return list(schema, making);
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    default:
      return text(schema);
  }
}

function text({ pattern, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' });
  return fc.string({ maxLength: Math.min(maxLength, 200), unit: 'grapheme' });
}

function list({ items = {}, maxItems = FEW }: Schema, making: Making): fc.Arbitrary<Json> {
  const element = fromSchema(items, making);
  return fc.oneof(
    { weight: 9, arbitrary: fc.array(element, { minLength: 1, maxLength: FEW }) },
    { weight: 1, arbitrary: element.map((one) => Array.from({ length: maxItems }, () => one)) },
  );
}

function object({ properties = {}, required = [] }: Schema, making: Making): fc.Arbitrary<Json> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(MOST_OPTIONAL, optional.length) }).chain((chosen) => {
    const fields = [...required, ...chosen].map((name) => [
      name,
      fromSchema(properties[name]!, making, name),
    ]);
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<Json>>);
  });
}

/** What no schema allows somewhere, or nobody expects. */
const HOSTILE: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e21, 2 ** 53, '', ' ', [], {}, [[]], [null], {
    a: { b: 1 },
  }),
  fc.constantFrom(
    '0',
    '-1',
    '-0.00',
    '1e5',
    '0x1A',
    '+1',
    '１００',
    '1,50',
    'NaN',
    '9'.repeat(40),
    '1.23456',
  ),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\u202e',
    '"><script>alert(1)</script>',
    ']]>',
    '&amp;',
    "'; DROP TABLE txn",
  ),
  fc.constantFrom(
    'javascript:alert(1)',
    'http://127.0.0.1:1/',
    '__proto__',
    'constructor',
    '4111111111111111',
  ),
  fc.constantFrom('x'.repeat(5000), '𝒳'.repeat(300), 'é'.repeat(256)),
  fc.constant(nested(40)),
  fc.constant(Array.from({ length: 300 }, () => 'x')),
  fc.json({ maxDepth: 3 }).map((json) => JSON.parse(json) as Json),
);

function nested(depth: number): Json {
  return depth === 0 ? 'deep' : { in: nested(depth - 1) };
}

export interface Mutation {
  /** Chooses a place among all in the message. */
  readonly place: number;
  readonly how: 'replace' | 'remove' | 'rename' | 'add';
  readonly value: Json;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 10_000 }),
  how: fc.constantFrom('replace', 'remove', 'rename', 'add'),
  value: HOSTILE,
});

/** The message after a mutation; the message itself stays as it is. */
export function mutated(message: Json, { place, how, value }: Mutation): Json {
  const copy = structuredClone(message);
  const places = placesIn(copy);
  if (places.length === 0) return value;
  const [holder, key] = places[place % places.length]!;
  if (how === 'remove' || how === 'rename') {
    const was = holder[key];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    if (how === 'rename') holder[`${key}x`] = was!;
  } else holder[how === 'add' ? `${key}_extra` : key] = value;
  return copy;
}

type Holder = { [key: string]: Json };

function placesIn(node: Json): readonly (readonly [Holder, string])[] {
  if (typeof node !== 'object' || node === null) return [];
  // A list's elements are found by their numbers, too.
  const holder = node as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesIn(holder[key]!)]);
}
