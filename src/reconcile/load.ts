/**
 * A statement file → its lines in the database. A file is loaded whole or not at all: until its last line has been read
 * its statements do not count, and what is left of a file that could not be read is taken away.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashOf } from '../files/hash.ts';
import { Unreadable } from '../files/unreadable.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Database } from '../ledger/database.ts';
import { dropLines, loadedStatements, setLoaded, unfinishedStatements } from '../ledger/statements.ts';
import type { StatementReader } from './statement.ts';
import { BLOCK, type Destination, StatementFile } from './statement-file.ts';

export type Loading = Destination & {
  readonly actor: string;
  readonly now: number;
};

export interface Loaded {
  readonly sha256: string;
  /** Its statements were loaded before. */
  readonly repeat: boolean;
}

/**
 * Loads a file unless it was loaded before.
 * @throws Unreadable: then nothing of it is kept
 */
export async function loadStatements(
  loading: Loading,
  path: string,
  reader: StatementReader,
): Promise<Loaded> {
  const { database, books, actor, now } = loading;
  if (!(await stat(path)).isFile()) throw new Unreadable(`${basename(path)}: it is no plain file.`);
  const sha256 = await hashOf(path);
  const before = (await loadedStatements(database.reads, books)).find((one) => one.sha256 === sha256);
  if (before !== undefined) {
    if (before.profile === reader.name && before.reading === reader.reading) return { sha256, repeat: true };
    throw new Unreadable(
      `${basename(path)}: it was loaded before, and read in another way (${before.profile}).`,
      {
        hint: `Take it back first: batchgate reconcile --forget ${sha256.slice(0, 12)}`,
      },
    );
  }
  const file = new StatementFile(loading, reader, basename(path), sha256);
  try {
    for await (const part of reader.read(path)) await file.take(part);
    if ((await hashOf(path)) !== sha256)
      throw new Unreadable(`${basename(path)}: the file changed while it was read.`, {
        hint: 'Wait until whoever writes it has finished, and load it again.',
      });
  } catch (error) {
    await file.end().catch(() => undefined);
    await dropUnfinished(database);
    throw error;
  }
  await database.write(async (statements) => {
    await setLoaded(statements, file.numbers, now);
    const detail = {
      file: basename(path),
      profile: reader.name,
      statements: file.numbers.length,
      lines: file.lines,
    };
    await appendAct(statements, {
      at: now,
      who: actor,
      act: 'statement.load',
      subject: sha256,
      detail: JSON.stringify(detail),
    });
  });
  return { sha256, repeat: false };
}

/** Takes away what a load that did not come to its end has left. */
export async function dropUnfinished(database: Database): Promise<void> {
  const numbers = await unfinishedStatements(database.reads);
  if (numbers.length > 0) await dropStatements(database, numbers);
}

/** In small commits, so that nobody waits long. */
export async function dropStatements(database: Database, numbers: readonly number[]): Promise<void> {
  while ((await database.write((statements) => dropLines(statements, numbers, BLOCK))) > 0);
}
