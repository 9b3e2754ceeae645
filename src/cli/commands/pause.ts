/** `batchgate pause` and `batchgate continue`: no money moves, from files or requests, until somebody says so. */

import { EXIT } from '../../batch/exit.ts';
import { pause, subjectOf, unpause } from '../../batch/pauses.ts';
import { loadConfig } from '../../config.ts';
import { type AccountArgs, chosenAccount, withAccount } from '../account-choice.ts';
import { type Command, command } from '../command.ts';
import { actor, inData } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { withData } from '../options.ts';
import { print, sayNext } from '../output.ts';

export const pauseCommand = switching('pause', {
  describe: 'stop all movement of money, in one account or in all',
  examples: [
    ['pause --reason "the acquirer is down"', 'files wait (exit 5), requests are answered 503'],
    ['pause --account A1 --reason "fraud is looked into"', 'the others go on'],
  ],
  act: pause,
  done: (subject) => `${subject} is paused: nothing moves until it is continued`,
  next: 'batchgate continue',
});

export const continueCommand = switching('continue', {
  describe: 'let money move again after a pause',
  examples: [['continue', 'files that wait are executed when they are run again']],
  act: unpause,
  done: (subject) => `${subject} goes on`,
  next: 'batchgate batch list --open',
});

function switching(
  usage: string,
  {
    describe,
    examples,
    act,
    done,
    next,
  }: Pick<Command, 'describe' | 'examples'> & {
    readonly act: typeof pause;
    readonly done: (subject: string) => string;
    readonly next: string;
  },
): Command {
  return command({
    usage,
    describe,
    examples,
    build: (yargs) =>
      withAccount(withData(yargs)).option('reason', {
        type: 'string',
        default: 'none given',
        requiresArg: true,
        describe: 'why, for the audit',
      }),
    run: (args) => {
      const config = loadConfig(args);
      return inData(config, async (opened) => {
        const account = namesAccount(args) ? await chosenAccount(opened, args) : undefined;
        const refused = await act(actor(config, opened), account, args.reason);
        if (refused !== undefined) throw new UsageError(refused.refusal);
        print(done(subjectOf(account)));
        sayNext(next);
        return EXIT.done;
      });
    },
  });
}

function namesAccount({ merchant, account }: AccountArgs): boolean {
  return merchant !== undefined || account !== undefined;
}
