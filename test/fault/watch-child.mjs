/**
 * Empties an inbox with the built program's watcher, without its command line, in a process of its own that the preloaded
 * shim (harness/shim.c) spoils as it is told. Loaded once and forked for each job, as harness/child.mjs is.
 */
import { pathToFileURL } from 'node:url';
import { contextOf, PLAIN } from './harness/given.mjs';
import { serveJobs } from './harness/jobs.mjs';

const from = (path) => import(pathToFileURL(`${process.argv[2]}/${path}.js`).href);
const { worstExit } = await from('batch/exit');
const { Folders } = await from('batch/folders');
const { removeAbandoned } = await from('batch/take');
const { Watcher } = await from('batch/watch/watcher');
const { failureOf } = await from('cli/failure');
const { WatchOutcome } = await from('cli/watch-outcome');
const { Engine } = await from('engine/engine');
const { PayoutSchedule } = await from('engine/terms');
const { Database } = await from('ledger/database');

/** What `batchgate watch --once` does: its exit code. */
async function run({ root, now, concurrency }) {
  try {
    const folders = new Folders(root);
    const database = await Database.open(folders.database);
    const documents = [];
    const outcome = new WatchOutcome(true, (document) => documents.push(document));
    try {
      await removeAbandoned(folders.work);
      const gateway = new Engine(database, { schedule: new PayoutSchedule([], []), clock: () => now });
      const executor = { is: 'engine', gateway };
      await Watcher.watch({
        folders,
        settle: 10,
        rescan: 100,
        polling: false,
        once: true,
        completionOf: () => 'settle',
        settingsOf: () => PLAIN,
        contextOf: () => contextOf({ folders, database, executor, now, concurrency }),
        interruption: () => undefined,
        asked: new AbortController().signal,
        isPassing: (error) => failureOf(error).exit === 5,
        on(event) {
          outcome.take(event);
          if (event.is === 'trouble' && failureOf(event.why).exit === 1) console.error(event.why);
        },
      });
      const { failure } = outcome;
      return { exit: worstExit([...documents.map(({ exit }) => exit), failure?.exit ?? 0]) };
    } finally {
      await database.close();
    }
  } catch (error) {
    const { exit, message } = failureOf(error);
    return { exit, message };
  }
}

await serveJobs(run);
