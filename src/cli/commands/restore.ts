/** `batchgate restore`: puts a backup in place, and takes back what was done since. */
import { resolve } from 'node:path';
import { type LaterActs, laterActs } from '../../batch/backup/later-acts.ts';
import { type Manifest, readBackup } from '../../batch/backup/manifest.ts';
import { type PutBack, putBack } from '../../batch/backup/put-back.ts';
import { giveUp, type Restoration, type TakingBack, takeBack } from '../../batch/backup/take-back.ts';
import { workersOn } from '../../batch/backup/workers.ts';
import { EXIT, worstExit } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { makeFolders } from '../../batch/make-folder.ts';
import { type Config, loadConfig } from '../../config.ts';
import { Database } from '../../ledger/database.ts';
import { SCHEMA_VERSION } from '../../ledger/migrate.ts';
import { readSetting } from '../../ledger/settings.ts';
import { command } from '../command.ts';
import { actor, executionContext, inData, type Opened } from '../compose.ts';
import type { Diagnosis } from '../doctor/diagnosis.ts';
import { checkKeys } from '../doctor/keys.ts';
import { UsageError } from '../errors.ts';
import { listenForInterruption } from '../interruption.ts';
import { withData, withJson } from '../options.ts';
import { print, printJson, say, sayNext } from '../output.ts';
import { progressFor } from '../progress.ts';
import { laterActsText, putBackText, restorationText } from '../restore-text.ts';

export const restoreCommand = command({
  usage: 'restore [dir]',
  describe: 'put a backup in place, and take back what was done since',
  examples: [
    ['restore /backups/2026-11-20', 'the database that is here is kept aside; stop everything first'],
    ['restore', 'without a backup: only takes back what lies in done/ and the ledger does not know'],
    [
      'restore --give-up --reason "checked with the bank"',
      'nothing more is expected of what cannot be brought back',
    ],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('dir', { type: 'string', describe: 'a backup' })
      .option('give-up', {
        type: 'boolean',
        default: false,
        describe: 'go on without what cannot be brought back',
      })
      .option('reason', { type: 'string', requiresArg: true, describe: 'why, for the audit' }),
  run: async (args) => {
    if (args.giveUp && args.reason === undefined)
      throw new UsageError('--give-up needs --reason', 'It stands in the audit.');
    const given = loadConfig(args);
    const folders = new Folders(given.data, given.drop);
    const backup = args.dir === undefined ? undefined : await checkedBackup(folders, resolve(args.dir));
    const working = await workersOn(folders);
    if (working.length > 0) return busy(args, working);
    const put = backup && (await putBack(folders, backup.folder, backup.manifest, Date.now()));
    const acts = put?.kept === undefined ? undefined : await laterActs(put.kept, backup!.manifest.audit_head);
    if (backup !== undefined && backup.manifest.version < SCHEMA_VERSION)
      return migrateFirst(args, backup, put!);
    // The configuration may have come with the backup.
    const config = loadConfig(args);
    await makeFolders(new Folders(config.data, config.drop));
    return inData(config, async (opened) => {
      const done = await takeAllBack(args, config, opened);
      const result: Result = { folder: backup?.folder, put, acts, ...done };
      const exit = exitOf(result);
      if (args.json) printJson(document(opened, exit, result));
      else tell(result);
      return exit;
    });
  },
});

interface RestoreArgs {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly giveUp: boolean;
  readonly reason: string | undefined;
}

interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

interface Result {
  readonly folder: string | undefined;
  readonly put: PutBack | undefined;
  /** What is lost of reconciling; undefined where nobody can tell. */
  readonly acts: LaterActs | undefined;
  readonly keys: readonly Diagnosis[];
  /** Undefined while keys are missing. */
  readonly restoration: Restoration | undefined;
  readonly givenUp: boolean;
}

/** Read from end to end, and fit for this data directory and this program. */
async function checkedBackup(folders: Folders, folder: string): Promise<Backup> {
  const manifest = await readBackup(folder);
  if ('fault' in manifest) throw new UsageError(manifest.fault, 'Nothing was changed. Try another backup.');
  if (manifest.version > SCHEMA_VERSION)
    throw new UsageError(
      `B0024: the backup has version ${manifest.version}, this program needs ${SCHEMA_VERSION}`,
      'Nothing was changed. Use the program that has made it, or a newer one.',
    );
  const environment = await environmentOf(folders);
  if (environment !== undefined && environment !== manifest.environment)
    throw new UsageError(
      `B0023: the backup is of a ${manifest.environment} directory, this one is ${environment}`,
      'Nothing was changed. Name another directory with --data DIR.',
    );
  return { folder, manifest };
}

/** Undefined where there is no database, or none that can be read. */
async function environmentOf({ database: path }: Folders): Promise<string | undefined> {
  try {
    const database = await Database.openSnapshot(path);
    try {
      return await readSetting(database.reads, 'environment');
    } finally {
      await database.close();
    }
  } catch {
    return undefined;
  }
}

function busy({ json }: RestoreArgs, working: readonly string[]): number {
  if (json) printJson({ exit: EXIT.temporary, working });
  say(`batchgate: somebody works on this data directory: ${working.join('; ')}`);
  say('Stop everything on it, then run the same command again. Nothing was changed.');
  return EXIT.temporary;
}

function migrateFirst({ json }: RestoreArgs, { folder, manifest }: Backup, put: PutBack): number {
  if (json) printJson({ exit: EXIT.usage, folder, ...put, version: manifest.version });
  else for (const line of putBackText(folder, put)) print(line);
  say(`batchgate: B0024: the backup has version ${manifest.version}, this program needs ${SCHEMA_VERSION}`);
  sayNext('batchgate migrate, then batchgate restore (without a folder) to take back what was done since');
  return EXIT.usage;
}

/** Files may be signed: without the keys they could not be read. */
async function takeAllBack(
  args: RestoreArgs,
  config: Config,
  opened: Opened,
): Promise<Pick<Result, 'keys' | 'restoration' | 'givenUp'>> {
  const keys = (await checkKeys(opened.database, opened.folders)).filter(({ level }) => level === 'wrong');
  if (keys.length > 0) return { keys, restoration: undefined, givenUp: false };
  const interruption = listenForInterruption(undefined);
  const progress = progressFor('restore', args.quiet);
  const taking: TakingBack = {
    ...actor(config, opened),
    folders: opened.folders,
    contextAt: (at) =>
      executionContext(config, opened, {
        interruption: interruption.code,
        onProgress: progress.on,
        decidesAt: () => at,
      }),
  };
  try {
    const restoration = await takeBack(taking);
    if (args.giveUp) await giveUp(taking, restoration.lost, args.reason!);
    return { keys, restoration, givenUp: args.giveUp };
  } finally {
    progress.end();
    interruption.end();
  }
}

/** Whatever is not as it was needs a person. */
function exitOf({ keys, restoration, givenUp }: Result): number {
  if (restoration === undefined) return keys.length > 0 ? EXIT.usage : EXIT.done;
  const { takenBack, lost, later, gaps, unfinished } = restoration;
  const differs = takenBack.some(({ same }) => !same) || later.length > 0 || gaps.length > 0;
  return worstExit([
    differs || (lost.length > 0 && !givenUp) ? EXIT.unknown : EXIT.done,
    unfinished === undefined ? EXIT.done : unfinished.exit,
  ]);
}

function document(
  { environment }: Opened,
  exit: number,
  { folder, put, acts, keys, restoration, givenUp }: Result,
) {
  const { takenBack = [], lost = [], later = [], gaps = [], unfinished } = restoration ?? {};
  return {
    environment,
    exit,
    backup: folder ?? null,
    kept: put?.kept ?? null,
    restored: put?.restored ?? [],
    different: put?.different ?? [],
    keys: keys.map(({ message }) => message),
    taken_back: takenBack.map(({ batch, file, document: made, same, differences }) => ({
      batch,
      as: made.batch,
      file,
      same,
      differences: differences ?? null,
    })),
    unfinished: unfinished?.batch ?? null,
    lost,
    given_up: givenUp,
    later,
    gaps,
    later_acts: acts ?? null,
  };
}

function tell(result: Result): void {
  const { folder, put, acts, keys, restoration, givenUp } = result;
  if (folder !== undefined && put !== undefined) for (const line of putBackText(folder, put)) print(line);
  for (const line of laterActsText(acts)) print(line);
  for (const { message, mend } of keys) say(`missing: ${message}\n  ${mend}`);
  if (restoration === undefined) {
    sayNext('put the keys in place, then: batchgate restore (takes back what was done since the backup)');
    return;
  }
  for (const line of restorationText(restoration)) print(line);
  if (restoration.unfinished !== undefined) sayNext('batchgate restore');
  else if (restoration.lost.length > 0 && !givenUp)
    sayNext('check these, then batchgate restore --give-up --reason TEXT; until then nothing is executed');
  else sayNext('batchgate verify');
}
