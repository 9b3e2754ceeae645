/** Data directories of the command line whose ledger is put back to an older one. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliSandbox, Ended } from './cli.ts';

/** Watches in steps of a moment, so that a drop is claimed at once. */
const CONFIG = 'watch: { settle: 0.02, rescan: 0.1 }\n';

export function quickWatch({ data }: CliSandbox): void {
  writeFileSync(join(data, 'batchgate.yaml'), CONFIG);
}

/** Drops a file and executes it. */
export async function dropAndWatch(sandbox: CliSandbox, path: string, content: string): Promise<Ended> {
  const full = join(sandbox.data, 'inbox', path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return sandbox.run('watch', '--once', '--json', '--quiet');
}

/** Puts an older database in the place of the newer one, as somebody might who copies files by hand. */
export function putOldDatabase({ data }: CliSandbox, backup: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(data, `batchgate.db${end}`), { force: true });
  cpSync(join(backup, 'batchgate.db'), join(data, 'batchgate.db'));
}

/** All files under a folder, as paths from there. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
