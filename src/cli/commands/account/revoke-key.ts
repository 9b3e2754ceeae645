/** `batchgate account revoke-key`. */
import { join } from 'node:path';
import { nameOf, revokeKey } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { fittingAccounts, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData } from '../../options.ts';
import { print, say, sayNext } from '../../output.ts';

export const accountRevokeKeyCommand = command({
  usage: 'revoke-key <fingerprint>',
  describe: 'make a key invalid, for ever',
  examples: [['account revoke-key 3f9a0c1d2e4b5a69', 'fingerprints stand in `account show`']],
  build: (yargs) =>
    withAccount(withData(yargs)).positional('fingerprint', {
      type: 'string',
      demandOption: true,
      describe: '16 hex digits, as `account show` prints them',
    }),
  run: (args) => {
    const config = loadConfig(args);
    const fingerprint = args.fingerprint.toLowerCase();
    return inData(config, async (opened) => {
      const fitting = await fittingAccounts(opened, args);
      const holders = fitting.filter(({ settings }) =>
        settings.keys.some((key) => key.fingerprint === fingerprint),
      );
      const [account, ...others] = holders;
      if (account === undefined)
        throw new UsageError(`no account has a key ${fingerprint}`, 'See: batchgate account show');
      if (others.length > 0) {
        throw new UsageError(
          `several accounts have this key: ${holders.map(nameOf).join(', ')}`,
          'Name one with --merchant and --account.',
        );
      }
      const refused = await revokeKey(actor(config, opened), account, fingerprint);
      if (refused !== undefined) throw new UsageError(refused.refusal);
      const { file } = account.settings.keys.find((key) => key.fingerprint === fingerprint)!;
      print(`key ${fingerprint} of account ${nameOf(account)} is revoked`);
      say(`its file is still there and may be removed: ${join(opened.folders.keys, file)}`);
      const left = account.settings.keys.filter((key) => !key.revoked && key.fingerprint !== fingerprint);
      if (left.length === 0) {
        say('the account has no valid key now: nothing that it signs is accepted');
        sayNext('batchgate account rotate-key');
      }
      return EXIT.done;
    });
  },
});
