import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/files/decode.ts';
import { isEncoding } from '../../src/files/encoding.ts';
import { fieldsOf, open, rejection, rejectionOf, sourceOfBytes } from './support.ts';

const CSV = 'order_no,amount\nA€1,10.50\n😀,1\n';
const ROWS = [
  [2, { order_no: 'A€1', amount: '10.50' }],
  [3, { order_no: '😀', amount: '1' }],
];

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function bytes(...parts: readonly (string | readonly number[])[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

describe.each([1, 2, 3, 7, 65536])('in pieces of %i bytes', (pieceSize) => {
  test.each<[string, Buffer, string]>([
    ['UTF-8', bytes(CSV), 'utf-8'],
    ['F5 UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], CSV), 'utf-8'],
    [
      'F6 UTF-16LE with a byte order mark',
      bytes([0xff, 0xfe], Buffer.from(CSV, 'utf16le') as never),
      'utf-16le',
    ],
    ['F6 UTF-16BE with a byte order mark', bytes([0xfe, 0xff], utf16be(CSV) as never), 'utf-16be'],
  ])('%s', async (_, content, encoding) => {
    expect(await fieldsOf(content, { pieceSize })).toEqual(ROWS);
    expect((await open(content, { pieceSize })).shape.encoding).toBe(encoding);
  });

  test('an encoding that was named, where every release of Node must find the euro sign', async () => {
    const content = bytes('order_no,amount\n', [0x80, 0x8a, 0xe9], ',1\n');
    expect(await fieldsOf(content, { pieceSize, encoding: 'windows-1252' })).toEqual([
      [2, { order_no: '€Šé', amount: '1' }],
    ]);
  });

  test.each<[string, Buffer, string, number, number, string]>([
    ['F7 a byte of windows-1252', bytes('a,b\nx,caf', [0xe9], '\n'), 'B0002', 2, 6, 'byte 0xE9 at offset 9'],
    ['F7 at the end of the file', bytes('a,b\r\nx,', [0xe2, 0x82]), 'B0002', 2, 3, 'byte 0xE2 at offset 7'],
    ['F7 a surrogate', bytes('a\r', [0xed, 0xa0, 0x80]), 'B0002', 2, 1, 'byte 0xED at offset 2'],
    ['F2 zeros', Buffer.alloc(100_000), 'B0003', 1, 1, 'NUL at offset 0'],
    ['F2 a zero', bytes('a,b\n1,', [0], '\n'), 'B0003', 2, 3, 'NUL at offset 6'],
    [
      'a control character',
      bytes('a,b\n1,2\n\n', [0x1f]),
      'B0003',
      4,
      1,
      'control character 0x1F at offset 9',
    ],
    ['F6 UTF-16LE without a mark', Buffer.from(CSV, 'utf16le'), 'B0003', 1, 2, 'NUL at offset 1'],
    ['F6 UTF-16BE without a mark', utf16be(CSV), 'B0003', 1, 1, 'NUL at offset 0'],
    ['half a character of UTF-16', bytes([0xff, 0xfe], 'a\0\n\0b'), 'B0002', 2, 1, 'byte 0x62 at offset 6'],
    [
      'half a pair of UTF-16',
      bytes([0xff, 0xfe, 0x3d, 0xd8, 0x0a, 0]),
      'B0002',
      1,
      1,
      'byte 0x3D at offset 2',
    ],
  ])('%s: %s', async (_, content, code, line, column, words) => {
    const [reason, ...others] = await rejection(content, { pieceSize });
    expect(others).toEqual([]);
    expect(reason).toMatchObject({ code, line, column });
    expect(reason?.message).toContain(words);
  });
});

test('F7: the hint names the option', async () => {
  const [reason] = await rejection(bytes('caf', [0xe9]));
  expect(reason?.hint).toContain('--encoding windows-1252');
});

test('F6: the hint names the encoding it looks like', async () => {
  const [reason] = await rejection(Buffer.from(CSV, 'utf16le'));
  expect(reason?.hint).toContain('--encoding utf-16le');
});

test('a byte order mark wins over the encoding that was named', async () => {
  expect(await fieldsOf(bytes([0xef, 0xbb, 0xbf], CSV), { encoding: 'windows-1252' })).toEqual(ROWS);
});

test('a bad byte far behind is found where it is', async () => {
  const line = 'a,é\r\n';
  const content = bytes(line.repeat(200_000), [0xff], '\n');
  const [reason] = await rejection(content);
  expect(reason).toMatchObject({ code: 'B0002', line: 200_001, column: 1 });
  expect(reason?.message).toContain(`offset ${200_000 * 6},`);
});

test.each<[string, readonly number[], string]>([
  ['gzip', [0x1f, 0x8b, 8], 'gzip'],
  ['zip', [0x50, 0x4b, 3, 4], 'ZIP'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  ['bzip2', [...Buffer.from('BZh91AY&SY')], 'bzip2'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'xz'],
])('F43 %s', async (_, head, format) => {
  const [reason] = await rejection(bytes(head, [0, 1, 2, 3]));
  expect(reason).toMatchObject({ code: 'B0017' });
  expect(reason?.message).toContain(format);
});

test('F43: a column may be called BZh', async () => {
  expect(await rejection('BZh1,amount\n1,2\n')).toEqual([]);
});

test.each([
  ['utf-8', true],
  ['windows-1252', true],
  ['latin1', true],
  ['shift_jis', true],
  ['UTF-16LE', true],
  ['klingon', false],
  ['', false],
])('isEncoding(%j) is %s', (label, expected) => {
  expect(isEncoding(label)).toBe(expected);
});

test('property: any text comes through any encoding in any pieces', async () => {
  const encodings = fc.constantFrom<BufferEncoding>('utf8', 'utf16le');
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      encodings,
      fc.integer({ min: 1, max: 9 }),
      async (given, encoding, size) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
        const text = `\ufeff${given.replace(/[\x00-\x08\x0e-\x1f]/g, '')}`;
        const pieces: Buffer[] = [];
        for await (const piece of (await textOf(sourceOfBytes(Buffer.from(text, encoding), size))).pieces()) {
          expect(piece.toString()).not.toContain('\ufffd');
          pieces.push(piece);
        }
        expect(Buffer.concat(pieces).toString()).toBe(text.slice(1));
      },
    ),
  );
});

test('property: bytes are refused exactly when TextDecoder refuses them, at an offset where the good part ends', async () => {
  const whole = fc.constantFrom('a', 'é', '€', '😀').map((text) => [...Buffer.from(text)]);
  const part = fc
    .constantFrom(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff)
    .map((byte) => [byte]);
  const parts = fc.array(fc.oneof({ weight: 4, arbitrary: whole }, part), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 5 }), async (list, size) => {
      const content = Buffer.from(list.flat());
      const reading = async () => {
        for await (const _ of (await textOf(sourceOfBytes(content, size))).pieces());
      };
      const [reason] = await rejectionOf(reading());
      if (reason === undefined) {
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(content)).not.toThrow();
        return;
      }
      const offset = Number(/offset (\d+)/.exec(reason.message)?.[1]);
      const decode = (end: number) =>
        new TextDecoder('utf-8', { fatal: true }).decode(content.subarray(0, end));
      expect([...decode(offset)]).toHaveLength(Number(reason.column) - 1);
      for (let end = offset + 1; end <= content.length; end++) expect(() => decode(end)).toThrow();
    }),
  );
});
