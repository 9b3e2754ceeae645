/** One command of the command line: a file of its own under commands/. */
import type { ArgumentsCamelCase, Argv } from 'yargs';

export interface Command {
  /** As yargs reads it: name and positional arguments. */
  readonly usage: string | readonly string[];
  readonly describe: string;
  readonly build: (yargs: Argv) => Argv;
  /** Resolves with the exit code. */
  readonly run: (args: Record<string, unknown>) => Promise<number>;
}

/** Ties the options that a command declares to those that it is run with. */
export function command<Built>(definition: {
  readonly usage: string;
  readonly describe: string;
  readonly build: (yargs: Argv) => Argv<Built>;
  readonly run: (args: ArgumentsCamelCase<Built>) => Promise<number>;
}): Command {
  return {
    usage: definition.usage,
    describe: definition.describe,
    build: definition.build as (yargs: Argv) => Argv,
    // yargs has parsed the arguments with this command's own `build`.
    run: (args) => definition.run(args as ArgumentsCamelCase<Built>),
  };
}
