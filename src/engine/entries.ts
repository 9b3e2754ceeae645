/** Capture, cancel, review and refund: each entry decided on its transaction as it stands by now. */
import { lineReference, usualMovement } from '../core/answer.ts';
import { type Reason, reason } from '../core/code.ts';
import type { EntriesRequest, Entry, Movement, Origin, Result } from '../core/gateway.ts';
import { type Executed, type IdentityVerdict, identify } from '../core/identity.ts';
import type { EntryOperation } from '../core/operation.ts';
import { applyTransfer, decide, expiresNow, expiry, type PlannedTransfer } from '../core/transaction.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import type { NewTransfer } from '../ledger/transactions.ts';
import type { WorkingTransaction, Workspace } from './workspace.ts';

/** Decides the entries of one request in order; effects go to the workspace. */
export function decideEntries(
  operation: EntryOperation,
  request: EntriesRequest,
  account: KnownAccount,
  workspace: Workspace,
): readonly Result[] {
  const transfers = workspace.transfersOf(request.origin);
  const results: Result[] = [];
  for (const [index, entry] of request.entries.entries()) {
    const working = workspace.transaction(account.number, entry.transactionId);
    if (working === undefined) {
      const damage = workspace.damage(account.number, entry.transactionId);
      results.push(damage === undefined ? refused(reason('V0001')) : { status: 'invalid', reason: damage });
    } else {
      const twice = request.origin === undefined && standsTwice(operation, request.entries, index);
      results.push(
        twice
          ? refused(reason('V0010'))
          : decideOne(operation, entry, request.origin, account, working, workspace, transfers),
      );
    }
  }
  return results;
}

function decideOne(
  operation: EntryOperation,
  entry: Entry,
  origin: Origin | undefined,
  account: KnownAccount,
  working: WorkingTransaction,
  workspace: Workspace,
  transfers: NewTransfer[],
): Result {
  const verdict =
    origin === undefined ? undefined : identify(operation, entry, origin, working.executed, workspace.nameOf);
  if (verdict !== undefined && verdict.is !== 'new')
    return alreadyExecuted(operation, entry, origin!, working, verdict);
  // A repeat that a person released is remembered like one whose line says so: nobody can have it executed once more by that line.
  const released =
    origin?.repeats === 'release' && verdict?.repeated !== undefined
      ? workspace.nameOf(verdict.repeated)
      : undefined;
  const repeatOf = entry.repeatOf ?? released;
  const { settings } = account;
  const write = (planned: PlannedTransfer, line: Entry | undefined) => {
    working.transaction = applyTransfer(working.transaction, planned.kind, planned.amount, workspace.now);
    workspace.books(account.number, working.transaction.currency).transfer(planned.kind, planned.amount);
    transfers.push({
      txn: working.number,
      payout: undefined,
      kind: planned.kind,
      amount: planned.amount,
      line: origin === undefined ? undefined : line?.line,
      reference: line?.reference,
      repeatOf: line === undefined ? undefined : repeatOf,
      note: line?.refundReason,
    });
  };
  // An authorisation that has run out is written down by whoever meets it first, whatever becomes of the entry.
  if (expiresNow(working.transaction, workspace.now, settings.lifetime))
    write(expiry(working.transaction), undefined);
  const decision = decide(operation, entry, working.transaction, workspace.now, settings);
  if ('code' in decision) return refused(decision);
  for (const planned of decision) write(planned, entry);
  if (origin !== undefined) working.executed.push(...remember(decision, entry, origin, repeatOf));
  return {
    status: 'done',
    reference: origin === undefined ? '' : lineReference(origin, entry.line),
    moved: movementOf(operation, entry, decision),
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
  decision: readonly PlannedTransfer[],
  entry: Entry,
  origin: Origin,
  repeatOf: string | undefined,
): Executed[] {
  return decision.map(({ kind, amount }) => ({
    kind,
    amount,
    batchNumber: origin.batchNumber,
    line: entry.line,
    reference: entry.reference,
    repeatOf,
  }));
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
