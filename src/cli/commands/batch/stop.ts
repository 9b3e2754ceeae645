/** `batchgate batch stop`. */
import { stopBatch } from '../../../batch/acts.ts';
import { runAct, withAct } from '../../batch-act.ts';
import { command } from '../../command.ts';

export const batchStopCommand = command({
  usage: 'stop <batch>',
  describe: 'send nothing more of a batch; the rest is not sent, for good unless it is resumed',
  examples: [
    ['batch stop B0123456789ABCDEF --reason "wrong file"', 'from another terminal, or after an interruption'],
  ],
  build: withAct,
  run: (args) => runAct(args, stopBatch),
});
