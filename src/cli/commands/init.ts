/** `batchgate init`: makes a data directory. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { makeFolders } from '../../batch/make-folder.ts';
import { syncFolder } from '../../batch/take.ts';
import { CONFIG_FILE, type Config, loadConfig } from '../../config.ts';
import { appendAct } from '../../ledger/audit.ts';
import { Database } from '../../ledger/database.ts';
import { fixSetting } from '../../ledger/settings.ts';
import { command } from '../command.ts';
import { HASH_KEY_FILE, inData } from '../compose.ts';
import { addDemo, demoCommands } from '../demo.ts';
import { UsageError } from '../errors.ts';
import { withData } from '../options.ts';
import { print, quoted, say, sayNext } from '../output.ts';

const FIRST_CONFIG = `# Settings of this data directory. Flags and BATCHGATE_* variables come before it.
# concurrency: 400        # chunks in flight at most
# payout_fees:            # the first rule that matches counts
#   - { method: SWIFT, currency: USD, amount: "15.00" }
# serve: { port: 8080 }   # where batchgate serve listens
# tls: { key: tls.key, cert: tls.crt }    # or behind_proxy: 10.0.0.0/8; needed to listen for others
# public_url: https://pay.example.com     # where merchants and shoppers reach it
# rate_limit: { requests: 100 }           # a second, for each account
`;

export const initCommand = command({
  usage: 'init',
  describe: 'make a data directory',
  examples: [
    ['init', 'makes ./batchgate-data'],
    ['init --demo', 'with an account, 40 transactions and sample files of every operation'],
    ['init --data /srv/batchgate --environment live', 'for real money: the simulator never runs there'],
  ],
  build: (yargs) =>
    withData(yargs)
      .option('environment', {
        choices: ['sandbox', 'live'] as const,
        default: 'sandbox' as const,
        requiresArg: true,
        describe: 'fixed for ever',
      })
      .option('demo', {
        type: 'boolean',
        default: false,
        describe: 'with an account, transactions and sample files',
      }),
  run: async (args) => {
    if (args.demo && args.environment === 'live')
      throw new UsageError('--demo needs the sandbox', 'Leave out --environment live.');
    const config = loadConfig(args);
    await makeDataDirectory(config, args.environment);
    const data = args.data === undefined ? '' : ` --data ${quoted(args.data)}`;
    print(`made ${config.data} (${args.environment})`);
    if (!args.demo) {
      sayNext(`batchgate account add --merchant M1 --account A1 --currency USD${data}`);
      return EXIT.done;
    }
    const added = await inData(config, (opened) => addDemo(config, opened));
    print(
      `added account M1/A1 (USD EUR JPY), ${added.transactions} transactions and ${added.files} sample files`,
    );
    say('try, in this order:');
    for (const line of demoCommands(join(args.data ?? config.data, 'samples'), data)) say(`  ${line}`);
    return EXIT.done;
  },
});

/** Makes folders, keys, configuration and, last of all, the database, without which it is no data directory. */
export async function makeDataDirectory(config: Config, environment: string): Promise<void> {
  const folders = new Folders(config.data, config.drop);
  if (existsSync(folders.database))
    throw new UsageError(`${config.data} is a data directory already`, 'See: batchgate doctor');
  await makeFolders(folders);
  await writeNew(join(folders.keys, HASH_KEY_FILE), randomBytes(32), 0o600);
  await writeNew(join(folders.root, CONFIG_FILE), FIRST_CONFIG, 0o640);
  await makeDatabase(folders.database, environment, config.user);
}

/** What is there already, perhaps from an attempt that was broken off, stays. */
async function writeNew(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  if (!existsSync(path)) await writeFile(path, content, { mode, flag: 'wx' });
}

/** The database gets its name when it is whole. */
async function makeDatabase(path: string, environment: string, who: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  await Database.create(unfinished);
  const database = await Database.open(unfinished);
  try {
    await database.write(async (statements) => {
      await fixSetting(statements, 'environment', environment);
      await appendAct(statements, { at: Date.now(), who, act: 'init', subject: environment, detail: '{}' });
    });
  } finally {
    await database.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}
