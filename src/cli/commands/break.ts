/** `batchgate break …`: what ledger and statements do not agree on, and what people make of it. */
import type { CommandGroup } from '../command.ts';
import { breakAssignCommand } from './break/assign.ts';
import { breakCommentCommand } from './break/comment.ts';
import { breakDecideCommand } from './break/decide.ts';
import { breakListCommand } from './break/list.ts';
import { breakReopenCommand } from './break/reopen.ts';
import { breakResolveCommand } from './break/resolve.ts';
import { breakShowCommand } from './break/show.ts';

export const breakCommands: CommandGroup = {
  usage: 'break',
  describe: 'what ledger and statements do not agree on, and what people make of it',
  examples: [
    ['break list --severity high', 'what somebody has to explain first'],
    ['break show K0123456789ABCDEF', 'both sides, who did what with it, and what to do next'],
    ['break resolve K0123456789ABCDEF --reason "refunded by cheque"', 'one, at once'],
    ['break resolve --kind fee_differs --reason "new tariff"', 'all that fit: shown first, done with --yes'],
    ['break list --csv decisions.csv', 'to decide in a spreadsheet; break decide takes it back'],
  ],
  commands: [
    breakListCommand,
    breakShowCommand,
    breakAssignCommand,
    breakCommentCommand,
    breakResolveCommand,
    breakReopenCommand,
    breakDecideCommand,
  ],
};
