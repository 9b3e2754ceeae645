/** `batchgate notify run`: one pass of the sender, for cron. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import type { Pass } from '../../../engine/notifications/notifier.ts';
import { countWaitingForRetry } from '../../../ledger/deliveries.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printJson, say, sayNext } from '../../output.ts';

export const notifyRunCommand = command({
  usage: 'run',
  describe: 'send what is due and end; `serve` does it all the time',
  examples: [
    ['notify run --json', 'exit 0: nothing is left to do; 9: some are tried again; 3: some were given up'],
  ],
  build: (yargs) => withJson(withData(yargs)),
  run: async (args) => {
    const config = loadConfig(args);
    // Loaded here alone: the client takes longer to load than most commands to run.
    const { notifierOf } = await import('../../notify.ts');
    return inData(config, async (opened) => {
      const pass = await notifierOf(config, opened).runOnce();
      const { environment } = opened;
      if (pass === undefined) {
        if (args.json) printJson({ environment, exit: EXIT.temporary });
        say('batchgate: another process sends the notifications of this data directory');
        return EXIT.temporary;
      }
      const waiting = await countWaitingForRetry(opened.database.reads);
      const exit = exitOf(pass, waiting);
      if (args.json) printJson({ environment, exit, ...pass, waiting });
      else print(text(pass, waiting));
      if (pass.dead > 0) sayNext('batchgate notify list --state dead');
      return exit;
    });
  },
});

/** What died in an earlier pass was said then: an exit code that stays would hide the next one. */
function exitOf({ dead }: Pass, waiting: number): number {
  if (dead > 0) return EXIT.someFailed;
  return waiting > 0 ? EXIT.pending : EXIT.done;
}

function text({ delivered, dead }: Pass, waiting: number): string {
  const parts = [`${counted(delivered, 'notification')} delivered`];
  if (waiting > 0) parts.push(`${waiting} waiting for another try`);
  if (dead > 0) parts.push(`${dead} given up`);
  return parts.join(', ');
}
