/** Copying files so that they are whole and on the disk. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { syncFolder } from '../take.ts';

/**
 * Copies a file to a name that is not there yet, and brings it to the disk.
 * @returns the size and SHA-256 of what was read
 */
export async function copySynced(
  from: string,
  to: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  await makeFolder(dirname(to));
  const hash = createHash('sha256');
  const output = await open(to, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of createReadStream(from)) {
      hash.update(piece);
      bytes += piece.length;
      await output.writeFile(piece);
    }
    await output.sync();
  } finally {
    await output.close();
  }
  await syncFolder(dirname(to));
  return { bytes, sha256: hash.digest('hex') };
}
