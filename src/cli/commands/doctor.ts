/** `batchgate doctor`: looks whether everything is as it must be, and says how to mend what is not. */
import { EXIT } from '../../batch/exit.ts';
import { Folders } from '../../batch/folders.ts';
import { BadConfig, type Config, type ConfigFlags, loadConfig, wantsColor } from '../../config.ts';
import type { Database } from '../../ledger/database.ts';
import { command } from '../command.ts';
import { RATES_FILE, scheduleOf } from '../compose.ts';
import { type Diagnosis, ok, wrong } from '../doctor/diagnosis.ts';
import { checkGateways } from '../doctor/gateways.ts';
import { checkKeys } from '../doctor/keys.ts';
import { checkBatches, checkBehind, checkClock, checkDatabase, openForDiagnosis } from '../doctor/ledger.ts';
import {
  checkDirectory,
  checkFileSystem,
  checkFolders,
  checkNode,
  checkSpace,
} from '../doctor/surroundings.ts';
import { UsageError } from '../errors.ts';
import { withData, withJson } from '../options.ts';
import { counted, print, printable, printJson, showsColor } from '../output.ts';
import { type Colors, colorsOf } from '../summary.ts';

export const doctorCommand = command({
  usage: 'doctor',
  describe:
    'check configuration, folders, disk, database, clock, keys and gateways; says how to mend what is wrong',
  examples: [
    ['doctor', 'exit 0: nothing is wrong (there may be warnings); 11: something is'],
    ['doctor --data /srv/batchgate --json', 'for monitoring'],
  ],
  build: (yargs) => withJson(withData(yargs)),
  run: async (args) => {
    const diagnoses = await diagnose(args);
    const exit = diagnoses.some(({ level }) => level === 'wrong') ? EXIT.wrong : EXIT.done;
    if (args.json) printJson({ exit, checks: diagnoses });
    else print(text(diagnoses, colorsOf(showsColor(wantsColor(args.color)))));
    return exit;
  },
});

/** Looks at one thing after the other, as far as one makes the next possible. */
async function diagnose(flags: ConfigFlags): Promise<readonly Diagnosis[]> {
  const node = checkNode(process.versions.node);
  const config = readConfig(flags);
  if ('level' in config) return [node, config];
  const folders = new Folders(config.data, config.drop);
  const directory = checkDirectory(folders);
  if (directory.level === 'wrong') return [node, directory];
  const first = [node, directory, ok('configuration', 'can be read'), checkRates(config, folders)];
  const disk = [...(await checkFolders(folders)), await checkSpace(folders), checkFileSystem(folders)];
  const database = await openForDiagnosis(folders);
  if ('level' in database) return [...first, ...disk, database];
  try {
    return [...first, ...disk, ...(await checkLedger(config, database, folders))];
  } finally {
    await database.close();
  }
}

async function checkLedger(
  config: Config,
  database: Database,
  folders: Folders,
): Promise<readonly Diagnosis[]> {
  const sound = await checkDatabase(database);
  // Nothing more can be believed of a damaged one.
  if (sound.some(({ level }) => level === 'wrong')) return sound;
  return [
    ...sound,
    await checkClock(database, Date.now()),
    ...(await checkKeys(database, folders)),
    await checkBehind(database, folders),
    await checkBatches(database, folders),
    ...(await checkGateways(config, database, folders)),
  ];
}

function readConfig(flags: ConfigFlags): Config | Diagnosis {
  try {
    return loadConfig(flags);
  } catch (error) {
    if (error instanceof BadConfig) return wrong('configuration', error.message, 'Correct the setting.');
    throw error;
  }
}

function checkRates(config: Config, folders: Folders): Diagnosis {
  try {
    scheduleOf(config, folders);
    return ok(RATES_FILE, 'can be read, or is not there (payouts across currencies need it)');
  } catch (error) {
    if (error instanceof UsageError) return wrong(RATES_FILE, error.message, 'Correct the line.');
    throw error;
  }
}

const MARKS = { ok: '✓', warning: '!', wrong: '✗' } as const;

function text(diagnoses: readonly Diagnosis[], colors: Colors): string {
  const paints = { ok: colors.green, warning: colors.yellow, wrong: colors.red };
  const width = Math.max(...diagnoses.map(({ name }) => name.length));
  const count = (level: Diagnosis['level']) => diagnoses.filter((one) => one.level === level).length;
  const verdict =
    count('wrong') > 0
      ? colors.red(`${counted(count('wrong'), 'thing')} to mend`)
      : count('warning') > 0
        ? colors.yellow(`works, with ${counted(count('warning'), 'warning')}`)
        : colors.green('all is well');
  return [
    ...diagnoses.flatMap(({ name, level, message, mend }) => [
      `${paints[level](MARKS[level])} ${name.padEnd(width)}  ${printable(message)}`,
      ...(mend === null ? [] : [`  ${' '.repeat(width)}  → ${mend}`]),
    ]),
    verdict,
  ].join('\n');
}
