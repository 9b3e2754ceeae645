/** Options that several commands share. Contract, "Options of run". */
import type { Argv } from 'yargs';
import { isTotal } from '../batch/preflight.ts';
import type { ControlTotals, ReadingOptions } from '../batch/submission.ts';
import { isConsistent } from '../core/money.ts';
import { OPERATION_NAMES } from '../core/operation.ts';
import { delimiterOf } from '../files/dialect.ts';
import { isEncoding } from '../files/encoding.ts';
import { UsageError } from './errors.ts';

/** Where the data lies, and how the terminal is used. */
export function withData<T>(yargs: Argv<T>) {
  return yargs
    .option('data', {
      type: 'string',
      requiresArg: true,
      describe: 'data directory (default ./batchgate-data, or BATCHGATE_DATA)',
    })
    .option('color', {
      type: 'boolean',
      default: true,
      describe: 'colours on a terminal; --no-color for none',
    });
}

/** Output for programs. */
export function withJson<T>(yargs: Argv<T>) {
  return yargs
    .option('json', { type: 'boolean', default: false, describe: 'one JSON document on standard output' })
    .option('quiet', { type: 'boolean', default: false, describe: 'no progress' });
}

/** How files are read and bounded. */
export function withReading<T>(yargs: Argv<T>) {
  return yargs
    .option('operation', {
      choices: OPERATION_NAMES,
      requiresArg: true,
      describe: 'what the lines ask for, where the file does not say',
    })
    .option('merchant', {
      type: 'string',
      requiresArg: true,
      describe: 'every line must belong to this merchant',
    })
    .option('account', {
      type: 'string',
      requiresArg: true,
      describe: 'every line must belong to this account',
    })
    .option('encoding', {
      type: 'string',
      requiresArg: true,
      describe: 'encoding of the file, for example windows-1252',
    })
    .option('delimiter', { type: 'string', requiresArg: true, describe: 'comma, semicolon, tab or pipe' })
    .option('decimal', {
      choices: ['dot', 'comma'] as const,
      default: 'dot' as const,
      requiresArg: true,
      describe: 'decimal mark of amounts',
    })
    .option('thousands', {
      choices: ['none', 'dot', 'comma', 'space'] as const,
      default: 'none' as const,
      requiresArg: true,
      describe: 'thousands mark of amounts',
    })
    .option('policy', {
      choices: ['valid-lines', 'atomic'] as const,
      default: 'valid-lines' as const,
      requiresArg: true,
      describe: 'with an invalid line: run the others, or run nothing',
    })
    .option('repeats', {
      choices: ['hold', 'allow'] as const,
      default: 'hold' as const,
      requiresArg: true,
      describe: 'the same instruction twice in one file: hold the second, or run both',
    })
    .option('expect-count', {
      type: 'string',
      requiresArg: true,
      describe: 'number of lines that the file must have',
    })
    .option('expect-total', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'CUR=AMOUNT that the lines must add up to; repeatable',
    });
}

export interface ReadingArgs {
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly decimal: 'dot' | 'comma';
  readonly thousands: 'none' | 'dot' | 'comma' | 'space';
  readonly expectCount: string | undefined;
  readonly expectTotal: readonly string[] | undefined;
}

/** The reading options, checked. */
export function readingOptions({ encoding, delimiter, decimal, thousands }: ReadingArgs): ReadingOptions {
  if (encoding !== undefined && !isEncoding(encoding))
    throw new UsageError(`--encoding ${encoding} is not known`, 'For example: --encoding windows-1252');
  if (delimiter !== undefined && delimiterOf(delimiter) === undefined) {
    throw new UsageError(`--delimiter ${delimiter} is not known`, 'Use comma, semicolon, tab or pipe.');
  }
  const style = { decimal, thousands };
  if (!isConsistent(style)) throw new UsageError(`--decimal and --thousands cannot both be ${decimal}`);
  return {
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    style,
  };
}

/** What --expect-count and --expect-total state; undefined when neither is given. */
export function expectedTotals({ expectCount, expectTotal }: ReadingArgs): ControlTotals | undefined {
  if (expectCount === undefined && expectTotal === undefined) return undefined;
  if (expectCount !== undefined && !/^\d{1,12}$/.test(expectCount))
    throw new UsageError(`--expect-count ${expectCount} is not a whole number`);
  return {
    ...(expectCount === undefined ? {} : { rows: Number(expectCount) }),
    totals: Object.fromEntries((expectTotal ?? []).map(expectedTotal)),
  };
}

function expectedTotal(text: string): [currency: string, amount: string] {
  const [currency, amount, ...rest] = text.split('=');
  if (currency === undefined || amount === undefined || rest.length > 0 || !isTotal(amount, currency)) {
    throw new UsageError(
      `--expect-total ${text} is not CUR=AMOUNT`,
      'For example: --expect-total USD=1234.50',
    );
  }
  return [currency, amount];
}

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** `90s`, `15m`, `2h`, `7d` in milliseconds. */
export function duration(option: string, text: string): number {
  const match = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text);
  const milliseconds = match === null ? 0 : Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
  if (milliseconds === 0)
    throw new UsageError(`${option} ${text} is not a duration`, 'For example: 90s, 15m, 2h or 7d.');
  return milliseconds;
}

/** Milliseconds as `duration` reads them. */
export function formatDuration(milliseconds: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, length]) => milliseconds % length === 0)!;
  return `${milliseconds / length}${unit}`;
}

/** What executes, and how much at a time. */
export function withExecution<T>(yargs: Argv<T>) {
  return yargs
    .option('gateway', {
      type: 'string',
      requiresArg: true,
      describe:
        'what executes: engine (the embedded one), the name of a gateway in batchgate.yaml, or its URL',
    })
    .option('concurrency', { type: 'string', requiresArg: true, describe: 'chunks in flight at most' });
}
