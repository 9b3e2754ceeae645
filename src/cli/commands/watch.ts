/** `batchgate watch`: executes what is dropped into the inbox. */
import { resolve } from 'node:path';
import { EXIT, exitOfBatches, worstExit } from '../../batch/exit.ts';
import { makeFolder } from '../../batch/make-folder.ts';
import { removeAbandoned } from '../../batch/take.ts';
import type { FolderSettings } from '../../batch/watch/claimed.ts';
import { type WatchEvent, Watcher } from '../../batch/watch/watcher.ts';
import { CONFIG_FILE, type Config, loadConfig } from '../../config.ts';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchDocument } from '../../report/document.ts';
import { command } from '../command.ts';
import { executionContext, type Opened, openForExecution } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { type Failure, failureOf } from '../failure.ts';
import { gatewayNamed } from '../gateways.ts';
import { listenForInterruption } from '../interruption.ts';
import { metricsText } from '../metrics.ts';
import { duration, readingOptions, withData, withExecution, withJson, withReading } from '../options.ts';
import { printJson, say } from '../output.ts';
import type { SubmissionArgs } from '../submission.ts';
import { WatchOutcome } from '../watch-outcome.ts';
import { WatchScreen } from '../watch-screen.ts';

interface WatchArgs extends SubmissionArgs {
  readonly data: string | undefined;
  readonly color: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly concurrency: string | undefined;
  readonly once: boolean;
  readonly deadline: string | undefined;
  readonly metricsFile: string | undefined;
}

export const watchCommand = command({
  usage: 'watch',
  describe: 'execute what is dropped into the inbox',
  examples: [
    ['watch', 'until it is told to end; results lie in outbox/'],
    ['watch --once --json', 'for cron: empties the inbox and ends; the exit code says how it went'],
  ],
  build: (yargs) =>
    withExecution(withReading(withJson(withData(yargs))))
      .option('once', { type: 'boolean', default: false, describe: 'end when the inbox is empty' })
      .option('deadline', {
        type: 'string',
        requiresArg: true,
        describe: 'end at a checkpoint after this time, for example 15m (exit 5)',
      })
      .option('metrics-file', {
        type: 'string',
        requiresArg: true,
        describe: 'Prometheus text file to write at the end',
      }),
  run: async (args) => {
    const batches: BatchDocument[] = [];
    let environment = 'sandbox';
    let failure: Failure | undefined;
    try {
      const config = loadConfig(args);
      const opened = await openForExecution(config);
      environment = opened.environment;
      try {
        failure = await watchAll(args, config, opened, (document) => batches.push(document));
      } finally {
        await opened.close();
      }
    } catch (error) {
      failure = failureOf(error);
    }
    const exit = worstExit([exitOfBatches(batches), ...(failure === undefined ? [] : [failure.exit])]);
    if (args.json && args.once) printJson({ environment, exit, batches });
    if (failure !== undefined && failure.message !== '') say(`batchgate: ${failure.message}`);
    if (failure?.hint !== undefined) say(failure.hint);
    if (args.metricsFile !== undefined) {
      const text = metricsText({ environment, exit, batches });
      await writeWhole(resolve(args.metricsFile), (sink) => sink.write(text));
    }
    return exit;
  },
});

/** Watches until it is to end; what keeps a file from being executed is a failure. */
async function watchAll(
  args: WatchArgs,
  config: Config,
  opened: Opened,
  onDocument: (document: BatchDocument) => void,
): Promise<Failure | undefined> {
  const { folders } = opened;
  const { settle, rescan, polling, complete, inboxes } = config.watch;
  const settings = settingsByFolder(args, config);
  opened.gateways.check(gatewayNamed(config, args.gateway));
  const deadline = args.deadline === undefined ? undefined : duration('--deadline', args.deadline);
  for (const folder of [folders.inbox, folders.processing, folders.outbox]) await makeFolder(folder);
  await removeAbandoned(folders.work);
  const interruption = listenForInterruption(deadline);
  const screen = new WatchScreen(args, config, folders);
  interruption.asked.addEventListener('abort', () => screen.end());
  const outcome = new WatchOutcome(args.once, onDocument);
  const on = (event: WatchEvent) => {
    screen.show(event);
    outcome.take(event);
  };
  try {
    await Watcher.watch({
      folders,
      settle: settle * 1000,
      rescan: rescan * 1000,
      polling,
      once: args.once,
      completionOf: (place) => inboxes[keyOf(place)]?.complete ?? complete,
      settingsOf: (place) => settings.get(keyOf(place)) ?? settings.get(DEFAULT)!,
      contextOf: (file) =>
        executionContext(config, opened, {
          interruption: interruption.code,
          onProgress: screen.progressOf(file),
        }),
      interruption: interruption.code,
      asked: interruption.asked,
      isPassing: (error) => failureOf(error).exit === EXIT.temporary,
      on,
    });
  } finally {
    screen.end();
    interruption.end();
  }
  const code = interruption.code();
  return code === undefined ? outcome.failure : { exit: code, message: '' };
}

/** The settings of folders of which the configuration says nothing. */
const DEFAULT = '';

function keyOf(place: readonly string[]): string {
  return place.length === 0 ? '.' : place.join('/');
}

/** The command line for all folders, and what the configuration says of some. */
function settingsByFolder(args: WatchArgs, config: Config): ReadonlyMap<string, FolderSettings> {
  refuseWhatIsOfOneFile(args);
  const settings = new Map([[DEFAULT, settingsOf(args, config, {})]]);
  for (const [folder, inbox] of Object.entries(config.watch.inboxes)) {
    const said = Object.fromEntries(Object.entries(inbox).filter(([, value]) => value !== undefined));
    settings.set(folder, settingsIn(folder, { ...args, ...said }, config, inbox.pain001 ?? {}));
  }
  return settings;
}

/** A check that is asked for and not made would be worse than none. */
function refuseWhatIsOfOneFile({ merchant, account, expectCount, expectTotal }: WatchArgs): void {
  if (merchant !== undefined || account !== undefined)
    throw new UsageError(
      'watch takes no --merchant and no --account',
      'Drop files of one account into inbox/MERCHANT/ACCOUNT/.',
    );
  if (expectCount !== undefined || expectTotal !== undefined)
    throw new UsageError(
      'watch takes no --expect-count and no --expect-total',
      'Put NAME.control.json with "rows" and "totals" beside each file.',
    );
}

function settingsIn(
  folder: string,
  args: WatchArgs,
  config: Config,
  pain001: Config['pain001'],
): FolderSettings {
  try {
    return settingsOf(args, config, pain001);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${CONFIG_FILE}: watch.inboxes.${folder}: ${error.message}`, error.hint);
  }
}

function settingsOf(args: WatchArgs, config: Config, pain001: Config['pain001']): FolderSettings {
  return {
    ...(args.operation === undefined ? {} : { operation: args.operation }),
    reading: { ...readingOptions(args), pain001: { ...config.pain001, ...pain001 } },
    gateway: gatewayNamed(config, args.gateway),
    policy: args.policy,
    repeats: args.repeats,
  };
}
