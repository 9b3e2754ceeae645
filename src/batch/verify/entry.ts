/** From a transfer back to the instruction that asked for it. */
import type { Entry } from '../../core/gateway.ts';
import type { EntryOperation } from '../../core/operation.ts';
import type { OpeningRecord, TransferRecord } from '../../ledger/transfers.ts';

/** Undefined for what nobody instructs, such as an expiry. */
export function entryOf(
  transfer: TransferRecord,
  opening: OpeningRecord,
): { readonly operation: EntryOperation; readonly entry: Entry } | undefined {
  const operation = operationOf(transfer);
  if (operation === undefined) return undefined;
  return {
    operation,
    entry: {
      transactionId: opening.transaction_id,
      orderNo: opening.order_no,
      currency: opening.currency,
      amount: operation === 'refund' ? opening.amount : transfer.amount,
      refundAmount: operation === 'refund' ? transfer.amount : undefined,
      reviewFlag: operation === 'review' ? (transfer.kind === 'review_accepted' ? 1 : 0) : undefined,
      refundReason: undefined,
      reference: transfer.reference ?? undefined,
      line: transfer.line ?? 0,
      repeatOf: transfer.repeatOf ?? undefined,
    },
  };
}

function operationOf({ kind }: TransferRecord): EntryOperation | undefined {
  switch (kind) {
    case 'capture':
    case 'cancel':
    case 'refund':
      return kind;
    case 'review_accepted':
    case 'review_rejected':
      return 'review';
    default:
      return undefined;
  }
}
