/**
 * Bytes of any encoding → bytes of UTF-8 that are known to be good text. The quick way only learns that a piece is bad;
 * where exactly is found by reading the file again, slowly (decode-fault.ts).
 */
import { isUtf8 } from 'node:buffer';
import { reason } from '../core/code.ts';
import { compressedFormat, SIGNATURE_BYTES } from './compressed.ts';
import { findFault } from './decode-fault.ts';
import { decoderOf, type Encoding, encodingOf } from './encoding.ts';
import { FileRejected } from './rejected.ts';
import { bytesAfter, firstBytes, type Source } from './source.ts';

/** The text of a file, as UTF-8. */
export interface Text {
  readonly encoding: string;
  /** From the beginning, without the byte order mark, in pieces that end between characters. Throws FileRejected. */
  pieces(): AsyncGenerator<Buffer>;
}

/**
 * Looks at a file's first bytes and says how to read the rest.
 * @param named label of the encoding to use when the file has no byte order mark
 * @throws FileRejected B0017 when it is compressed; while reading B0002, B0003
 */
export async function textOf(source: Source, named?: string): Promise<Text> {
  const head = await firstBytes(source, SIGNATURE_BYTES);
  const format = compressedFormat(head);
  if (format !== undefined) throw new FileRejected([reason('B0017', format)]);
  const encoding = encodingOf(head, named);
  const pieces = encoding.label === 'utf-8' ? checkedPieces : decodedPieces;
  return { encoding: encoding.label, pieces: () => pieces(source, encoding) };
}

/** UTF-8 is passed on as it is, once checked. */
async function* checkedPieces(source: Source, encoding: Encoding): AsyncGenerator<Buffer> {
  let offset = encoding.mark;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of bytesAfter(source, encoding.mark)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = bytes.subarray(0, bytes.length - incompleteTail(bytes));
    if (!isUtf8(whole) || hasBinary(whole)) throw await findFault(source, encoding, offset);
    if (whole.length > 0) yield whole;
    offset += whole.length;
    rest = bytes.subarray(whole.length);
  }
  if (rest.length > 0) throw await findFault(source, encoding, offset);
}

/** How many bytes at the end begin a character of UTF-8 whose other bytes are still to come. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

async function* decodedPieces(source: Source, encoding: Encoding): AsyncGenerator<Buffer> {
  const decode = decoderOf(encoding.label);
  let offset = encoding.mark;
  for await (const piece of bytesAfter(source, encoding.mark)) {
    const text = attempt(() => decode(piece));
    const bytes = text === undefined ? undefined : Buffer.from(text);
    if (bytes === undefined || hasBinary(bytes)) throw await findFault(source, encoding, offset);
    if (bytes.length > 0) yield bytes;
    offset += piece.length;
  }
  if (attempt(() => decode()) === undefined) throw await findFault(source, encoding, offset);
}

function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Control bytes that no text has: all below the space but tab, line feed, vertical tab, form feed and carriage return. */
const BINARY = new Uint8Array(256).fill(1, 0, 32).fill(0, 9, 14);

function hasBinary(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if (BINARY[bytes[at]!] === 1) return true;
  return false;
}
