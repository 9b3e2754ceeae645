/** The files that a command line names. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { ControlTotals } from '../batch/submission.ts';
import { UsageError } from './errors.ts';
import { quoted } from './output.ts';

/** Standard input, which is typed as `-`. A lone `-` would get lost in yargs, so it travels as a character of no text. */
export const STDIN = '\u{e001}';

/** A path as one would type it. */
export function asTyped(path: string): string {
  return path === STDIN ? '-' : quoted(path);
}

const CONTROL = '.control.json';

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

const controlFile = z.strictObject({
  rows: z.int().nonnegative().optional(),
  totals: z.record(z.string(), z.string()).optional(),
  sha256: z.string().optional(),
  sequence: z.int().positive().optional(),
  environment: z.string().optional(),
});

/** What the control file beside `path` states; undefined when there is none. */
export async function readControlFile(path: string): Promise<ControlTotals | undefined> {
  const control = path + CONTROL;
  if (path === STDIN || !existsSync(control)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(await readFile(control, 'utf8'));
  } catch {
    throw new UsageError(`${control} is not valid JSON`);
  }
  const parsed = controlFile.safeParse(content);
  if (parsed.success) return withoutUndefined(parsed.data);
  const [issue] = parsed.error.issues;
  throw new UsageError(`${control}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`);
}

function withoutUndefined(control: z.output<typeof controlFile>): ControlTotals {
  return Object.fromEntries(Object.entries(control).filter(([, value]) => value !== undefined));
}
