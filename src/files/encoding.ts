/** Which encoding a file is in, and decoders that refuse what is not in it. */

export interface Encoding {
  /** Label in lower case, for example `utf-8`, `utf-16le`, `windows-1252`. */
  readonly label: string;
  /** Length of the byte order mark in bytes. */
  readonly mark: number;
}

/** True when the label names an encoding that `--encoding` may ask for. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** A byte order mark says what the file is, whatever was named; without one it is the named encoding, else UTF-8. */
export function encodingOf(head: Buffer, named: string | undefined): Encoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: 'utf-8', mark: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { label: 'utf-16le', mark: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { label: 'utf-16be', mark: 2 };
  return { label: named === undefined ? 'utf-8' : new TextDecoder(named).encoding, mark: 0 };
}

/** Decodes the next bytes of a file; without bytes, checks that the last character is whole. Throws on a bad byte. */
export type Decode = (bytes?: Uint8Array) => string;

export function decoderOf(label: string): Decode {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const decode: Decode = (bytes) =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  return label === 'windows-1252' ? (bytes) => decode(bytes).replace(C1_CONTROL, windows1252) : decode;
}

/**
 * Several releases of Node (20.20 among them) read windows-1252 as if it were ISO 8859-1, so that a euro sign (0x80) becomes
 * an invisible control character. This table puts that right, and changes nothing where the release is sound.
 */
const C1_CONTROL = /[\x80-\x9f]/g;
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function windows1252(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - 0x80]!;
}
