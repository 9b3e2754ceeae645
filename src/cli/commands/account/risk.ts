/** `batchgate account risk`: from when on a payment is held or refused. */
import { nameOf, setRisk } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { digitsOf } from '../../../core/currency.ts';
import { parseAmount } from '../../../core/money.ts';
import { riskSettings } from '../../../core/risk.ts';
import { chosenAccount, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData } from '../../options.ts';
import { print } from '../../output.ts';

export const accountRiskCommand = command({
  usage: 'risk',
  describe: 'set from when on risk holds or refuses a payment of an account',
  examples: [
    ['account risk --review 40 --reject 80', 'scores, of 100, from which a payment is held or refused'],
    ['account risk --amount USD=500.00', 'above it a payment is held, above its double refused'],
    ['account risk --amount USD=none', 'no limit any more'],
  ],
  build: (yargs) =>
    withAccount(withData(yargs))
      .option('review', { type: 'string', requiresArg: true, describe: 'score from which a payment is held' })
      .option('reject', { type: 'string', requiresArg: true, describe: 'score from which it is refused' })
      .option('amount', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'CUR=AMOUNT above which a payment is held, or CUR=none; repeatable',
      }),
  run: (args) => {
    const config = loadConfig(args);
    const scores = Object.fromEntries(
      (['review', 'reject'] as const).flatMap((name) =>
        args[name] === undefined ? [] : [[name, score(name, args[name])]],
      ),
    );
    const limits = (args.amount ?? []).map(limit);
    return inData(config, async (opened) => {
      const account = await chosenAccount(opened, args);
      const refused = await setRisk(actor(config, opened), account, (before) => {
        const amount = { ...before.amount };
        for (const [currency, minor] of limits) {
          if (minor === undefined) delete amount[currency];
          else amount[currency] = minor;
        }
        return riskSettings.parse({ ...before, ...scores, amount });
      });
      if (refused !== undefined) throw new UsageError(refused.refusal);
      print(`account ${nameOf(account)}: see batchgate account show`);
      return EXIT.done;
    });
  },
});

function score(name: string, text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100) return Number(text);
  throw new UsageError(`--${name} must be a whole number from 1 to 100`);
}

/** A currency with its limit in minor units; undefined for none. */
function limit(text: string): readonly [currency: string, minor: number | undefined] {
  const [currency = '', amount = '', ...rest] = text.split('=');
  const digits = digitsOf(currency);
  const minor = digits === undefined ? undefined : parseAmount(amount, digits);
  if (digits !== undefined && rest.length === 0 && (amount === 'none' || typeof minor === 'number'))
    return [currency, typeof minor === 'number' ? minor : undefined];
  throw new UsageError(`--amount ${text} is not CUR=AMOUNT`, 'For example: --amount USD=500.00');
}
