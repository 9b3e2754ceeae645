/** Stories in plain words. */

import type { TransferStory } from '../batch/explain/transfers.ts';
import type { LineStory, Settlement } from '../batch/explain.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { printable } from './output.ts';
import { joined, payoutText, postingsText, transactionText, words } from './story-text.ts';
import type { Colors } from './summary.ts';
import { listing, table } from './table.ts';

export function lineText(story: LineStory, colors: Colors): string {
  const name = `${story.batch}:${story.line}`;
  const mine = (transfers: readonly TransferStory[]) => transfers.filter(({ origin }) => origin === name);
  const made = mine(story.transaction?.transfers ?? story.payout?.transfers ?? []);
  return joined([
    `${colors.bold(name)}  ${painted(story, colors)}`,
    listing([
      [
        'handed in',
        `${printable(story.file)}, by ${printable(story.submitted_by)} from ${printable(story.submitted_from)}, ${story.received_at}`,
      ],
      ...wrapped(
        'reads',
        Object.entries(story.fields).map(([field, value]) => `${field} ${printable(value)}`),
      ),
      ['asks', asked(story)],
      ...(isRemote(story) ? [['gateway', gatewayText(story)] as const] : []),
      ...story.attempts.map(
        ({ attempt, chunk, outcome }) =>
          [`attempt ${attempt}`, `sent in chunk ${chunk}: ${words(outcome)}`] as const,
      ),
      ['outcome', decided(story)],
      ...(story.hint === null ? [] : [['', story.hint] as const]),
      ...wayOut(story).map((way) => ['', way] as const),
      ...(story.settled === null ? [] : [['settled', settledText(story.settled)] as const]),
      ['ledger', movedText(story, made.length)],
    ]),
    ...made.map(postingsText),
    story.transaction === null ? '' : `\n${transactionText(story.transaction, colors, name)}`,
    story.payout === null ? '' : `\n${payoutText(story.payout, colors, made.length === 0)}`,
    actsText(story),
    reportsText(story),
  ]);
}

/** Widest line of a list of fields. */
const WIDTH = 90;

/** A list of fields on as many lines as it takes. */
function wrapped(name: string, fields: readonly string[]): readonly (readonly [string, string])[] {
  const lines: string[] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (last === undefined || last.length + field.length > WIDTH) lines.push(field);
    else lines[lines.length - 1] = `${last}, ${field}`;
  }
  if (lines.length === 0) return [[name, 'nothing']];
  return lines.map((line, index) => [
    index === 0 ? name : '',
    index === lines.length - 1 ? line : `${line},`,
  ]);
}

function painted({ outcome }: LineStory, colors: Colors): string {
  const paint = outcome === 'succeeded' ? colors.green : outcome === 'unknown' ? colors.red : colors.yellow;
  return paint(words(outcome));
}

function asked({ operation, amount, currency, fields, merchant, account, line, batch }: LineStory): string {
  if (operation === null) return 'nothing that could be understood';
  const money = amount === null ? 'an amount that cannot be read' : `${amount} ${currency}`;
  const where = account === null ? 'of no known account' : `account ${merchant}/${account}`;
  if (operation === 'payout')
    return `pay out ${money}, request ${printable(fields.request_id ?? `${batch}:${line}`)}, ${where}`;
  const flag = operation === 'review' ? (fields.review_flag === '1' ? ' (accept)' : ' (reject)') : '';
  return `${operation}${flag} ${money} of transaction ${printable(fields.transaction_id ?? '–')}, ${where}`;
}

function isRemote({ gateway }: LineStory): boolean {
  return gateway !== EMBEDDED;
}

function gatewayText({ gateway, sent_at, outcome }: LineStory): string {
  const name = printable(gateway);
  if (sent_at !== null) return `${name}, sent at ${sent_at}`;
  return outcome === 'not_sent' || outcome === 'duplicate' || outcome === 'invalid'
    ? `${name}; it was not sent there`
    : name;
}

function movedText(story: LineStory, made: number): string {
  if (isRemote(story))
    return `nothing in this ledger: what ${printable(story.gateway)} does, it books itself`;
  if (made === 0) return 'this line has moved nothing';
  return `this line made ${made === 1 ? 'one transfer' : `${made} transfers`}:`;
}

/** What the gateway decided, and why. */
function decided(story: LineStory): string {
  const { outcome, code, message, first, gateway_reference, attempts, settled } = story;
  const why = `${code}: ${printable(message ?? '')}`;
  const isSaid = settled?.as === outcome;
  switch (outcome) {
    case 'succeeded':
      return `succeeded${isSaid ? ', as a person has said' : ''}${named('; the gateway calls it', gateway_reference)}`;
    case 'pending':
      return `pending: taken by the gateway${named(' as', gateway_reference)}, ${whenPaid(story)}`;
    case 'refused':
      return `${isSaid ? 'refused, as a person has said' : 'refused by the gateway'}, ${why}`;
    case 'invalid':
      return attempts.length === 0 ? `invalid, so it was never sent, ${why}` : `invalid, ${why}`;
    case 'duplicate':
      return `duplicate: held, because it repeats ${first} (${code})`;
    case 'unknown':
      return `unknown: nobody knows yet whether it happened, ${why}`;
    case 'not_sent':
      return 'not sent: nothing has happened';
  }
}

/** Not every gateway gives what it did a name. */
function named(words: string, reference: string | null): string {
  return reference === null || reference === '' ? '' : `${words} ${printable(reference)}`;
}

function whenPaid({ operation, payout, fields }: LineStory): string {
  if (operation !== 'payout') return 'decided later';
  return `paid on ${payout?.payment_date ?? printable(fields.payment_date ?? 'a later day')}`;
}

/** What to do about a line of which nobody knows the end. */
function wayOut({ outcome, batch, line, gateway }: LineStory): readonly string[] {
  if (outcome !== 'unknown' || gateway === EMBEDDED) return [];
  return [
    `batchgate batch resolve ${batch} asks ${printable(gateway)}; the line is never sent afresh.`,
    `What it cannot tell, look up there, then: batchgate batch resolve ${batch} --line ${line} --as succeeded|refused --reason TEXT`,
  ];
}

function settledText({ at, who, reason, as }: Settlement): string {
  const how = as === null ? 'the gateway was asked' : `a person has said ${as}`;
  return `${at}, by ${printable(who)}: ${how}; ${printable(reason)}`;
}

function actsText({ acts }: LineStory): string {
  const shown = acts.filter(({ act }) => act !== 'batch.report' && act !== 'batch.accept');
  if (shown.length === 0) return '';
  const rows = shown.map(({ at, who, act, reason }) => [at, printable(who), act, printable(reason)]);
  return `\nwhat people did with the batch\n${table(['time', 'who', 'act', 'reason'], rows)}`;
}

function reportsText({ reports }: LineStory): string {
  const named = Object.entries(reports).filter(
    (pair): pair is [string, string] => pair[1] !== null && pair[0] !== 'json',
  );
  return named.length === 0 ? '' : `\nreports\n${listing(named)}`;
}
