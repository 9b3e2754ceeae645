/** `batchgate init`: makes a data directory. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { CONFIG_FILE, type Config, loadConfig } from '../../config.ts';
import { appendAct } from '../../ledger/audit.ts';
import { Database } from '../../ledger/database.ts';
import { fixSetting } from '../../ledger/settings.ts';
import { command } from '../command.ts';
import { HASH_KEY_FILE } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { withData } from '../options.ts';

const FIRST_CONFIG = `# Settings of this data directory. Flags and BATCHGATE_* variables come before it.
# concurrency: 800        # chunks in flight at most
# payout_fees:            # the first rule that matches counts
#   - { method: SWIFT, currency: USD, amount: "15.00" }
`;

export const initCommand = command({
  usage: 'init',
  describe: 'make a data directory',
  examples: [['init', 'makes ./batchgate-data']],
  build: (yargs) =>
    withData(yargs).option('environment', {
      choices: ['sandbox', 'live'] as const,
      default: 'sandbox' as const,
      requiresArg: true,
      describe: 'fixed for ever: the simulator runs in sandbox only',
    }),
  run: async (args) => {
    const config = loadConfig(args);
    await makeDataDirectory(config, args.environment);
    process.stderr.write(`made ${config.data}\nnext: batchgate account add --merchant M1 --account A1 --currency USD\n`);
    return EXIT.done;
  },
});

/** Makes folders, keys, configuration and database. */
export async function makeDataDirectory(config: Config, environment: string): Promise<void> {
  const folders = new Folders(config.data);
  if (existsSync(folders.database)) throw new UsageError(`${config.data} is a data directory already`);
  for (const folder of folders.all) await mkdir(folder, { recursive: true, mode: folder === folders.keys ? 0o700 : 0o750 });
  await writeFile(join(folders.keys, HASH_KEY_FILE), randomBytes(32), { mode: 0o600, flag: 'wx' });
  await writeFile(join(folders.root, CONFIG_FILE), FIRST_CONFIG, { flag: 'wx' });
  await Database.create(folders.database);
  const database = await Database.open(folders.database);
  try {
    await database.write(async (statements) => {
      await fixSetting(statements, 'environment', environment);
      await appendAct(statements, { at: Date.now(), who: config.user, act: 'init', subject: environment, detail: '{}' });
    });
  } finally {
    await database.close();
  }
}
