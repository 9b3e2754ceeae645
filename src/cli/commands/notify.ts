/** `batchgate notify …`: what merchants are told of, and whether it has reached them. */
import type { CommandGroup } from '../command.ts';
import { notifyListCommand } from './notify/list.ts';
import { notifyReplayCommand } from './notify/replay.ts';
import { notifyRunCommand } from './notify/run.ts';

export const notifyCommands: CommandGroup = {
  usage: 'notify',
  describe: 'notifications to merchants: what was sent, what waits, and sending it again',
  examples: [
    ['notify list --state dead', 'what never arrived, and why'],
    ['notify run', 'send what is due, from cron, where no server does'],
    ['notify replay 17 --reason "the shop is back"', 'send number 17 again'],
  ],
  commands: [notifyListCommand, notifyRunCommand, notifyReplayCommand],
};
