/** `batchgate batch close`. */
import { closeBatch } from '../../../batch/acts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { namedBatch } from '../../batch-act.ts';
import { command } from '../../command.ts';
import { executionContext, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData, withJson } from '../../options.ts';
import { print, printJson, sayNext } from '../../output.ts';

export const batchCloseCommand = command({
  usage: 'close <batch>',
  describe: 'mark a finished batch as done with; nothing of it is executed again',
  examples: [
    [
      'batch close B0123456789ABCDEF --reason "the rest was sent with refunds-2.csv"',
      'takes it off `batch list --open`',
    ],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('batch', { type: 'string', demandOption: true, describe: 'id of the batch' })
      .option('reason', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'why, for the audit',
      }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const record = await namedBatch(opened.database.reads, args.batch);
      const refused = await closeBatch(executionContext(config, opened), record, args.reason);
      if (refused !== undefined)
        throw new UsageError(
          `batch ${record.id}: ${refused.refusal}`,
          `See: batchgate batch show ${record.id}`,
        );
      if (args.json)
        printJson({ environment: opened.environment, exit: EXIT.done, batches: [], closed: record.id });
      else print(`batch ${record.id} is closed`);
      sayNext('batchgate batch list --open');
      return EXIT.done;
    });
  },
});
