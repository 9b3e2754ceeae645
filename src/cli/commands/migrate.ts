/** `batchgate migrate`: brings a data directory of an older program to this one's version. */
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { type Config, loadConfig } from '../../config.ts';
import { appendAct } from '../../ledger/audit.ts';
import { Database } from '../../ledger/database.ts';
import { SCHEMA_VERSION } from '../../ledger/migrate.ts';
import { command } from '../command.ts';
import { inData } from '../compose.ts';
import { withData, withJson } from '../options.ts';
import { print, printJson } from '../output.ts';

export const migrateCommand = command({
  usage: 'migrate',
  describe: 'bring the database of an older program to the version of this one; keeps a copy',
  examples: [
    ['migrate', 'when a command says B0024; stop every other batchgate on the data directory first'],
  ],
  build: (yargs) => withJson(withData(yargs)),
  run: async (args) => {
    const config = loadConfig(args);
    const folders = new Folders(config.data, config.drop);
    const now = Date.now();
    const { from, copy } = await Database.migrate(folders.database, (version) =>
      folders.copyOfVersion(version, now),
    );
    const done = { from, to: SCHEMA_VERSION, copy: copy ?? null };
    if (copy !== undefined) await audit(config, now, done);
    if (args.json) printJson(done);
    else print(summary(done));
    return EXIT.done;
  },
});

interface Migration {
  readonly from: number;
  readonly to: number;
  readonly copy: string | null;
}

function audit(config: Config, at: number, done: Migration): Promise<void> {
  return inData(config, ({ database }) =>
    database.write((statements) =>
      appendAct(statements, {
        at,
        who: config.user,
        act: 'database.migrate',
        subject: 'batchgate.db',
        detail: JSON.stringify(done),
      }),
    ),
  );
}

function summary({ from, to, copy }: Migration): string {
  if (copy === null) return `the database has version ${to} already; nothing was changed`;
  return `version ${from} became ${to}\nthe database as it was: ${copy}\nnext: batchgate verify`;
}
