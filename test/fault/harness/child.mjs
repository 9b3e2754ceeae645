/**
 * Executes files with the built program's pipeline, without its command line, each in a process of its own that the
 * preloaded shim (shim.c) spoils as it is told.
 *
 * Loading the program takes longer than executing a small file, so this process loads it once, executes one file to be
 * warm, and is then forked for each job: a JSON object per line of standard input. Argument: the folder of the build.
 */
import { pathToFileURL } from 'node:url';
import { contextOf, submissionOf } from './given.mjs';
import { serveJobs } from './jobs.mjs';

const from = (path) => import(pathToFileURL(`${process.argv[2]}/${path}.js`).href);
const { Folders } = await from('batch/folders');
const { runFile } = await from('batch/run');
const { removeAbandoned } = await from('batch/take');
const { failureOf } = await from('cli/failure');
const { Engine } = await from('engine/engine');
const { PayoutSchedule } = await from('engine/terms');
const { Database } = await from('ledger/database');

/** Never closed, and kept from being collected. */
const others = [];

/** What `batchgate run` does with one file: its exit code, with the document or what the user is told. */
async function run({ root, path, now, concurrency, held }) {
  try {
    const folders = new Folders(root);
    // While others have the database open, its log is not written back when this process closes it.
    if (held) others.push(await Database.open(folders.database));
    const database = await Database.open(folders.database);
    const gateway = new Engine(database, { schedule: new PayoutSchedule([], []), clock: () => now });
    const executor = { is: 'engine', gateway };
    const context = contextOf({ folders, database, executor, now, concurrency });
    try {
      await removeAbandoned(folders.work);
      const document = await runFile(context, submissionOf(path), path);
      return { exit: document.exit, document };
    } finally {
      await database.close();
    }
  } catch (error) {
    const { exit, message } = failureOf(error);
    return { exit, message };
  }
}

await serveJobs(run);
