/** Which formats of statements there are, and which one a file has. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { nearest } from '../core/distance.ts';
import { Unreadable } from '../files/unreadable.ts';
import type { StatementReader } from '../reconcile/statement.ts';
import { CAMT_053, CAMT_054 } from '../reconcile/statements/camt.ts';
import { csvReader } from '../reconcile/statements/csv.ts';
import { parseMapping } from '../reconcile/statements/mapping.ts';
import { CSV_READERS } from '../reconcile/statements/profiles.ts';
import { readerFor } from '../reconcile/statements/recognise.ts';
import { UsageError } from './errors.ts';

const READERS: readonly StatementReader[] = [...CSV_READERS, CAMT_053, CAMT_054];

/** Names of the formats that need no mapping. */
export const PROFILES: readonly string[] = READERS.map(({ name }) => name);

/**
 * What finds the reader of a file.
 * @param profile a name, or the path of a mapping; undefined: the file's beginning tells
 * @throws UsageError when there is no such profile, or its mapping cannot be used
 */
export async function readerChoice(
  profile: string | undefined,
): Promise<(path: string) => Promise<StatementReader>> {
  if (profile === undefined) return (path) => readerFor(path, READERS);
  const reader = /\.ya?ml$/i.test(profile) ? await mapped(profile) : named(profile);
  return async () => reader;
}

async function mapped(path: string): Promise<StatementReader> {
  if (!existsSync(path)) throw new UsageError(`${path} does not exist`);
  try {
    return csvReader(parseMapping(await readFile(path, 'utf8'), basename(path)));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new UsageError(error.message, 'samples/statement-mapping.yaml explains every setting.');
  }
}

function named(profile: string): StatementReader {
  const found = READERS.find(({ name }) => name === profile);
  if (found !== undefined) return found;
  const meant = nearest(profile, PROFILES);
  throw new UsageError(
    `there is no profile ${profile}; there are ${PROFILES.join(', ')}`,
    meant === undefined ? 'Write a mapping for it: --profile FILE.yaml.' : `Did you mean ${meant}?`,
  );
}
