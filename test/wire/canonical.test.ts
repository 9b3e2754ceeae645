import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  type JsonValue,
  jsonFault,
  MAX_DEPTH,
  NotCanonical,
} from '../../src/wire/canonical.ts';

const vectors = new URL('../../../shared/data/jcs-rfc8785/', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, vectors), 'utf8');
}

describe.skipIf(!existsSync(vectors))('vectors of RFC 8785', () => {
  test.each(['arrays', 'french', 'structures'])('%s', (name) => {
    const canonical = canonicalJson(JSON.parse(read(`input/${name}.json`)));
    expect(canonical).toBe(read(`output/${name}.json`));
    const hex = Buffer.from(canonical, 'utf8').toString('hex');
    expect(hex).toBe(read(`outhex/${name}.txt`).replace(/\s/g, ''));
  });

  test('values: 1e30 is refused, because other programs read such a number differently', () => {
    const values = JSON.parse(read('input/values.json'));
    expect(() => canonicalJson(values)).toThrow(NotCanonical);
    const numbers = values.numbers.filter((number: number) => number !== 1e30);
    expect(canonicalJson({ ...values, numbers })).toBe(read('output/values.json').replace('1e+30,', ''));
  });
});

test.each<[JsonValue, string]>([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  // By UTF-16 code units: the smiling face (d83d de00) stands before the ligature (fb01).
  [{ ﬁ: 1, '😀': 2 }, '{"😀":2,"ﬁ":1}'],
  [{ 10: 'ten', 9: 'nine' }, '{"10":"ten","9":"nine"}'],
  [{ a: [], b: {} }, '{"a":[],"b":{}}'],
  ['a/b\u2028\u0007"\\', '"a/b\u2028\\u0007\\"\\\\"'],
  [-0, '0'],
  [0.1, '0.1'],
  [1e-7, '1e-7'],
  [0.000001, '0.000001'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
  [null, 'null'],
  [[true, false, 'x'], '[true,false,"x"]'],
])('%j is written %s', (value, written) => {
  expect(canonicalJson(value)).toBe(written);
});

const nested = (depth: number): JsonValue => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const nestedObjects = (depth: number): JsonValue =>
  JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

test.each<[string, JsonValue, string]>([
  ['half a surrogate pair', '\ud83d', 'a string holds half of a surrogate pair'],
  ['the other half', { a: ['x\ude00'] }, 'a string holds half of a surrogate pair'],
  ['a pair the wrong way round', '\ude00\ud83d', 'a string holds half of a surrogate pair'],
  ['half a pair in a key', { '\ud83d': 1 }, 'a string holds half of a surrogate pair'],
  ['an integer beyond 2^53 − 1', 9007199254740992, 'a whole number is beyond ±9007199254740991'],
  ['and below', [-9007199254740992], 'a whole number is beyond ±9007199254740991'],
  ['an integer written with an exponent', { a: 1e30 }, 'a whole number is beyond ±9007199254740991'],
  ['NaN', Number.NaN, 'a number is not finite'],
  ['infinity', [Number.POSITIVE_INFINITY], 'a number is not finite'],
  ['33 lists in one another', nested(33), 'it is nested deeper than 32'],
  ['33 objects in one another', nestedObjects(33), 'it is nested deeper than 32'],
  ['what JSON does not have', { a: undefined } as unknown as JsonValue, 'JSON has no undefined'],
])('%s is refused', (_, value, fault) => {
  expect(jsonFault(value)).toBe(fault);
  expect(() => canonicalJson(value)).toThrow(new NotCanonical(fault));
});

test('nesting as deep as is allowed', () => {
  expect(MAX_DEPTH).toBe(32);
  expect(canonicalJson(nested(32))).toBe('['.repeat(32) + ']'.repeat(32));
  expect(jsonFault(nestedObjects(32))).toBeUndefined();
});

test('property: the text parses to an equal value, whatever order its members were in', () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
  fc.assert(
    fc.property(json, (value) => {
      const given = value as JsonValue;
      if (jsonFault(given) !== undefined) return;
      const canonical = canonicalJson(given);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(given)));
      expect(canonicalJson(reversed(given))).toBe(canonical);
    }),
  );
});

/** The same value with the members of every object in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
