/** `batchgate break assign`. */
import { assigneeIn, NOBODY } from '../../../reconcile/decisions/words.ts';
import { command } from '../../command.ts';
import { printable, quoted } from '../../output.ts';
import { runAct, withChoice, worded } from './act.ts';
import { LEFT } from './choice.ts';

export const breakAssignCommand = command({
  usage: 'assign [ids..]',
  describe: 'say who has to see to a break',
  examples: [
    ['break assign K0123456789ABCDEF --to anna', 'at once'],
    ['break assign K0123456789ABCDEF --to nobody', 'nobody has to any more'],
    ['break assign --severity high --assignee none --to anna', 'all that fit: shown first, done with --yes'],
  ],
  build: (yargs) =>
    withChoice(yargs, LEFT).option('to', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'who; nobody for nobody',
    }),
  run: async (args) => {
    const to = worded('--to', assigneeIn(args.to));
    return runAct(args, {
      decision: { is: 'assign', to: to === '' ? null : to },
      words: ['assign', '--to', quoted(to === '' ? NOBODY : to)],
      done: `assigned to ${to === '' ? 'nobody' : printable(to)}`,
      states: LEFT,
    });
  },
});
