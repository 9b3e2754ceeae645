/** One command of the command line: a file of its own under commands/. */
import type { ArgumentsCamelCase, Argv } from 'yargs';

/** A command line as one would type it, without the program's name, and what it is good for. */
export type Example = readonly [commandLine: string, purpose: string];

export interface Command {
  /** As yargs reads it: name and positional arguments. */
  readonly usage: string;
  readonly describe: string;
  readonly examples: readonly Example[];
  readonly build: (yargs: Argv) => Argv;
  /** Resolves with the exit code. */
  readonly run: (args: Record<string, unknown>) => Promise<number>;
}

/** Commands that begin with the same word, such as `batch list` and `batch show`. */
export interface CommandGroup {
  readonly usage: string;
  readonly describe: string;
  readonly examples: readonly Example[];
  readonly commands: readonly Command[];
}

/** Ties the options that a command declares to those that it is run with. */
export function command<Built>(definition: {
  readonly usage: string;
  readonly describe: string;
  readonly examples: readonly Example[];
  readonly build: (yargs: Argv) => Argv<Built>;
  readonly run: (args: ArgumentsCamelCase<Built>) => Promise<number>;
}): Command {
  return {
    ...definition,
    build: definition.build as (yargs: Argv) => Argv,
    // yargs has parsed the arguments with this command's own `build`.
    run: (args) => definition.run(args as ArgumentsCamelCase<Built>),
  };
}

/** The word by which a command is called. */
export function wordOf({ usage }: Pick<Command, 'usage'>): string {
  return usage.split(' ', 1)[0]!;
}
