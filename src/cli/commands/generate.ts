/** `batchgate generate`: synthetic data for trying out and measuring. */
import { resolve } from 'node:path';
import { EXIT } from '../../batch/exit.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { ACCOUNT, generate } from '../generate/generate.ts';
import { print, printJson, quoted, say } from '../output.ts';
import { table } from '../table.ts';

/** Beyond this the ids would no longer be unique within one set. */
const MOST_TRANSACTIONS = 100_000_000;

export const generateCommand = command({
  usage: 'generate',
  describe: 'write synthetic, reproducible transactions, instruction files and a settlement file',
  examples: [
    ['generate --transactions 1000 --seed 7 --out data', 'the same seed gives the same bytes'],
    ['generate --transactions 1000000 --seed 1 --out /tmp/big --ids random', 'for measuring'],
  ],
  build: (yargs) =>
    yargs
      .option('transactions', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'how many transactions capture.csv captures',
      })
      .option('seed', { type: 'string', demandOption: true, requiresArg: true, describe: 'any whole number' })
      .option('out', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'folder for the files; those of the same names are replaced',
      })
      .option('ids', {
        choices: ['ordered', 'random'] as const,
        default: 'ordered' as const,
        requiresArg: true,
        describe: 'transaction ids in the order of time, or at random',
      })
      .option('json', { type: 'boolean', default: false, describe: 'one JSON document on standard output' }),
  run: async (args) => {
    const transactions = wholeNumber('--transactions', args.transactions, 1, MOST_TRANSACTIONS);
    const seed = wholeNumber('--seed', args.seed, 0, Number.MAX_SAFE_INTEGER);
    const files = await generate({ transactions, seed, out: resolve(args.out), ids: args.ids });
    if (args.json) printJson({ files });
    else
      print(
        table(
          ['file', ['rows', 'right']],
          files.map(({ path, rows }) => [path, String(rows)]),
        ),
      );
    const [merchant, account] = ACCOUNT;
    const file = (name: string) => quoted(`${args.out.replace(/\/$/, '')}/${name}`);
    say('next:');
    say(`  batchgate account add --merchant ${merchant} --account ${account} --currency USD,EUR,JPY`);
    say(`  batchgate import ${file('transactions.csv')}`);
    say(
      `  batchgate run ${['capture.csv', 'cancel.csv', 'review.csv', 'refund.csv', 'payout.csv'].map(file).join(' ')}`,
    );
    return EXIT.done;
  },
});

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
  throw new UsageError(`${option} ${text} is not a whole number from ${least} to ${most}`);
}
