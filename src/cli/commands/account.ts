/** `batchgate account`: merchants' accounts. */
import { EXIT } from '../../batch/exit.ts';
import { loadConfig } from '../../config.ts';
import { insertAccount } from '../../ledger/accounts.ts';
import { command } from '../command.ts';
import { openData } from '../compose.ts';
import { withData } from '../options.ts';

export const accountCommand = command({
  usage: 'account add',
  describe: 'add an account',
  build: (yargs) =>
    withData(yargs)
      .option('merchant', { type: 'string', demandOption: true, requiresArg: true })
      .option('account', { type: 'string', demandOption: true, requiresArg: true })
      .option('currency', { type: 'string', array: true, demandOption: true, requiresArg: true }),
  run: async (args) => {
    const opened = await openData(loadConfig(args));
    try {
      const { merchant, account, currency } = args;
      await opened.database.write((statements) =>
        insertAccount(statements, { merchantId: merchant, accountId: account, settings: { currencies: currency } }, Date.now()),
      );
      return EXIT.done;
    } finally {
      await opened.close();
    }
  },
});
