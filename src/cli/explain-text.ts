/** Stories in plain words. */

import type { TransferStory } from '../batch/explain/transfers.ts';
import type { LineStory } from '../batch/explain.ts';
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
      ...story.attempts.map(
        ({ attempt, chunk, outcome }) =>
          [`attempt ${attempt}`, `sent in chunk ${chunk}: ${words(outcome)}`] as const,
      ),
      ['outcome', decided(story)],
      ...(story.hint === null ? [] : [['', story.hint] as const]),
      [
        'ledger',
        made.length === 0
          ? 'this line has moved nothing'
          : `this line made ${made.length === 1 ? 'one transfer' : `${made.length} transfers`}:`,
      ],
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

/** What the gateway decided, and why. */
function decided({ outcome, code, message, first, gateway_reference, attempts, payout }: LineStory): string {
  const why = `${code}: ${printable(message ?? '')}`;
  switch (outcome) {
    case 'succeeded':
      return `succeeded; the gateway calls it ${gateway_reference}`;
    case 'pending':
      return `pending: taken by the gateway as ${gateway_reference}, paid on ${payout?.payment_date ?? 'a later day'}`;
    case 'refused':
      return `refused by the gateway, ${why}`;
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
