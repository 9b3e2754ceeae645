/** `batchgate break reopen`. */
import { reasonIn } from '../../../reconcile/decisions/words.ts';
import { command } from '../../command.ts';
import { quoted } from '../../output.ts';
import { runAct, withChoice, worded } from './act.ts';

export const breakReopenCommand = command({
  usage: 'reopen [ids..]',
  describe: 'take the explanation of a resolved break back; it is open, or expected, again',
  examples: [
    ['break reopen K0123456789ABCDEF --reason "the cheque bounced"', 'at once'],
    [
      'break reopen --assignee anna --reason "to be checked again"',
      'all that fit: shown first, done with --yes',
    ],
  ],
  build: (yargs) =>
    withChoice(yargs, ['resolved']).option('reason', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'why, for the audit',
    }),
  run: async (args) => {
    const reason = worded('--reason', reasonIn(args.reason));
    return runAct(args, {
      decision: { is: 'reopen', reason },
      words: ['reopen', '--reason', quoted(reason)],
      done: 'reopened',
      states: ['resolved'],
    });
  },
});
