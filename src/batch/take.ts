/**
 * Taking a file: it is copied into work/, synced and hashed, and only the copy is ever read. What the sender does to
 * the original afterwards changes nothing.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reason } from '../core/code.ts';
import { FileRejected } from '../files/rejected.ts';
import { Ownership } from '../ledger/owner.ts';
import { KEPT_INPUT } from './folders.ts';
import { makeFolder } from './make-folder.ts';

/** Copies that no batch has yet lie in folders that begin so. */
const INCOMING = 'incoming-';

/** What a living process holds in such a folder. */
const LOCK = 'owner.db';

export interface Taken {
  /** Folder of its own that holds the copy. */
  readonly folder: string;
  /** Held for as long as the copy is nobody's yet: without it, it was left behind by a process that is gone. */
  readonly lock: Ownership;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Where the bytes come from: a path, or a stream such as standard input. */
export type Source = string | AsyncIterable<Uint8Array>;

/**
 * Copies the source into a new folder under `work`.
 * @throws FileRejected (B0018) for anything but a plain file
 */
export async function take(source: Source, work: string): Promise<Taken> {
  const input = typeof source === 'string' ? await openPlain(source) : undefined;
  try {
    return await copyIn(
      input?.createReadStream({ autoClose: false }) ?? (source as AsyncIterable<Uint8Array>),
      work,
    );
  } finally {
    await input?.close();
  }
}

async function copyIn(bytes: AsyncIterable<Uint8Array>, work: string): Promise<Taken> {
  const { folder, lock } = await openIncoming(work);
  const path = join(folder, KEPT_INPUT);
  try {
    return { folder, lock, path, ...(await copyTo(path, bytes)) };
  } catch (error) {
    // Why it failed matters more; what is left is removed later.
    await removeIncoming(folder, lock).catch(() => undefined);
    throw error;
  }
}

/** A new folder for a copy, locked for as long as this process lives. */
async function openIncoming(work: string): Promise<Pick<Taken, 'folder' | 'lock'>> {
  for (;;) {
    const folder = join(work, `${INCOMING}${randomUUID()}`);
    await makeFolder(folder);
    const lock = await lockIn(folder);
    // Whoever clears up removes a lock only while holding it: one that is still there now stays.
    if (lock !== undefined && existsSync(join(folder, LOCK))) return { folder, lock };
    await lock?.release();
  }
}

/** Its lock; undefined when another process holds it, or has just removed the folder. */
function lockIn(folder: string): Promise<Ownership | undefined> {
  return Ownership.take(join(folder, LOCK)).catch((error: unknown) => {
    if (existsSync(folder)) throw error;
    return undefined;
  });
}

async function removeIncoming(folder: string, lock: Ownership): Promise<void> {
  try {
    // Another process may look whether it is locked, and puts a file there in that moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  } finally {
    await lock.release();
  }
}

/**
 * Removes the copies that processes have left behind which were killed before a batch had them. Nobody has looked for
 * card numbers in such a copy, so it is overwritten first (F44).
 */
export async function removeAbandoned(work: string): Promise<void> {
  for (const name of await readdir(work)) {
    if (!name.startsWith(INCOMING)) continue;
    const folder = join(work, name);
    const lock = await lockIn(folder);
    if (lock === undefined) continue;
    try {
      const copy = join(folder, KEPT_INPUT);
      if (existsSync(copy)) await overwrite(copy);
    } finally {
      await removeIncoming(folder, lock);
    }
  }
}

/**
 * Hashes the source where it lies, for those who only look at it.
 * @throws FileRejected (B0018) for anything but a plain file
 */
export async function inspect(path: string): Promise<Pick<Taken, 'path' | 'sha256' | 'bytes'>> {
  const input = await openPlain(path);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of input.createReadStream({ autoClose: false })) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { path, sha256: hash.digest('hex'), bytes };
  } finally {
    await input.close();
  }
}

/** Refuses links, pipes and devices, and never waits for one: nothing but a plain file has an end that can be trusted. */
async function openPlain(path: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'ENXIO')) {
      throw new FileRejected([reason('B0018', 'it is a link, a pipe or a device')]);
    }
    throw error;
  }
  const about = await handle.stat();
  const fault = about.isDirectory()
    ? 'it is a folder'
    : !about.isFile()
      ? 'it is a pipe or a device'
      : about.nlink > 1
        ? 'it has a second name elsewhere (a hard link)'
        : undefined;
  if (fault === undefined) return handle;
  await handle.close();
  throw new FileRejected([reason('B0018', fault)]);
}

async function copyTo(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  const output = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      await output.writeFile(chunk);
    }
    await output.sync();
  } finally {
    await output.close();
  }
  return { sha256: hash.digest('hex'), bytes: size };
}

/** Gives the taken copy its lasting place. */
export async function keep(taken: Taken, folder: string): Promise<void> {
  await makeFolder(folder);
  await rename(taken.path, join(folder, KEPT_INPUT));
  await syncFolder(folder);
  await syncFolder(dirname(folder));
  await discard(taken);
}

export async function discard({ folder, lock }: Taken): Promise<void> {
  await removeIncoming(folder, lock);
}

/** Overwrites the copy before removing it: card numbers must not stay on the disk (F44). */
export async function destroy(taken: Taken): Promise<void> {
  await overwrite(taken.path);
  await discard(taken);
}

/** Puts zeros in the place of everything that a file holds. */
export async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const zeros = new Uint8Array(64 * 1024);
    for (let at = 0; at < size; at += zeros.length) {
      await file.write(zeros, 0, Math.min(zeros.length, size - at), at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
