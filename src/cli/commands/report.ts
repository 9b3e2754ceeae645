/** `batchgate report`: writes the reports of a batch again. */
import { resolve } from 'node:path';
import { EXIT } from '../../batch/exit.ts';
import { readBatch } from '../../batch/open-batch.ts';
import { rewriteReports } from '../../batch/revision.ts';
import { type StoredRevision, unpackRevision } from '../../batch/stored-document.ts';
import { loadConfig } from '../../config.ts';
import type { Statements } from '../../ledger/database.ts';
import { revisionsOf } from '../../ledger/history.ts';
import type { BatchRecord } from '../../ledger/journal.ts';
import { namedBatch } from '../batch-act.ts';
import { command } from '../command.ts';
import { executionContext, inData } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { withData, withJson } from '../options.ts';
import { print, printJson } from '../output.ts';
import { progressFor } from '../progress.ts';
import { listing } from '../table.ts';

export const reportCommand = command({
  usage: 'report <batch>',
  describe: 'write the reports of a batch again, with the same bytes',
  examples: [
    ['report B0123456789ABCDEF', 'the newest revision, where reports lie by default'],
    ['report B0123456789ABCDEF --revision 1 --out /tmp/first', 'an earlier revision, somewhere else'],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('batch', { type: 'string', demandOption: true, describe: 'id of the batch' })
      .option('revision', {
        type: 'string',
        requiresArg: true,
        describe: 'number of the revision (default: the newest)',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'folder for the reports' }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const record = await namedBatch(opened.database.reads, args.batch);
      const stored = await finishedRevision(opened.database.reads, record, args.revision);
      const progress = progressFor(record.name, args.quiet);
      const out = args.out === undefined ? undefined : resolve(args.out);
      const context = executionContext(config, opened, { out, onProgress: progress.on });
      try {
        const document = await rewriteReports(context, await readBatch(context, record), stored);
        progress.end();
        if (args.json) printJson(document);
        else
          print(
            listing(
              Object.entries(document.reports).filter((pair): pair is [string, string] => pair[1] !== null),
              0,
            ),
          );
        return EXIT.done;
      } finally {
        progress.end();
      }
    });
  },
});

/** What the journal keeps of the revision. */
async function finishedRevision(
  statements: Pick<Statements, 'all'>,
  record: BatchRecord,
  wanted: string | undefined,
): Promise<StoredRevision> {
  const finished = (await revisionsOf(statements, record.number)).filter(({ document }) => document !== null);
  const found =
    wanted === undefined ? finished.at(-1) : finished.find(({ revision }) => String(revision) === wanted);
  if (found !== undefined) return unpackRevision(found.document!);
  if (finished.length > 0) {
    const numbers = finished.map(({ revision }) => revision).join(', ');
    throw new UsageError(`batch ${record.id} has no finished revision ${wanted}`, `There is: ${numbers}`);
  }
  const why =
    record.status === 'rejected'
      ? 'its file was rejected; the reasons lie in rejected/'
      : `it is ${record.status}`;
  throw new UsageError(`batch ${record.id} has no reports: ${why}`, `See: batchgate batch show ${record.id}`);
}
