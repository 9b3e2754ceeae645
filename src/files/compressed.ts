/** Formats that hold a file instead of being one, told by their first bytes. */
const SIGNATURES: readonly (readonly [format: string, bytes: string])[] = [
  ['gzip', '1f8b'],
  ['ZIP (an Excel workbook is one too)', '504b0304'],
  ['ZIP', '504b0506'],
  ['ZIP', '504b0708'],
  ['zstd', '28b52ffd'],
  ['xz', 'fd377a585a00'],
  ['7-Zip', '377abcaf271c'],
  ['RAR', '526172211a07'],
];

/** `BZh`, the block size, and the digits of pi: three letters alone could begin a column's name. */
const BZIP2 = /^425a683[1-9]314159265359/;

/** Bytes that must be known before the format can be. */
export const SIGNATURE_BYTES = 10;

/** Name of the compressed format that begins with these bytes. */
export function compressedFormat(head: Buffer): string | undefined {
  const hex = head.toString('hex');
  if (BZIP2.test(hex)) return 'bzip2';
  return SIGNATURES.find(([, bytes]) => hex.startsWith(bytes))?.[0];
}
