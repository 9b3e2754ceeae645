/** `batchgate import`: loads existing transactions. */
import { basename } from 'node:path';
import { reportError } from '../../batch/document.ts';
import { EXIT } from '../../batch/exit.ts';
import { type ImportResult, importTransactions } from '../../batch/import.ts';
import { loadConfig } from '../../config.ts';
import type { Reason } from '../../core/code.ts';
import { FileRejected } from '../../files/rejected.ts';
import { command } from '../command.ts';
import { actor, inData } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { namedFiles, STDIN } from '../files.ts';
import { withData, withJson } from '../options.ts';
import { counted, print, printJson, say, sayNext, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { colorsOf, errorLine } from '../summary.ts';

export const importCommand = command({
  usage: 'import <file>',
  describe: 'load existing transactions from a CSV file',
  examples: [
    [
      'import transactions.csv',
      'header: merchant_id,account_id,transaction_id,order_no,currency,amount,state',
    ],
    ['import transactions.csv --json', 'the same file again changes nothing; exit 3 when a row is refused'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'CSV file; optional columns: captured, refunded, cancelled, authorised_at',
    }),
  run: (args) => {
    const config = loadConfig(args);
    const path = oneFile(args.file);
    return inData(config, async (opened) => {
      const name = basename(path);
      const progress = progressFor(name, args.quiet);
      try {
        const onProgress = (rows: number) => progress.on('reading', rows, undefined);
        const result = await importTransactions(opened.database, path, {
          ...actor(config, opened),
          name,
          onProgress,
        });
        progress.end();
        const exit = result.refused > 0 ? EXIT.someFailed : EXIT.done;
        if (args.json)
          printJson({
            environment: opened.environment,
            ...result,
            reasons: result.reasons.map(reportError),
            exit,
          });
        else printResult(result, showsColor(config.color));
        if (result.added > 0) sayNext('batchgate plan FILE, or batchgate run FILE');
        return exit;
      } catch (error) {
        if (!(error instanceof FileRejected)) throw error;
        rejected(name, error.reasons, args.json, opened.environment);
        return EXIT.rejected;
      } finally {
        progress.end();
      }
    });
  },
});

function oneFile(named: string): string {
  if (named === STDIN) throw new UsageError('import reads its file twice, so it cannot be standard input');
  const [path, ...others] = namedFiles([named]);
  if (path !== undefined && others.length === 0) return path;
  throw new UsageError(
    `${named} names ${counted(others.length + (path === undefined ? 0 : 1), 'file')}; import takes one`,
  );
}

function printResult({ rows, added, unchanged, refused, reasons }: ImportResult, color: boolean): void {
  print(`${counted(rows, 'row')}: ${added} added, ${unchanged} unchanged, ${refused} refused`);
  for (const reason of reasons) print(errorLine(reportError(reason), colorsOf(color)));
  if (refused > reasons.length) print(`  … and ${refused - reasons.length} more`);
}

function rejected(name: string, reasons: readonly Reason[], json: boolean, environment: string): void {
  const errors = reasons.map(reportError);
  if (json)
    printJson({
      environment,
      rows: 0,
      added: 0,
      unchanged: 0,
      refused: 0,
      reasons: errors,
      exit: EXIT.rejected,
    });
  say(`batchgate: ${name} cannot be read; nothing was imported`);
  for (const error of errors) say(errorLine(error, colorsOf(false)));
}
