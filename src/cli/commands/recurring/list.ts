/** `batchgate recurring list`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { eachContract } from '../../../engine/subscriptions/contracts.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { print, printable, printJson, say } from '../../output.ts';
import { table } from '../../table.ts';
import { accountsByNumber, type ContractDocument, documentOf, STATUSES, shortTime } from './contract.ts';

export const recurringListCommand = command({
  usage: 'list',
  describe: 'list the subscriptions',
  examples: [
    ['recurring list --status past_due', 'those that somebody has to do something about'],
    ['recurring list --json', 'for programs'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).option('status', {
      choices: STATUSES,
      requiresArg: true,
      describe: 'only those that stand so',
    }),
  run: (args) =>
    inData(loadConfig(args), async ({ database, environment }) => {
      const accounts = await accountsByNumber(database);
      const contracts: ContractDocument[] = [];
      for await (const contract of eachContract(database.reads)) {
        const document = documentOf(contract, accounts);
        if (document.status === (args.status ?? document.status)) contracts.push(document);
      }
      if (args.json) printJson({ environment, contracts });
      else if (contracts.length === 0) {
        say(args.status === undefined ? 'no subscription yet' : `no subscription is ${inWords(args.status)}`);
      } else print(table(COLUMNS, contracts.map(row)));
      return EXIT.done;
    }),
});

const COLUMNS = [
  'subscription',
  'name',
  'account',
  'status',
  ['amount', 'right'],
  'period',
  ['charges', 'right'],
  'next',
] as const;

function row(one: ContractDocument): readonly string[] {
  return [
    one.recurring_id,
    printable(one.name),
    `${one.merchant}/${one.account}`,
    inWords(one.status),
    `${one.amount} ${one.currency}`,
    one.period,
    one.cycles === null ? String(one.cycles_done) : `${one.cycles_done} of ${one.cycles}`,
    shortTime(one.next_at),
  ];
}

function inWords(status: ContractDocument['status']): string {
  return status.replace('_', ' ');
}
