/** The files that a command line names. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readControl } from '../batch/control.ts';
import type { ControlTotals } from '../batch/submission.ts';
import { CONTROL } from '../files/inbox/names.ts';
import { UsageError } from './errors.ts';
import { quoted } from './output.ts';

/** Standard input, which is typed as `-`. A lone `-` would get lost in yargs, so it travels as a character of no text. */
export const STDIN = '\u{e001}';

/** A path as one would type it. */
export function asTyped(path: string): string {
  return path === STDIN ? '-' : quoted(path);
}

/**
 * Paths and patterns as the files they mean, in order. A pattern without a match in an existing folder means none; a
 * path that does not exist is an error. Control files belong to their instruction files and are never one.
 */
export function namedFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap(matches).filter((path) => !path.endsWith(CONTROL));
}

function matches(path: string): readonly string[] {
  if (path === '') throw new UsageError('a file name is empty');
  if (path === STDIN || existsSync(path)) return [path];
  const folder = dirname(path);
  if (!/[*?]/.test(basename(path)) || !existsSync(folder)) {
    throw new UsageError(
      `${path} does not exist`,
      'Check the path; a pattern such as *.csv may match nothing, a name may not.',
    );
  }
  const pattern = new RegExp(
    `^${basename(path)
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  return readdirSync(folder)
    .filter((name) => pattern.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}

/** What the control file beside `path` states; undefined when there is none. */
export async function readControlFile(path: string): Promise<ControlTotals | undefined> {
  if (path === STDIN) return undefined;
  const control = await readControl(path + CONTROL);
  if (control !== undefined && 'fault' in control)
    throw new UsageError(`${path + CONTROL}: ${control.fault}`);
  return control;
}
