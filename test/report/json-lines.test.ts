import { describe, expect, test } from 'vitest';
import { JsonNumber, JsonObject } from '../../src/core/row.ts';
import { expectGolden } from './golden.ts';
import { fileText, jsonShape, line } from './lines.ts';

function entry(...members: ConstructorParameters<typeof JsonObject>[0]): JsonObject {
  return new JsonObject(members);
}

const lines = [
  line(1, entry(['transaction_id', '00123'], ['amount', '10.00'], ['own', new JsonNumber('1.0e2')])),
  line(
    2,
    entry(['amount', '1e2'], ['transaction_id', 'T2'], ['tags', ['a', null, true]]),
    'invalid',
    'I0021',
  ),
  line(3, entry(['transaction_id', '00123'], ['amount', '10.00']), 'duplicate', 'B0001', { first: 'B1:1' }),
];

const envelope = jsonShape('envelope', {
  list: 'refund_orders',
  envelope: entry(
    ['merchant_id', 'M1'],
    ['account_id', 'A1'],
    ['encryption_data', 'aa'],
    ['note', new JsonNumber('1.50')],
  ),
});

describe.each([
  ['envelope', envelope],
  ['array', jsonShape('array')],
  ['ndjson', jsonShape('ndjson')],
] as const)('%s', (form, shape) => {
  test.each(['result', 'fixme', 'held'] as const)(
    '%s: members in order, F23 numbers and ids as written',
    (file) => {
      const text = fileText(file, shape, lines);
      expectGolden(`json-${form}/${file}.json`, text);
      const documents = form === 'ndjson' ? text.trim().split('\n') : [text];
      expect(() => documents.map((document) => JSON.parse(document))).not.toThrow();
    },
  );
  test('no line at all is still valid', () => {
    const text = fileText('result', shape, []);
    if (form === 'ndjson') expect(text).toBe('');
    else expect(() => JSON.parse(text)).not.toThrow();
  });
});

test('a single payout stays an object', () => {
  const payout = line(1, entry(['request_id', 'R1'], ['encryption_data', 'aa']), 'refused', 'V0011');
  expect(JSON.parse(fileText('result', jsonShape('object'), [payout]))).toMatchObject({
    request_id: 'R1',
    encryption_data: 'aa',
    _result: { outcome: 'refused', line: 1, chunk: 1 },
  });
  expect(JSON.parse(fileText('fixme', jsonShape('object'), [payout]))).toEqual({
    request_id: 'R1',
    _problem: 'V0011: The balance is too small for the payout.',
    _hint: 'Try again when the balance has grown.',
    _line_of: 'B1:1',
  });
});

test('the signature stays in the result only: elsewhere the entries have changed', () => {
  expect(fileText('result', envelope, lines)).toContain('"encryption_data":"aa"');
  expect(fileText('fixme', envelope, lines)).not.toContain('encryption_data');
  expect(fileText('held', envelope, lines)).not.toContain('encryption_data');
});

test('F39 members of ours that the input has already are not doubled', () => {
  const again = entry(
    ['_problem', 'old'],
    ['id', 'T1'],
    ['_line_of', 'B0:1'],
    ['_result', 'x'],
    ['repeat_of', 'B0:7'],
  );
  expect(
    fileText('fixme', jsonShape('ndjson'), [line(1, again, 'refused', 'V0001')]).match(/_problem|_line_of/g),
  ).toHaveLength(2);
  expect(fileText('result', jsonShape('ndjson'), [line(1, again)]).match(/_result/g)).toHaveLength(1);
  const held = fileText('held', jsonShape('ndjson'), [
    line(1, again, 'duplicate', 'B0001', { first: 'B0:1' }),
  ]);
  expect(held.match(/repeat_of/g)).toHaveLength(1);
  expect(JSON.parse(held)).toMatchObject({ repeat_of: 'B0:7', _first: 'B0:1' });
});

test('F100 card numbers are masked at every depth, as text and as numbers; other numbers stay', () => {
  const card = entry(
    ['transaction_id', '4111111111111111'],
    ['notes', [entry(['text', 'card 4111111111111111']), new JsonNumber('4111111111111111')]],
    ['own', new JsonNumber('1.50')],
  );
  const asked: string[] = [];
  const mask = (text: string, path: string) => {
    asked.push(path);
    return path.endsWith('_id') ? text : text.replace('4111111111111111', '411111******1111');
  };
  const text = fileText(
    'fixme',
    jsonShape('ndjson'),
    [line(1, card, 'invalid', ['B0012', '4111111111111111'])],
    { mask },
  );
  expect(JSON.parse(text)).toMatchObject({
    transaction_id: '4111111111111111',
    notes: [{ text: 'card 411111******1111' }, '411111******1111'],
    own: 1.5,
  });
  expect(text).toContain('"own":1.50');
  expect(text.match(/4111111111111111/g)).toHaveLength(1);
  expect(asked).toContain('notes.0.text');
});
