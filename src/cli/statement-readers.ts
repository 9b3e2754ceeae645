/** Which formats of statements there are, and which one a file has. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { StatementReader } from '../reconcile/statement.ts';
import { CAMT_053, CAMT_054 } from '../reconcile/statements/camt.ts';
import { csvReader } from '../reconcile/statements/csv.ts';
import { parseMapping } from '../reconcile/statements/mapping.ts';
import { CSV_READERS } from '../reconcile/statements/profiles.ts';
import { readerFor } from '../reconcile/statements/recognise.ts';

const READERS: readonly StatementReader[] = [...CSV_READERS, CAMT_053, CAMT_054];

/** Names of the formats that need no mapping. */
export const PROFILES: readonly string[] = READERS.map(({ name }) => name);

/**
 * What finds the reader of a file.
 * @param profile a name, or the path of a mapping; undefined: the file's beginning tells
 * @throws Unreadable when the mapping cannot be used
 */
export async function readerChoice(
  profile: string | undefined,
): Promise<(path: string) => Promise<StatementReader>> {
  if (profile !== undefined && /\.ya?ml$/i.test(profile) && existsSync(profile)) {
    const own = csvReader(parseMapping(await readFile(profile, 'utf8'), basename(profile)));
    return async () => own;
  }
  return (path) => readerFor(path, READERS, profile);
}
