import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../src/wire/canonical.ts';
import { parseStrictJson } from '../../src/wire/strict-json.ts';

test.each([
  '{}',
  ' [1, 2.5, -3e2, true, false, null, "x"] \n',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  '"text"',
  '12.30',
  '{"constructor":1,"toString":2,"":3}',
  '{"pair":"\\ud83d\\ude00"}',
])('%s reads as JSON.parse reads it', (text) => {
  expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) });
});

test.each([
  ['F39: a key twice', '{"amount":"1.00","amount":"9.00"}', 'the key "amount" stands twice in one object'],
  ['F39: twice, once in escapes', '{"a":1,"\\u0061":2}', 'the key "a" stands twice in one object'],
  [
    'F39: twice, in an inner object',
    '[{"b":{"x":1,"y":[],"x":2}}]',
    'the key "x" stands twice in one object',
  ],
  ['F40: __proto__', '{"__proto__":{"admin":true}}', 'it has the key "__proto__"'],
  ['F40: __proto__ in escapes', '[{"_\\u005fproto__":1}]', 'it has the key "__proto__"'],
  ['F38: nested deeper than 32', '['.repeat(33) + ']'.repeat(33), 'it is nested deeper than 32'],
  ['half a surrogate pair', '{"a":"\\ud83d"}', 'a string holds half of a surrogate pair'],
  [
    'an integer that is read differently elsewhere',
    '[9007199254740993]',
    'a whole number is beyond ±9007199254740991',
  ],
  ['a number that is not finite', '1e999', 'a number is not finite'],
  ['nothing', '', 'it is not valid JSON'],
  ['two values', '{} {}', 'it is not valid JSON at position 3'],
  ['a final comma', '{"a":1,}', 'it is not valid JSON at position 7'],
  ['a byte order mark', '\ufeff{}', 'it is not valid JSON'],
])('%s is refused', (_, text, fault) => {
  expect(parseStrictJson(text)).toEqual({ fault });
});

test('F73: a fault never quotes the text', () => {
  for (const text of [
    '{"security_code":"987",x}',
    '[987',
    '{"security_code":987 654}',
    'security_code=987',
  ]) {
    expect(JSON.stringify(parseStrictJson(text))).not.toMatch(/987|security_code/);
  }
});

test('a long key is cut when it is named', () => {
  const key = 'k'.repeat(5000);
  const answer = parseStrictJson(`{"${key}":1,"${key}":2}`);
  expect(answer).toEqual({ fault: `the key "${'k'.repeat(40)}…" stands twice in one object` });
});

test('F38: a million brackets do not overflow the stack', () => {
  expect(parseStrictJson('['.repeat(1_000_000))).toEqual({ fault: 'it is not valid JSON' });
  const closed = '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000);
  expect(parseStrictJson(closed)).toEqual({ fault: 'it is nested deeper than 32' });
});

test('F88: 200,000 keys, and the same with the last one twice, in bounded time', () => {
  const members = Array.from({ length: 200_000 }, (_, index) => `"${index.toString(36)}":0`);
  const begun = performance.now();
  expect(parseStrictJson(`{${members.join(',')}}`)).toHaveProperty('value');
  expect(parseStrictJson(`{${members.join(',')},${members.at(-1)}}`)).toHaveProperty('fault');
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('property: any JSON text gives the value of JSON.parse, or has a fault that can be named', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const value = JSON.parse(text);
      const read = parseStrictJson(text);
      if ('value' in read) expect(read.value).toEqual(value);
      else expect([jsonFault(value), 'it has the key "__proto__"']).toContain(read.fault);
    }),
  );
});

test('property: where the text is cut for reading makes no difference', () => {
  const entry = {
    transaction_id: 'T1',
    note: '"\\ é 😀 \u2028',
    amount: -1.5e-3,
    flags: [true, false, null],
  };
  const text = JSON.stringify(Array.from({ length: 2000 }, () => entry));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (shift) => {
      expect(parseStrictJson(' '.repeat(shift) + text)).toHaveProperty('value');
    }),
    { numRuns: 20 },
  );
});
