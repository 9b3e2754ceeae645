/** `batchgate batch resume`. */
import { resume } from '../../../batch/acts.ts';
import { runAct, withExecutingAct } from '../../batch-act.ts';
import { command } from '../../command.ts';

export const batchResumeCommand = command({
  usage: 'resume <batch>',
  describe: 'go on with a batch that was interrupted or stopped, at the chunks that are not done',
  examples: [
    ['batch resume B0123456789ABCDEF', 'the original file is not needed: batchgate has kept a copy'],
  ],
  build: withExecutingAct,
  run: (args) => runAct(args, resume),
});
