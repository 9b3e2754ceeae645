/** Where things lie under the data directory, and under the drop where senders and results meet. Contract, "Folders". */
import { join } from 'node:path';

export class Folders {
  readonly root: string;
  /** Where the folders lie that people look into: the data directory, or a share of its own. */
  readonly drop: string;
  /** A merchant's and an account's folder, for what was dropped into those. */
  readonly place: readonly string[];

  constructor(root: string, drop = root, place: readonly string[] = []) {
    this.root = root;
    this.drop = drop;
    this.place = place;
  }

  /** The same for what was dropped into a merchant's and an account's folder. */
  at(place: readonly string[]): Folders {
    return new Folders(this.root, this.drop, place);
  }

  get database(): string {
    return join(this.root, 'batchgate.db');
  }

  /** Where `migrate` keeps the database as it was. */
  copyOfVersion(version: number, at: number): string {
    return join(this.root, `batchgate.version-${version}.${timeInName(at)}.db`);
  }

  get keys(): string {
    return join(this.root, 'keys');
  }

  get work(): string {
    return join(this.root, 'work');
  }

  get inbox(): string {
    return join(this.drop, 'inbox');
  }

  get processing(): string {
    return join(this.drop, 'processing');
  }

  /** Where the sender finds what became of a file. */
  get outbox(): string {
    return join(this.drop, 'outbox', ...this.place);
  }

  /** Locks of those who watch. */
  get watchers(): string {
    return join(this.root, 'work', 'watchers');
  }

  /** Everything that `init` makes. */
  get all(): readonly string[] {
    const dropped = ['inbox', 'processing', 'outbox', 'done', 'rejected', 'approval'];
    const own = ['reports', 'work', 'keys'];
    return [...dropped.map((name) => join(this.drop, name)), ...own.map((name) => join(this.root, name))];
  }

  /** The kept copy of a batch's input and what belongs to it. */
  workOf(batch: string): string {
    return join(this.work, batch);
  }

  /** What `run` reports, by batch. */
  get reports(): string {
    return join(this.root, 'reports');
  }

  reportsOf(batch: string): string {
    return join(this.reports, batch);
  }

  rejectedOf(day: string, batch: string): string {
    return join(this.drop, 'rejected', ...this.place, day, batch);
  }

  /** What is executed, by day and batch. */
  get done(): string {
    return join(this.drop, 'done', ...this.place);
  }

  doneOf(day: string, batch: string): string {
    return join(this.done, day, batch);
  }

  /** Where `restore` keeps what it replaces. */
  keptAside(at: number): string {
    return join(this.root, `before-restore.${timeInName(at)}`);
  }
}

/** Year to second, as digits. */
function timeInName(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(/\D/g, '');
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
