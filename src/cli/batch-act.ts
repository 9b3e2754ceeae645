/** What the acts on a batch have in common on the command line: finding it, doing it, saying how it ended. */
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import type { ActResult } from '../batch/act.ts';
import type { BatchContext } from '../batch/context.ts';
import { EXIT } from '../batch/exit.ts';
import { type Config, loadConfig } from '../config.ts';
import type { Statements } from '../ledger/database.ts';
import { type BatchRecord, findBatch } from '../ledger/journal.ts';
import { executionContext, inExecution } from './compose.ts';
import { UsageError } from './errors.ts';
import { listenForInterruption } from './interruption.ts';
import { duration, withData, withJson } from './options.ts';
import { print, printJson, say, showsColor } from './output.ts';
import { progressFor } from './progress.ts';
import { batchSummary } from './summary.ts';

export interface ActArgs {
  readonly batch: string;
  readonly reason: string | undefined;
  readonly data: string | undefined;
  readonly color: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly out: string | undefined;
  readonly concurrency?: string | undefined;
  readonly deadline?: string | undefined;
}

/** The options of an act that writes reports. */
export function withAct(yargs: Argv) {
  return withJson(withData(yargs))
    .positional('batch', {
      type: 'string',
      demandOption: true,
      describe: 'id of the batch, as `batch list` shows it',
    })
    .option('reason', { type: 'string', requiresArg: true, describe: 'why, for the audit' })
    .option('out', { type: 'string', requiresArg: true, describe: 'folder for the reports' });
}

/** The options of an act that executes. */
export function withExecutingAct(yargs: Argv) {
  return withAct(yargs)
    .option('concurrency', { type: 'string', requiresArg: true, describe: 'chunks in flight at most' })
    .option('deadline', {
      type: 'string',
      requiresArg: true,
      describe: 'end at a checkpoint after this time, for example 15m (exit 5)',
    });
}

/** The batch with this id. Ids are typed as they are printed; small letters do no harm. */
export async function namedBatch(statements: Pick<Statements, 'all'>, id: string): Promise<BatchRecord> {
  const record = (await findBatch(statements, id)) ?? (await findBatch(statements, id.toUpperCase()));
  if (record === undefined) throw new UsageError(`there is no batch ${id}`, 'See: batchgate batch list');
  return record;
}

/** Does the act and ends as `run` would; a refusal is a usage error. */
export function runAct(
  args: ActArgs,
  act: (context: BatchContext, record: BatchRecord, why: string) => Promise<ActResult | 'asked'>,
): Promise<number> {
  const config = loadConfig(args);
  return inExecution(config, async (opened) => {
    const record = await namedBatch(opened.database.reads, args.batch);
    const interruption = listenForInterruption(
      args.deadline === undefined ? undefined : duration('--deadline', args.deadline),
    );
    const progress = progressFor(record.name, args.quiet);
    const context = executionContext(config, opened, {
      out: args.out === undefined ? undefined : resolve(args.out),
      interruption: interruption.code,
      onProgress: progress.on,
    });
    try {
      const result = await act(context, record, args.reason ?? '');
      progress.end();
      return ended(args, config, opened.environment, record, result);
    } finally {
      progress.end();
      interruption.end();
    }
  });
}

function ended(
  args: ActArgs,
  config: Config,
  environment: string,
  { id }: BatchRecord,
  result: ActResult | 'asked',
): number {
  if (result === 'elsewhere') {
    if (args.json) printJson({ environment, exit: EXIT.temporary, batches: [] });
    say(
      `batchgate: B0025: batch ${id} is being worked on by another process\nRun the same command again when that has ended.`,
    );
    return EXIT.temporary;
  }
  if (result === 'asked') {
    if (args.json) printJson({ environment, exit: EXIT.done, batches: [], asked: id });
    else print(`batch ${id}: whoever executes it has been asked to send nothing more`);
    return EXIT.done;
  }
  if ('refusal' in result)
    throw new UsageError(`batch ${id}: ${result.refusal}`, `See: batchgate batch show ${id}`);
  if (args.json) printJson({ environment, exit: result.exit, batches: [result] });
  else process.stdout.write(batchSummary(result, showsColor(config.color)));
  return result.exit;
}

/** `17,19-21` as a set of line numbers. */
export function lineNumbers(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to] = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < 1 || last < first || last - first > MOST_LINES) {
      throw new UsageError(`--line ${text} names no lines`, 'For example: --line 17,19 or --line 17-21');
    }
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return lines;
}

/** Lines in one range. */
const MOST_LINES = 1_000_000;
