/**
 * Empties an inbox with the built program's watcher, without its command line, in a process of its own that the preloaded
 * shim (harness/shim.c) spoils as it is told. Loaded once and forked for each job, as harness/child.mjs is.
 */
import { randomUUID } from 'node:crypto';
import { readSync, rmdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

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

/** The next job, waited for without the event loop: the process is idle when it is forked. */
function nextJob() {
  const bytes = Buffer.alloc(64 * 1024);
  let length = 0;
  do {
    const read = readSync(0, bytes, length, bytes.length - length, null);
    if (read === 0) process.exit(0);
    length += read;
  } while (bytes[length - 1] !== 0x0a);
  return JSON.parse(bytes.toString('utf8', 0, length));
}

/** True in the child; false in the parent, when the child is dead and its end has been told. */
function fork() {
  try {
    rmdirSync('shim:fork');
    return true;
  } catch {
    return false;
  }
}

const warming = nextJob();
writeFileSync(warming.answer, JSON.stringify(await run(warming)));
console.log('warm');
let job;
do job = nextJob();
while (!fork());
rmdirSync(['shim:arm', job.root, job.lost, job.seed, job.seconds, job.plan].join('\n'));
// Node keeps a stock of 128 random ids; those that the parent has drawn would be the same in every child.
for (let drawn = 0; drawn < 128; drawn += 1) randomUUID();
const answer = await run(job);
writeFileSync(job.answer, JSON.stringify(answer));
rmdirSync(`shim:exit/${answer.exit}`);
