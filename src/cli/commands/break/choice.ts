/** Which breaks a command is about: by id, or by what they have in common. */
import type { Argv } from 'yargs';
import { reconcileTermsOf } from '../../../config/reconcile.ts';
import type { Config } from '../../../config.ts';
import { BREAK_KINDS, BREAK_STATES, type BreakState, SEVERITIES, SIDES } from '../../../core/break.ts';
import { digitsOf } from '../../../core/currency.ts';
import type { Looking } from '../../../reconcile/decisions/books.ts';
import type { BreakFilter } from '../../../reconcile/decisions/find.ts';
import { MOST_DIGITS } from '../../../reconcile/weight.ts';
import { fittingAccounts } from '../../account-choice.ts';
import type { Opened } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { quoted } from '../../output.ts';

/** States that `--state` takes. */
const STATES = [...BREAK_STATES, 'all'] as const;

/** What people have to explain, now or later. */
export const LEFT: readonly BreakState[] = ['open', 'expected'];

/** @param states what they are unless `--state` says otherwise */
export function withFilter<T>(yargs: Argv<T>, states: readonly BreakState[]) {
  const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;
  return yargs
    .option('state', {
      choices: STATES,
      requiresArg: true,
      describe: `what they are; ${states.join(' and ')} unless told`,
    })
    .option('kind', {
      choices: BREAK_KINDS,
      array: true,
      requiresArg: true,
      describe: 'what is wrong; repeatable',
    })
    .option('side', { choices: SIDES, requiresArg: true, describe: 'what was compared with the books' })
    .option('currency', text('of one of the amounts'))
    .option('severity', { choices: SEVERITIES, requiresArg: true, describe: 'how much to mind' })
    .option('assignee', text('who has to see to them; none for those that nobody has to'))
    .option('reference', text('a part of the reference'))
    .option('min-amount', text('what differs or is missing is at least so much, in its own currency'))
    .option('older-than', text('days'))
    .option('merchant', text('merchant id'))
    .option('account', text('account id'));
}

export interface FilterArgs {
  readonly state: (typeof STATES)[number] | undefined;
  readonly kind: readonly (typeof BREAK_KINDS)[number][] | undefined;
  readonly side: (typeof SIDES)[number] | undefined;
  readonly currency: string | undefined;
  readonly severity: (typeof SEVERITIES)[number] | undefined;
  readonly assignee: string | undefined;
  readonly reference: string | undefined;
  readonly minAmount: string | undefined;
  readonly olderThan: string | undefined;
  readonly merchant: string | undefined;
  readonly account: string | undefined;
}

const OPTIONS = {
  state: '--state',
  kind: '--kind',
  side: '--side',
  currency: '--currency',
  severity: '--severity',
  assignee: '--assignee',
  reference: '--reference',
  minAmount: '--min-amount',
  olderThan: '--older-than',
  merchant: '--merchant',
  account: '--account',
} as const satisfies Readonly<Record<keyof FilterArgs, string>>;

/** The filter as it would be typed; no words where there is none. */
export function filterWords(args: FilterArgs): readonly string[] {
  return Object.entries(OPTIONS).flatMap(([name, option]) => {
    const value = args[name as keyof FilterArgs];
    const values = typeof value === 'string' ? [value] : (value ?? []);
    return values.flatMap((one) => [option, quoted(one)]);
  });
}

export async function filterOf(
  args: FilterArgs,
  states: readonly BreakState[],
  opened: Opened,
): Promise<BreakFilter> {
  const { state, kind, currency, assignee, merchant, account } = args;
  if (merchant !== undefined || account !== undefined) await fittingAccounts(opened, { merchant, account });
  return {
    states: state === undefined ? states : state === 'all' ? BREAK_STATES : [state],
    kinds: kind ?? [],
    side: args.side,
    currency: currency === undefined ? undefined : currencyIn(currency),
    severity: args.severity,
    assignee: assignee?.toLowerCase() === 'none' ? null : assignee,
    reference: args.reference,
    minAmount: args.minAmount === undefined ? undefined : scaledAmount(args.minAmount),
    olderThan: args.olderThan === undefined ? undefined : wholeNumber('--older-than', args.olderThan),
    merchant,
    account,
  };
}

/** What looking at breaks takes from the configuration. */
export function lookingWith(config: Config): Looking {
  return {
    clock: Date.now,
    severityTerms: (account) => reconcileTermsOf(config.reconcile, account).severity,
  };
}

/** Ids are typed as they are printed; small letters do no harm. */
export function idsIn(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map((id) => id.toUpperCase()))];
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`${option} ${text} is not a whole number`, `For example: ${option} 30`);
}

function currencyIn(text: string): string {
  const code = text.toUpperCase();
  if (digitsOf(code) !== undefined) return code;
  throw new UsageError(`--currency ${text} is no ISO 4217 code`, 'For example: --currency EUR');
}

function scaledAmount(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole !== undefined) return BigInt(whole + fraction.padEnd(MOST_DIGITS, '0'));
  throw new UsageError(`--min-amount ${text} is not an amount`, 'For example: --min-amount 250.00');
}
