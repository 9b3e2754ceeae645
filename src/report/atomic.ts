/** Files that are either whole or not there: written under a temporary name, synced, renamed, the folder synced. */
import { createHash } from 'node:crypto';
import { constants, copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What was written, for the proof of it. */
export interface Written {
  readonly path: string;
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Takes the text of a file, piece by piece. */
export interface Sink {
  write(text: string): Promise<void>;
}

/**
 * Writes a file that is never seen half written. When `produce` or the disk fails, nothing is left behind and the
 * error goes on to the caller; a sync that failed is not tried again.
 * @param produce gives the text to the sink, awaiting each write
 */
export async function writeWhole(path: string, produce: (sink: Sink) => Promise<void>): Promise<Written> {
  const file = await WholeFile.create(path);
  try {
    await produce(file);
    const written = await file.seal();
    await file.publish();
    return written;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A file in the making. `write` any number of times, `seal`, then `publish`; or `discard` at any time before. */
export class WholeFile implements Sink {
  readonly #path: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #closed = false;

  private constructor(path: string, temporary: string, handle: FileHandle) {
    this.#path = path;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  static async create(path: string): Promise<WholeFile> {
    const temporary = await clearedFor(path);
    // `wx`: nobody's link is followed out of the folder.
    return new WholeFile(path, temporary, await open(temporary, 'wx'));
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  /** Brings the bytes to the disk. Nothing can be written after it. */
  async seal(): Promise<Written> {
    await this.#handle.sync();
    await this.#close();
    return { path: this.#path, sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }

  /** Gives the sealed file its name. */
  async publish(): Promise<void> {
    await rename(this.#temporary, this.#path);
    await sync(dirname(this.#path));
  }

  /** As far as possible: why the file is given up matters more, and the next writing removes what is left. */
  async discard(): Promise<void> {
    await this.#close().catch(() => undefined);
    await rm(this.#temporary, { force: true }).catch(() => undefined);
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
  }
}

/** Copies a file; the copy is never seen half written. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = await clearedFor(to);
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    await sync(temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await sync(dirname(to));
}

/** Removes a file, if it is there, and makes that last. */
export async function removeWhole(path: string): Promise<void> {
  await rm(path, { force: true });
  await sync(dirname(path));
}

/** A temporary name at which nothing lies: what a crash left behind goes first. */
async function clearedFor(path: string): Promise<string> {
  const temporary = temporaryFor(path);
  await rm(temporary, { force: true });
  return temporary;
}

/** In the same folder, ignored by every inbox, of a length that fits beside any name; the same after a crash. */
function temporaryFor(path: string): string {
  const digest = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
  return join(dirname(path), `.${digest}.tmp`);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
