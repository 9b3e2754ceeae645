/** Stories in plain words. */
import type { LineStory } from '../batch/explain.ts';
import type { PayoutStory } from '../batch/explain/payout.ts';
import type { TransactionStory } from '../batch/explain/transaction.ts';
import type { TransferStory } from '../batch/explain/transfers.ts';
import { printable } from './output.ts';
import type { Colors } from './summary.ts';
import { listing, table } from './table.ts';

export function lineText(story: LineStory, colors: Colors): string {
  const name = `${story.batch}:${story.line}`;
  const mine = (transfers: readonly TransferStory[]) => transfers.filter(({ origin }) => origin === name);
  const made = mine(story.transaction?.transfers ?? story.payout?.transfers ?? []);
  return joined([
    `${colors.bold(name)}  ${painted(story, colors)}`,
    listing([
      ['handed in', `${printable(story.file)}, by ${printable(story.submitted_by)} from ${printable(story.submitted_from)}, ${story.received_at}`],
      ['reads', Object.entries(story.fields).map(([field, value]) => `${field} ${printable(value)}`).join(', ') || 'nothing'],
      ['asks', asked(story)],
      ...story.attempts.map(({ attempt, chunk, outcome }) => [`attempt ${attempt}`, `sent in chunk ${chunk}: ${words(outcome)}`] as const),
      ['outcome', decided(story)],
      ...(story.hint === null ? [] : [['', story.hint] as const]),
      ['ledger', made.length === 0 ? 'this line has moved nothing' : `this line made ${made.length === 1 ? 'one transfer' : `${made.length} transfers`}:`],
    ]),
    ...made.map(postingsText),
    story.transaction === null ? '' : `\n${transactionText(story.transaction, colors, name)}`,
    story.payout === null ? '' : `\n${payoutText(story.payout, colors)}`,
    actsText(story),
    reportsText(story),
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
  if (operation === 'payout') return `pay out ${money}, request ${printable(fields.request_id ?? `${batch}:${line}`)}, ${where}`;
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

function postingsText({ sequence, kind, amount, currency, postings }: TransferStory): string {
  const title = `    #${sequence} ${words(kind)} ${amount} ${currency}`;
  const lines = postings.map(({ debit, credit }) => `      debit ${words(debit).padEnd(10)} credit ${words(credit).padEnd(10)} ${amount}`);
  return [title, ...lines].join('\n');
}

/** @param marked the line whose transfers stand out */
export function transactionText(story: TransactionStory, colors: Colors, marked?: string): string {
  const { opening, currency, transfers } = story;
  const figures = [
    ['captured', opening.captured],
    ['refunded', opening.refunded],
    ['cancelled', opening.cancelled],
  ].flatMap(([name, amount]) => (/[1-9]/.test(amount!) ? [`${name} ${amount}`] : []));
  const begun = `${words(opening.state)}${figures.length === 0 ? '' : `, ${figures.join(', ')}`}`;
  const rows = transfers.map((transfer) => [
    `${transfer.origin !== null && transfer.origin === marked ? '→ ' : ''}#${transfer.sequence}`,
    transfer.at,
    words(transfer.kind),
    transfer.amount,
    words(transfer.state_after),
    origin(transfer),
  ]);
  return joined([
    `${colors.bold(`transaction ${printable(story.transaction_id)}`)}  ${words(story.state)} now`,
    listing([
      ['account', `${story.merchant}/${story.account}`],
      ['order', printable(story.order_no)],
      ['amount', `${story.amount} ${currency}`],
      ['came in', `${begun}, authorised ${opening.authorised_at}`],
      ['since then', rows.length === 0 ? 'nothing has happened to it' : thenAndNow(story, marked)],
    ]),
    rows.length === 0 ? '' : table(['transfer', 'time', 'what', ['amount', 'right'], 'state after', 'asked by'], rows),
    listing([
      ['left to capture', `${story.left_to_capture} ${currency}`],
      ['left to refund', `${story.left_to_refund} ${currency}`],
    ]),
  ]);
}

/** The state after the marked line, where it is another one than now. */
function thenAndNow({ transfers, state }: TransactionStory, marked: string | undefined): string {
  const count = `${transfers.length} transfer${transfers.length === 1 ? '' : 's'}`;
  const then = marked === undefined ? undefined : transfers.findLast(({ origin }) => origin === marked);
  if (then === undefined) return count;
  const after = `${words(then.state_after)} after this line`;
  return then.state_after === state ? `${count}; ${after} and now` : `${count}; ${after}, ${words(state)} now`;
}

function origin({ origin, attempt, kind, reference, repeat_of, note }: TransferStory): string {
  const by = origin ?? (kind === 'expire' ? 'nobody: the authorisation ran out' : 'a request to the API');
  const details = [
    attempt !== null && attempt > 1 ? `attempt ${attempt}` : '',
    reference === null ? '' : `reference ${printable(reference)}`,
    repeat_of === null ? '' : `repeats ${printable(repeat_of)}`,
    note === null ? '' : printable(note.length > 30 ? `${note.slice(0, 29)}…` : note),
  ].filter((part) => part !== '');
  return details.length === 0 ? by : `${by} (${details.join(', ')})`;
}

export function payoutText(story: PayoutStory, colors: Colors): string {
  return joined([
    `${colors.bold(`payout ${printable(story.request_id)}`)}  ${story.status}`,
    listing([
      ['account', `${story.merchant}/${story.account}`],
      ['accepted', `${story.accepted_at}, asked by ${story.origin ?? 'a request to the API'}`],
      ['merchant pays', `${story.payer_pays} ${story.source_currency}, of which fee ${story.fee}`],
      ['beneficiary', `receives ${story.beneficiary_receives} ${story.payment_currency} on ${story.payment_date}`],
      ['reference', story.reference],
    ]),
    ...story.transfers.map(postingsText),
  ]);
}

function actsText({ acts }: LineStory): string {
  const shown = acts.filter(({ act }) => act !== 'batch.report' && act !== 'batch.accept');
  if (shown.length === 0) return '';
  const rows = shown.map(({ at, who, act, reason }) => [at, printable(who), act, printable(reason)]);
  return `\nwhat people did with the batch\n${table(['time', 'who', 'act', 'reason'], rows)}`;
}

function reportsText({ reports }: LineStory): string {
  const named = Object.entries(reports).filter((pair): pair is [string, string] => pair[1] !== null && pair[0] !== 'json');
  return named.length === 0 ? '' : `\nreports\n${listing(named)}`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
