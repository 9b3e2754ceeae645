/** Looking into an inbox: which files lie there, and whether one ends as a finished file does. */
import type { Dirent, Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnored } from './names.ts';

/** A file that lies in an inbox. */
export interface Waiting {
  readonly path: string;
  readonly name: string;
  /** Folders between the inbox and the file: none, or a merchant's and an account's. */
  readonly place: readonly string[];
  readonly stats: Stats;
}

/** Merchants' folders and accounts' folders: nothing is looked for deeper. */
const DEEPEST = 2;

/** A folder or file that cannot be looked at. */
export interface Unreadable {
  readonly path: string;
  readonly why: string;
}

export interface Scan {
  readonly files: readonly Waiting[];
  readonly unreadable: readonly Unreadable[];
}

/** Everything in the inbox that may be an instruction file, links and pipes included. */
export async function scan(inbox: string): Promise<Scan> {
  const files: Waiting[] = [];
  const unreadable: Unreadable[] = [];
  const look = async (place: readonly string[]): Promise<void> => {
    const folder = join(inbox, ...place);
    for (const entry of await entriesOf(folder, unreadable)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (place.length < DEEPEST && !entry.name.startsWith('.')) await look([...place, entry.name]);
      } else if (isIgnored(entry.name)) {
      } else if (place.length === 1) {
        unreadable.push({ path, why: "it lies in a merchant's folder, not in an account's" });
      } else {
        const stats = await lstat(path).catch(() => undefined);
        if (stats !== undefined) files.push({ path, name: entry.name, place, stats });
      }
    }
  };
  await look([]);
  return { files, unreadable };
}

async function entriesOf(folder: string, unreadable: Unreadable[]): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    // A folder that has just been removed, or is not made yet, is one without files.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') unreadable.push({ path: folder, why: code });
    return [];
  }
}

/** Whether the last character is a line end, in one byte or, as UTF-16 has it, in two. */
export async function endsLine(path: string, size: number): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const last = Buffer.alloc(2);
    const { bytesRead } = await handle.read(last, 0, 2, Math.max(0, size - 2));
    const [a, b] = bytesRead === 2 ? [last[0]!, last[1]!] : [undefined, last[0]!];
    return isLineEnd(b) || (b === 0 && a !== undefined && isLineEnd(a));
  } finally {
    await handle.close();
  }
}

function isLineEnd(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}
