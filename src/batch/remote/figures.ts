/**
 * What a query does not show. It tells a transaction's state and amount, but not how much of it was captured or given back.
 * So two transactions stand for one: with the least, and with the most that may have been captured. Each instruction is
 * decided on what suits it best, so that nothing is foreseen as refused that may succeed:
 *
 * | state              | assumed                                                                  |
 * | ------------------ | ------------------------------------------------------------------------ |
 * | partially_captured | captured: anything from one minor unit to all but one; refunded: nothing |
 * | captured           | captured: all of it; refunded: nothing                                   |
 * | partially_refunded | captured: all of it; refunded: one minor unit                            |
 * | refunded           | captured and refunded: all of it                                         |
 * | cancelled          | cancelled: all of it                                                     |
 * | any other          | nothing captured, refunded or cancelled                                  |
 *
 * An accepted review captures at some gateways and not at others, so after one nothing or all of it may be captured.
 * Whether an authorisation has expired is what the gateway says: its state is believed, and no lifetime is counted.
 */
import type { Reason } from '../../core/code.ts';
import type { Entry } from '../../core/gateway.ts';
import type { EntryOperation } from '../../core/operation.ts';
import type { QueriedTransaction } from '../../core/query.ts';
import {
  type AccountRules,
  applyTransfer,
  decide,
  type PlannedTransfer,
  type Transaction,
} from '../../core/transaction.ts';

/** One transaction, as it may be. */
export interface Figures {
  readonly least: Transaction;
  readonly most: Transaction;
}

/** The figures that fit what a query has told. */
export function figuresOf(queried: QueriedTransaction): Figures {
  const { transactionId, orderNo, currency, amount, state } = queried;
  const untouched: Transaction = {
    transactionId,
    orderNo,
    currency,
    amount,
    standing: state,
    captured: 0,
    refunded: 0,
    cancelled: 0,
    expired: 0,
    review: undefined,
    authorisedAt: NOW,
  };
  switch (state) {
    case 'partially_captured':
      return { least: { ...untouched, captured: 1 }, most: { ...untouched, captured: amount - 1 } };
    case 'captured':
      return exactly({ ...untouched, captured: amount });
    case 'partially_refunded':
      return exactly({ ...untouched, captured: amount, refunded: 1 });
    case 'refunded':
      return exactly({ ...untouched, captured: amount, refunded: amount });
    case 'cancelled':
      return exactly({ ...untouched, cancelled: amount });
    default:
      return exactly(untouched);
  }
}

/**
 * Foresees one instruction.
 * @returns the figures after it, or the reason why it would be refused whatever they are
 */
export function foreseeEntry(operation: EntryOperation, entry: Entry, figures: Figures): Figures | Reason {
  const suited = SUITED[operation](entry, figures);
  const decided = decide(operation, entry, suited, NOW, RULES);
  return 'code' in decided ? decided : AFTER[operation](entry, figures, suited, decided);
}

/** Nothing is decided by the time: the gateway's states say what has expired. */
const NOW = 0;
const RULES: AccountRules = { capture: 'manual', lifetime: Number.POSITIVE_INFINITY };

/** The transaction, among those that it may be, on which an instruction is the likeliest to succeed. */
const SUITED: Readonly<Record<EntryOperation, (entry: Entry, figures: Figures) => Transaction>> = {
  capture: (_, { least }) => least,
  refund: (_, { most }) => most,
  review: (_, { least }) => least,
  // It succeeds with exactly what is not captured.
  cancel({ amount }, { least, most }) {
    const captured = least.amount - least.cancelled - amount;
    return { ...least, captured: Math.min(Math.max(captured, least.captured), most.captured) };
  },
};

type After = (
  entry: Entry,
  figures: Figures,
  suited: Transaction,
  transfers: readonly PlannedTransfer[],
) => Figures;

/** What a transaction may be once an instruction has succeeded, which itself tells something of what it was. */
const AFTER: Readonly<Record<EntryOperation, After>> = {
  capture(_, { least, most }, __, transfers) {
    const after = applied(most, transfers);
    const captured = Math.min(after.captured, after.amount - after.cancelled);
    return { least: applied(least, transfers), most: { ...after, captured } };
  },
  refund(_, { least, most }, __, transfers) {
    const after = applied(least, transfers);
    const captured = Math.max(after.captured, after.refunded);
    return { least: { ...after, captured }, most: applied(most, transfers) };
  },
  cancel: (_, __, suited, transfers) => exactly(applied(suited, transfers)),
  review({ reviewFlag }, { least }, __, transfers) {
    const after = applied(least, transfers);
    return { least: after, most: reviewFlag === 1 ? { ...after, captured: after.amount } : after };
  },
};

function applied(transaction: Transaction, transfers: readonly PlannedTransfer[]): Transaction {
  return transfers.reduce(
    (before, { kind, amount }) => applyTransfer(before, kind, amount, NOW),
    transaction,
  );
}

function exactly(transaction: Transaction): Figures {
  return { least: transaction, most: transaction };
}
