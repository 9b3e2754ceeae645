/** A watched inbox in tests: files are dropped, a watcher works, and what lies where is told in words. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { FolderSettings } from '../../src/batch/watch/claimed.ts';
import { type WatchEvent, Watcher, type WatchOptions } from '../../src/batch/watch/watcher.ts';
import { failureOf } from '../../src/cli/failure.ts';
import { DOT } from '../../src/core/money.ts';
import type { ContextChange, Sandbox } from './ledger.ts';

export const PLAIN: FolderSettings = {
  reading: { style: DOT },
  gateway: 'engine',
  policy: 'valid-lines',
  repeats: 'hold',
};

/** Puts a file into the inbox at once, as a rename would. */
export function drop(sandbox: Sandbox, path: string, content: string | Uint8Array): string {
  const full = join(sandbox.folders.inbox, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

/** Watches until the inbox is empty, or until it is told to end; returns what it told. */
export async function watchOnce(
  sandbox: Sandbox,
  change: Partial<WatchOptions> = {},
  context: ContextChange = {},
): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  await Watcher.watch({
    folders: sandbox.folders,
    settle: 20,
    rescan: 100,
    polling: false,
    once: true,
    completionOf: () => 'settle',
    settingsOf: () => PLAIN,
    contextOf: () => sandbox.context(context),
    interruption: () => undefined,
    asked: new AbortController().signal,
    isPassing: (error) => failureOf(error).exit === 5,
    ...change,
    on(event) {
      events.push(event);
      change.on?.(event);
    },
  });
  return events;
}

/** All files under a folder of the data directory, sorted. */
export function lying(sandbox: Sandbox, folder: string): readonly string[] {
  const root = join(sandbox.folders.root, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !statSync(join(root, name)).isDirectory())
    .sort();
}

/** The content of the only file whose path under the data directory matches. */
export function reading(sandbox: Sandbox, pattern: RegExp): string {
  const { root } = sandbox.folders;
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name));
  if (found.length !== 1)
    throw new Error(`${pattern} matches ${found.map((name) => relative('', name)).join(', ') || 'nothing'}`);
  return readFileSync(join(root, found[0]!), 'utf8');
}
