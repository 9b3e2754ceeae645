/**
 * Bytes of an XML file → its text. The encoding is what the byte order mark says, else what the XML declaration says,
 * else UTF-8; where two of the three contradict each other the file is refused, since one of its readers is wrong.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { hintOf } from '../../core/code.ts';
import { quote } from '../../core/quote.ts';
import { textOf } from '../decode.ts';
import { FileRejected } from '../rejected.ts';
import { type Source, sourceOf } from '../source.ts';
import { Unreadable } from '../unreadable.ts';
import { LONGEST_DECLARATION } from './xml-hidden.ts';

/**
 * The text is held in memory as long as the document is read, at two bytes a character when one of them is beyond Latin-1:
 * 128 MiB. With that a process that reads a statement stays below 350 MB, and below 550 MB where the whole file is one
 * entry with 150,000 details.
 */
export const MOST_BYTES = 64 * 1024 * 1024;

/** So many bytes hold the XML declaration of any file, at two bytes a character. */
const DECLARATION_BYTES = 8 + 2 * LONGEST_DECLARATION;

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

const FETCH_AGAIN = 'Fetch the file again, or ask the sender for it.';
const SAVE_AS_UTF8 = 'Ask the sender for the file as UTF-8, or save it again as UTF-8.';

/** @throws Unreadable when it is too large or no text */
export async function readXmlFile(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw tooLarge();
  // All of it at once: in pieces that are joined it would take twice the room. A pipe has no size and grows.
  let bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for await (const piece of sourceOf(path)()) {
    const end = length + piece.length;
    if (end > MOST_BYTES) throw tooLarge();
    if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], 2 * end);
    piece.copy(bytes, length);
    length = end;
  }
  return decodeXml(bytes.subarray(0, length));
}

function tooLarge(): Unreadable {
  return new Unreadable(`It is larger than ${MOST_BYTES / 1024 / 1024} MiB.`, {
    hint: 'Ask the bank for a file per day or per account; a payment file can be sent in parts.',
  });
}

/** @throws Unreadable when the bytes are not text of the encoding that they say to be in */
export async function decodeXml(bytes: Buffer): Promise<string> {
  if (bytes.length === 0) throw new Unreadable('It is empty.', { hint: FETCH_AGAIN });
  const label = encodingOf(bytes);
  try {
    const { encoding, pieces } = await textOf(inPieces(bytes), label);
    const texts: string[] = [];
    // What is UTF-8 is only checked, and then made text in one go.
    for await (const piece of pieces()) if (encoding !== 'utf-8') texts.push(piece.toString());
    return encoding === 'utf-8' ? withoutMark(bytes).toString() : texts.join('');
  } catch (error) {
    throw error instanceof FileRejected ? unreadable(error, isCutInCharacter(bytes, label)) : error;
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return markOf(bytes) === 'utf-8' ? bytes.subarray(3) : bytes;
}

/** True of a file that was cut off between two bytes of a character, and is right up to there. */
function isCutInCharacter(bytes: Buffer, label: string): boolean {
  const { length } = bytes;
  if (label.startsWith('utf-16')) return length % 2 === 1;
  const isCutBy = (back: number) =>
    beginsCharacter(bytes[length - back]) && isUtf8(bytes.subarray(0, length - back));
  return label === 'utf-8' && [1, 2, 3].some(isCutBy);
}

/** True of the first byte of a character of UTF-8 that has several. */
function beginsCharacter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0xc2 && byte <= 0xf4;
}

/** Finding a bad byte takes a piece at a time: small ones, as a file has them. */
function inPieces(bytes: Buffer): Source {
  const size = 64 * 1024;
  return async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

function unreadable({ reasons }: FileRejected, isCut: boolean): Unreadable {
  const first = reasons[0]!;
  const { line } = first;
  const hint = hintOf(first);
  const message = isCut ? 'It ends in the middle of a character: it was cut off.' : first.message;
  return new Unreadable(message, {
    ...(line === undefined ? {} : { line }),
    hint: isCut ? FETCH_AGAIN : hint.includes('--encoding') ? SAVE_AS_UTF8 : hint,
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

/** How files begin that are in an encoding that is not read here, or that do not say enough. */
const REFUSED_BEGINNINGS: readonly (readonly [hex: string, message: string])[] = [
  ['fffe0000', 'It is UTF-32, which is not read here.'],
  ['0000feff', 'It is UTF-32, which is not read here.'],
  ['3c000000', 'It is UTF-32, which is not read here.'],
  ['0000003c', 'It is UTF-32, which is not read here.'],
  ['3c00', 'It is UTF-16 without its byte order mark.'],
  ['003c', 'It is UTF-16 without its byte order mark.'],
  ['4c6fa794', 'It is EBCDIC, which is not read here.'],
  ['2b2f76', 'It is UTF-7, which is not read here.'],
  ['2b414477', 'It is UTF-7, which is not read here.'],
];

/** The encoding that a byte order mark names. */
function markOf(bytes: Buffer): string | undefined {
  const hex = bytes.subarray(0, 8).toString('hex');
  const refused = REFUSED_BEGINNINGS.find(([beginning]) => hex.startsWith(beginning));
  if (refused !== undefined) throw new Unreadable(refused[1], { line: 1, hint: SAVE_AS_UTF8 });
  if (hex.startsWith('efbbbf')) return 'utf-8';
  if (hex.startsWith('fffe')) return 'utf-16le';
  if (hex.startsWith('feff')) return 'utf-16be';
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
