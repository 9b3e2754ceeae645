/** `batchgate account rotate-key`. */
import { addKey, nameOf } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { chosenAccount, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withKeyFile } from '../../key-files.ts';
import { withData, withJson } from '../../options.ts';
import { print, printJson, sayNext } from '../../output.ts';
import { listing } from '../../table.ts';

export const accountRotateKeyCommand = command({
  usage: 'rotate-key',
  describe: 'add a new key; the old one stays valid until it is revoked',
  examples: [
    ['account rotate-key --merchant M1 --account A1', 'makes a key file and prints where it is'],
    ['account rotate-key --key-file new.key', 'the only account, with a key that was made elsewhere'],
  ],
  build: (yargs) =>
    withAccount(withJson(withData(yargs))).option('key-file', {
      type: 'string',
      requiresArg: true,
      describe: 'file with the key to copy; else a new key is made',
    }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const account = await chosenAccount(opened, args);
      const valid = account.settings.keys.filter(({ revoked }) => !revoked);
      const key = await withKeyFile(opened.folders, account, args.keyFile, (made) =>
        addKey(actor(config, opened), account, made),
      );
      if ('refusal' in key) throw new UsageError(key.refusal);
      const { path, fingerprint } = key;
      const { merchantId, accountId } = account;
      if (args.json)
        printJson({ merchant: merchantId, account: accountId, key: { file: path, fingerprint } });
      else
        print(
          listing(
            [
              ['account', `${nameOf(account)} has a new key`],
              ['key', path],
              ['fingerprint', fingerprint],
            ],
            0,
          ),
        );
      const old = valid.at(-1);
      if (old !== undefined)
        sayNext(`batchgate account revoke-key ${old.fingerprint}, once everybody signs with the new key`);
      return EXIT.done;
    });
  },
});
