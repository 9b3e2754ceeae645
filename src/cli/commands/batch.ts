/** `batchgate batch …`: what happens to a file after it was handed in. */
import type { CommandGroup } from '../command.ts';
import { batchCloseCommand } from './batch/close.ts';
import { batchListCommand } from './batch/list.ts';
import { batchReleaseCommand } from './batch/release.ts';
import { batchResolveCommand } from './batch/resolve.ts';
import { batchResumeCommand } from './batch/resume.ts';
import { batchRetryCommand } from './batch/retry.ts';
import { batchShowCommand } from './batch/show.ts';
import { batchStopCommand } from './batch/stop.ts';

export const batchCommands: CommandGroup = {
  usage: 'batch',
  describe: 'what ran, runs or waits, and what people do with it',
  examples: [
    ['batch list --open', 'what somebody may still have to do something about'],
    ['batch show B0123456789ABCDEF', 'one batch, and who did what with it'],
    ['batch release B0123456789ABCDEF --line 17,19 --reason "both are meant"', 'execute held duplicates'],
  ],
  commands: [
    batchListCommand,
    batchShowCommand,
    batchResumeCommand,
    batchStopCommand,
    batchRetryCommand,
    batchReleaseCommand,
    batchResolveCommand,
    batchCloseCommand,
  ],
};
