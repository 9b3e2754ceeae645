/**
 * Executes one file with the built program's pipeline, without its command line, and kills itself at the nth step: before
 * the nth call that changes something on the disk. Says how many steps there were when it gets to the end.
 *
 * Arguments: data directory, file, step, concurrency, now.
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import sqlite3 from 'sqlite3';
import { contextOf, submissionOf } from './harness/given.mjs';

const [root, path, at, concurrency, now] = process.argv.slice(2);
const fatal = Number(at);
let steps = 0;

function step() {
  if (steps === fatal) process.kill(process.pid, 'SIGKILL');
  steps += 1;
}

function stepBefore(object, names) {
  for (const name of names) {
    const original = object[name];
    object[name] = function (...args) {
      step();
      return original.apply(this, args);
    };
  }
}

const handle = await fs.open(process.argv[1]);
stepBefore(Object.getPrototypeOf(handle), [
  'write',
  'writeFile',
  'appendFile',
  'sync',
  'datasync',
  'truncate',
  'close',
]);
await handle.close();
stepBefore(fs, ['open', 'rename', 'rm', 'mkdir', 'copyFile', 'writeFile', 'unlink']);
syncBuiltinESMExports();
stepBefore(sqlite3.Database.prototype, ['exec', 'run', 'close']);

const { Folders } = await import('../../dist/batch/folders.js');
const { runFile } = await import('../../dist/batch/run.js');
const { Engine } = await import('../../dist/engine/engine.js');
const { PayoutSchedule } = await import('../../dist/engine/terms.js');
const { Database } = await import('../../dist/ledger/database.js');

const folders = new Folders(root);
const database = await Database.open(folders.database);
const gateway = new Engine(database, { schedule: new PayoutSchedule([], []), clock: () => Number(now) });
const executor = { is: 'engine', gateway };
const context = contextOf({
  folders,
  database,
  executor,
  now: Number(now),
  concurrency: Number(concurrency),
});
await runFile(context, submissionOf(path), path);
await database.close();
console.log(steps);
