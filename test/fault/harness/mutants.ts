/** Faults planted in a copy of the built program, one line each: the harness must see every one. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Invariant } from './cycle.ts';
import { type Mode, planOf } from './plans.ts';
import { BUILT, type Scene } from './scene.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Mutant {
  /** What is wrong with the program. */
  readonly name: string;
  /** File of the build, a text that stands in it once, and what stands there instead. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /**
   * Which faults show it: modes at every call; `lost sync` for a failure at every call, followed by a loss of power after
   * the end; `end` for just that; `pair` for two processes.
   */
  readonly by: readonly (Mode | 'lost sync' | 'end' | 'pair')[];
  /** The call near which it was seen first: the search begins there. */
  readonly near?: number;
  /** What does not hold any more. */
  readonly caughtBy: readonly Invariant[];
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a commit that fails is believed',
    file: 'ledger/database.js',
    from: "await this.#writer.exec('COMMIT');",
    to: "await this.#writer.exec('COMMIT').catch(() => this.#writer.exec('ROLLBACK'));",
    by: ['enospc', 'eio'],
    near: 28,
    caughtBy: ['exit', 'ledger', 'end', 'executed again', 'verify', 'journal'],
  },
  {
    name: 'the database is not synced: synchronous=OFF',
    file: 'ledger/database.js',
    from: 'PRAGMA synchronous = FULL;',
    to: 'PRAGMA synchronous = OFF;',
    by: ['end'],
    caughtBy: ['executed again', 'exit', 'verify', 'journal', 'ledger'],
  },
  {
    name: 'the log is synced only now and then: synchronous=NORMAL',
    file: 'ledger/database.js',
    from: 'PRAGMA synchronous = FULL;',
    to: 'PRAGMA synchronous = NORMAL;',
    by: ['end'],
    caughtBy: ['executed again'],
  },
  {
    name: 'the name of the log is left to SQLite',
    file: 'ledger/database.js',
    from: 'await syncFolderOf(path);',
    to: '',
    by: ['lost sync'],
    near: 26,
    caughtBy: ['executed again'],
  },
  {
    name: 'a report is written in its place',
    file: 'report/atomic.js',
    from: 'const temporary = temporaryFor(path);',
    to: 'const temporary = path;',
    by: ['torn'],
    near: 66,
    caughtBy: ['half a report'],
  },
  {
    name: 'a report gets its name before it is synced',
    file: 'report/atomic.js',
    from: 'await this.#handle.sync();',
    to: '',
    by: ['end'],
    caughtBy: ['half a report', 'acknowledged'],
  },
  {
    name: 'the folder of a report is not synced',
    file: 'report/atomic.js',
    from: 'await sync(dirname(this.#path));',
    to: '',
    by: ['end'],
    caughtBy: ['acknowledged'],
  },
  {
    name: 'the folder above it is not synced',
    file: 'batch/revision.js',
    from: 'await syncFolder(dirname(folder));',
    to: '',
    by: ['end'],
    caughtBy: ['acknowledged'],
  },
  {
    name: 'the kept copy is not synced',
    file: 'batch/take.js',
    from: 'await output.sync();',
    to: '',
    by: ['power'],
    near: 40,
    caughtBy: ['exit'],
  },
  {
    name: 'the folder of the kept copy is not synced',
    file: 'batch/take.js',
    from: 'await syncFolder(folder);',
    to: '',
    by: ['power'],
    near: 42,
    caughtBy: ['exit'],
  },
  {
    name: 'a batch is accepted before its copy is kept',
    file: 'batch/claim.js',
    from: `await keep(taken, folder);
    const record = await accept(context, submission, accounts, taken, checked, sameness, id);`,
    to: `const record = await accept(context, submission, accounts, taken, checked, sameness, id);
    await keep(taken, folder);`,
    by: ['kill'],
    near: 33,
    caughtBy: ['exit'],
  },
  {
    name: 'answers that are stored under a key are not looked up',
    file: 'engine/group.js',
    from: 'await findAnswers(statements, keys);',
    to: '[];',
    by: ['kill'],
    near: 55,
    caughtBy: ['exit'],
  },
  {
    name: 'balances are written after the commit of the transfers',
    file: 'engine/group.js',
    from: 'applyBalanceChanges(statements, workspace.balances),',
    to: 'Promise.resolve(setImmediate(() => applyBalanceChanges(statements, workspace.balances))),',
    by: ['kill'],
    near: 55,
    caughtBy: ['reports', 'verify'],
  },
  {
    name: 'a revision is closed before the batch is, in a commit of its own',
    file: 'batch/revision.js',
    from: 'await setBatch(statements, record.number, {',
    to: "await statements.run('COMMIT'); await statements.run('BEGIN IMMEDIATE'); await setBatch(statements, record.number, {",
    by: ['kill'],
    near: 88,
    caughtBy: ['document'],
  },
  {
    name: 'chunks that are done are sent again',
    file: 'batch/done-chunks.js',
    from: 'if (!this.#numbers.has(number))',
    to: 'if (this.#numbers.size >= 0)',
    by: ['kill'],
    near: 58,
    caughtBy: ['exit'],
  },
  {
    name: 'two processes may own a batch',
    file: 'ledger/owner.js',
    from: 'BEGIN EXCLUSIVE',
    to: 'BEGIN',
    by: ['pair'],
    caughtBy: ['exit', 'end'],
  },
  {
    name: 'copies that killed processes have left behind stay',
    file: 'batch/take.js',
    from: 'if (!name.startsWith(INCOMING))',
    to: 'if (name.length > 0)',
    by: ['kill'],
    near: 12,
    caughtBy: ['leftovers'],
  },
  {
    name: 'what a crash has left of a report is in the way',
    file: 'report/atomic.js',
    from: 'await rm(temporary, { force: true });',
    to: '',
    by: ['kill'],
    near: 66,
    caughtBy: ['exit'],
  },
];

/** The build with one fault in it, in a folder of its own. */
export function plant(scene: Scene, mutant: Mutant, at: number): string {
  return plantIn(join(scene.folder, `mutant-${at}`), mutant);
}

/** @param folder is made, for a copy of the build with the fault in it */
export function plantIn(folder: string, { file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  const dist = join(folder, 'dist');
  mkdirSync(folder);
  // What the build imports is found from where it lies.
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  cpSync(BUILT, dist, { recursive: true, filter: (path) => !/\.(?:map|d\.ts)$/.test(path) });
  const path = join(dist, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} must have this once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return dist;
}

/** The plans to try on a mutant, of a file whose run makes so many calls: one after the other until it is caught. */
export function* plansFor(
  { by, near = 1 }: Mutant,
  calls: number,
): Generator<{ plan: string; seed: number }> {
  for (const way of by) {
    if (way === 'pair') continue;
    if (way === 'end') for (let seed = 0; seed < 30; seed += 1) yield { plan: 'power@end', seed };
    else {
      for (let at = 0; at < calls; at += 1) {
        const call = ((near - 1 + at) % calls) + 1;
        // An even seed: somebody else has the database open, and its log stays.
        if (way === 'lost sync') yield { plan: `eio@${call},power@end`, seed: 2 * call };
        else yield { plan: planOf(way, call), seed: call };
      }
    }
  }
}
