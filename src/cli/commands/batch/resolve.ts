/** `batchgate batch resolve`. */
import { settlePending } from '../../../batch/acts.ts';
import { runAct, withAct } from '../../batch-act.ts';
import { command } from '../../command.ts';

export const batchResolveCommand = command({
  usage: 'resolve <batch>',
  describe: 'ask after lines whose outcome is pending: payouts whose day has come are settled',
  examples: [['batch resolve B0123456789ABCDEF', 'makes the next revision of the reports']],
  build: withAct,
  run: (args) => runAct(args, settlePending),
});
