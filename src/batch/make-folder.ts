/** Making folders in such a way that what is wrong is said. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Folders } from './folders.ts';

/**
 * Makes a folder, and those above it, where there is none. Its name is durable only when the folder above is synced.
 * Node's own `recursive` answers every error with ENOENT, a full disk too, and the user would be told of a missing path.
 */
export async function makeFolder(path: string): Promise<void> {
  if ((await failureOfMaking(path)) === undefined) return;
  await makeFolder(dirname(path));
  const failure = await failureOfMaking(path);
  if (failure !== undefined) throw failure;
}

/** Why there is no folder, when that is because there is none above it; somebody else may have made it already. */
async function failureOfMaking(path: string): Promise<Error | undefined> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return error as Error;
    if (code !== 'EEXIST') throw error;
  }
  return undefined;
}

/** Makes all folders of a data directory that are not there. Keys are their owner's alone. */
export async function makeFolders(folders: Folders): Promise<void> {
  for (const folder of folders.all)
    await mkdir(folder, { recursive: true, mode: folder === folders.keys ? 0o700 : 0o750 });
}
