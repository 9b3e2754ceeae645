/**
 * Bytes of an XML file → its text. The encoding is what the byte order mark says, else what the XML declaration says,
 * else UTF-8; where two of the three contradict each other the file is refused, since one of its readers is wrong.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { hintOf } from '../../core/code.ts';
import { quote } from '../../core/quote.ts';
import { textOf } from '../decode.ts';
import { FileRejected } from '../rejected.ts';
import { type Source, sourceOf } from '../source.ts';
import { Unreadable } from '../unreadable.ts';

/** The whole document is held in memory, at about a dozen times its size. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** So many bytes hold the XML declaration of any file. */
const DECLARATION_BYTES = 256;

/** What a declaration may name, in lower case, and the encoding by which it is read. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'us-ascii',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16',
  'utf-16be': 'utf-16',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
};

const SAVE_AS_UTF8 = 'Ask the sender for the file as UTF-8, or save it again as UTF-8.';

/** @throws Unreadable when it is too large or no text */
export async function readXmlFile(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of sourceOf(path)()) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_BYTES) {
      throw new Unreadable(`It is larger than ${MOST_BYTES / 1024 / 1024} MiB.`, {
        hint: 'Ask the bank for a file per day or per account.',
      });
    }
  }
  return decodeXml(Buffer.concat(pieces));
}

/** @throws Unreadable when the bytes are not text of the encoding that they say to be in */
export async function decodeXml(bytes: Buffer): Promise<string> {
  if (bytes.length === 0) throw new Unreadable('It is empty.');
  const label = encodingOf(bytes);
  try {
    const text = await textOf(inPieces(bytes), label);
    const pieces: Buffer[] = [];
    for await (const piece of text.pieces()) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  } catch (error) {
    throw error instanceof FileRejected ? unreadable(error) : error;
  }
}

/** Finding a bad byte takes a piece at a time: small ones, as a file has them. */
function inPieces(bytes: Buffer): Source {
  const size = 64 * 1024;
  return async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

function unreadable({ reasons }: FileRejected): Unreadable {
  const first = reasons[0]!;
  const { message, line } = first;
  const hint = hintOf(first);
  return new Unreadable(message, {
    ...(line === undefined ? {} : { line }),
    hint: hint.includes('--encoding') ? SAVE_AS_UTF8 : hint,
  });
}

function encodingOf(bytes: Buffer): string {
  const marked = markOf(bytes);
  const declared = declaredIn(bytes, marked);
  if (declared === undefined) return marked ?? 'utf-8';
  const label = Object.hasOwn(ENCODINGS, declared.toLowerCase())
    ? ENCODINGS[declared.toLowerCase()]!
    : undefined;
  if (label === undefined) {
    throw new Unreadable(`It declares the encoding ${quote(declared)}, which is not read here.`, {
      line: 1,
      hint: SAVE_AS_UTF8,
    });
  }
  const fault = contradiction(bytes, label, marked);
  if (fault !== undefined) {
    throw new Unreadable(`It declares the encoding ${declared}, but ${fault}.`, {
      line: 1,
      hint: SAVE_AS_UTF8,
    });
  }
  return marked ?? label;
}

/** The encoding that a byte order mark names; two bytes a character without a mark are refused. */
function markOf(bytes: Buffer): string | undefined {
  const hex = bytes.subarray(0, 4).toString('hex');
  if (hex.startsWith('efbbbf')) return 'utf-8';
  if (hex === 'fffe0000' || hex === '0000feff' || hex === '0000003c' || hex === '3c000000') {
    throw new Unreadable('It is UTF-32, which is not read here.', { line: 1, hint: SAVE_AS_UTF8 });
  }
  if (hex.startsWith('fffe')) return 'utf-16le';
  if (hex.startsWith('feff')) return 'utf-16be';
  if (hex.startsWith('3c00') || hex.startsWith('003c')) {
    throw new Unreadable('It is UTF-16 without its byte order mark.', {
      line: 1,
      hint: SAVE_AS_UTF8,
    });
  }
  return undefined;
}

/** What the XML declaration names, read before the encoding is known: all of it is in ASCII. */
function declaredIn(bytes: Buffer, marked: string | undefined): string | undefined {
  const head = bytes.subarray(0, DECLARATION_BYTES);
  const wide = marked === 'utf-16le' || marked === 'utf-16be';
  const text = wide ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1');
  return /^[^<]{0,8}<\?xml\s[^<>]*?\sencoding\s*=\s*["']([^"'<>]*)["']/.exec(text)?.[1];
}

function contradiction(bytes: Buffer, label: string, marked: string | undefined): string | undefined {
  if (marked === undefined) {
    if (label === 'utf-16') return 'its bytes are not UTF-16';
    if (label === 'us-ascii') return isAscii(bytes) ? undefined : 'it has other characters';
    // Two or more bytes that are a character of UTF-8 by chance do not happen in a text of Latin letters.
    if (label !== 'utf-8' && isUtf8(bytes) && !isAscii(bytes)) return 'its bytes are UTF-8';
    return undefined;
  }
  const said = marked.startsWith('utf-16') ? 'utf-16' : marked;
  return said === label ? undefined : `its byte order mark says ${said.toUpperCase()}`;
}
