/** `batchgate account allow-ip`. */
import { allow, forbid, nameOf } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { isNetwork, loadConfig } from '../../../config.ts';
import { chosenAccount, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData } from '../../options.ts';
import { print } from '../../output.ts';

export const accountAllowIpCommand = command({
  usage: 'allow-ip <address>',
  describe: 'register an address from which the account may be queried',
  examples: [
    ['account allow-ip 203.0.113.7 --merchant M1 --account A1', 'one address'],
    ['account allow-ip 2001:db8::/48', 'a network, for the only account'],
    ['account allow-ip 203.0.113.7 --remove', 'takes it off the list again'],
  ],
  build: (yargs) =>
    withAccount(withData(yargs))
      .positional('address', {
        type: 'string',
        demandOption: true,
        describe: 'IP address, or network as ADDRESS/BITS',
      })
      .option('remove', { type: 'boolean', default: false, describe: 'take the address off the list' }),
  run: (args) => {
    const config = loadConfig(args);
    const address = checkedAddress(args.address);
    return inData(config, async (opened) => {
      const account = await chosenAccount(opened, args);
      const change = args.remove ? forbid : allow;
      const refused = await change(actor(config, opened), account, 'ip', address);
      if (refused !== undefined) throw new UsageError(refused.refusal);
      print(`account ${nameOf(account)} ${args.remove ? 'can no longer' : 'can'} be queried from ${address}`);
      return EXIT.done;
    });
  },
});

/** In lower case, so that the same address is never on the list twice. */
export function checkedAddress(text: string): string {
  if (isNetwork(text)) return text.toLowerCase();
  throw new UsageError(
    `${text} is no IP address and no network`,
    'For example: 203.0.113.7, 198.51.100.0/24 or 2001:db8::/48',
  );
}
