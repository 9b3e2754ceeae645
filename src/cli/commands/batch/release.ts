/** `batchgate batch release`. */
import { releaseLines } from '../../../batch/acts.ts';
import { lineNumbers, runAct, withExecutingAct } from '../../batch-act.ts';
import { command } from '../../command.ts';

export const batchReleaseCommand = command({
  usage: 'release <batch>',
  describe: 'execute held duplicates: a person says that they are meant',
  examples: [
    [
      'batch release B0123456789ABCDEF --line 17,19 --reason "two deliveries, two refunds"',
      'lines as in the held file',
    ],
  ],
  build: (yargs) =>
    withExecutingAct(yargs)
      .option('line', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'line numbers: 17,19-21',
      })
      .demandOption('reason'),
  run: (args) => {
    const lines = lineNumbers(args.line);
    return runAct(args, (context, record, why) => releaseLines(context, record, lines, why));
  },
});
