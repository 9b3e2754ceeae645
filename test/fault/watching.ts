/** Watchers as processes: files of a prepared set are dropped, and what lies where is looked at from outside. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../src/ledger/sqlite.ts';
import { type Started, start } from './program.ts';

/** Seconds without a change after which the watchers of tests take a file. */
export const SETTLE = 0.1;

/** Says in a data directory how it is watched. */
export function configure(data: string, ...lines: readonly string[]): void {
  const watch = `watch: { settle: ${SETTLE}, rescan: 0.3 }`;
  appendFileSync(join(data, 'batchgate.yaml'), `${[watch, ...lines].join('\n')}\n`);
}

export function watch(data: string, ...flags: readonly string[]): Started {
  return start('watch', '--data', data, ...flags);
}

/** The lines of a CSV file as files of so many lines each, every one with the header. */
export function split(path: string, lines: number): readonly string[] {
  const [header, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return Array.from({ length: Math.ceil(rows.length / lines) }, (_, at) =>
    [header, ...rows.slice(at * lines, (at + 1) * lines), ''].join('\n'),
  );
}

/** Puts a file into the inbox as good senders do: written under another name first. */
export function drop(data: string, path: string, content: string): void {
  const full = join(data, 'inbox', path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(`${full}.part`, content);
  renameSync(`${full}.part`, full);
}

/** Files under a folder, by their path in it, without those that nobody sees. */
export function lying(data: string, folder: string): readonly string[] {
  const root = join(data, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** Files in done/, without their proofs. */
export function done(data: string): readonly string[] {
  return lying(data, 'done').filter((name) => !name.endsWith('/OK'));
}

/**
 * Waits until it is so.
 * @returns how long that took, in milliseconds
 * @throws when it never becomes so
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  most = 60_000,
): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > most) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
  return performance.now() - begun;
}

/** One number that the ledger answers. */
export async function figure(data: string, sql: string): Promise<number> {
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  try {
    const [row] = await database.all<{ figure: number }>(sql);
    return row!.figure;
  } finally {
    await database.close();
  }
}

export const CHUNKS = 'SELECT count(*) AS figure FROM chunk';
