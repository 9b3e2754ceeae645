import { createReadStream } from 'node:fs';

/** The bytes of a file from its beginning, as often as asked: a file is read at least twice. */
export type Source = () => AsyncIterable<Buffer>;

/** Large enough to be quick, small enough that everything made of one piece stays small. */
const PIECE_BYTES = 64 * 1024;

export function sourceOf(path: string): Source {
  return () => createReadStream(path, { highWaterMark: PIECE_BYTES });
}

/** The first `size` bytes, or all when there are fewer. */
export async function firstBytes(source: Source, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source()) {
    pieces.push(piece);
    length += piece.length;
    if (length >= size) break;
  }
  return Buffer.concat(pieces).subarray(0, size);
}

/** The bytes after the first `size`. */
export async function* bytesAfter(source: Source, size: number): AsyncGenerator<Buffer> {
  let toSkip = size;
  for await (const piece of source()) {
    const skipped = Math.min(toSkip, piece.length);
    toSkip -= skipped;
    if (skipped < piece.length) yield skipped === 0 ? piece : piece.subarray(skipped);
  }
}
