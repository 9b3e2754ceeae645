/** `batchgate backup`: a consistent copy while everything runs. */
import { join, resolve } from 'node:path';
import { backUp } from '../../batch/backup/back-up.ts';
import type { Manifest } from '../../batch/backup/manifest.ts';
import { EXIT } from '../../batch/exit.ts';
import { CONFIG_FILE, loadConfig } from '../../config.ts';
import { command } from '../command.ts';
import { actor, inData, RATES_FILE } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { withData, withJson } from '../options.ts';
import { counted, print, printJson, quoted, say, sayNext } from '../output.ts';
import { listing } from '../table.ts';
import { VERSION } from '../version.ts';

export const backupCommand = command({
  usage: 'backup <dir>',
  describe: 'copy the ledger and the files it knows, while everything runs; never the keys',
  examples: [
    [
      'backup /backups/2026-11-20',
      'into a folder that is empty or not there; a copy of keys/ is for you to keep',
    ],
    ['backup /backups/today --json', 'the manifest, which lies in it as backup.json'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).positional('dir', {
      type: 'string',
      demandOption: true,
      describe: 'folder that the backup becomes',
    }),
  run: async (args) => {
    const config = loadConfig(args);
    const folder = resolve(args.dir);
    const made = await inData(config, (opened) =>
      backUp({ ...opened, ...actor(config, opened), version: VERSION }, folder, [CONFIG_FILE, RATES_FILE]),
    );
    if ('refusal' in made) throw new UsageError(made.refusal, 'Name another folder.');
    if (args.json) printJson({ folder, ...made });
    else print(summary(folder, made));
    for (const name of made.missing)
      say(`warning: ${join(config.data, name)} was gone already and is not in the backup`);
    if (!args.json) sayNext(`batchgate restore ${quoted(folder)} --data DIR (on another machine, to try it)`);
    return EXIT.done;
  },
});

function summary(
  folder: string,
  { environment, made_at, ledger_sequence, audit_head, batches, files }: Manifest,
) {
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  return [
    `backup in ${folder}`,
    listing([
      ['environment', environment],
      ['made at', made_at],
      ['ledger up to entry', String(ledger_sequence)],
      ['audit chain up to', audit_head.slice(0, 16)],
      ['has', `${counted(batches, 'batch')}, ${counted(files.length, 'file')}, ${bytes} bytes`],
      ['has not', 'keys/ and what lies in inbox, outbox, done and reports'],
    ]),
  ].join('\n');
}
