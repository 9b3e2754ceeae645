/** `batchgate break comment`. */
import { reasonIn } from '../../../reconcile/decisions/words.ts';
import { command } from '../../command.ts';
import { quoted } from '../../output.ts';
import { runAct, withChoice, worded } from './act.ts';
import { LEFT } from './choice.ts';

export const breakCommentCommand = command({
  usage: 'comment [ids..]',
  describe: 'write down what is known of a break; `break show` has it',
  examples: [
    ['break comment K0123456789ABCDEF --text "asked the bank, case 4711"', 'at once'],
    [
      'break comment --reference PO-2026-11 --text "paid on Friday"',
      'all that fit: shown first, done with --yes',
    ],
  ],
  build: (yargs) =>
    withChoice(yargs, LEFT).option('text', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'what is known; the same text again changes nothing',
    }),
  run: async (args) => {
    const text = worded('--text', reasonIn(args.text));
    return runAct(args, {
      decision: { is: 'comment', text },
      words: ['comment', '--text', quoted(text)],
      done: 'commented on',
      states: LEFT,
    });
  },
});
