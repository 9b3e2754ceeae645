/** Looking into an inbox: which files lie there, what lies beside them, and whether one ends as a finished file does. */
import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL, isIgnored, MARKER } from './names.ts';

/** A file that lies in an inbox. */
export interface Waiting {
  readonly path: string;
  readonly name: string;
  /** Folders between the inbox and the file: none, or a merchant's and an account's. */
  readonly place: readonly string[];
  readonly stats: Stats;
  /** Whether its sender's note lies beside it that it is complete. */
  readonly hasMarker: boolean;
  /** What the control file beside it looks like; undefined when there is none. */
  readonly control: Stats | undefined;
}

/** Merchants' folders and accounts' folders: nothing is looked for deeper. */
const DEEPEST = 2;

/** Something that is left where it is, and why. */
export interface Left {
  readonly is: 'unreadable' | 'misplaced';
  readonly path: string;
  readonly why: string;
}

export interface Scan {
  readonly files: readonly Waiting[];
  readonly left: readonly Left[];
  /** The folders that were looked into. */
  readonly folders: readonly string[];
}

/** Everything in the inbox that may be an instruction file, links and pipes included. */
export async function scan(inbox: string): Promise<Scan> {
  const files: Waiting[] = [];
  const left: Left[] = [];
  const folders: string[] = [];
  const look = async (place: readonly string[]): Promise<void> => {
    const folder = join(inbox, ...place);
    const entries = await entriesOf(folder, place, left);
    if (entries === undefined) return;
    folders.push(folder);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const misplaced = misplacement(entry, place);
      if (misplaced === 'ignored') continue;
      const path = join(folder, entry.name);
      if (misplaced !== undefined) left.push({ is: 'misplaced', path, why: misplaced });
      else if (entry.isDirectory()) await look([...place, entry.name]);
      else files.push(...(await waiting(path, entry.name, place, names)));
    }
  };
  await look([]);
  return { files, left, folders };
}

/** Why something in a folder of the inbox is not looked at; undefined for folders and files that are. */
function misplacement(entry: Dirent, place: readonly string[]): string | undefined {
  if (entry.isDirectory()) {
    if (entry.name.startsWith('.')) return 'ignored';
    return place.length < DEEPEST ? undefined : "nothing is taken from folders in an account's folder";
  }
  if (isIgnored(entry.name)) return 'ignored';
  return place.length === 1 ? "it lies in a merchant's folder, not in an account's" : undefined;
}

/** Nothing when the file is gone again. */
async function waiting(
  path: string,
  name: string,
  place: readonly string[],
  beside: ReadonlySet<string>,
): Promise<readonly Waiting[]> {
  const stats = await statsOf(path);
  if (stats === undefined) return [];
  const control = beside.has(name + CONTROL) ? await statsOf(path + CONTROL) : undefined;
  return [{ path, name, place, stats, hasMarker: beside.has(name + MARKER), control }];
}

function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** Undefined for a folder that is not there or cannot be read. */
async function entriesOf(
  folder: string,
  place: readonly string[],
  left: Left[],
): Promise<readonly Dirent[] | undefined> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = codeOf(error);
    // One that has just been removed, or is not made yet, is one without files.
    const isGone = code === 'ENOENT' || (code === 'ENOTDIR' && place.length > 0);
    if (!isGone) left.push({ is: 'unreadable', path: folder, why: code });
    return undefined;
  }
}

/** The system's name of an error, such as EACCES. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Whether the last character is a line end, in one byte or, as UTF-16 has it, in two. */
export async function endsLine(path: string): Promise<boolean> {
  // What was a file may be a pipe by now: nobody waits for one, and no link is followed.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await handle.stat();
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
