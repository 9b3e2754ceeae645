/** A random file for a remote gateway, and how each of its lines can be told from the others in the ledger over there. */
import type { State } from '../../src/core/state.ts';
import type { Chance } from '../support/chance.ts';
import type { Given } from '../support/ledger.ts';

const KINDS = ['capture', 'cancel', 'review', 'refund'] as const;

type Fields = Readonly<Record<string, string>>;

export interface Line {
  readonly fields: Fields;
  /** Equal for lines that would do the same, and for what they do in the ledger: account, subject, kind, minor units. */
  readonly effect: string;
}

export interface RemoteFile {
  readonly lines: readonly Line[];
  /** What the gateway has before. */
  readonly given: readonly Given[];
}

/** Of every transaction: several small captures and refunds have room in it. */
const AMOUNT = 100_000;

const FITTING: Readonly<Record<(typeof KINDS)[number], State>> = {
  capture: 'authorised',
  cancel: 'authorised',
  review: 'in_review',
  refund: 'captured',
};

/** A payout is a request, so that a hundred of them take a hundred deadlines. */
const MOST_PAYOUTS = 12;

export function effectOf(account: number, subject: string, kind: string, minor: number): string {
  return `A${account} ${subject} ${kind} ${minor}`;
}

const money = (minor: number) => (minor / 100).toFixed(2);

/** @param name in every id, and in those of no other file */
export function randomFile(chance: Chance, name: string): RemoteFile {
  const most = chance.pick([1, 4, 12, 40, 160]);
  const count = chance.between(Math.ceil(most / 4), most);
  const one = chance.pick([
    'capture',
    'capture',
    'refund',
    'cancel',
    'review',
    'payout',
    'mixed',
    'mixed',
    'mixed',
  ]);
  const file = new Drafting(chance, name);
  for (let at = 0; at < count; at += 1) file.add(one, at);
  return { lines: file.lines, given: file.given };
}

class Drafting {
  readonly lines: Line[] = [];
  readonly given: Given[];
  readonly #chance: Chance;
  readonly #name: string;
  readonly #transactions: { readonly id: string; readonly account: number }[] = [];
  #payouts = 0;
  #spoilt = 0;

  constructor(chance: Chance, name: string) {
    this.#chance = chance;
    this.#name = name;
    // What payouts are paid from.
    this.given = [1, 2].map((account) => ({
      id: `${name}-balance`,
      account,
      state: 'captured',
      currency: 'EUR',
      amount: 1_000_000,
    }));
  }

  add(operation: string, at: number): void {
    const chance = this.#chance;
    const wanted = operation === 'mixed' ? chance.pick([...KINDS, ...KINDS, 'payout' as const]) : operation;
    const readable = this.lines.filter(({ fields }) => fields.amount !== 'x');
    if (readable.length > 0 && chance.percent(6)) this.lines.push(this.#repeat(chance.pick(readable)));
    else if (wanted !== 'payout') this.lines.push(this.#entry(wanted as (typeof KINDS)[number], at));
    else if (this.#payouts < MOST_PAYOUTS) this.lines.push(this.#payout(at));
  }

  /** Once more, exactly or under another reference. */
  #repeat({ fields, effect }: Line): Line {
    const reference = fields.reference === undefined ? undefined : this.#chance.pick(['R1', 'R2']);
    return { fields: { ...fields, ...(reference === undefined ? {} : { reference }) }, effect };
  }

  #entry(operation: (typeof KINDS)[number], at: number): Line {
    const chance = this.#chance;
    const { id, account } = this.#transactionFor(operation);
    const isWhole = operation === 'review' || operation === 'cancel' || chance.percent(40);
    // Unlike all others on the transaction.
    const moved = chance.percent(3) ? AMOUNT + 1 + at : isWhole ? AMOUNT : 100 + at;
    const flag = chance.percent(70) ? '1' : '0';
    const kind = operation !== 'review' ? operation : flag === '1' ? 'review_accepted' : 'review_rejected';
    const isUnknown = chance.percent(2);
    const subject = isUnknown ? `${id}-nowhere` : id;
    const fields: Record<string, string> = {
      operation,
      merchant_id: 'M1',
      account_id: `A${account}`,
      transaction_id: subject,
      order_no: chance.percent(2) ? 'O-other' : `O-${id}`,
      currency: chance.percent(2) ? 'EUR' : 'USD',
      amount: money(operation === 'refund' ? AMOUNT : moved),
      ...(operation === 'refund' ? { refund_amount: money(moved) } : {}),
      ...(operation === 'review' ? { review_flag: flag } : {}),
      ...(chance.percent(15) ? { reference: chance.pick(['R1', 'R2', 'R3']) } : {}),
    };
    // Fewer than one in ten: otherwise the file would not be read at all.
    if (chance.percent(4) && at > 11 * (this.#spoilt + 1)) {
      this.#spoilt += 1;
      fields.amount = 'x';
    }
    return { fields, effect: effectOf(account, subject, kind, moved) };
  }

  #transactionFor(operation: (typeof KINDS)[number]) {
    const chance = this.#chance;
    if (this.#transactions.length > 0 && chance.percent(35)) return chance.pick(this.#transactions);
    const account = chance.percent(75) ? 1 : 2;
    const id = `${this.#name}-T${this.#transactions.length + 1}`;
    const state = chance.percent(92) ? FITTING[operation] : chance.pick(Object.values(FITTING));
    const transaction = { id, account };
    this.#transactions.push(transaction);
    this.given.push({ id, account, state, amount: AMOUNT });
    return transaction;
  }

  #payout(at: number): Line {
    const chance = this.#chance;
    this.#payouts += 1;
    const account = chance.percent(75) ? 1 : 2;
    const id = `${this.#name}-P${this.#payouts}`;
    const minor = chance.percent(10) ? 900_000_000 + at : 100 + at;
    const fields = {
      operation: 'payout',
      merchant_id: 'M1',
      account_id: `A${account}`,
      request_id: id,
      payment_method: 'SEPA',
      source_currency: 'EUR',
      payment_currency: 'EUR',
      source_amount: money(minor),
      'beneficiary.entity_type': 'COMPANY',
      'beneficiary.company_name': 'Acme',
      'beneficiary.bank_details.iban': chance.percent(5)
        ? 'DE00370400440532013000'
        : 'DE89370400440532013000',
      ...(chance.percent(10) ? { payment_date: '2026-12-01' } : {}),
    };
    return { fields, effect: effectOf(account, id, 'payout', minor) };
  }
}

/** As a CSV file. */
export function written(lines: readonly Line[]): string {
  const names = [...new Set(lines.flatMap(({ fields }) => Object.keys(fields)))];
  const rows = lines.map(({ fields }) => names.map((name) => fields[name] ?? '').join(','));
  return `${[names.join(','), ...rows].join('\n')}\n`;
}
