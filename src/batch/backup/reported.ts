/** Batches that have reports of their own in reports/: what `run` executed. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BATCH_ID } from '../identity-of-file.ts';
import { namesIn } from './done.ts';

/** Folders that are called like batches. */
export async function idsIn(folder: string): Promise<readonly { readonly id: string }[]> {
  return (await namesIn(folder)).filter((name) => BATCH_ID.test(name)).map((id) => ({ id }));
}

/** report.json of the first revision. */
export async function firstReport(folder: string, id: string): Promise<string | undefined> {
  const name = (await readdir(folder)).find((one) => one.endsWith(`.${id}.report.json`));
  return name === undefined ? undefined : join(folder, name);
}

/**
 * The newest result of a batch beside an older one, and its revision. Revisions follow one another without a gap.
 * @param path of the result of the revision
 */
export function newestResult(
  path: string,
  revision: number,
): { readonly path: string; readonly revision: number } {
  const next = path.replace(/(?:\.r\d+)?(?=\.result\.(?:csv|json)$)/, `.r${revision + 1}`);
  return next !== path && existsSync(next) ? newestResult(next, revision + 1) : { path, revision };
}
