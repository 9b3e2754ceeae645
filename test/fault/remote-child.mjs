/**
 * Executes a file against a remote gateway with the built program's pipeline, in a process of its own that the preloaded
 * shim (harness/shim.c) spoils as it is told. The gateway is a file beside the data directory, out of the shim's reach:
 * every line of it is an instruction that was executed, once more for each time. A data directory whose name says
 * `keys` has a gateway that honours idempotency keys.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contextOf, submissionOf } from './harness/given.mjs';
import { serveJobs } from './harness/jobs.mjs';

const from = (path) => import(pathToFileURL(`${process.argv[2]}/${path}.js`).href);
const { Folders } = await from('batch/folders');
const { runFile } = await from('batch/run');
const { removeAbandoned } = await from('batch/take');
const { failureOf } = await from('cli/failure');
const { reason } = await from('core/code');
const { Database } = await from('ledger/database');

function gatewayAt(path, honoursKeys) {
  const execute = async ({ entries, payout }, { idempotencyKey }) => {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const asked = entries?.map(({ transactionId }) => transactionId) ?? [payout.requestId];
    const isRefused = (id) => id.startsWith('refused');
    if (!honoursKeys || !before.includes(` ${idempotencyKey}\n`)) {
      const executed = asked.filter((id) => !isRefused(id));
      appendFileSync(path, executed.map((id) => `${id} ${idempotencyKey}\n`).join(''));
    }
    const results = asked.map((id) =>
      isRefused(id)
        ? { status: 'refused', reason: reason('V0007') }
        : { status: 'done', reference: '', moved: [] },
    );
    return { results, at: 0 };
  };
  const query = async ({ selection: { transactionIds } }) => ({
    records: transactionIds.map((id) => ({ missing: { transactionId: id, orderNo: undefined } })),
    cursor: undefined,
  });
  return { capture: execute, cancel: execute, refund: execute, review: execute, payout: execute, query };
}

async function run({ root, path, now, concurrency }) {
  try {
    const folders = new Folders(root);
    const database = await Database.open(folders.database);
    const honoursKeys = basename(root).includes('keys');
    const executor = {
      is: 'remote',
      address: 'https://gateway.example',
      gateway: gatewayAt(`${root}.gateway`, honoursKeys),
      idempotentMs: honoursKeys ? 3_600_000 : 0,
      settledMs: 900_000,
      concurrency,
    };
    const context = contextOf({ folders, database, executor, now, concurrency });
    try {
      await removeAbandoned(folders.work);
      const document = await runFile(context, submissionOf(path, 'https://gateway.example'), path);
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
