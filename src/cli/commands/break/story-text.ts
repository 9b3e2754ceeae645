/** The story of a break in words. */
import type { Movement } from '../../../reconcile/decisions/ledger-side.ts';
import type { BreakAct, BreakStory, StatementSide } from '../../../reconcile/decisions/story.ts';
import { printable } from '../../output.ts';
import type { Colors } from '../../summary.ts';
import { listing, table } from '../../table.ts';
import { kindText, severityText, shortened } from './text.ts';

type Fact = readonly [name: string, value: string];

export function storyText(story: BreakStory, colors: Colors): string {
  const { id, state, severity, kind } = story;
  const head = `${colors.bold(id)}  ${state}, ${severityText(severity, colors)}: ${kindText(kind)}`;
  const parts = [
    head,
    `  ${printable(story.why)}`,
    listing(factsOf(story)),
    actsText(story.acts),
    `  ${story.advice}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** The next useful command; undefined where there is nothing to do. */
export function nextFor({ id, state }: BreakStory): string | undefined {
  if (state === 'closed') return undefined;
  return state === 'resolved'
    ? `batchgate break reopen ${id} --reason TEXT, if that explanation does not hold`
    : `batchgate break resolve ${id} --reason TEXT, or assign it to somebody`;
}

function factsOf(story: BreakStory): readonly Fact[] {
  const { merchant, account, gateway, side, currency, statement_currency: stated } = story;
  return [
    ['books', printable(`${merchant}/${account} at ${gateway}, compared with the ${side}'s statements`)],
    ['reference', printable(story.reference) || '–'],
    ['ledger', figure(story.ledger, currency)],
    ['statement', figure(story.statement, stated ?? currency)],
    ['difference', story.difference === null ? 'between two currencies' : figure(story.difference, currency)],
    ...optional('day', story.day, `, ${days(story.age_days)} old`),
    ['found', story.found],
    ...optional('due', story.due),
    ...optional('closed', story.closed),
    ...optional('place', story.place),
    ...story.lines.flatMap(lineFacts),
    ...booksFacts(story),
    ['assignee', printable(story.assignee ?? 'nobody')],
    ...optional('resolution', story.resolution),
  ];
}

function optional(name: string, value: string | null, after = ''): readonly Fact[] {
  return value === null || value === '' ? [] : [[name, printable(value) + after]];
}

function figure(amount: string | null, currency: string | null): string {
  if (amount === null) return 'nothing';
  return currency === null ? `${amount} ${amount === '1' ? 'line' : 'lines'}` : `${amount} ${currency}`;
}

function days(age: number): string {
  return `${age} ${age === 1 ? 'day' : 'days'}`;
}

function lineFacts(line: StatementSide): readonly Fact[] {
  const { kind, booked, gross, fee, net, currency, payout } = line;
  const parts = [
    booked === '' ? kind : `${kind} booked ${booked}`,
    `gross ${gross}, fee ${fee}, net ${net} ${currency}`,
    ...(line.reference === '' ? [] : [`reference ${printable(line.reference)}`]),
    ...(payout === null ? [] : [`in payout ${printable(payout)}`]),
  ];
  return [['it says', parts.join('; ')], ...optional('', shortened(line.text, 160))];
}

function booksFacts({ books }: BreakStory): readonly Fact[] {
  if (books === null) return [['in the books', 'nothing under this reference']];
  const { is, id, order_no, amount, currency, movements } = books;
  const order = order_no === null || order_no === '' ? '' : `, order ${printable(order_no)}`;
  const of = amount === null ? '' : `, ${amount} ${currency}`;
  return [
    ['in the books', `${is} ${printable(id)}${order}${of}; batchgate explain ${printable(id)}`],
    ...movements.slice(-MOST_MOVEMENTS).map((one) => ['', movementText(one)] as const),
  ];
}

const MOST_MOVEMENTS = 8;

function movementText({ kind, amount, currency, day, line }: Movement): string {
  return `${day} ${kindText(kind)} ${amount} ${currency}${line === null ? '' : ` by ${line}`}`;
}

function actsText(acts: readonly BreakAct[]): string {
  if (acts.length === 0) return '';
  const rows = acts.map(({ at, who, act, detail }) => [
    `${at.slice(0, 10)} ${at.slice(11, 19)}Z`,
    printable(who),
    act.replace('break.', ''),
    shortened(printable(saidIn(detail)), 60),
  ]);
  return table(['time', 'who', 'act', 'what was said'], rows);
}

function saidIn(detail: BreakAct['detail']): string {
  const { reason, text, to } = detail;
  if (typeof reason === 'string') return reason;
  if (typeof text === 'string') return text;
  return to === undefined ? '' : `to ${to === null ? 'nobody' : String(to)}`;
}
