/** `batchgate recurring end`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { endContract } from '../../../engine/subscriptions/end.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData, withJson } from '../../options.ts';
import { print, printJson, sayNext } from '../../output.ts';
import { namedContract } from './contract.ts';

export const recurringEndCommand = command({
  usage: 'end <id>',
  describe: 'end a subscription, for ever; nothing more is charged',
  examples: [
    ['recurring end RT01KATZ1Y9G000000000000 --reason "asked for by the shopper"', 'stands in the audit'],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('id', { type: 'string', demandOption: true, describe: 'id of the subscription' })
      .option('reason', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'why, for the audit',
      }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const { database, clock, actor: who } = actor(config, opened);
      const { number, recurringId } = await namedContract(database, args.id);
      const isEnded = await endContract(database, number, { who, reason: args.reason }, clock());
      if (!isEnded) {
        throw new UsageError(
          `subscription ${recurringId} has ended already`,
          `See: batchgate recurring show ${recurringId}`,
        );
      }
      if (args.json) printJson({ environment: opened.environment, exit: EXIT.done, ended: recurringId });
      else print(`subscription ${recurringId} is ended; nothing more is charged`);
      sayNext(`batchgate recurring show ${recurringId}`);
      return EXIT.done;
    });
  },
});
