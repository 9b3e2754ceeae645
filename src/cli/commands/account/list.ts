/** `batchgate account list`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { readAccounts } from '../../../ledger/accounts.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { print, printJson, say } from '../../output.ts';
import { table } from '../../table.ts';

export const accountListCommand = command({
  usage: 'list',
  describe: 'list the accounts',
  examples: [['account list --json', 'all accounts with their settings, for programs']],
  build: (yargs) => withJson(withData(yargs)),
  run: (args) =>
    inData(loadConfig(args), async ({ database }) => {
      const accounts = (await readAccounts(database.reads)).map(({ merchantId, accountId, settings }) => ({
        merchant: merchantId,
        account: accountId,
        currencies: settings.currencies,
        capture: settings.capture,
        keys: settings.keys.filter(({ revoked }) => !revoked).length,
        allow_ip: settings.allow_ip,
      }));
      if (args.json) printJson({ accounts });
      else if (accounts.length === 0)
        say('no account yet; add one: batchgate account add --merchant M1 --account A1 --currency USD');
      else {
        const rows = accounts.map((one) => [
          one.merchant,
          one.account,
          one.currencies.join(' '),
          one.capture,
          String(one.keys),
          one.allow_ip.join(' ') || '–',
        ]);
        print(
          table(['merchant', 'account', 'currencies', 'capture', ['keys', 'right'], 'may query from'], rows),
        );
      }
      return EXIT.done;
    }),
});
