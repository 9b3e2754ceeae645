/**
 * The ledger's rows. Every operation is one append-only transfer (a payout may be several); its double-entry postings
 * follow from its kind by the one table here. Engine decisions, section "Ledger".
 */
import { getOrSet } from './get-or-set.ts';
import { Sum } from './money.ts';

/** Books of one merchant account in one currency. */
export const BOOKS = [
  'issuer',
  'holds',
  'in_review',
  'acquirer',
  'merchant',
  'fees',
  'payouts',
  'fx',
] as const;

export type Book = (typeof BOOKS)[number];

type Posting = readonly [debit: Book, credit: Book];

interface Kind {
  /** How the kind stands in the database: never changed, never used again. */
  readonly code: number;
  readonly postings: readonly Posting[];
}

export const TRANSFER_KINDS = {
  capture: {
    code: 1,
    postings: [
      ['issuer', 'holds'],
      ['acquirer', 'merchant'],
    ],
  },
  cancel: { code: 2, postings: [['issuer', 'holds']] },
  refund: { code: 3, postings: [['merchant', 'acquirer']] },
  review_accepted: { code: 4, postings: [['holds', 'in_review']] },
  review_rejected: { code: 5, postings: [['issuer', 'in_review']] },
  expire: { code: 6, postings: [['issuer', 'holds']] },
  fee: { code: 7, postings: [['merchant', 'fees']] },
  payout: { code: 8, postings: [['merchant', 'payouts']] },
  /** A payout across currencies: what leaves in the source currency, … */
  exchange_out: { code: 9, postings: [['merchant', 'fx']] },
  /** … and what the beneficiary gets in the payment currency. */
  exchange_in: { code: 10, postings: [['fx', 'payouts']] },
  /** A payment that was approved. */
  authorise: { code: 11, postings: [['holds', 'issuer']] },
  /** A payment that was approved and is held for review. */
  hold_for_review: { code: 12, postings: [['in_review', 'issuer']] },
  /** A connector is being asked; until it answers the payment is in doubt. Like the kinds after it, it moves nothing. */
  ask: { code: 13, postings: [] },
  challenge: { code: 14, postings: [] },
  decline: { code: 15, postings: [] },
  /** The shopper left the hosted page, … */
  leave: { code: 16, postings: [] },
  /** … or never came. */
  lapse: { code: 17, postings: [] },
} as const satisfies Record<string, Kind>;

export type TransferKind = keyof typeof TRANSFER_KINDS;

const KIND_OF_CODE: ReadonlyMap<number, TransferKind> = new Map(
  (Object.keys(TRANSFER_KINDS) as TransferKind[]).map((kind) => [TRANSFER_KINDS[kind].code, kind]),
);

export function kindOfCode(code: number): TransferKind {
  const kind = KIND_OF_CODE.get(code);
  if (kind === undefined) throw new Error(`transfer kind ${code} is not in the table`);
  return kind;
}

/** What a transaction was when it came into the ledger; its own row carries this and never changes. */
export interface Opening {
  readonly state: string;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
}

const NEVER_HELD: ReadonlySet<string> = new Set([
  'created',
  'challenge',
  'in_doubt',
  'declined',
  'rejected',
  'expired',
]);

/** Sums of postings per book: credits less debits, in minor units of one account and currency. */
export class BookSums {
  readonly #sums = new Map<Book, Sum>();

  transfer(kind: TransferKind, amount: number): void {
    for (const [debit, credit] of TRANSFER_KINDS[kind].postings) this.#post(debit, credit, amount);
  }

  /** The postings that explain an opening: authorised, then captured, cancelled and refunded as it says. */
  opening(opening: Opening): void {
    if (NEVER_HELD.has(opening.state)) return;
    this.#post(opening.state === 'in_review' ? 'in_review' : 'holds', 'issuer', opening.amount);
    this.transfer('capture', opening.captured);
    this.transfer('cancel', opening.cancelled);
    this.transfer('refund', opening.refunded);
  }

  of(book: Book): bigint {
    return this.#sums.get(book)?.value ?? 0n;
  }

  #post(debit: Book, credit: Book, amount: number): void {
    this.#sum(debit).add(-amount);
    this.#sum(credit).add(amount);
  }

  #sum(book: Book): Sum {
    return getOrSet(this.#sums, book, () => new Sum());
  }
}
