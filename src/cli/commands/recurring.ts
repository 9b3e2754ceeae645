/** `batchgate recurring …`: subscriptions, and the charges that fall due. */
import type { CommandGroup } from '../command.ts';
import { recurringEndCommand } from './recurring/end.ts';
import { recurringListCommand } from './recurring/list.ts';
import { recurringRunCommand } from './recurring/run.ts';
import { recurringShowCommand } from './recurring/show.ts';

export const recurringCommands: CommandGroup = {
  usage: 'recurring',
  describe: 'subscriptions: what they are, what is charged, and how they end',
  examples: [
    ['recurring list --status past_due', 'those whose charges were declined for good'],
    ['recurring run', 'charge what is due, as cron would; `serve` does it every minute'],
    ['recurring end RT01KATZ1Y9G000000000000 --reason "asked for by the shopper"', 'charge nothing more'],
  ],
  commands: [recurringListCommand, recurringShowCommand, recurringEndCommand, recurringRunCommand],
};
