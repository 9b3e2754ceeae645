/** `batchgate run`: executes files. */
import { mkdir, rename } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Interrupted } from '../../batch/context.ts';
import { EXIT, exitOfBatches, worstExit } from '../../batch/exit.ts';
import { runFile } from '../../batch/run.ts';
import type { Submission } from '../../batch/submission.ts';
import { removeAbandoned } from '../../batch/take.ts';
import { type Config, loadConfig } from '../../config.ts';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchDocument, RunDocument } from '../../report/document.ts';
import { command } from '../command.ts';
import { executionContext, type Opened, openForExecution } from '../compose.ts';
import { type Failure, failureOf } from '../failure.ts';
import { namedFiles, STDIN } from '../files.ts';
import { gatewayNamed } from '../gateways.ts';
import { type Interruption, listenForInterruption } from '../interruption.ts';
import { metricsText } from '../metrics.ts';
import { duration, withData, withExecution, withJson, withReading } from '../options.ts';
import { print, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { type SubmissionArgs, submissionOf } from '../submission.ts';
import { batchSummary } from '../summary.ts';

interface RunArgs extends SubmissionArgs {
  readonly files: readonly string[];
  readonly data: string | undefined;
  readonly color: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly concurrency: string | undefined;
  readonly deadline: string | undefined;
  readonly out: string | undefined;
  readonly done: string | undefined;
  readonly metricsFile: string | undefined;
}

export const runCommand = command({
  usage: 'run <files..>',
  describe: 'execute files',
  examples: [
    [
      'run refund.csv',
      'executes the file and writes its reports; the same file again is never executed twice',
    ],
    ['run refunds.csv --expect-count 120 --expect-total USD=5310.00', 'refuses the file unless it adds up'],
    ['run eu.csv --operation refund --decimal comma', 'a file with decimal commas whose name says nothing'],
    ['run "/data/out/*.csv" --done /data/done --json', 'for cron: the exit code says how it ended'],
    ['run - --operation capture < lines.csv', 'standard input'],
  ],
  build: (yargs) =>
    withExecution(withReading(withJson(withData(yargs))))
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'CSV, JSON, NDJSON or pain.001 files; - is standard input',
      })
      .option('deadline', {
        type: 'string',
        requiresArg: true,
        describe: 'end at a checkpoint after this time, for example 15m (exit 5)',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'folder for the reports' })
      .option('done', {
        type: 'string',
        requiresArg: true,
        describe: 'folder to which finished files are moved',
      })
      .option('metrics-file', {
        type: 'string',
        requiresArg: true,
        describe: 'Prometheus text file to write',
      }),
  run: async (args) => {
    const batches: BatchDocument[] = [];
    let environment = 'sandbox';
    let failure: Failure | undefined;
    try {
      const config = loadConfig(args);
      const files = namedFiles(args.files);
      const opened = await openForExecution(config);
      environment = opened.environment;
      try {
        failure = await runAll(args, config, opened, files, (document) => batches.push(document));
      } finally {
        await opened.close();
      }
    } catch (error) {
      failure = failureOf(error);
    }
    const exit = worstExit([exitOfBatches(batches), ...(failure === undefined ? [] : [failure.exit])]);
    await report(args, { environment, exit, batches }, failure);
    return exit;
  },
});

/** Runs the files one after the other; a failure of the machine ends it, and what was done until then stands. */
async function runAll(
  args: RunArgs,
  config: Config,
  opened: Opened,
  files: readonly string[],
  onDocument: (document: BatchDocument) => void,
): Promise<Failure | undefined> {
  const deadline = args.deadline === undefined ? undefined : duration('--deadline', args.deadline);
  const submissions = await Promise.all(files.map((file) => submissionOf(args, config, file)));
  opened.gateways.check(gatewayNamed(config, args.gateway));
  if (args.done !== undefined) await mkdir(args.done, { recursive: true });
  await removeAbandoned(opened.folders.work);
  const interruption = listenForInterruption(deadline);
  try {
    for (const submission of submissions) {
      if (interruption.code() !== undefined) return endedBefore(submission.name, interruption);
      const document = await runOne(args, config, opened, submission, interruption);
      onDocument(document);
      if (!args.json) {
        if (submission !== submissions[0]) print('');
        process.stdout.write(batchSummary(document, showsColor(config.color), submission.name));
      }
      if (args.done !== undefined && isOver(document) && submission.path !== STDIN) {
        await rename(submission.path, join(args.done, basename(submission.path)));
      }
    }
    return undefined;
  } finally {
    interruption.end();
  }
}

async function runOne(
  args: RunArgs,
  config: Config,
  opened: Opened,
  submission: Submission,
  interruption: Interruption,
): Promise<BatchDocument> {
  const progress = progressFor(submission.name, args.quiet);
  const context = executionContext(config, opened, {
    out: args.out === undefined ? undefined : resolve(args.out),
    interruption: interruption.code,
    onProgress: progress.on,
  });
  try {
    return await runFile(
      context,
      submission,
      submission.path === STDIN ? standardInput(interruption) : submission.path,
    );
  } finally {
    progress.end();
  }
}

/** Standard input: nobody knows when it ends, so a process that is to end waits for it no longer. */
function standardInput({ asked, code }: Interruption): NodeJS.ReadStream {
  asked.addEventListener('abort', () => process.stdin.destroy(new Interrupted(code() ?? EXIT.interrupted)));
  return process.stdin;
}

/** Nothing more will happen to the file by running it again. */
function isOver({ status }: BatchDocument): boolean {
  return status === 'completed' || status === 'unknown' || status === 'stopped';
}

function endedBefore(name: string, interruption: Interruption): Failure {
  return {
    exit: interruption.code() ?? EXIT.interrupted,
    message: `ended before ${name}`,
    hint: 'Run the same command again.',
  };
}

/** Data to standard output, everything else to standard error. The JSON document is written on every exit. */
async function report(args: RunArgs, document: RunDocument, failure: Failure | undefined): Promise<void> {
  if (args.json) process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  if (failure !== undefined) {
    process.stderr.write(
      `batchgate: ${failure.message}\n${failure.hint === undefined ? '' : `${failure.hint}\n`}`,
    );
  }
  if (args.metricsFile !== undefined) {
    await writeWhole(resolve(args.metricsFile), (sink) => sink.write(metricsText(document)));
  }
}
