/** What a backup says of itself: `backup.json`, written last of all. Without it a folder is no backup. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { hashOf } from '../../files/hash.ts';

export const MANIFEST = 'backup.json';

/** Name of the database in a backup. */
export const DATABASE = 'batchgate.db';

/** A name inside the backup: nothing that leads out of it. */
const inside = z.string().regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/);

const manifestSchema = z.object({
  schema_version: z.literal(1),
  program_version: z.string(),
  /** Of the database. */
  version: z.int().positive(),
  environment: z.string(),
  /** With its offset. */
  made_at: z.iso.datetime(),
  ledger_sequence: z.int().nonnegative(),
  audit_head: z.string(),
  batches: z.int().nonnegative(),
  /** Kept copies that were gone already. */
  missing: z.array(z.string()),
  files: z.array(
    z.object({ path: inside, bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;
export type BackedUpFile = Manifest['files'][number];

/**
 * Reads a backup from end to end.
 * @returns what it says of itself, or why it is none in words
 */
export async function readBackup(folder: string): Promise<Manifest | { readonly fault: string }> {
  const path = join(folder, MANIFEST);
  if (!existsSync(path))
    return { fault: `${folder} has no ${MANIFEST}: it is no backup, or one that was never finished` };
  const manifest = parsed(await readFile(path, 'utf8'));
  if (manifest === undefined) return { fault: `${path} is not what a backup says of itself` };
  for (const { path: name, sha256 } of manifest.files) {
    const file = join(folder, name);
    if (!existsSync(file)) return { fault: `${file} is missing` };
    if ((await hashOf(file)) !== sha256) return { fault: `${file} has changed since the backup was made` };
  }
  return manifest;
}

function parsed(text: string): Manifest | undefined {
  try {
    const { success, data } = manifestSchema.safeParse(JSON.parse(text));
    return success && data.files.some(({ path }) => path === DATABASE) ? data : undefined;
  } catch {
    return undefined;
  }
}
