/** `batchgate template`: a file to begin with. */
import { existsSync } from 'node:fs';
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { type Config, loadConfig } from '../../config.ts';
import { OPERATION_NAMES } from '../../core/operation.ts';
import { readAccounts } from '../../ledger/accounts.ts';
import { command } from '../command.ts';
import { inData } from '../compose.ts';
import { withData } from '../options.ts';
import { say } from '../output.ts';
import { csvTemplate, jsonTemplate, type TemplateAccount } from '../template.ts';

export const templateCommand = command({
  usage: 'template <operation>',
  describe: 'print a file with the right header and one example line',
  examples: [
    ['template refund > refunds.csv', 'fill in your own lines, then: batchgate validate refunds.csv'],
    ['template payout --format json', 'a JSON message of the API'],
  ],
  build: (yargs) =>
    withData(yargs)
      .positional('operation', {
        choices: OPERATION_NAMES,
        demandOption: true,
        describe: 'what the lines ask for',
      })
      .option('format', {
        choices: ['csv', 'json'] as const,
        default: 'csv' as const,
        requiresArg: true,
        describe: 'format of the file',
      }),
  run: async (args) => {
    const account = await exampleAccount(loadConfig(args));
    process.stdout.write(
      args.format === 'csv' ? csvTemplate(args.operation, account) : jsonTemplate(args.operation, account),
    );
    say(
      `save it as ${args.operation}.${args.format}, put in your own lines, then: batchgate validate ${args.operation}.${args.format}`,
    );
    return EXIT.done;
  },
});

/** The first account there is, else one that looks like one. */
async function exampleAccount(config: Config): Promise<TemplateAccount> {
  const example = { merchantId: 'M1', accountId: 'A1', currency: 'USD' };
  if (!existsSync(new Folders(config.data).database)) return example;
  return inData(config, async ({ database }) => {
    const [first] = await readAccounts(database.reads);
    if (first === undefined) return example;
    const { merchantId, accountId, settings } = first;
    return { merchantId, accountId, currency: settings.currencies[0] ?? example.currency };
  });
}
