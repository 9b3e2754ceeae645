/** `batchgate break decide`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { delimiterOf } from '../../../files/dialect.ts';
import { isEncoding } from '../../../files/encoding.ts';
import { ordersOf } from '../../../reconcile/decisions/apply-sheet.ts';
import { type Carried, carryOut } from '../../../reconcile/decisions/carry-out.ts';
import { readSheet, type Sheet, type SheetFault } from '../../../reconcile/decisions/read-sheet.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { STDIN } from '../../files.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printable, printJson, quoted, say, sayNext, showsColor } from '../../output.ts';
import { actingWith, documentOf, printFirst, soAlready } from './act.ts';

export const breakDecideCommand = command({
  usage: 'decide <file>',
  describe: 'apply what people have decided in a sheet of `break list --csv`: all of it or nothing',
  examples: [
    ['break decide decisions.csv', 'shows what would be done, and the command that does it'],
    ['break decide decisions.csv --yes 3F9A2C', 'does it, unless something has changed since'],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe:
          'CSV; decision is resolve, reopen or empty, its reason stands in comment; assign_to a name, or nobody',
      })
      .option('yes', {
        type: 'string',
        requiresArg: true,
        describe:
          'does what was shown: the six characters that it was shown with, while it is still the same',
      })
      .option('encoding', {
        type: 'string',
        requiresArg: true,
        describe: 'encoding of the file, for example windows-1252',
      })
      .option('delimiter', { type: 'string', requiresArg: true, describe: 'comma, semicolon, tab or pipe' }),
  run: async (args) => {
    const config = loadConfig(args);
    if (args.file === STDIN) throw new UsageError('decisions are read from a file, not from standard input');
    const sheet = await readSheet(args.file, reading(args));
    return inData(config, async (opened) => {
      const head = { environment: opened.environment, file: sheet.name, sha256: sheet.sha256 };
      const rows = { rows: sheet.rows, undecided: sheet.undecided };
      if (sheet.faults.length > 0) {
        if (args.json)
          printJson({ ...head, exit: EXIT.rejected, ...rows, result: 'refused', errors: sheet.faults });
        tellFaults(sheet.name, sheet.faults);
        return EXIT.rejected;
      }
      const consent = args.yes === undefined ? 'look' : { digest: args.yes };
      const carried = await carryOut(actingWith(config, opened), ordersOf(sheet), consent);
      const faults = faultsOf(carried);
      const exit = faults.length > 0 ? EXIT.rejected : carried.is === 'changed' ? EXIT.usage : EXIT.done;
      if (args.json) {
        const { refused: _, ...document } = documentOf(carried);
        printJson({ ...head, exit, ...rows, ...document, decisions: carried.counts, errors: faults });
      }
      const data = args.data === undefined ? [] : ['--data', quoted(args.data)];
      const again = ['batchgate break decide', quoted(args.file), ...data].join(' ');
      tell(sheet, carried, again, args.json, showsColor(config.color));
      return exit;
    });
  },
});

function reading({ encoding, delimiter }: { encoding: string | undefined; delimiter: string | undefined }) {
  if (encoding !== undefined && !isEncoding(encoding))
    throw new UsageError(`--encoding ${encoding} is not known`, 'For example: --encoding windows-1252');
  if (delimiter !== undefined && delimiterOf(delimiter) === undefined)
    throw new UsageError(`--delimiter ${delimiter} is not known`, 'Use comma, semicolon, tab or pipe.');
  return {
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
  };
}

function faultsOf({ refused }: Carried): readonly SheetFault[] {
  return refused.map(({ order, column, refusal, hint }) => ({
    line: order.line,
    column,
    message: `${order.id}: ${refusal}`,
    hint,
  }));
}

function tell(sheet: Sheet, carried: Carried, again: string, json: boolean, color: boolean): void {
  const { is, due, unchanged, digest } = carried;
  switch (is) {
    case 'refused':
      tellFaults(sheet.name, faultsOf(carried));
      return;
    case 'changed':
      say(
        'batchgate: what would be done is not any more what was shown with this --yes; nothing was changed',
      );
      say(`Look at it again: ${again}`);
      return;
    case 'nothing to do':
      say(
        unchanged === 0
          ? `nothing to do: in ${printable(sheet.name)} nothing is decided`
          : `nothing to do: ${soAlready(unchanged, 'break')}`,
      );
      return;
    case 'shown':
      if (!json) {
        print(
          `${counted(due.length, 'break')} would be changed (${countsText(carried)}); nothing is changed yet`,
        );
        printFirst(carried, color);
      }
      sayNext(`${again} --yes ${digest}`);
      return;
    case 'done':
      if (!json) print(`${counted(due.length, 'break')} changed (${countsText(carried)})`);
      sayNext('batchgate break list');
  }
}

const WORDS = {
  resolve: 'resolved',
  reopen: 'reopened',
  assign: 'assigned',
  comment: 'commented on',
} as const;

function countsText({ counts }: Carried): string {
  const parts = Object.entries(WORDS).flatMap(([kind, word]) => {
    const count = counts[kind as keyof typeof WORDS];
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return parts.join(', ');
}

/** So many are told on a terminal; --json has all. */
const MOST_TOLD = 20;

function tellFaults(name: string, faults: readonly SheetFault[]): void {
  say(`batchgate: ${printable(name)} cannot be applied; nothing was changed`);
  for (const { line, column, code, message, hint } of faults.slice(0, MOST_TOLD)) {
    const where = [
      printable(name),
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(column === undefined ? [] : [`column ${printable(column)}`]),
    ].join(', ');
    say(
      `  ${where}: ${code === undefined ? '' : `${code} `}${printable(message)}\n        ${printable(hint)}`,
    );
  }
  if (faults.length > MOST_TOLD) say(`  … and ${faults.length - MOST_TOLD} more`);
}
