/** The command line as yargs sees it: the commands, the options they share, and what happens to what it cannot read. */
import yargs, { type Argv } from 'yargs';
import { type Command, type CommandGroup, type Example, wordOf } from './command.ts';
import { commands } from './commands/all.ts';
import { STDIN } from './files.ts';
import { checkValues, misreading } from './misreading.ts';
import { VERSION } from './version.ts';

const NAME = 'batchgate';

const EXAMPLES: readonly Example[] = [
  ['init --demo', 'make a data directory with an account, transactions and sample files'],
  ['plan refund.csv', 'foresee every outcome; moves no money'],
  ['run refund.csv', 'execute the file and write its reports'],
  ['run "/data/out/*.csv" --json', 'for cron: one JSON document, and the exit code says how it ended'],
  ['explain B0123456789ABCDEF:17', 'the whole story of line 17 of a batch'],
];

/** Ids such as 00123 and 1e5 stay text, and an option takes one value each time that it is named. */
const PARSING = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'dot-notation': false,
  'greedy-arrays': false,
} as const;

/** Stands for a space at the beginning of a line, which yargs would take away. It is no character of any text. */
const INDENT = '\u{e000}';

/** Runs the command that `typed` names; resolves with its exit code. */
export async function parseCommandLine(typed: readonly string[]): Promise<number> {
  const argv = typed.map((word) => (word === '-' ? STDIN : word));
  let exit = 0;
  let called = '';
  const parser: Argv = withCommands(
    yargs([...argv])
      .scriptName(NAME)
      .parserConfiguration(PARSING)
      .usage(
        helpText(
          '<command>',
          'Executes payment instruction files exactly once and proves what became of every line.',
          EXAMPLES,
        ),
      )
      .version(VERSION)
      .help()
      .alias('help', 'h')
      .completion('completion', 'print a shell completion script')
      .demandCommand(1, 'name a command')
      .strict()
      .check(checkValues(argv))
      .wrap(Math.min(process.stdout.columns ?? 100, 110))
      .exitProcess(false)
      .fail((message: string, error: Error | undefined) => {
        throw error === undefined || error.name === 'YError'
          ? misreading(error?.message ?? message, called, parser, commands)
          : error;
      }),
    commands,
    '',
    {
      called: (words) => {
        called = words;
      },
      ended: (code) => {
        exit = code;
      },
    },
  );
  await parser.parseAsync([...argv], {}, (_error: unknown, _argv: unknown, output: string) => {
    if (output !== '') process.stdout.write(`${output.replaceAll(INDENT, ' ')}\n`);
  });
  return exit;
}

/** Told which command is called, and how it ended. */
interface Progress {
  readonly called: (words: string) => void;
  readonly ended: (exit: number) => void;
}

/** Adds commands. */
function withCommands(
  parser: Argv,
  list: readonly (Command | CommandGroup)[],
  parent: string,
  progress: Progress,
): Argv {
  return list.reduce((all, one) => {
    const help = (inner: Argv) => {
      progress.called(`${parent}${wordOf(one)}`);
      return inner.usage(helpText(`${parent}${one.usage}`, one.describe, one.examples));
    };
    if ('commands' in one) {
      return all.command(one.usage, one.describe, (inner) =>
        withCommands(help(inner), one.commands, `${one.usage} `, progress).demandCommand(
          1,
          `name what to do with ${one.usage}`,
        ),
      );
    }
    return all.command(
      one.usage,
      one.describe,
      (inner) => one.build(help(inner)),
      async (args) => progress.ended(await one.run(args)),
    );
  }, parser);
}

/** What help begins with: how the command is called, what it does, and examples. */
function helpText(usage: string, describe: string, examples: readonly Example[]): string {
  const shown = examples.flatMap(([line, purpose]) => [
    `${INDENT.repeat(2)}${NAME} ${line}`,
    `${INDENT.repeat(6)}${purpose}`,
  ]);
  return [`${NAME} ${usage}`, '', sentence(describe), '', 'Examples:', ...shown].join('\n');
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}
