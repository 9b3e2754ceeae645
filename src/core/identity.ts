/**
 * When two instructions are the same one. Identity is account, operation, transaction and the money moved; text, own
 * columns and the way an amount is written never count. Contract, "Identity".
 */
import type { Entry, Origin } from './gateway.ts';
import type { EntryOperation } from './operation.ts';
import type { TransferKind } from './transfer.ts';

/** A line that was executed, as the ledger remembers it beside its transaction. */
export interface Executed {
  readonly kind: TransferKind;
  readonly amount: number;
  readonly batchNumber: number;
  readonly line: number;
  readonly reference: string | undefined;
  /** `batch:line` of the first line, when a person said that this repeat is meant. */
  readonly repeatOf: string | undefined;
}

/** What a request outside files did under a reference of the sender's. */
export interface Requested {
  readonly kind: TransferKind;
  readonly amount: number;
  readonly reference: string;
  /** Place among the transfers of its transaction, from 1. */
  readonly place: number;
}

export type IdentityVerdict =
  /** `repeated`: it repeats a line, and is meant to. */
  | { readonly is: 'new'; readonly repeated?: Executed }
  /** This very line was executed before. */
  | { readonly is: 'again'; readonly first: Executed }
  | { readonly is: 'repeat'; readonly first: Executed }
  /** The same reference, transaction and operation, but another amount. */
  | { readonly is: 'contradiction'; readonly first: Executed };

const NEW = { is: 'new' } as const;

/** The kind of transfer by which an instruction would be remembered. */
export function kindOf(operation: EntryOperation, entry: Entry): TransferKind {
  return operation === 'review'
    ? entry.reviewFlag === 1
      ? 'review_accepted'
      : 'review_rejected'
    : operation;
}

function operationOf(kind: TransferKind): string {
  return kind === 'review_accepted' || kind === 'review_rejected' ? 'review' : kind;
}

/** Money moved, in minor units; a review moves what its transaction has, and its flag is in the kind. */
function movedBy(operation: EntryOperation, entry: Entry): number | undefined {
  return operation === 'review' ? undefined : (entry.refundAmount ?? entry.amount);
}

/**
 * Compares an instruction with the lines executed before on the same transaction.
 * @param executed those lines, in the order of the ledger
 * @param nameOf `batch:line` as the sender writes it
 */
export function identify(
  operation: EntryOperation,
  entry: Entry,
  origin: Origin,
  executed: readonly Executed[],
  nameOf: (line: Executed) => string,
): IdentityVerdict {
  if (executed.length === 0) return NEW;
  const instructed = executed.filter((other) => !followsReview(other, executed));
  const kind = kindOf(operation, entry);
  const moved = movedBy(operation, entry);
  const isSame = (other: Executed) => other.kind === kind && (moved === undefined || other.amount === moved);
  const sharesReference = (other: Executed) =>
    entry.reference !== undefined && other.reference === entry.reference;
  const contradicting = instructed.find(
    (other) => operationOf(other.kind) === operation && sharesReference(other) && !isSame(other),
  );
  if (contradicting !== undefined) return { is: 'contradiction', first: contradicting };
  const repeated = instructed.filter(
    (other) =>
      isSame(other) &&
      (entry.reference === undefined || other.reference === undefined || sharesReference(other)),
  );
  const own = repeated.find((other) => isOwn(other, entry, origin));
  if (own !== undefined) return { is: 'again', first: own };
  if (!isMeant(entry, origin, repeated, nameOf)) return { is: 'repeat', first: repeated[0]! };
  return repeated.length === 0 ? NEW : { is: 'new', repeated: repeated[0]! };
}

/** What a reference that a request outside files carries says of it. */
export type ReferenceVerdict =
  | { readonly is: 'new' }
  /** The same content under the same reference: what was done then. */
  | { readonly is: 'again'; readonly done: readonly Requested[] }
  | { readonly is: 'other content' };

/**
 * Compares an entry with what requests did under its reference on the same transaction.
 * @param requested in the order of the ledger
 */
export function recall(
  operation: EntryOperation,
  entry: Entry,
  requested: readonly Requested[],
): ReferenceVerdict {
  if (entry.reference === undefined) return NEW;
  const mine = requested.filter(({ reference }) => reference === entry.reference);
  const first = mine.find(
    ({ kind }, index) => operationOf(kind) === operation && !isConsequence(mine, index),
  );
  if (first === undefined) return NEW;
  const moved = movedBy(operation, entry);
  const isSame = first.kind === kindOf(operation, entry) && (moved === undefined || first.amount === moved);
  if (!isSame) return { is: 'other content' };
  const next = mine.indexOf(first) + 1;
  return { is: 'again', done: isConsequence(mine, next) ? [first, mine[next]!] : [first] };
}

/** The capture of an account that captures at once: it stands right after the accepted review. */
function isConsequence(mine: readonly Requested[], index: number): boolean {
  const [before, one] = [mine[index - 1], mine[index]];
  return before?.kind === 'review_accepted' && one?.kind === 'capture' && one.place === before.place + 1;
}

/** A line that was executed itself is never executed again, whatever was said about repeats of it. */
function isOwn({ batchNumber, line }: Executed, entry: Entry, origin: Origin): boolean {
  return batchNumber === origin.batchNumber && line === entry.line;
}

/** Where an account captures at once, an accepted review captures too: that is no capture that anybody instructed. */
function followsReview(other: Executed, executed: readonly Executed[]): boolean {
  return (
    other.kind === 'capture' &&
    executed.some(
      ({ kind, batchNumber, line }) =>
        kind === 'review_accepted' && batchNumber === other.batchNumber && line === other.line,
    )
  );
}

/** Whether somebody has said that the repeat is meant, or there is nothing that it repeats. */
function isMeant(
  entry: Entry,
  origin: Origin,
  repeated: readonly Executed[],
  nameOf: (line: Executed) => string,
): boolean {
  if (origin.repeats === 'release') return true;
  const counted =
    origin.repeats === 'allow'
      ? repeated.filter((other) => other.batchNumber !== origin.batchNumber)
      : repeated;
  if (counted.length === 0) return true;
  if (entry.repeatOf === undefined || !counted.some((other) => nameOf(other) === entry.repeatOf))
    return false;
  // One batch may use a first line for several repeats; a second batch would pay them again.
  return !counted.some(
    (other) => other.repeatOf === entry.repeatOf && other.batchNumber !== origin.batchNumber,
  );
}
