/** Where things lie under the data directory. Contract, "Folders". */
import { join } from 'node:path';

export class Folders {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get database(): string {
    return join(this.root, 'batchgate.db');
  }

  /** Where `migrate` keeps the database as it was. */
  copyOfVersion(version: number, at: number): string {
    const time = new Date(at).toISOString().slice(0, 19).replaceAll(/\D/g, '');
    return join(this.root, `batchgate.version-${version}.${time}.db`);
  }

  get keys(): string {
    return join(this.root, 'keys');
  }

  get work(): string {
    return join(this.root, 'work');
  }

  get inbox(): string {
    return join(this.root, 'inbox');
  }

  /** Everything that `init` makes. */
  get all(): readonly string[] {
    const names = [
      'inbox',
      'processing',
      'outbox',
      'done',
      'rejected',
      'approval',
      'reports',
      'work',
      'keys',
    ];
    return names.map((name) => join(this.root, name));
  }

  /** The kept copy of a batch's input and what belongs to it. */
  workOf(batch: string): string {
    return join(this.work, batch);
  }

  reportsOf(batch: string): string {
    return join(this.root, 'reports', batch);
  }

  rejectedOf(day: string, batch: string): string {
    return join(this.root, 'rejected', day, batch);
  }
}

/** Name under which the input is kept: never the sender's own. */
export const KEPT_INPUT = 'input';

/**
 * The sender's name of a file as part of our own names: without folders, extension, or anything that a file system or a
 * terminal could take for something else.
 */
export function safeStem(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const stem = last.replace(/\.[A-Za-z0-9]{1,8}$/, '');
  const plain = stem.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[._-]+/, '');
  return plain.slice(0, 80) || 'file';
}
