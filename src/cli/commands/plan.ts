/** `batchgate plan`: foresees what running files would do; moves no money and writes nothing, whatever the gateway. */
import { plannedFile } from '../../batch/checked-file.ts';
import { EXIT, worstExit } from '../../batch/exit.ts';
import { type Foresight, type Plan, plan, unplanned } from '../../batch/plan.ts';
import { type Config, loadConfig } from '../../config.ts';
import { AccountBook, readAccounts } from '../../ledger/accounts.ts';
import type { PlannedFile } from '../../report/document.ts';
import { command } from '../command.ts';
import { inData, keysOf, type Opened, openForesight } from '../compose.ts';
import { plannedText } from '../file-text.ts';
import { asTyped, namedFiles } from '../files.ts';
import { gatewayNamed } from '../gateways.ts';
import { inspected, unread } from '../inspection.ts';
import { withData, withExecution, withJson, withReading } from '../options.ts';
import { print, printJson, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { type SubmissionArgs, submissionOf } from '../submission.ts';
import { LISTED } from './validate.ts';

export const planCommand = command({
  usage: 'plan <files..>',
  describe: 'foresee every outcome against the ledger as it is now; moves no money and writes nothing',
  examples: [
    ['plan refunds.csv', 'counts, totals and refusals, as a run would end now'],
    ['plan capture.csv refund.csv', 'several files: each sees what the ones before it would do'],
  ],
  build: (yargs) =>
    withExecution(withReading(withJson(withData(yargs)))).positional('files', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'CSV, JSON, NDJSON or pain.001 files; - is standard input',
    }),
  run: (args) => {
    const config = loadConfig(args);
    const paths = namedFiles(args.files);
    return inData(config, async (opened) => {
      const foresight = await openForesight(config, opened, gatewayNamed(config, args.gateway));
      const planned = new Map<string, string>();
      try {
        const files: PlannedFile[] = [];
        for (const path of paths) {
          const file = await foresee(args, config, opened, foresight, planned, path);
          if (files.push(file) > 1 && !args.json) print('');
          if (!args.json) print(plannedText(file, asTyped(path), showsColor(config.color)));
          // What a gateway did not answer it would not answer for the next file either.
          if (file.exit === EXIT.credentials || file.exit === EXIT.temporary) break;
        }
        const exit = worstExit(files.map((file) => file.exit));
        if (args.json) printJson({ environment: opened.environment, exit, files });
        return exit;
      } finally {
        await foresight.close();
      }
    });
  },
});

async function foresee(
  args: SubmissionArgs & { readonly quiet: boolean },
  config: Config,
  { database, environment, folders }: Opened,
  foresight: Foresight,
  planned: Map<string, string>,
  path: string,
): Promise<PlannedFile> {
  const submission = await submissionOf(args, config, path);
  const accounts = new AccountBook(await readAccounts(database.reads));
  const progress = progressFor(submission.name, args.quiet);
  let sha256 = '';
  let foreseen: Plan;
  try {
    foreseen = await inspected(path, (readable, hash) => {
      sha256 = hash;
      return plan(readable, {
        submission,
        sha256,
        environment,
        accounts,
        keysOf: (account) => keysOf(folders, account),
        onProgress: (rows) => progress.on('reading', rows, undefined),
        listUpTo: LISTED,
        foresight,
        planned,
      });
    });
  } catch (error) {
    foreseen = unplanned(unread(error));
  } finally {
    progress.end();
  }
  return plannedFile(submission, sha256, foreseen);
}
