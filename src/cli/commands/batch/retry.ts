/** `batchgate batch retry`. */
import { retryBatch } from '../../../batch/acts.ts';
import { runAct, withExecutingAct } from '../../batch-act.ts';
import { command } from '../../command.ts';

export const batchRetryCommand = command({
  usage: 'retry <batch>',
  describe: 'execute again what was not sent, and what was refused for a reason that may have passed',
  examples: [
    ['batch retry B0123456789ABCDEF --reason "balance topped up"', 'makes the next revision of the reports'],
  ],
  build: withExecutingAct,
  run: (args) => runAct(args, retryBatch),
});
