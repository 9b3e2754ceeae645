/** `batchgate import`: loads existing transactions. */
import { basename } from 'node:path';
import { EXIT } from '../../batch/exit.ts';
import { importTransactions } from '../../batch/import.ts';
import { reportError } from '../../batch/document.ts';
import { loadConfig } from '../../config.ts';
import { FileRejected } from '../../files/rejected.ts';
import { command } from '../command.ts';
import { openData } from '../compose.ts';
import { namedFiles } from '../files.ts';
import { withData, withJson } from '../options.ts';

export const importCommand = command({
  usage: 'import <file>',
  describe: 'load existing transactions from a CSV file',
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('file', { type: 'string', demandOption: true, describe: 'CSV file' })
      .example('$0 import transactions.csv', 'merchant_id,account_id,transaction_id,order_no,currency,amount,state'),
  run: async (args) => {
    const config = loadConfig(args);
    const opened = await openData(config);
    try {
      const [path] = namedFiles([args.file]);
      const name = basename(path!);
      const result = await importTransactions(opened.database, path!, { name, clock: Date.now, actor: config.user });
      const exit = result.refused > 0 ? EXIT.someFailed : EXIT.done;
      if (args.json) process.stdout.write(`${JSON.stringify({ ...result, reasons: result.reasons.map(reportError), exit }, undefined, 2)}\n`);
      else {
        process.stdout.write(`${result.rows} rows: ${result.added} added, ${result.unchanged} unchanged, ${result.refused} refused\n`);
        for (const { code, line, message } of result.reasons) process.stdout.write(`  line ${line}: ${code} ${message}\n`);
      }
      return exit;
    } catch (error) {
      if (!(error instanceof FileRejected)) throw error;
      for (const { code, line, message } of error.reasons) {
        process.stderr.write(`batchgate: ${code}${line === undefined ? '' : ` line ${line}:`} ${message}\n`);
      }
      return EXIT.rejected;
    } finally {
      await opened.close();
    }
  },
});
