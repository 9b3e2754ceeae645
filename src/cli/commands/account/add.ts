/** `batchgate account add`. */
import { addAccount, nameOf } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { digitsOf } from '../../../core/currency.ts';
import { id } from '../../../core/text.ts';
import { AUTHORISATION_LIFETIME } from '../../../core/transaction.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withKeyFile } from '../../key-files.ts';
import { duration, withData, withJson } from '../../options.ts';
import { print, printJson, sayNext } from '../../output.ts';
import { listing } from '../../table.ts';

export const accountAddCommand = command({
  usage: 'add',
  describe: 'add an account, with a new key or a given one',
  examples: [
    [
      'account add --merchant M1 --account A1 --currency USD --currency EUR',
      'makes a key file and prints where it is',
    ],
    [
      'account add --merchant M1 --account A2 --currency JPY --capture automatic --key-file ~/a2.key',
      'copies the key file',
    ],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .option('merchant', { type: 'string', demandOption: true, requiresArg: true, describe: 'merchant id' })
      .option('account', { type: 'string', demandOption: true, requiresArg: true, describe: 'account id' })
      .option('currency', {
        type: 'string',
        array: true,
        demandOption: true,
        requiresArg: true,
        describe: 'ISO 4217 code; repeatable, or several with commas',
      })
      .option('capture', {
        choices: ['manual', 'automatic'] as const,
        default: 'manual' as const,
        requiresArg: true,
        describe: 'automatic: an approved payment is captured at once',
      })
      .option('lifetime', {
        type: 'string',
        default: '7d',
        requiresArg: true,
        describe: 'how long an authorisation lasts',
      })
      .option('time-zone', {
        type: 'string',
        default: 'UTC',
        requiresArg: true,
        describe: 'for dates in reports, for example Europe/Berlin',
      })
      .option('key-file', {
        type: 'string',
        requiresArg: true,
        describe: 'file with the key to copy; else a new key is made',
      }),
  run: async (args) => {
    const config = loadConfig(args);
    const account = {
      merchantId: checkedId('--merchant', args.merchant),
      accountId: checkedId('--account', args.account),
    };
    const settings = {
      currencies: checkedCurrencies(args.currency),
      capture: args.capture,
      lifetime: args.lifetime === '7d' ? AUTHORISATION_LIFETIME : duration('--lifetime', args.lifetime),
      time_zone: checkedTimeZone(args.timeZone),
    };
    return inData(config, async (opened) => {
      const key = await withKeyFile(opened.folders, account, args.keyFile, (made) =>
        addAccount(actor(config, opened), { ...account, settings, key: made }),
      );
      if ('refusal' in key) throw new UsageError(key.refusal, 'See: batchgate account list');
      const { path, fingerprint } = key;
      if (args.json)
        printJson({
          merchant: account.merchantId,
          account: account.accountId,
          key: { file: path, fingerprint },
        });
      else
        print(
          listing(
            [
              ['account', `${nameOf(account)} added`],
              ['key', path],
              ['fingerprint', fingerprint],
            ],
            0,
          ),
        );
      sayNext('batchgate import transactions.csv');
      return EXIT.done;
    });
  },
});

function checkedId(option: string, text: string): string {
  const parsed = id.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${option} must be ${parsed.error.issues[0]!.message}`);
}

function checkedCurrencies(given: readonly string[]): string[] {
  const codes = [...new Set(given.flatMap((text) => text.split(',')).map((code) => code.trim()))];
  const unknown = codes.find((code) => digitsOf(code) === undefined);
  if (unknown === undefined) return codes;
  const upper = unknown.toUpperCase();
  throw new UsageError(
    `--currency ${unknown} is no active ISO 4217 code with a minor unit`,
    digitsOf(upper) === undefined ? 'For example: --currency USD --currency EUR' : `Did you mean ${upper}?`,
  );
}

function checkedTimeZone(zone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    throw new UsageError(`--time-zone ${zone} is not known`, 'For example: --time-zone Europe/Berlin');
  }
}
