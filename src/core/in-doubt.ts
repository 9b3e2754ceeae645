/**
 * What states before and after say of an instruction that nobody knows the end of. Pure, and careful: only a change that
 * the instruction alone can explain proves that it happened, and only a state in which nothing like it can have happened
 * proves that it did not. Everything else stays unknown. Contract, "Identity"; faults, invariant 8.
 */
import type { Entry } from './gateway.ts';
import type { EntryOperation } from './operation.ts';
import type { State } from './state.ts';

/** Two looks at a transaction: before the instruction was sent, and now. Amounts in minor units. */
export interface Looks {
  readonly before: State | undefined;
  readonly now: State;
  /** Of the whole transaction. */
  readonly amount: number;
  /** So long after sending that what has not happened by now never will. */
  readonly isSettled: boolean;
}

/** @returns undefined when nothing is proved */
export function judgeInDoubt(
  operation: EntryOperation,
  entry: Entry,
  looks: Looks,
): 'happened' | 'did not happen' | undefined {
  const verdict = looks.before === undefined ? undefined : EXPLAINS[operation](entry, looks);
  if (verdict !== undefined) return verdict;
  return looks.isSettled && UNTOUCHED[operation].has(looks.now) ? 'did not happen' : undefined;
}

type Explain = (entry: Entry, looks: Looks) => 'happened' | 'did not happen' | undefined;

/** What a change from a state before to the state now proves. */
const EXPLAINS: Readonly<Record<EntryOperation, Explain>> = {
  // Of a smaller capture than the whole, more than a part would be somebody else's, too.
  capture: ({ amount }, { before, now, amount: whole }) =>
    before === 'authorised' && now === (amount === whole ? 'captured' : 'partially_captured')
      ? 'happened'
      : undefined,
  cancel: (_, { before, now }) => (before === 'authorised' && now === 'cancelled' ? 'happened' : undefined),
  refund: ({ refundAmount }, { before, now, amount: whole }) =>
    before === 'captured' && now === (refundAmount === whole ? 'refunded' : 'partially_refunded')
      ? 'happened'
      : undefined,
  // A review is decided once: where it came out the other way, it was not this line's.
  review: ({ reviewFlag }, { before, now }) => {
    if (before !== 'in_review') return undefined;
    if (now === 'rejected') return reviewFlag === 0 ? 'happened' : 'did not happen';
    if (!ACCEPTED.has(now)) return undefined;
    return reviewFlag === 1 ? 'happened' : 'did not happen';
  },
};

const ACCEPTED: ReadonlySet<State> = new Set(['authorised', 'partially_captured', 'captured']);

/** States in which nothing of the kind has ever happened to a transaction. */
const UNTOUCHED: Readonly<Record<EntryOperation, ReadonlySet<State>>> = {
  capture: new Set(['authorised', 'in_review']),
  cancel: new Set(['authorised', 'in_review']),
  // A partial capture shows the same state whatever was refunded of it.
  refund: new Set(['authorised', 'in_review', 'captured']),
  review: new Set(['in_review']),
};
