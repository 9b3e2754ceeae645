/**
 * Empties an inbox with the built program's watcher, without its command line, in a process of its own that the preloaded
 * shim (harness/shim.c) spoils as it is told. Loaded once and forked for each job, as harness/child.mjs is.
 */
import { pathToFileURL } from 'node:url';
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

const PLAIN = {
  reading: { style: { decimal: 'dot', thousands: 'none' } },
  gateway: 'engine',
  policy: 'valid-lines',
  repeats: 'hold',
};

/** What `batchgate watch --once` does: its exit code. */
async function run({ root, now, concurrency }) {
  try {
    const folders = new Folders(root);
    const database = await Database.open(folders.database);
    const clock = () => now;
    const documents = [];
    const outcome = new WatchOutcome(true, (document) => documents.push(document));
    try {
      await removeAbandoned(folders.work);
      const gateway = new Engine(database, { schedule: new PayoutSchedule([], []), clock });
      await Watcher.watch({
        folders,
        settle: 10,
        rescan: 100,
        polling: false,
        once: true,
        completionOf: () => 'settle',
        settingsOf: () => PLAIN,
        contextOf: () => ({
          folders,
          database,
          executor: () => ({ is: 'engine', gateway }),
          environment: 'sandbox',
          version: 'test',
          keysOf: async () => [],
          keyedHash: (text) => `keyed ${text.length}`,
          clock,
          actor: 'test',
          concurrency,
          out: undefined,
          interruption: () => undefined,
          onProgress: undefined,
        }),
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
