/** What the acts on breaks have in common on the command line: which ones, shown first or done, and how it ended. */
import type { Argv } from 'yargs';
import { EXIT } from '../../../batch/exit.ts';
import { type Config, loadConfig } from '../../../config.ts';
import type { BreakState } from '../../../core/break.ts';
import type { Decision } from '../../../reconcile/decide.ts';
import type { Acting } from '../../../reconcile/decisions/books.ts';
import { type Carried, carryOut } from '../../../reconcile/decisions/carry-out.ts';
import { onFound, onNamed } from '../../../reconcile/decisions/chosen.ts';
import type { Words } from '../../../reconcile/decisions/words.ts';
import { actor, inData, type Opened } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printable, printJson, quoted, say, sayNext, showsColor } from '../../output.ts';
import { colorsOf } from '../../summary.ts';
import { type FilterArgs, filterOf, filterWords, idsIn, lookingWith, withFilter } from './choice.ts';
import { breakTable, decimals, netText } from './text.ts';

interface ActArgs extends FilterArgs {
  readonly ids: readonly string[] | undefined;
  readonly yes: string | undefined;
  readonly data: string | undefined;
  readonly color: boolean;
  readonly json: boolean;
}

/** An act as it is typed and as it is told. */
export interface BreakAct {
  readonly decision: Decision;
  /** What follows `batchgate break`, without which breaks. */
  readonly words: readonly string[];
  /** What becomes of breaks: `resolved`. */
  readonly done: string;
  /** States of those that a filter is about unless it says otherwise. */
  readonly states: readonly BreakState[];
}

export function withChoice(yargs: Argv, states: readonly BreakState[]) {
  return withFilter(withJson(withData(yargs)), states)
    .positional('ids', {
      type: 'string',
      array: true,
      describe: 'ids of breaks; without them a filter says which, and they are shown first',
    })
    .option('yes', {
      type: 'string',
      requiresArg: true,
      describe: 'does what was shown: the six characters that it was shown with, while it is still the same',
    });
}

export function runAct(args: ActArgs, act: BreakAct): Promise<number> {
  const config = loadConfig(args);
  const filter = filterWords(args);
  const ids = idsIn(args.ids ?? []);
  if (ids.length === 0 && filter.length === 0)
    throw new UsageError(
      'say which breaks: their ids, or a filter such as --kind',
      'See: batchgate break list',
    );
  if (ids.length > 0 && filter.length > 0)
    throw new UsageError('say either ids or a filter, not both', 'With ids it is done at once.');
  if (ids.length > 0 && args.yes !== undefined)
    throw new UsageError('--yes goes with a filter; with ids it is done at once');
  return inData(config, async (opened) => {
    const orders =
      ids.length > 0
        ? onNamed(ids, act.decision)
        : onFound(await filterOf(args, act.states, opened), act.decision);
    const consent = ids.length > 0 ? 'do it' : args.yes === undefined ? 'look' : { digest: args.yes };
    const carried = await carryOut(actingWith(config, opened), orders, consent);
    const data = args.data === undefined ? [] : ['--data', quoted(args.data)];
    const again = ['batchgate break', ...act.words, ...filter, ...data].join(' ');
    const exit = exitOf(carried);
    if (args.json)
      printJson({ environment: opened.environment, exit, act: act.words[0], ...documentOf(carried) });
    tell(carried, act.done, again, args.json, showsColor(config.color));
    return exit;
  });
}

export function actingWith(config: Config, opened: Opened): Acting {
  const { database, actor: who } = actor(config, opened);
  return { ...lookingWith(config), database, actor: who };
}

/** The text of an option, or why it cannot be used. */
export function worded(option: string, words: Words): string {
  if ('text' in words) return words.text;
  throw new UsageError(`${option} ${words.fault}`);
}

function exitOf({ is }: Carried): number {
  return is === 'refused' || is === 'changed' ? EXIT.usage : EXIT.done;
}

/** How it ended, for programs. */
export function documentOf({ is, digest, due, unchanged, net, refused, first }: Carried) {
  return {
    result: is.replaceAll(' ', '_'),
    // What has changed has to be looked at before anybody consents to it.
    yes: is === 'shown' ? digest : null,
    breaks: due.length,
    unchanged,
    net: decimals(net),
    refused: refused.map(({ order, refusal, hint }) => ({ id: order.id, message: refusal, hint })),
    first,
  };
}

/** How it ended, for people; with `--json` only what is no data. */
function tell(carried: Carried, done: string, again: string, json: boolean, color: boolean): void {
  const { is, due, unchanged, digest } = carried;
  switch (is) {
    case 'refused':
      tellRefused(carried);
      return;
    case 'changed':
      say(
        'batchgate: what would be done is not any more what was shown with this --yes; nothing was changed',
      );
      say(`Look at it again: ${again}`);
      return;
    case 'nothing to do':
      say(`nothing to do: ${unchanged === 0 ? 'no break fits' : soAlready(unchanged, 'break')}`);
      return;
    case 'shown':
      if (!json) {
        print(`${counted(due.length, 'break')} would be ${done}; nothing is changed yet`);
        printFirst(carried, color);
      }
      sayNext(`${again} --yes ${digest}`);
      return;
    case 'done':
      if (!json) {
        print(`${counted(due.length, 'break')} ${done}`);
        if (unchanged > 0) print(soAlready(unchanged, 'other'));
      }
      sayNext(due.length === 1 ? `batchgate break show ${due[0]!.id}` : 'batchgate break list');
  }
}

/** So many reasons are told; others are like them. */
const MOST_REASONS = 10;

function tellRefused({ refused, due, unchanged }: Carried): void {
  const all = refused.length + due.length + unchanged;
  say(
    `batchgate: ${all === 1 ? 'it' : `${refused.length} of ${counted(all, 'break')}`} cannot be done; nothing was changed`,
  );
  for (const { order, refusal } of refused.slice(0, MOST_REASONS))
    say(`  ${printable(order.id)}: ${printable(refusal)}`);
  if (refused.length > MOST_REASONS) say(`  … and ${refused.length - MOST_REASONS} more`);
  say(refused[0]!.hint);
}

/** What would change most, and what it comes to. */
export function printFirst({ first, due, net, unchanged }: Carried, color: boolean): void {
  const sum = netText(net);
  if (sum !== '') print(sum);
  print(breakTable(first, colorsOf(color)));
  if (due.length > first.length) print(`… and ${due.length - first.length} more`);
  if (unchanged > 0) print(soAlready(unchanged, 'other'));
}

/** `1 break stands so already` */
export function soAlready(count: number, noun: string): string {
  return `${counted(count, noun)} ${count === 1 ? 'stands' : 'stand'} so already`;
}
