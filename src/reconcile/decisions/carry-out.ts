/** Carrying out orders on breaks: all of them in one transaction, with an act for each in the audit, or none. */
import { type Act, appendActs } from '../../ledger/audit.ts';
import { putBreaks } from '../../ledger/breaks.ts';
import type { Statements } from '../../ledger/database.ts';
import type { Decision } from '../decide.ts';
import { type Acting, type AllBooks, booksIn } from './books.ts';
import { type AccountBreak, BLOCK, listed, listedBlocks } from './find.ts';
import { type Judgement, judge, type Made, type Order } from './orders.ts';
import { asSeen } from './seen.ts';

/** What somebody has said to it: nothing yet, so that it is only shown; do it; or do what was shown under this digest. */
export type Consent = 'look' | 'do it' | { readonly digest: string };

export interface Carried extends Judgement {
  /** `changed`: what was consented to is not what would be done now. Only after `done` anything is different. */
  readonly is: 'shown' | 'done' | 'nothing to do' | 'refused' | 'changed';
  /** The first of those that change, as they are when this ends. */
  readonly first: readonly AccountBreak[];
}

/** Where orders come from. */
export interface Orders {
  /** Asked within the transaction in which they are carried out. */
  readonly make: (statements: Pick<Statements, 'all' | 'json'>, all: AllBooks) => Promise<readonly Order[]>;
  /** What stands beside every act in the audit. @param digest of all of them */
  readonly origin: (order: Order, digest: string) => object;
  /** An act about all of them, where there is one. */
  readonly whole?: (judgement: Judgement) => Pick<Act, 'act' | 'subject'> & { readonly detail: object };
}

/** So many are shown. */
export const FIRST = 10;

export function carryOut(acting: Acting, orders: Orders, consent: Consent): Promise<Carried> {
  const { database } = acting;
  return consent === 'look'
    ? attempt(database.reads, acting, orders, consent)
    : database.write((statements) => attempt(statements, acting, orders, consent, statements));
}

async function attempt(
  reads: Pick<Statements, 'all' | 'json'>,
  acting: Acting,
  orders: Orders,
  consent: Consent,
  writing?: Statements,
): Promise<Carried> {
  const all = await booksIn(reads, acting);
  const { make, ...judgement } = await judge(reads, all, await orders.make(reads, all));
  const { due, refused, digest } = judgement;
  const end = async (is: Carried['is']): Promise<Carried> => ({
    ...judgement,
    is,
    first: await firstOf(reads, all, due),
  });
  if (refused.length > 0) return end('refused');
  if (due.length === 0) return end('nothing to do');
  if (typeof consent === 'object' && consent.digest.toUpperCase() !== digest) return end('changed');
  if (writing === undefined) return end('shown');
  const at = acting.clock();
  const act = (name: string, subject: string, detail: object): Act => ({
    at,
    who: acting.actor,
    act: name,
    subject,
    detail: JSON.stringify(detail),
  });
  if (orders.whole !== undefined) {
    const whole = orders.whole(judgement);
    await appendActs(writing, [act(whole.act, whole.subject, whole.detail)]);
  }
  for (let from = 0; from < due.length; from += BLOCK) {
    const made = await make(writing, due.slice(from, from + BLOCK));
    await putAll(writing, made);
    const acts = made.flatMap(({ order, before, decisions }) =>
      decisions.map((decision) => {
        const detail = { ...particulars(decision, before, all), ...orders.origin(order, digest) };
        return act(`break.${decision.is}`, before.id, detail);
      }),
    );
    await appendActs(writing, acts);
  }
  return end('done');
}

async function putAll(statements: Statements, made: readonly Made[]): Promise<void> {
  const changed = made.filter(({ before, after }) => after !== before);
  for (const number of new Set(changed.map(({ before }) => before.reconciliation))) {
    const own = changed.filter(({ before }) => before.reconciliation === number);
    await putBreaks(
      statements,
      number,
      own.map(({ after }) => after),
    );
  }
}

/** What the audit keeps of a decision: also the figures that somebody's word was said of. */
function particulars(decision: Decision, before: Made['before'], all: AllBooks): object {
  switch (decision.is) {
    case 'assign':
      return { to: decision.to, from: before.assignee };
    case 'comment':
      return { text: decision.text };
    case 'resolve':
    case 'reopen': {
      const { kind, reference, currency, merchant, account } = listed(before, all);
      const { state, ledger, statement } = asSeen(before);
      const of = { merchant, account, kind, reference, currency, ledger, statement };
      return { reason: decision.reason, was: state, of };
    }
  }
}

async function firstOf(
  statements: Pick<Statements, 'json'>,
  all: AllBooks,
  due: readonly Order[],
): Promise<readonly AccountBreak[]> {
  const ids = due.slice(0, FIRST).map(({ id }) => id);
  for await (const block of listedBlocks(statements, all, ids)) return block;
  return [];
}
