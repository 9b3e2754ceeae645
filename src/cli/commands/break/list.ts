/** `batchgate break list`. */
import { existsSync } from 'node:fs';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { booksIn } from '../../../reconcile/decisions/books.ts';
import { findBreaks, listedBlocks } from '../../../reconcile/decisions/find.ts';
import { readSheet } from '../../../reconcile/decisions/read-sheet.ts';
import { writeSheet } from '../../../reconcile/decisions/sheet.ts';
import { type Sink, writeWhole } from '../../../report/atomic.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { STDIN } from '../../files.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, quoted, say, sayNext, showsColor } from '../../output.ts';
import { colorsOf } from '../../summary.ts';
import { filterOf, filterWords, LEFT, lookingWith, wholeNumber, withFilter } from './choice.ts';
import { STDOUT, streamJson } from './stream.ts';
import { breakTable, countsText } from './text.ts';

/** A terminal shows so many unless told. */
const MOST_SHOWN = 200;

export const breakListCommand = command({
  usage: 'list',
  describe: 'what ledger and statements do not agree on, the weightiest first',
  examples: [
    ['break list', 'what somebody has to explain, now or later'],
    ['break list --kind amount_differs --min-amount 100 --older-than 7', 'only what has all of that'],
    ['break list --state all --json', 'for programs'],
    ['break list --csv decisions.csv', 'fill in decision, assign_to and comment; break decide takes it back'],
  ],
  build: (yargs) =>
    withFilter(withJson(withData(yargs)), LEFT)
      .option('limit', { type: 'string', requiresArg: true, describe: 'so many of them at most' })
      .option('csv', {
        type: 'string',
        requiresArg: true,
        describe: 'writes a sheet with columns to decide in; - is standard output',
      }),
  run: async (args) => {
    const config = loadConfig(args);
    const limit = args.limit === undefined ? undefined : wholeNumber('--limit', args.limit);
    if (args.csv === STDIN && args.json)
      throw new UsageError('--json and --csv - cannot both go to standard output');
    if (args.csv !== undefined && args.csv !== STDIN) await refuseFilledIn(args.csv);
    return inData(config, async (opened) => {
      const { reads } = opened.database;
      const all = await booksIn(reads, lookingWith(config));
      const found = await findBreaks(reads, all, await filterOf(args, LEFT, opened));
      const listing = (most: number | undefined) =>
        listedBlocks(
          reads,
          all,
          found.slice(0, most).map(({ id }) => id),
        );
      if (args.csv === STDIN) await writeSheet(listing(limit), STDOUT);
      else if (args.csv !== undefined) await toFile(args.csv, (sink) => writeSheet(listing(limit), sink));
      if (args.json)
        await streamJson({ environment: opened.environment, total: found.length }, 'breaks', listing(limit));
      else if (args.csv === undefined) {
        if (found.length === 0) say(nothing(all.size, filterWords(args).length > 0));
        const most = limit ?? MOST_SHOWN;
        const colors = colorsOf(showsColor(config.color));
        for await (const block of listing(most)) print(breakTable(block, colors));
        if (found.length > most)
          print(`… and ${found.length - most} more (--limit N shows more, --csv FILE all)`);
        if (found.length > 0) print(countsText(found));
      }
      return EXIT.done;
    });
  },
});

function nothing(books: number, isFiltered: boolean): string {
  if (books === 0) return 'nothing was compared yet; load a statement: batchgate reconcile --statement FILE';
  return isFiltered ? 'no break fits' : 'no break is open or expected';
}

async function toFile(path: string, write: (sink: Sink) => Promise<number>): Promise<void> {
  let written = 0;
  await writeWhole(path, async (sink) => {
    written = await write(sink);
  });
  say(`${counted(written, 'break')} in ${path}; fill in decision (resolve or reopen), assign_to and comment`);
  sayNext(`batchgate break decide ${quoted(path)}`);
}

/** A sheet that somebody has filled in, or another file, is never written over. */
async function refuseFilledIn(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const { orders, faults } = await readSheet(path, {});
  if (orders.length === 0 && faults.length === 0) return;
  throw new UsageError(
    orders.length > 0
      ? `${path} has decisions in it (${counted(orders.length, 'row')})`
      : `${path} is there already, and is no sheet that this command has written`,
    `Apply them with batchgate break decide ${quoted(path)}, or name another file.`,
  );
}
