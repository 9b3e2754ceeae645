/** Capture, cancel, review and refund: each entry decided on its transaction as it stands by now. */
import { lineReference, requestReference, usualMovement } from '../core/answer.ts';
import { type Reason, reason } from '../core/code.ts';
import type { Entry, Movement, Origin, Result } from '../core/gateway.ts';
import { type Executed, type IdentityVerdict, identify, recall } from '../core/identity.ts';
import type { EntryOperation } from '../core/operation.ts';
import { decide, overdueTransfer, type PlannedTransfer } from '../core/transaction.ts';
import type { NewTransfer } from '../ledger/transactions.ts';
import { append } from './effect.ts';
import type { OpenRequest } from './request.ts';
import type { WorkingTransaction, Workspace } from './workspace.ts';

/** Decides the entries of one request in order; effects go to the workspace. */
export function decideEntries(open: OpenEntries, workspace: Workspace): readonly Result[] {
  const { request, account } = open;
  const transfers = workspace.transfersOf(open);
  return request.entries.map((entry, index) => {
    const working = workspace.transaction(account.number, entry.transactionId);
    if (working === undefined) {
      const damage = workspace.damage(account.number, entry.transactionId);
      return damage === undefined ? refused(reason('V0001')) : { status: 'invalid', reason: damage };
    }
    return decideOne({ open, entry, index, working, workspace, transfers });
  });
}

/** A request on transactions. */
export type OpenEntries = Extract<OpenRequest, { readonly operation: EntryOperation }>;

/** One entry with everything that it is decided on. */
interface Case {
  readonly open: OpenEntries;
  readonly entry: Entry;
  readonly index: number;
  readonly working: WorkingTransaction;
  readonly workspace: Workspace;
  /** Where its transfers go. */
  readonly transfers: NewTransfer[];
}

/** A line of a file is told from others by what it moves, an entry of any other request by its reference. */
function decideOne(one: Case): Result {
  const { open, entry, working, workspace } = one;
  const { origin } = open.request;
  if (origin === undefined) {
    const { operation, request } = open;
    if (standsTwice(operation, request.entries, one.index)) return refused(reason('V0010'));
    const verdict = recall(operation, entry, working.requested);
    if (verdict.is === 'other content') {
      const detail = `reference ${JSON.stringify(entry.reference)} of the same transaction had other content`;
      return refused(reason('V0015', detail, { column: 'reference' }));
    }
    if (verdict.is === 'again') {
      const { transactionId } = working.transaction;
      return {
        status: 'done',
        reference: requestReference(transactionId, verdict.done[0]!.place),
        moved: movementOf(operation, entry, verdict.done),
      };
    }
    return execute(one, entry.repeatOf);
  }
  const verdict = identify(open.operation, entry, origin, working.executed, workspace.nameOf);
  if (verdict.is !== 'new') return alreadyExecuted(open.operation, entry, origin, working, verdict);
  // A repeat that a person released is remembered like one whose line says so: nobody can have it executed once more by that line.
  const released =
    origin.repeats === 'release' && verdict.repeated !== undefined
      ? workspace.nameOf(verdict.repeated)
      : undefined;
  return execute(one, entry.repeatOf ?? released);
}

function execute(one: Case, repeatOf: string | undefined): Result {
  const { open, entry, working, workspace, transfers } = one;
  const { operation, account, request } = open;
  const { settings } = account;
  // What has run out is written down by whoever meets it first, whatever becomes of the entry.
  const overdue = overdueTransfer(working.transaction, workspace.now, settings.lifetime);
  if (overdue !== undefined) append(workspace, account, working, transfers, overdue);
  const decision = decide(operation, entry, working.transaction, workspace.now, settings);
  if ('code' in decision) return refused(decision);
  const { origin } = request;
  const reference =
    origin === undefined
      ? requestReference(working.transaction.transactionId, working.transfers + 1)
      : lineReference(origin, entry.line);
  const attribution = {
    line: origin === undefined ? undefined : entry.line,
    reference: entry.reference,
    repeatOf,
    note: entry.refundReason,
  };
  for (const planned of decision) {
    append(
      workspace,
      account,
      working,
      transfers,
      planned,
      attribution,
      detailOf(operation, entry, reference),
    );
    if (origin !== undefined) working.executed.push(remember(planned, entry, origin, repeatOf));
    else if (entry.reference !== undefined)
      working.requested.push({ ...planned, reference: entry.reference, place: working.transfers });
  }
  return { status: 'done', reference, moved: movementOf(operation, entry, decision) };
}

/** What only a refund's notification says, as its answer does. */
function detailOf(
  operation: EntryOperation,
  { reference, refundReason }: Entry,
  refundReference: string,
): Readonly<Record<string, string>> {
  if (operation !== 'refund') return {};
  return {
    refund_reference: refundReference,
    refund_reference_id: reference ?? '',
    refund_reason: refundReason ?? '',
  };
}

/** A repeat, or a reference that was used for something else, or the first result again where this very line was executed. */
function alreadyExecuted(
  operation: EntryOperation,
  entry: Entry,
  origin: Origin,
  working: WorkingTransaction,
  verdict: Exclude<IdentityVerdict, { readonly is: 'new' }>,
): Result {
  if (verdict.is === 'repeat') return { status: 'repeat', first: verdict.first };
  if (verdict.is === 'again') {
    const own = working.executed.filter(
      ({ batchNumber, line }) => batchNumber === origin.batchNumber && line === entry.line,
    );
    return {
      status: 'done',
      reference: lineReference(origin, entry.line),
      moved: movementOf(operation, entry, own),
    };
  }
  const detail = `reference ${JSON.stringify(entry.reference)} of the same transaction had another amount`;
  return { status: 'invalid', reason: reason('B0014', detail, { column: 'reference' }) };
}

function remember(
  { kind, amount }: PlannedTransfer,
  { line, reference }: Entry,
  { batchNumber }: Origin,
  repeatOf: string | undefined,
): Executed {
  return { kind, amount, batchNumber, line, reference, repeatOf };
}

/** A review moves money only where the account captures at once. */
function movementOf(
  operation: EntryOperation,
  entry: Entry,
  decision: readonly PlannedTransfer[],
): readonly Movement[] {
  const captures = operation === 'review' && decision.some(({ kind }) => kind === 'capture');
  return usualMovement(captures ? 'capture' : operation, entry.refundAmount ?? entry.amount, entry.currency);
}

/** V0010: an earlier entry of the same request says the same, and no two different references tell them apart. */
function standsTwice(operation: EntryOperation, entries: readonly Entry[], index: number): boolean {
  const entry = entries[index]!;
  const moved = (one: Entry) => (operation === 'review' ? one.reviewFlag : (one.refundAmount ?? one.amount));
  return entries
    .slice(0, index)
    .some(
      (other) =>
        other.transactionId === entry.transactionId &&
        moved(other) === moved(entry) &&
        (other.reference === undefined ||
          entry.reference === undefined ||
          other.reference === entry.reference),
    );
}

function refused(why: Reason): Result {
  return { status: 'refused', reason: why };
}
