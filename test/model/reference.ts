/**
 * The reference model: what every instruction must come to and what the ledger must hold, in plain maps and BigInt,
 * written from the words of the contract and of the engine's decisions. It shares no code with the program.
 */
import { type Ask, askOf, decidePayout, type Terms } from './payouts.ts';
import type { ReadLine } from './reading.ts';

export interface ModelAccount {
  readonly number: number;
  readonly merchantId: string;
  readonly accountId: string;
  readonly capture: 'manual' | 'automatic';
  /** Milliseconds. */
  readonly lifetime: number;
}

export interface ModelTransaction {
  readonly account: number;
  readonly id: string;
  readonly orderNo: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly opening: string;
  captured: bigint;
  refunded: bigint;
  cancelled: bigint;
  expired: bigint;
  review: 'accepted' | 'rejected' | undefined;
  authorisedAt: number;
  /** Lines of files that were executed on it. */
  readonly executed: Executed[];
}

/** A batch is known by its id once it has one. */
export interface BatchName {
  id: string;
}

export interface Place {
  readonly batch: BatchName;
  readonly line: number;
}

interface Executed extends Place {
  readonly operation: string;
  /** Minor units, or the flag of a review. */
  readonly moved: string;
  readonly reference: string | undefined;
  readonly repeatOf: string | undefined;
}

export interface ModelPayout extends Place {
  readonly content: string;
  readonly date: string;
}

/** One row of the ledger. */
export interface LedgerRow {
  readonly subject: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly batch: BatchName;
  /** Undefined for what no line has asked for. */
  readonly line: number | undefined;
  readonly reference: string | undefined;
  /** `batch:line` of the first, where a repeat was meant. */
  readonly repeatOf: string | undefined;
}

export type Repeats = 'hold' | 'allow' | 'release';

export interface Fate {
  readonly outcome: 'succeeded' | 'pending' | 'refused' | 'invalid' | 'duplicate' | 'not_sent';
  readonly code: string;
  readonly first: Place | undefined;
  /** On the merchant's balance. */
  readonly moved: {
    readonly in: bigint;
    readonly out: bigint;
    readonly fees: bigint;
    readonly currency: string;
  };
}

export const NOT_SENT: Fate = {
  outcome: 'not_sent',
  code: '',
  first: undefined,
  moved: { in: 0n, out: 0n, fees: 0n, currency: '' },
};

export function fate(outcome: Fate['outcome'], code: string, change: Partial<Fate> = {}): Fate {
  return { ...NOT_SENT, outcome, code, ...change };
}

/** The line is new, or repeats `first` and is meant to. */
class Meant {
  readonly first: string | undefined;
  constructor(first: string | undefined) {
    this.first = first;
  }
}

/** Openings that stay as they are, whatever happens. */
const STILL = ['created', 'challenge', 'in_doubt', 'declined', 'rejected', 'expired'];

export class Reference {
  readonly accounts: readonly ModelAccount[];
  readonly terms: Terms;
  readonly transactions = new Map<string, ModelTransaction>();
  readonly payouts = new Map<string, ModelPayout>();
  /** Credits less debits by account, currency and book. */
  readonly books = new Map<string, bigint>();
  readonly rows: LedgerRow[] = [];

  constructor(accounts: readonly ModelAccount[], terms: Terms) {
    this.accounts = accounts;
    this.terms = terms;
  }

  open(transaction: ModelTransaction): void {
    const { account, id, currency, amount, opening, captured, cancelled, refunded } = transaction;
    this.transactions.set(`${account}/${id}`, transaction);
    if (STILL.includes(opening)) return;
    this.#post(account, currency, opening === 'in_review' ? 'in_review' : 'holds', 'issuer', amount);
    this.#book(account, currency, 'capture', captured);
    this.#book(account, currency, 'cancel', cancelled);
    this.#book(account, currency, 'refund', refunded);
  }

  /** Executes one valid line. */
  execute(read: ReadLine, batch: BatchName, repeats: Repeats, now: number): Fate {
    return read.operation === 'payout'
      ? this.#payout(read, batch, now)
      : this.#entry(read, batch, repeats, now);
  }

  stateOf(transaction: ModelTransaction, now: number): string {
    const { opening, review, captured, refunded, cancelled } = transaction;
    if (STILL.includes(opening)) return opening;
    if (opening === 'in_review' && review !== 'accepted')
      return review === 'rejected' ? 'rejected' : 'in_review';
    const isOpen = left(transaction) > 0n && !this.#hasRunOut(transaction, now);
    if (captured === 0n) return isOpen ? 'authorised' : cancelled > 0n ? 'cancelled' : 'expired';
    if (isOpen) return 'partially_captured';
    return refunded === 0n ? 'captured' : refunded < captured ? 'partially_refunded' : 'refunded';
  }

  #hasRunOut(transaction: ModelTransaction, now: number): boolean {
    return now >= transaction.authorisedAt + this.accounts[transaction.account - 1]!.lifetime;
  }

  #entry(read: ReadLine, batch: BatchName, repeats: Repeats, now: number): Fate {
    const { fields, account, operation } = read;
    const id = fields.transaction_id!;
    const transaction = this.transactions.get(`${account}/${id}`);
    if (transaction === undefined) return this.#stranger(account, id);
    const amount = read.amounts.amount!;
    const moved =
      operation === 'review'
        ? fields.review_flag!
        : String(operation === 'refund' ? read.amounts.refund_amount! : amount);
    const known = this.#known(read, moved, transaction, batch, repeats);
    if (!(known instanceof Meant)) return known;
    const { reference } = fields;
    const repeatOf = fields.repeat_of ?? known.first;
    const write = (kind: string, minor: bigint, line: number | undefined) => {
      const own =
        line === undefined ? { reference: undefined, repeatOf: undefined } : { reference, repeatOf };
      this.rows.push({ subject: id, kind, amount: minor, batch, line, ...own });
      this.#book(account, transaction.currency, kind, minor);
    };
    // Whoever meets an authorisation that has run out writes that down.
    const isHeld = ['authorised', 'partially_captured'].includes(this.stateOf(transaction, 0));
    const hadRunOut = transaction.expired > 0n;
    if (isHeld && this.#hasRunOut(transaction, now)) {
      write('expire', left(transaction), undefined);
      transaction.expired += left(transaction);
    }
    const ranOut = hadRunOut || transaction.expired > 0n;
    const code = this.#against(read, transaction, amount, ranOut, now);
    if (code !== undefined) return fate('refused', code);
    const kinds = this.#effects(read, transaction, amount, now);
    for (const [kind, minor] of kinds) write(kind, minor, read.line);
    transaction.executed.push({
      batch,
      line: read.line,
      operation,
      moved,
      reference,
      repeatOf,
    });
    const { currency } = transaction;
    const total = (wanted: string) =>
      kinds.reduce((sum, [kind, minor]) => (kind === wanted ? sum + minor : sum), 0n);
    return fate('succeeded', '', {
      moved: { in: total('capture'), out: total('refund'), fees: 0n, currency },
    });
  }

  /** An id that is unknown, unless a spreadsheet has made it of a known one (F45). */
  #stranger(account: number, id: string): Fate {
    const known = [...this.transactions.values()].filter((one) => one.account === account);
    const isDigits = /^[1-9][0-9]*$/.test(id);
    const rounded = (other: string) =>
      id.length >= 16 &&
      id.endsWith('0') &&
      other.length === id.length &&
      other.slice(0, 15) === id.slice(0, 15);
    const stripped = (other: string) =>
      other.length <= 32 && /^0+/.test(other) && other.replace(/^0+/, '') === id;
    const isDamaged = isDigits && known.some((one) => rounded(one.id) || stripped(one.id));
    return isDamaged ? fate('invalid', 'B0013') : fate('refused', 'V0001');
  }

  /** A repeat or a contradiction of what was executed before, or what is meant. */
  #known(
    read: ReadLine,
    moved: string,
    { executed }: ModelTransaction,
    batch: BatchName,
    repeats: Repeats,
  ): Fate | Meant {
    const { reference, repeat_of: named } = read.fields;
    const alike = executed.filter((one) => one.operation === read.operation);
    if (reference !== undefined && alike.some((one) => one.reference === reference && one.moved !== moved)) {
      return fate('invalid', 'B0014');
    }
    const same = alike.filter(
      (one) =>
        one.moved === moved &&
        !(reference !== undefined && one.reference !== undefined && one.reference !== reference),
    );
    // What a person releases counts like a line that names the first itself.
    if (repeats === 'release') return new Meant(same[0] && `${same[0].batch.id}:${same[0].line}`);
    const counted = repeats === 'allow' ? same.filter((one) => one.batch !== batch) : same;
    if (counted.length === 0) return new Meant(undefined);
    const isNamed = counted.some((one) => `${one.batch.id}:${one.line}` === named);
    const usedUp = counted.some((one) => one.repeatOf === named && one.batch !== batch);
    if (named !== undefined && isNamed && !usedUp) return new Meant(undefined);
    return fate('duplicate', 'B0001', { first: same[0]! });
  }

  /** The first code that stands against it. */
  #against(
    read: ReadLine,
    transaction: ModelTransaction,
    amount: bigint,
    ranOut: boolean,
    now: number,
  ): string | undefined {
    const { fields, operation } = read;
    if (fields.order_no !== transaction.orderNo) return 'V0002';
    if (fields.currency !== transaction.currency) return 'V0003';
    const state = this.stateOf(transaction, now);
    const isOpen = state === 'authorised' || state === 'partially_captured';
    if (operation === 'review') {
      if (state !== 'in_review') return 'V0009';
      return amount === transaction.amount ? undefined : 'V0004';
    }
    if (operation === 'refund') {
      if (!['partially_captured', 'captured', 'partially_refunded', 'refunded'].includes(state))
        return 'V0007';
      if (amount !== transaction.amount) return 'V0004';
      return read.amounts.refund_amount! > transaction.captured - transaction.refunded ? 'V0006' : undefined;
    }
    if (!isOpen) return ranOut || state === 'expired' ? 'V0008' : 'V0007';
    if (operation === 'cancel') return amount === left(transaction) ? undefined : 'V0004';
    return amount > left(transaction) ? 'V0005' : undefined;
  }

  /** What it does to the transaction, and the rows that say so. */
  #effects(read: ReadLine, transaction: ModelTransaction, amount: bigint, now: number): [string, bigint][] {
    switch (read.operation) {
      case 'capture':
        transaction.captured += amount;
        return [['capture', amount]];
      case 'cancel':
        transaction.cancelled += amount;
        return [['cancel', amount]];
      case 'refund': {
        const refund = read.amounts.refund_amount!;
        transaction.refunded += refund;
        return [['refund', refund]];
      }
      default:
        if (read.fields.review_flag === '0') {
          transaction.review = 'rejected';
          return [['review_rejected', amount]];
        }
        transaction.review = 'accepted';
        transaction.authorisedAt = now;
        if (this.accounts[transaction.account - 1]!.capture === 'manual')
          return [['review_accepted', amount]];
        transaction.captured += amount;
        return [
          ['review_accepted', amount],
          ['capture', amount],
        ];
    }
  }

  #payout(read: ReadLine, batch: BatchName, now: number): Fate {
    const { account } = read;
    const ask: Ask = askOf(read);
    const key = `${account}/${ask.requestId}`;
    const before = this.payouts.get(key);
    if (before !== undefined) {
      return before.content === ask.content
        ? fate('duplicate', 'B0001', { first: before })
        : fate('invalid', 'B0014');
    }
    const today = new Date(now).toISOString().slice(0, 10);
    const balance = this.books.get(`${account}/${ask.source}/merchant`) ?? 0n;
    const figures = decidePayout(ask, balance, today, this.terms);
    if (typeof figures === 'string') return fate('refused', figures);
    const { fee, paid, receives } = figures;
    this.payouts.set(key, { batch, line: read.line, content: ask.content, date: ask.date ?? today });
    const write = (kind: string, amount: bigint, currency: string) => {
      const own = { reference: undefined, repeatOf: undefined };
      this.rows.push({ subject: ask.requestId, kind, amount, batch, line: read.line, ...own });
      this.#book(account, currency, kind, amount);
    };
    if (fee > 0n) write('fee', fee, ask.source);
    if (ask.source === ask.payment) write('payout', paid, ask.source);
    else {
      write('exchange_out', paid, ask.source);
      write('exchange_in', receives, ask.payment);
    }
    const moved = { in: 0n, out: paid, fees: fee, currency: ask.source };
    return fate((ask.date ?? today) > today ? 'pending' : 'succeeded', '', { moved });
  }

  /** Debit and credit of each kind. */
  #book(account: number, currency: string, kind: string, amount: bigint): void {
    const post = (debit: string, credit: string) => this.#post(account, currency, debit, credit, amount);
    switch (kind) {
      case 'capture':
        post('issuer', 'holds');
        post('acquirer', 'merchant');
        break;
      case 'cancel':
      case 'expire':
        post('issuer', 'holds');
        break;
      case 'refund':
        post('merchant', 'acquirer');
        break;
      case 'review_accepted':
        post('holds', 'in_review');
        break;
      case 'review_rejected':
        post('issuer', 'in_review');
        break;
      case 'fee':
        post('merchant', 'fees');
        break;
      case 'payout':
        post('merchant', 'payouts');
        break;
      case 'exchange_out':
        post('merchant', 'fx');
        break;
      default:
        post('fx', 'payouts');
    }
  }

  #post(account: number, currency: string, debit: string, credit: string, amount: bigint): void {
    if (amount === 0n) return;
    const add = (book: string, change: bigint) => {
      const key = `${account}/${currency}/${book}`;
      this.books.set(key, (this.books.get(key) ?? 0n) + change);
    };
    add(debit, -amount);
    add(credit, amount);
  }
}

/** What is neither captured nor given back. */
export function left(transaction: ModelTransaction): bigint {
  return transaction.amount - transaction.captured - transaction.cancelled - transaction.expired;
}
