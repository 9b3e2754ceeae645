/** Orders of people on breaks, judged all together before anything is done: one that cannot be carried out stops all. */
import { createHash } from 'node:crypto';
import { type Break, differenceOf } from '../../core/break.ts';
import { dayOf } from '../../core/calendar.ts';
import type { AuditRow } from '../../ledger/audit.ts';
import { actsOnBreaks, breaksNamed, type StoredBreak } from '../../ledger/breaks.ts';
import type { Statements } from '../../ledger/database.ts';
import {
  asksForPast,
  type BreakRefusal,
  DECISION_KINDS,
  type Decision,
  type DecisionKind,
  decided,
  type PastAct,
} from '../decide.ts';
import type { AllBooks } from './books.ts';
import { BLOCK } from './find.ts';
import { asSeen, changedSince, type Seen, seenText } from './seen.ts';

/** What is to be done with one break. */
export interface Order {
  readonly id: string;
  readonly decisions: readonly Decision[];
  /** Its line, where it stands in a file. */
  readonly line?: number | undefined;
  /** What whoever ordered it saw of the break; undefined where it is as it is now. */
  readonly seen?: Seen | undefined;
}

/** An order that cannot be carried out, and the column that says why where it stands in a file. */
export interface RefusedOrder extends BreakRefusal {
  readonly order: Order;
  readonly column: string;
}

export interface Judgement {
  /** Those that change something, in the order in which they came. */
  readonly due: readonly Order[];
  /** How many stand already. */
  readonly unchanged: number;
  readonly refused: readonly RefusedOrder[];
  /** Breaks by what becomes of them. */
  readonly counts: Readonly<Record<DecisionKind, number>>;
  /** What the statements of the breaks in `due` say less what the ledger says, in minor units by currency. */
  readonly net: ReadonlyMap<string, bigint>;
  /** Binds a later consent to what was seen: which breaks, what they are, and what is to be done with them. */
  readonly digest: string;
}

type Reads = Pick<Statements, 'all' | 'json'>;

/** Of acts on breaks, by break. */
type Past = ReadonlyMap<string, readonly AuditRow[]>;

/** A break as an order makes it, and what of the order changes it. */
export interface Made {
  readonly order: Order;
  readonly before: StoredBreak;
  readonly after: Break;
  readonly decisions: readonly Decision[];
}

export interface Judged extends Judgement {
  /** What these of the due orders make of their breaks. */
  readonly make: (statements: Reads, orders: readonly Order[]) => Promise<readonly Made[]>;
}

/** Reads breaks a block at a time, and their past at most once. */
export async function judge(statements: Reads, all: AllBooks, orders: readonly Order[]): Promise<Judged> {
  const past = await pastOf(statements, orders);
  const tally = new Tally();
  for (let from = 0; from < orders.length; from += BLOCK) {
    const block = orders.slice(from, from + BLOCK);
    const breaks = await named(statements, block);
    for (const order of block) {
      const one = breaks.get(order.id);
      tally.add(order, one, one === undefined ? unknown(order) : effectOf(one, order, past, all));
    }
  }
  const make: Judged['make'] = async (within, due) => {
    const breaks = await named(within, due);
    return due.flatMap((order) => {
      const before = breaks.get(order.id)!;
      const effect = effectOf(before, order, past, all);
      return effect !== 'unchanged' && 'after' in effect ? [{ order, before, ...effect }] : [];
    });
  };
  return { ...tally.judgement(), make };
}

async function pastOf(statements: Reads, orders: readonly Order[]): Promise<Past> {
  const asking: string[] = [];
  for (let from = 0; from < orders.length; from += BLOCK) {
    const block = orders.slice(from, from + BLOCK);
    const breaks = await named(statements, block);
    for (const { id, decisions } of block) {
      const one = breaks.get(id);
      if (one !== undefined && decisions.some((decision) => asksForPast(one, decision))) asking.push(id);
    }
  }
  return asking.length === 0 ? new Map() : actsOnBreaks(statements, asking);
}

async function named(statements: Reads, orders: readonly Order[]): Promise<ReadonlyMap<string, StoredBreak>> {
  const breaks = await breaksNamed(
    statements,
    orders.map(({ id }) => id),
  );
  return new Map(breaks.map((one) => [one.id, one]));
}

type Effect = Pick<Made, 'after' | 'decisions'> | 'unchanged' | RefusedOrder;

function effectOf(one: StoredBreak, order: Order, past: Past, all: AllBooks): Effect {
  const { today, account } = all.get(one.reconciliation)!;
  const acts = (past.get(one.id) ?? []).map((row) => pastAct(row, account.settings.time_zone));
  const decisions: Decision[] = [];
  let after: Break = one;
  let refusal: RefusedOrder | undefined;
  for (const decision of order.decisions) {
    const effect = decided(after, decision, acts, today);
    if (effect === 'unchanged') continue;
    if ('refusal' in effect) refusal ??= { order, column: 'decision', ...effect };
    else {
      after = effect.after;
      decisions.push(decision);
    }
  }
  if (refusal === undefined && decisions.length === 0) return 'unchanged';
  return staleness(one, order) ?? refusal ?? { after, decisions };
}

function pastAct({ act, who, at, detail }: AuditRow, timeZone: string): PastAct {
  const { reason, text } = JSON.parse(detail) as { readonly reason?: string; readonly text?: string };
  const is = act.slice('break.'.length) as DecisionKind;
  return { is, who, day: dayOf(at, timeZone), said: reason ?? text ?? '' };
}

/** What was seen is not any more what it was. */
function staleness(one: StoredBreak, order: Order): RefusedOrder | undefined {
  const { seen } = order;
  const column = seen === undefined ? undefined : changedSince(one, seen);
  if (seen === undefined || column === undefined) return undefined;
  return {
    order,
    column,
    refusal: `it has changed since: the row says ${seenText(seen)}; now it is ${seenText(asSeen(one))}`,
    hint: 'Look at it again: batchgate break list --csv FILE writes the breaks as they are now.',
  };
}

function unknown(order: Order): RefusedOrder {
  return { order, column: 'id', refusal: 'there is no such break', hint: 'See: batchgate break list' };
}

/** What is said of all orders together. */
class Tally {
  readonly #due: Order[] = [];
  readonly #refused: RefusedOrder[] = [];
  readonly #net = new Map<string, bigint>();
  readonly #bound: string[] = [];
  readonly #counts = Object.fromEntries(DECISION_KINDS.map((kind) => [kind, 0])) as Record<
    DecisionKind,
    number
  >;
  #unchanged = 0;

  add(order: Order, one: StoredBreak | undefined, effect: Effect): void {
    if (effect === 'unchanged') this.#unchanged += 1;
    else if ('refusal' in effect) this.#refused.push(effect);
    else {
      this.#due.push(order);
      for (const { is } of effect.decisions) this.#counts[is] += 1;
      for (const [currency, amount] of amountsOf(one!))
        this.#net.set(currency, (this.#net.get(currency) ?? 0n) + amount);
      this.#bound.push(JSON.stringify([order.id, asSeen(one!), effect.decisions]));
    }
  }

  judgement(): Judgement {
    const digest = createHash('sha256').update(this.#bound.sort().join('\n')).digest('hex');
    return {
      due: this.#due,
      unchanged: this.#unchanged,
      refused: this.#refused,
      counts: this.#counts,
      net: this.#net,
      digest: digest.slice(0, DIGEST_LENGTH).toUpperCase(),
    };
  }
}

/** Enough that a set that has changed does not pass for the one that was seen; nobody gains by making one that does. */
const DIGEST_LENGTH = 6;

/** Statement less ledger; between two currencies, each amount in its own. */
function amountsOf(one: Break): readonly (readonly [currency: string, amount: bigint])[] {
  if (one.currency === null) return [];
  const difference = differenceOf(one);
  if (difference !== null) return [[one.currency, difference]];
  return [
    [one.currency, -(one.ledger ?? 0n)],
    [one.statementCurrency ?? one.currency, one.statement ?? 0n],
  ];
}
