/** Random lines, mostly such that they come near a limit: the amount that is left, one more, one less, a repeat. */
import type { Chance } from '../support/chance.ts';
import type { Draft, Frame } from '../support/instruction-file.ts';
import { DIGITS, type Style } from './reading.ts';
import { left, type ModelTransaction, type Reference } from './reference.ts';

const MAX = 999_999_999_999_999n;

/** Ids that like to go wrong somewhere between a file, the ledger and a report (F23, F98). */
const HOSTILE = [
  '00123',
  '1e5',
  '-T',
  '+T',
  '@T',
  "'T",
  "'=T",
  ' T ',
  'T,;|"T',
  'Größe',
  '😀',
  'null',
  '0x1F',
  '=T',
];

export const IBANS = ['DE89370400440532013000', 'GB29NWBK60161331926819'];
export const WRONG_IBANS = ['DE00370400440532013000', 'GB29NWBK6016133192681'];
export const BICS = ['COBADEFFXXX'];
export const WRONG_BICS = ['COBADEF'];

export class Drafts {
  readonly #chance: Chance;
  readonly #model: Reference;
  #ids = 0;
  #now = 0;
  #requests = 0;
  #turn = 0;
  /** Lines of earlier files, to write them again. */
  readonly #earlier: Draft[] = [];

  constructor(chance: Chance, model: Reference) {
    this.#chance = chance;
    this.#model = model;
  }

  /** A transaction such as an import would bring, mostly one on which the operation can do something. */
  transaction(now: number, operation: string): ModelTransaction {
    const chance = this.#chance;
    const account = chance.between(1, this.#model.accounts.length);
    const fitting =
      operation === 'review'
        ? 'in_review'
        : ['refund', 'payout'].includes(operation)
          ? 'captured'
          : 'authorised';
    const opening = chance.pick([
      ...Array<string>(30).fill(fitting),
      'authorised',
      'in_review',
      'captured',
      'partially_captured',
      'partially_captured',
      'partially_refunded',
      'refunded',
      'cancelled',
      'created',
      'challenge',
      'in_doubt',
      'declined',
      'rejected',
      'expired',
    ]);
    const amount = chance.pick([1n, 2n, 100n, 1000n, 10_000n, BigInt(chance.between(1, 5_000_000)), MAX]);
    const part = () =>
      amount === 1n ? 1n : 1n + (BigInt(chance.below(2 ** 32)) * (amount - 1n)) / 2n ** 32n;
    const isClosed = ['captured', 'partially_refunded', 'refunded'].includes(opening);
    let captured = 0n;
    if (isClosed) captured = chance.percent(70) ? amount : part();
    if (opening === 'partially_captured') captured = part();
    const fits =
      (opening !== 'partially_captured' || captured < amount) &&
      (opening !== 'partially_refunded' || captured > 1n);
    const state = fits ? opening : 'authorised';
    if (!fits) captured = 0n;
    const closed = fits && isClosed;
    return {
      account,
      ...this.#newId(),
      currency: chance.pick(['USD', 'USD', 'USD', 'EUR', 'JPY', 'KWD']),
      amount,
      opening: state,
      captured,
      refunded: state === 'refunded' ? captured : state === 'partially_refunded' ? 1n : 0n,
      cancelled: state === 'cancelled' ? amount : closed ? amount - captured : 0n,
      expired: 0n,
      review: undefined,
      authorisedAt:
        now - chance.pick([0, 0, 0, 60_000, 3_600_000, 86_400_000, 6 * 86_400_000, 8 * 86_400_000]),
      executed: [],
    };
  }

  #newId(): { id: string; orderNo: string } {
    this.#ids += 1;
    const number = this.#ids;
    if (this.#chance.percent(85)) return { id: `T${number}`, orderNo: `O-${number}` };
    const hostile = this.#chance.pick(HOSTILE.filter((text) => !text.startsWith('=')));
    const id = /^[0-9]+$/.test(hostile)
      ? this.#chance.pick([`00${1000 + number}`, `12345678901${String(1_000_000 + number)}9`])
      : `${hostile}${number}`;
    return { id, orderNo: `${hostile}-O${number}` };
  }

  /** The lines of one file. */
  file(frame: Frame, operations: readonly string[], style: Style, count: number, now: number): Draft[] {
    const chance = this.#chance;
    this.#now = now;
    const drafts: Draft[] = [];
    const hot = this.#hot(frame);
    // In short files most lines may be wrong; longer ones would be rejected as a whole (B0020).
    const faulty = chance.pick(count < 10 ? [0, 0, 30] : [0, 1, 4, 12]);
    const meant = chance.pick([3, 3, 10, 40]);
    for (let at = 0; at < count; at += 1) {
      const before = chance.percent(7) ? this.#repeated(drafts, frame, operations) : undefined;
      const repeat = chance.percent(meant) ? this.#meant(operations, frame, hot, style) : undefined;
      const draft = before ?? repeat ?? this.#line(chance.pick(operations), frame, hot, style);
      drafts.push(chance.percent(faulty) ? this.#spoilt(draft, style) : draft);
    }
    this.#earlier.push(...drafts.slice(0, 20));
    if (this.#earlier.length > 400) this.#earlier.splice(0, 200);
    return drafts;
  }

  /** Some transactions that a file keeps coming back to. */
  #hot(frame: Frame): readonly ModelTransaction[] {
    const mine = [...this.#model.transactions.values()].filter(
      ({ account }) => frame.accountId === undefined || `A${account}` === frame.accountId,
    );
    const some = this.#chance.shuffled(mine.slice(-200)).slice(0, this.#chance.pick([3, 20, 100, 200, 200]));
    return some.length > 0 ? some : [...this.#model.transactions.values()].slice(0, 5);
  }

  #repeated(drafts: readonly Draft[], frame: Frame, operations: readonly string[]): Draft | undefined {
    const candidates = this.#chance.percent(70)
      ? drafts
      : this.#earlier.filter(
          ({ fields }) =>
            (fields.merchant_id !== undefined) === (frame.merchantId === undefined) &&
            (frame.operation === undefined
              ? operations.includes(fields.operation ?? '')
              : fields.operation === undefined || fields.operation === frame.operation),
        );
    const draft = candidates[this.#chance.below(candidates.length || 1)];
    if (draft === undefined) return undefined;
    if (frame.operation !== undefined && draft.fields.operation === undefined && !drafts.includes(draft)) {
      return undefined;
    }
    return { ...draft, own: this.#own() };
  }

  /** A repeat of something executed before, mostly with a word that it is meant. */
  #meant(
    operations: readonly string[],
    frame: Frame,
    hot: readonly ModelTransaction[],
    style: Style,
  ): Draft | undefined {
    const chance = this.#chance;
    const executed = hot.flatMap((transaction) =>
      transaction.executed.flatMap((one) => [
        ...(operations.includes(one.operation) ? [{ transaction, one }] : []),
        // An account that captures at once has captured by itself: nobody has asked for that capture yet.
        ...(one.operation === 'review' && operations.includes('capture')
          ? [{ transaction, one: { ...one, operation: 'capture', moved: String(transaction.amount) } }]
          : []),
      ]),
    );
    if (executed.length === 0) return undefined;
    // Mostly there is enough left for it to be done once more.
    const possible = executed.filter(({ transaction, one }) => hasRoomFor(transaction, one));
    const { transaction, one } = chance.pick(possible.length > 0 && chance.percent(80) ? possible : executed);
    const { account, id, orderNo, currency, amount } = transaction;
    const said = (minor: bigint) => this.#amount(minor, currency, style);
    const amounts: Record<string, Record<string, string>> = {
      review: { amount: said(amount), review_flag: one.moved },
      refund: { amount: said(amount), refund_amount: said(BigInt(one.moved)) },
    };
    return {
      fields: {
        ...this.#placed(one.operation, frame, account),
        transaction_id: id,
        order_no: orderNo,
        currency,
        ...(amounts[one.operation] ?? { amount: said(BigInt(one.moved)) }),
        ...(one.reference === undefined || chance.percent(30) ? {} : { reference: one.reference }),
        // A first line that another batch has used up already is the interesting one.
        ...(chance.percent(15) ? {} : { repeat_of: one.repeatOf ?? `${one.batch.id}:${one.line}` }),
      },
      own: this.#own(),
      shape: 'whole',
    };
  }

  #line(operation: string, frame: Frame, hot: readonly ModelTransaction[], style: Style): Draft {
    return operation === 'payout' ? this.#payout(frame, style) : this.#entry(operation, frame, hot, style);
  }

  #entry(operation: string, frame: Frame, hot: readonly ModelTransaction[], style: Style): Draft {
    const chance = this.#chance;
    const transaction = this.#fitting(operation, hot);
    const { account, id, orderNo, currency, amount } = transaction;
    const fields: Record<string, string> = {
      ...this.#placed(operation, frame, account),
      transaction_id: chance.percent(4) ? this.#wrongId(id) : id,
      order_no: chance.percent(2) ? `${orderNo}x` : orderNo,
      currency: chance.percent(2) ? chance.pick(['USD', 'JPY', 'KWD']) : currency,
    };
    const said = (minor: bigint) => this.#amount(minor > 0n ? minor : 1n, fields.currency!, style);
    const open = left(transaction);
    const near = (figure: bigint) =>
      chance.pick([
        figure,
        figure,
        figure,
        figure + 1n,
        figure - 1n,
        figure / 2n,
        amount,
        1n,
        MAX,
        this.#executedAmount(transaction) ?? figure,
      ]);
    if (operation === 'capture') fields.amount = said(near(open));
    if (operation === 'cancel') fields.amount = said(chance.percent(70) ? open : near(open));
    if (operation === 'review' || operation === 'refund') {
      fields.amount = said(chance.percent(92) ? amount : near(amount));
    }
    if (operation === 'review') fields.review_flag = chance.pick(['0', '1', '1']);
    if (operation === 'refund') {
      fields.refund_amount = said(near(transaction.captured - transaction.refunded));
      if (chance.percent(30))
        fields.refund_reason = chance.pick(['returned', 'beschädigt;"x"', '=1+1', "it's"]);
    }
    if (chance.percent(25))
      fields.reference = chance.pick(['R1', 'R2', `R-${chance.below(50)}`, '-R', '1e5']);
    if (chance.percent(10)) fields.repeat_of = this.#earlierLine(transaction);
    return { fields, own: this.#own(), shape: 'whole' };
  }

  /** Mostly one whose state lets the operation do something. */
  #fitting(operation: string, hot: readonly ModelTransaction[]): ModelTransaction {
    const fits = (one: ModelTransaction) => {
      const state = this.#model.stateOf(one, this.#now);
      if (operation === 'refund') return one.captured > one.refunded;
      if (operation === 'review') return state === 'in_review';
      return state === 'authorised' || state === 'partially_captured';
    };
    const fitting = this.#chance.percent(85) ? hot.filter(fits) : hot;
    const some = fitting.length > 0 ? fitting : hot;
    // Mostly each in its turn: a file says one thing of most transactions.
    this.#turn += 1;
    return this.#chance.percent(70) ? some[this.#turn % some.length]! : this.#chance.pick(some);
  }

  #wrongId(id: string): string {
    const digits = /^0*([1-9][0-9]*)$/.exec(id)?.[1];
    if (digits !== undefined && this.#chance.percent(60)) {
      return digits.length > 15 ? digits.slice(0, 15).padEnd(digits.length, '0') : digits;
    }
    return this.#chance.pick(['T0', `${id}x`, id.toLowerCase(), '123', '1234567890123450']);
  }

  #executedAmount({ executed }: ModelTransaction): bigint | undefined {
    const amounts = executed.filter(({ operation }) => operation !== 'review');
    return amounts.length === 0 ? undefined : BigInt(this.#chance.pick(amounts).moved);
  }

  #earlierLine({ executed }: ModelTransaction): string {
    const chance = this.#chance;
    if (executed.length === 0 || chance.percent(15)) return chance.pick(['B0:2', 'x', ':']);
    const { batch, line } = chance.pick(executed);
    return `${batch.id}:${line}`;
  }

  /** What says where the line belongs, unless the file says it for all. */
  #placed(operation: string, frame: Frame, account: number): Record<string, string> {
    const fields: Record<string, string> = {};
    if (frame.operation === undefined) {
      fields.operation = this.#chance.percent(90) ? operation : ` ${operation.toUpperCase()}`;
    } else if (this.#chance.percent(20)) fields.operation = operation;
    if (frame.merchantId === undefined) fields.merchant_id = 'M1';
    if (frame.accountId === undefined) fields.account_id = `A${account}`;
    return fields;
  }

  #payout(frame: Frame, style: Style): Draft {
    const chance = this.#chance;
    const account =
      frame.accountId === undefined
        ? chance.between(1, this.#model.accounts.length)
        : Number(frame.accountId.slice(1));
    const source = chance.pick(['USD', 'USD', 'EUR', 'JPY', 'KWD']);
    const payment = chance.percent(60) ? source : chance.pick(['USD', 'EUR', 'JPY', 'KWD']);
    const balance = this.#model.books.get(`${account}/${source}/merchant`) ?? 0n;
    const amount = this.#payoutAmount(balance);
    const bank = 'beneficiary.bank_details.';
    const fields: Record<string, string> = {
      ...this.#placed('payout', frame, account),
      request_id: this.#requestId(),
      payment_method: chance.pick(['SWIFT', 'SEPA']),
      source_currency: source,
      payment_currency: payment,
      'beneficiary.entity_type': 'COMPANY',
      'beneficiary.company_name': chance.pick(['Example Ltd', 'Müller & Co.', '=Evil()']),
      [`${bank}iban`]: chance.percent(92) ? chance.pick(IBANS) : chance.pick(WRONG_IBANS),
    };
    const which = chance.below(10);
    if (which < 6) fields.source_amount = this.#amount(amount, source, style);
    if (which >= 6 && which < 9) fields.payment_amount = this.#amount(amount, payment, style);
    if (which === 9) {
      fields.source_amount = this.#amount(amount, source, style);
      fields.payment_amount = this.#amount(source === payment ? amount : amount + 1n, payment, style);
    }
    if (chance.percent(50)) fields.fee_paid_by = chance.pick(['PAYER', 'BENEFICIARY', 'SHARED']);
    if (chance.percent(30)) {
      fields.payment_date = chance.pick(['2026-11-01', '2026-11-20', '2026-11-25', '2026-12-24']);
    }
    if (chance.percent(20)) fields[`${bank}swift_code`] = chance.percent(80) ? BICS[0]! : WRONG_BICS[0]!;
    if (chance.percent(20)) fields.reference = chance.pick(['invoice 1', 'invoice 2']);
    return { fields, own: this.#own(), shape: 'whole' };
  }

  #payoutAmount(balance: bigint): bigint {
    const wanted = this.#chance.pick([
      1n,
      7n,
      25n,
      1000n,
      balance,
      balance + 1n,
      balance / 2n,
      balance / 10n,
      MAX,
    ]);
    return wanted <= 0n ? 5n : wanted > MAX ? MAX : wanted;
  }

  #requestId(): string {
    if (this.#requests > 0 && this.#chance.percent(10)) return `P${this.#chance.between(1, this.#requests)}`;
    this.#requests += 1;
    return `P${this.#requests}`;
  }

  #own(): string {
    return this.#chance.pick([
      '',
      '',
      'x',
      'zwei\nZeilen',
      'a;b,c|d\te',
      '"',
      '=1+1',
      "'quoted",
      ' ',
      'Ünï😀',
      'CR\rLF',
    ]);
  }

  /** One of the ways to write an amount in the style. */
  #amount(minor: bigint, currency: string, { decimal, thousands }: Style): string {
    const chance = this.#chance;
    const digits = DIGITS[currency] ?? 2;
    const text = String(minor).padStart(digits + 1, '0');
    let whole = digits === 0 ? text : text.slice(0, -digits);
    let fraction = digits === 0 ? '' : text.slice(-digits);
    if (chance.percent(40)) fraction = fraction.replace(/0+$/, '');
    const mark = { none: '', dot: '.', comma: ',', space: ' ' }[thousands];
    if (mark !== '' && chance.percent(60)) whole = whole.replace(/\B(?=(\d{3})+$)/g, mark);
    else if (chance.percent(5)) whole = `00${whole}`;
    return fraction === '' ? whole : whole + (decimal === 'dot' ? '.' : ',') + fraction;
  }

  /** The line with one fault that makes it invalid. */
  #spoilt(draft: Draft, style: Style): Draft {
    const chance = this.#chance;
    const fields = { ...draft.fields };
    const isPayout = fields.request_id !== undefined;
    const amounts = ['amount', 'refund_amount', 'source_amount', 'payment_amount'].filter(
      (name) => fields[name],
    );
    const id = isPayout ? 'request_id' : 'transaction_id';
    switch (chance.below(isPayout ? 9 : 11)) {
      case 0:
        delete fields[id];
        break;
      case 1:
        fields[id] = 'x'.repeat(65);
        break;
      case 2:
        fields[id] = chance.pick(['1.23E+15', '=A1']);
        break;
      case 3:
      case 4:
        fields[chance.pick(amounts)] = chance.pick([
          ...['0', '0.00', '-1', '+1', '1e2', '0x1A', ' 1', '１.００', 'NaN', 'abc', '.5', '5.', '1..2'],
          ...[style.decimal === 'dot' ? '1,5' : '1.5', '9999999999999999', '1'.repeat(41), '0.00001'],
        ]);
        break;
      case 5:
        fields[isPayout ? 'source_currency' : 'currency'] = chance.pick(['XXX', 'usd', 'EURO', 'DEM']);
        break;
      case 6:
        if (fields.account_id === undefined) delete fields[chance.pick(amounts)];
        else fields.account_id = 'A99';
        break;
      case 7:
        fields[isPayout ? 'fee_paid_by' : 'reference'] = isPayout ? 'NOBODY' : 'y'.repeat(65);
        break;
      case 8:
        return { ...draft, shape: chance.pick(['short', 'long']) };
      case 9:
        delete fields.order_no;
        break;
      default:
        if (fields.review_flag === undefined) fields.review_flag = '1';
        else fields.review_flag = '2';
    }
    return { ...draft, fields };
  }
}

/** Whether the same could be done again. */
function hasRoomFor(
  transaction: ModelTransaction,
  { operation, moved }: { readonly operation: string; readonly moved: string },
): boolean {
  if (operation === 'capture') return left(transaction) >= BigInt(moved);
  return operation === 'refund' && transaction.captured - transaction.refunded >= BigInt(moved);
}
