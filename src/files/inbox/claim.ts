/**
 * Taking files out of an inbox. The claim is a rename inside one file system, so of two watchers only one gets the
 * file, and what belongs to it is his. Each watcher has folders of its own in processing/, and each claim one in those:
 * `processing/[merchant/account/]<watcher>/<claim>/<name>`. Contract, "Folders"; F32, F35, F49.
 */
import { existsSync, type Stats } from 'node:fs';
import { lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL, isIgnored, MARKER } from './names.ts';
import { codeOf } from './scan.ts';

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
  /** What it looked like when it was claimed, or taken over. */
  readonly stats: Stats;
}

/**
 * A claim's folder ends so until all that belongs to the file is in it. Without this nobody could tell a control file
 * that was not moved yet from one that has come since, for another file of the same name.
 */
const BEGUN = '.begun';

/** The folder in which a claim begins; whoever claims makes it first. */
export function beginningOf(watched: string, claim: string): string {
  return join(watched, claim + BEGUN);
}

/**
 * Claims a file with what belongs to it, into the folder that was made for it. The file goes first: whoever gets it has
 * the rest to himself.
 * @param watched the watcher's folder for this place
 * @returns undefined when another watcher was quicker or the file is gone
 */
export async function claimFile(
  inbox: string,
  watched: string,
  claim: string,
  { name, place }: { readonly name: string; readonly place: readonly string[] },
): Promise<ClaimedFile | undefined> {
  const begun = beginningOf(watched, claim);
  const from = join(inbox, ...place, name);
  try {
    if (await renameIfThere(from, join(begun, name)))
      return await completeClaim(inbox, watched, claim, place, name);
  } catch (error) {
    // Back to where it was, unless there is another by now; then whoever takes over goes on with it.
    if (!existsSync(from)) await rename(join(begun, name), from).catch(() => undefined);
    await rmdir(begun).catch(() => undefined);
    throw error;
  }
  await rmdir(begun);
  return undefined;
}

async function completeClaim(
  inbox: string,
  watched: string,
  claim: string,
  place: readonly string[],
  name: string,
): Promise<ClaimedFile> {
  const begun = beginningOf(watched, claim);
  for (const end of [CONTROL, MARKER])
    await renameIfThere(join(inbox, ...place, name + end), join(begun, name + end));
  const folder = join(watched, claim);
  await rename(begun, folder);
  const path = join(folder, name);
  return { claim, folder, path, name, place, stats: await lstat(path) };
}

/**
 * Goes on with a claim from where it was left: one that had only begun is completed. What is left of one that is over is
 * removed.
 * @param entry name of the claim's folder
 * @returns the file; undefined when there is none any more
 */
export async function resumeClaim(
  inbox: string,
  watched: string,
  entry: string,
  place: readonly string[],
): Promise<ClaimedFile | undefined> {
  const folder = join(watched, entry);
  const name = fileAmong(await readdir(folder));
  if (name === undefined) {
    await endClaim({ folder });
    return undefined;
  }
  if (entry.endsWith(BEGUN)) return completeClaim(inbox, watched, entry.slice(0, -BEGUN.length), place, name);
  const path = join(folder, name);
  return { claim: entry, folder, path, name, place, stats: await lstat(path) };
}

/** The claimed file among the names in a claim's folder: not what belongs to it, and not its proof. */
function fileAmong(names: readonly string[]): string | undefined {
  const files = names.filter((one) => !isIgnored(one));
  return files.find((one) => one !== OK) ?? files[0];
}

/** Written last of all beside a file that is done with. */
export const OK = 'OK';

/** Ends a claim whose file has its place elsewhere: what is left in its folder goes with it. */
export async function endClaim({ folder }: Pick<ClaimedFile, 'folder'>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** @returns whether it was there */
export async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // Beside a name of full length nothing can lie whose name is longer.
    if (['ENOENT', 'ENAMETOOLONG'].includes(codeOf(error))) return false;
    throw error;
  }
}
