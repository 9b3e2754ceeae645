/** Reading files without executing them: they stay where they are, and nothing goes into the data directory. */
import { tmpdir } from 'node:os';
import { emptyPreflight, type Preflight } from '../batch/preflight.ts';
import { discard, inspect, take } from '../batch/take.ts';
import { FileRejected } from '../files/rejected.ts';
import { STDIN } from './files.ts';

/** Does `work` on the file; standard input is kept in a temporary file for as long as that takes. */
export async function inspected<T>(
  path: string,
  work: (path: string, sha256: string) => Promise<T>,
): Promise<T> {
  if (path !== STDIN) {
    const { sha256 } = await inspect(path);
    return work(path, sha256);
  }
  const taken = await take(process.stdin, tmpdir());
  try {
    return await work(taken.path, taken.sha256);
  } finally {
    await discard(taken);
  }
}

/** What is left to say of a file that is no plain file. */
export function unread(error: unknown): Preflight {
  if (!(error instanceof FileRejected)) throw error;
  return { ...emptyPreflight(), rejections: error.reasons };
}
