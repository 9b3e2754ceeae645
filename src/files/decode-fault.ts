/** Where exactly a file stops being text: the slow second reading, done once it is known that it does. */
import { reason } from '../core/code.ts';
import { type Decode, decoderOf, type Encoding } from './encoding.ts';
import { Place } from './place.ts';
import { FileRejected } from './rejected.ts';
import { bytesAfter, type Source } from './source.ts';

/** No encoding has characters of more bytes: so far before a bad piece everything is known to be good. */
const LONGEST_CHARACTER = 8;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const BINARY = /[\x00-\x08\x0e-\x1f]/;

/**
 * Reads the file again, byte by byte in the piece that is bad.
 * @param from offset of that piece in the file
 * @returns the rejection with offset, line and position in the line (as its column) of the first bad byte
 */
export async function findFault(source: Source, encoding: Encoding, from: number): Promise<FileRejected> {
  const decode = decoderOf(encoding.label);
  const place = new Place();
  /** The next byte to read, and the first one that has not become text yet. */
  let offset = encoding.mark;
  let start = offset;
  let first = 0;
  for await (const piece of bytesAfter(source, encoding.mark)) {
    const good = Math.min(Math.max(from - LONGEST_CHARACTER - offset, 0), piece.length);
    place.pass(decode(piece.subarray(0, good)));
    if (good > 0) start = offset + good;
    offset += good;
    for (const byte of piece.subarray(good)) {
      if (start === offset) first = byte;
      const text = tryByte(decode, byte);
      if (text === undefined) return badByte(encoding, start, first, place);
      if (BINARY.test(text)) return binary(encoding, start, text, place);
      place.pass(text);
      offset++;
      if (text !== '') start = offset;
    }
  }
  return start < offset ? badByte(encoding, start, first, place) : changed();
}

function tryByte(decode: Decode, byte: number): string | undefined {
  try {
    return decode(Uint8Array.of(byte));
  } catch {
    return undefined;
  }
}

function badByte(encoding: Encoding, offset: number, byte: number, place: Place): FileRejected {
  const hint =
    encoding.label === 'utf-8'
      ? 'Save the file as UTF-8, or name its encoding: --encoding windows-1252 for files of older Windows programs.'
      : 'Save the file as UTF-8, or name the right encoding with --encoding.';
  const what = `byte ${hex(byte)} at offset ${offset}, ${place}, is not ${encoding.label}`;
  return new FileRejected([reason('B0002', what, { hint, line: place.line, column: place.position })]);
}

function binary(encoding: Encoding, offset: number, text: string, place: Place): FileRejected {
  const code = text.charCodeAt(0);
  const what = `${code === 0 ? 'NUL' : `control character ${hex(code)}`} at offset ${offset}, ${place}`;
  // The first letter of a file in UTF-16 is followed by a zero; a file of zeros begins with one.
  const utf16 = encoding.label === 'utf-8' && code === 0 && offset === 1;
  const hint = utf16
    ? { hint: 'It looks like UTF-16 without its mark: save it as UTF-8, or name it: --encoding utf-16le.' }
    : {};
  return new FileRejected([reason('B0003', what, { ...hint, line: place.line, column: place.position })]);
}

function changed(): FileRejected {
  return new FileRejected([reason('B0018', 'it was bad text once and good text the next time')]);
}

function hex(value: number): string {
  return `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;
}
