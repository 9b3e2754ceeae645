/** `batchgate break resolve`. */
import { reasonIn } from '../../../reconcile/decisions/words.ts';
import { command } from '../../command.ts';
import { quoted } from '../../output.ts';
import { runAct, withChoice, worded } from './act.ts';
import { LEFT } from './choice.ts';

export const breakResolveCommand = command({
  usage: 'resolve [ids..]',
  describe: 'say why a break is none any more, or does not matter; it stays so until its figures change',
  examples: [
    ['break resolve K0123456789ABCDEF --reason "refunded by cheque"', 'at once'],
    [
      'break resolve --kind fee_differs --currency EUR --reason "new tariff"',
      'shows how many, what they come to, and the command that does it',
    ],
    [
      'break resolve --kind fee_differs --currency EUR --reason "new tariff" --yes 3F9A2C',
      'does it, unless something has changed since',
    ],
  ],
  build: (yargs) =>
    withChoice(yargs, LEFT).option('reason', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'why, for the audit and the reports',
    }),
  run: async (args) => {
    const reason = worded('--reason', reasonIn(args.reason));
    return runAct(args, {
      decision: { is: 'resolve', reason },
      words: ['resolve', '--reason', quoted(reason)],
      done: 'resolved',
      states: LEFT,
    });
  },
});
