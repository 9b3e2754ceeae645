/** `batchgate validate`: reads files and executes nothing. */
import { checkedFile } from '../../batch/checked-file.ts';
import { worstExit } from '../../batch/exit.ts';
import { type Preflight, preflight } from '../../batch/preflight.ts';
import { type Config, loadConfig } from '../../config.ts';
import { AccountBook, readAccounts } from '../../ledger/accounts.ts';
import type { CheckedFile } from '../../report/document.ts';
import { command } from '../command.ts';
import { inData, keysOf, type Opened } from '../compose.ts';
import { checkedText } from '../file-text.ts';
import { asTyped, namedFiles } from '../files.ts';
import { inspected, unread } from '../inspection.ts';
import { withData, withJson, withReading } from '../options.ts';
import { print, printJson, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { type SubmissionArgs, submissionOf } from '../submission.ts';

/** How many invalid lines a file's document lists. */
export const LISTED = 100;

export const validateCommand = command({
  usage: 'validate <files..>',
  describe: 'read whole files, say how they were read and what is wrong where; executes nothing',
  examples: [
    ['validate refunds.csv', 'exit 0: all lines are valid; 3: some are not; 6: the file would be rejected'],
    ['validate eu.csv --operation refund --decimal comma', 'with the same options as run'],
    ['validate "*.csv" --json', 'one document for all files'],
  ],
  build: (yargs) =>
    withReading(withJson(withData(yargs))).positional('files', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'CSV, JSON, NDJSON or pain.001 files; - is standard input',
    }),
  run: (args) => {
    const config = loadConfig(args);
    const paths = namedFiles(args.files);
    return inData(config, async (opened) => {
      const files: CheckedFile[] = [];
      for (const path of paths) {
        const file = await validate({ ...args, gateway: 'engine' }, config, opened, path);
        if (files.push(file) > 1 && !args.json) print('');
        if (!args.json) print(checkedText(file, asTyped(path), showsColor(config.color)));
      }
      const exit = worstExit(files.map((file) => file.exit));
      if (args.json) printJson({ environment: opened.environment, exit, files });
      return exit;
    });
  },
});

async function validate(
  args: SubmissionArgs & { readonly quiet: boolean },
  config: Config,
  { database, environment, folders }: Opened,
  path: string,
): Promise<CheckedFile> {
  const submission = await submissionOf(args, config, path);
  const accounts = new AccountBook(await readAccounts(database.reads));
  const progress = progressFor(submission.name, args.quiet);
  let sha256 = '';
  let checked: Preflight;
  try {
    checked = await inspected(path, (readable, hash) => {
      sha256 = hash;
      return preflight(readable, {
        submission,
        sha256,
        environment,
        accounts,
        keysOf: (account) => keysOf(folders, account),
        onProgress: (rows) => progress.on('reading', rows, undefined),
        listUpTo: LISTED,
      });
    });
  } catch (error) {
    checked = unread(error);
  } finally {
    progress.end();
  }
  return checkedFile(submission, sha256, checked);
}
