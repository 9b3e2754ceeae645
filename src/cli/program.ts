/** The command line as yargs sees it: the commands, the options they share, and what happens to what it cannot read. */
import yargs, { type Argv } from 'yargs';
import { UsageError } from './errors.ts';
import type { Command } from './command.ts';
import { commands } from './commands/all.ts';
import { VERSION } from './version.ts';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['$0 init --demo', 'make a data directory with an account, transactions and sample files'],
  ['$0 plan refund.csv', 'foresee every outcome; moves no money'],
  ['$0 run refund.csv', 'execute the file and write its reports'],
  ['$0 run /data/out/*.csv --json', 'for cron: one JSON document, and the exit code says how it ended'],
  ['$0 explain B0XT…:17', 'the whole story of line 17'],
];

/** Runs the command that `argv` names; resolves with its exit code. */
export async function parseCommandLine(argv: readonly string[]): Promise<number> {
  let exit = 0;
  const parser = withCommands(
    yargs([...argv])
      .scriptName('batchgate')
      .parserConfiguration({ 'parse-numbers': false, 'parse-positional-numbers': false, 'dot-notation': false })
      .usage('$0 <command>\n\nExecutes payment instruction files exactly once and proves what became of every line.')
      .example(EXAMPLES.map(([command, text]) => [command, text] as [string, string]))
      .version(VERSION)
      .help()
      .alias('help', 'h')
      .completion('completion', 'print a shell completion script')
      .demandCommand(1, 'Name a command.')
      .recommendCommands()
      .strict()
      .wrap(Math.min(process.stdout.columns ?? 100, 110))
      .exitProcess(false)
      .fail((message, error) => {
        throw error ?? new UsageError(message, 'See: batchgate --help');
      }),
    commands,
    (code) => {
      exit = code;
    },
  );
  await parser.parseAsync();
  return exit;
}

/** Adds commands; each reports its exit code. */
function withCommands(parser: Argv, list: readonly Command[], report: (exit: number) => void): Argv {
  return list.reduce(
    (all, command) =>
      all.command(
        command.usage,
        command.describe,
        (inner) => command.build(inner.parserConfiguration({ 'dot-notation': false })),
        async (args) => report(await command.run(args)),
      ),
    parser,
  );
}
