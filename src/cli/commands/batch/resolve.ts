/** `batchgate batch resolve`. */
import { resolveBatch, resolveByWord } from '../../../batch/resolve.ts';
import { lineNumbers, runAct, withAct } from '../../batch-act.ts';
import { command } from '../../command.ts';
import { UsageError } from '../../errors.ts';

export const batchResolveCommand = command({
  usage: 'resolve <batch>',
  describe: 'find out what became of unknown and pending lines, or say it',
  examples: [
    ['batch resolve B0123456789ABCDEF', 'asks the gateway; what it does not prove stays unknown'],
    [
      'batch resolve B0123456789ABCDEF --line 17 --as succeeded --reason "seen in their console"',
      "a person's word, for the audit",
    ],
  ],
  build: (yargs) =>
    withAct(yargs)
      .option('line', { type: 'string', requiresArg: true, describe: 'line numbers: 17,19-21' })
      .option('as', {
        choices: ['succeeded', 'refused'] as const,
        requiresArg: true,
        describe: 'what became of these lines',
      }),
  run: (args) => {
    const { line, as, reason } = args;
    if (line === undefined && as === undefined) return runAct(args, resolveBatch);
    if (line === undefined || as === undefined || reason === undefined)
      throw new UsageError(
        "a person's word needs --line, --as and --reason",
        'Leave all three out to ask the gateway.',
      );
    const lines = lineNumbers(line);
    return runAct(args, (context, record, why) => resolveByWord(context, record, lines, as, why));
  },
});
