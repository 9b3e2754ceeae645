/** Command lines that cannot be read: what is wrong with them, and what was probably meant. */
import type { Argv } from 'yargs';
import { distance } from '../core/distance.ts';
import { type Command, type CommandGroup, wordOf } from './command.ts';
import { UsageError } from './errors.ts';

type Commands = readonly (Command | CommandGroup)[];

/** What yargs knows of the options of the command that is being read. */
interface Declared {
  readonly key: Readonly<Record<string, unknown>>;
  readonly array: readonly string[];
  readonly boolean: readonly string[];
}

/**
 * Our error for what yargs has refused, naming the word that was meant where one is near.
 * @param called the words of the command as far as they were understood
 */
export function misreading(message: string, called: string, parser: Argv, commands: Commands): UsageError {
  const help = `See: batchgate ${called === '' ? '' : `${called} `}--help`;
  const unknown = /^Unknown arguments?: (.*)$/.exec(message)?.[1]?.split(', ');
  if (unknown !== undefined) return unknownWord(unknown, parser, commands, help);
  const missing = /^Missing required arguments?: (.*)$/.exec(message)?.[1];
  if (missing !== undefined)
    return new UsageError(`${missing.split(', ').map(asOption).join(' and ')} must be given`, help);
  const valueless = /^Not enough arguments following: (.*)$/.exec(message)?.[1];
  if (valueless !== undefined) return new UsageError(`${asOption(valueless)} needs a value`, help);
  if (message.startsWith('Not enough non-option arguments'))
    return new UsageError(`something is missing after ${called}`, help);
  const [, name, given, choices] = /Argument: (\S+), Given: "(.*)", Choices: (.*)$/m.exec(message) ?? [];
  if (name !== undefined)
    return new UsageError(`${name} cannot be ${given}`, `Choose one of: ${choices!.replaceAll('"', '')}`);
  return new UsageError(message, help);
}

/** Refuses empty values, a second value where there is one, and values of switches, such as `--json=1`, which yargs would drop. */
export function checkValues(
  argv: readonly string[],
): (values: Readonly<Record<string, unknown>>, declared: unknown) => true {
  return (values, declared) => checked(argv, values, declared as Declared);
}

function checked(
  argv: readonly string[],
  values: Readonly<Record<string, unknown>>,
  { array, boolean }: Declared,
): true {
  for (const word of argv) {
    const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    const switched = name !== undefined && boolean.includes(name) && value !== 'true' && value !== 'false';
    if (switched) throw new UsageError(`${asOption(name)} takes no value`);
  }
  for (const [name, value] of Object.entries(values)) {
    if (name === '_' || name === '$0') continue;
    if (value === '' || (Array.isArray(value) && value.includes('')))
      throw new UsageError(`${asOption(name)} has an empty value`);
    const isRepeatable = array.includes(name) || array.includes(dashed(name));
    if (Array.isArray(value) && value.length > 1 && !isRepeatable)
      throw new UsageError(`${asOption(name)} is given more than once`);
  }
  return true;
}

function unknownWord(words: readonly string[], parser: Argv, commands: Commands, help: string): UsageError {
  const parsed = parser.parsed === false ? { _: [] } : parser.parsed.argv;
  const unknown = words.find((word) => !Object.hasOwn(parsed, word)) ?? words[0]!;
  if (Object.hasOwn(parsed, unknown))
    return meant(`there is no option ${asOption(unknown)}`, unknown, optionsOf(parser), '--', help);
  const [first, second] = parsed._.map(String);
  if (first === unknown)
    return meant(`there is no command ${unknown}`, unknown, commands.map(wordOf), '', help);
  const group = commands.find((one) => wordOf(one) === first);
  if (group !== undefined && 'commands' in group && second === unknown) {
    return meant(
      `there is no command ${first} ${unknown}`,
      unknown,
      group.commands.map(wordOf),
      `${first} `,
      help,
    );
  }
  return new UsageError(`${unknown} is one argument too many`, help);
}

/** The fault with the nearest candidate: at most one letter in three may be wrong. */
function meant(
  fault: string,
  given: string,
  candidates: readonly string[],
  before: string,
  help: string,
): UsageError {
  const most = Math.max(1, Math.floor(given.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, slips: distance(given, candidate, most) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips)[0];
  return new UsageError(fault, near === undefined ? help : `Did you mean ${before}${near.candidate}?`);
}

function optionsOf(parser: Argv): readonly string[] {
  // The types leave this method out.
  const { key } = (parser as unknown as { getOptions(): Declared }).getOptions();
  return Object.keys(key).filter((name) => !/[A-Z]/.test(name) && name.length > 1);
}

/** An option as it is typed: yargs also knows `expectCount`. */
function asOption(name: string): string {
  return name.length > 1 ? `--${dashed(name)}` : `-${name}`;
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
