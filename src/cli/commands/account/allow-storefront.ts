/** `batchgate account allow-storefront`. */
import { allow, forbid, nameOf } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { chosenAccount, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData } from '../../options.ts';
import { print } from '../../output.ts';

export const accountAllowStorefrontCommand = command({
  usage: 'allow-storefront <origin>',
  describe: 'register a shop whose pages may show the hosted payment page in a frame',
  examples: [
    ['account allow-storefront https://shop.example --merchant M1 --account A1', 'one shop'],
    ['account allow-storefront https://shop.example --remove', 'takes it off the list again'],
  ],
  build: (yargs) =>
    withAccount(withData(yargs))
      .positional('origin', {
        type: 'string',
        demandOption: true,
        describe: 'scheme, host and port of the shop, for example https://shop.example',
      })
      .option('remove', { type: 'boolean', default: false, describe: 'take the shop off the list' }),
  run: (args) => {
    const config = loadConfig(args);
    const origin = checkedOrigin(args.origin);
    return inData(config, async (opened) => {
      const account = await chosenAccount(opened, args);
      const change = args.remove ? forbid : allow;
      const refused = await change(actor(config, opened), account, 'storefront', origin);
      if (refused !== undefined) throw new UsageError(refused.refusal);
      print(
        `${origin} ${args.remove ? 'can no longer' : 'can'} show the pages of account ${nameOf(account)} in a frame`,
      );
      return EXIT.done;
    });
  },
});

/** As browsers write origins: without path, and without the scheme's own port. */
export function checkedOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:');
  if (isWeb && (url.href === `${url.origin}/` || url.href === url.origin)) return url.origin;
  throw new UsageError(`${text} is no origin`, 'For example: https://shop.example');
}
