/**
 * Taking files out of an inbox. The claim is a rename inside one file system, so of two watchers only one gets the
 * file. Each watcher has folders of its own in processing/, and each claim one in those:
 * `processing/[merchant/account/]<watcher>/<claim>/<name>`. Contract, "Folders"; F32, F35, F49.
 */
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL, isIgnored, MARKER } from './names.ts';

/** A file that somebody has claimed. */
export interface ClaimedFile {
  /** Unique for ever; it stays with the file when another watcher goes on with it. */
  readonly claim: string;
  /** Folder of its own, with the file, its control file and its marker. */
  readonly folder: string;
  readonly path: string;
  readonly name: string;
  /** Folders between the inbox and the file. */
  readonly place: readonly string[];
}

/**
 * Claims a file with what belongs to it. What stands beside it goes first: should the process end in between, the file
 * itself still lies in the inbox, and `giveBack` puts the rest beside it again.
 * @param watched the watcher's folder for this place
 * @returns undefined when another watcher was quicker or the file is gone
 */
export async function claimFile(
  inbox: string,
  watched: string,
  claim: string,
  { name, place }: { readonly name: string; readonly place: readonly string[] },
): Promise<ClaimedFile | undefined> {
  const folder = join(watched, claim);
  const from = join(inbox, ...place, name);
  await mkdir(folder, { recursive: true });
  try {
    for (const end of [CONTROL, MARKER]) await renameIfThere(from + end, join(folder, name + end));
    const path = join(folder, name);
    if (await renameIfThere(from, path)) return { claim, folder, path, name, place };
  } catch (error) {
    await giveBack(inbox, folder, place);
    throw error;
  }
  await giveBack(inbox, folder, place);
  return undefined;
}

/** Puts everything in a claim's folder back into the inbox and removes the folder. */
export async function giveBack(inbox: string, folder: string, place: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0) await mkdir(join(inbox, ...place), { recursive: true });
  for (const name of names) await rename(join(folder, name), join(inbox, ...place, name));
  await rmdir(folder).catch(() => undefined);
}

/** The file in the folder of a claim; undefined when there is none, because the claim or its end was interrupted. */
export async function claimedIn(
  watched: string,
  claim: string,
  place: readonly string[],
): Promise<ClaimedFile | undefined> {
  const folder = join(watched, claim);
  const name = (await readdir(folder)).find((one) => !isIgnored(one) && one !== OK);
  return name === undefined ? undefined : { claim, folder, path: join(folder, name), name, place };
}

/** Written last of all beside a file that is done with. */
export const OK = 'OK';

/** Ends a claim: what is left in its folder goes with it. */
export async function endClaim({ folder }: Pick<ClaimedFile, 'folder'>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENAMETOOLONG']);

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // Beside a name of full length nothing can lie whose name is longer.
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(String(error.code));
    if (isAbsent) return false;
    throw error;
  }
}
