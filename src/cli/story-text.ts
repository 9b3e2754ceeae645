/** The stories of transactions, payouts and transfers in plain words. */
import type { PayoutStory } from '../batch/explain/payout.ts';
import type { TransactionStory } from '../batch/explain/transaction.ts';
import type { TransferStory } from '../batch/explain/transfers.ts';
import { printable } from './output.ts';
import type { Colors } from './summary.ts';
import { listing, table } from './table.ts';

/** A transfer with its postings. */
export function postingsText({ sequence, kind, amount, currency, postings }: TransferStory): string {
  const title = `    #${sequence} ${words(kind)} ${amount} ${currency}`;
  const lines = postings.map(
    ({ debit, credit }) =>
      `      debit ${words(debit).padEnd(10)} credit ${words(credit).padEnd(10)} ${amount}`,
  );
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
      ['came in', `as ${begun}; dated ${opening.authorised_at}`],
      ['since then', rows.length === 0 ? 'nothing has happened to it' : thenAndNow(story, marked)],
    ]),
    rows.length === 0
      ? ''
      : table(['transfer', 'time', 'what', ['amount', 'right'], 'state after', 'asked by'], rows),
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
  return then.state_after === state
    ? `${count}; ${after} and now`
    : `${count}; ${after}, ${words(state)} now`;
}

/** What happens although nobody asks for it. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  expire: 'nobody: the authorisation ran out',
  lapse: 'nobody: the shopper did not come',
};

function origin({ origin, attempt, kind, reference, repeat_of, note, request }: TransferStory): string {
  const by =
    origin ?? BY_ITSELF[kind] ?? `a request to the API${request === null ? '' : ` (${printable(request)})`}`;
  const details = [
    attempt !== null && attempt > 1 ? `attempt ${attempt}` : '',
    reference === null ? '' : `reference ${printable(reference)}`,
    repeat_of === null ? '' : `repeats ${printable(repeat_of)}`,
    note === null ? '' : printable(note.length > 30 ? `${note.slice(0, 29)}…` : note),
  ].filter((part) => part !== '');
  return details.length === 0 ? by : `${by} (${details.join(', ')})`;
}

/** @param postings whether to show the transfers, where they do not stand elsewhere */
export function payoutText(story: PayoutStory, colors: Colors, postings = true): string {
  return joined([
    `${colors.bold(`payout ${printable(story.request_id)}`)}  ${story.status}`,
    listing([
      ['account', `${story.merchant}/${story.account}`],
      ['accepted', `${story.accepted_at}, asked by ${story.origin ?? 'a request to the API'}`],
      ['merchant pays', `${story.payer_pays} ${story.source_currency}, of which fee ${story.fee}`],
      [
        'beneficiary',
        `receives ${story.beneficiary_receives} ${story.payment_currency} on ${story.payment_date}`,
      ],
      ['reference', story.reference],
    ]),
    ...(postings ? story.transfers.map(postingsText) : []),
  ]);
}

/** A name such as `partially_captured` as people write it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The parts that say something, one below the other. */
export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
