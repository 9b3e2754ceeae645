/** Transfers as stories tell them: with their postings, and the line that asked for them. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { TRANSFER_KINDS } from '../../core/transfer.ts';
import type { Statements } from '../../ledger/database.ts';
import { batchIdOf } from '../../ledger/journal.ts';
import type { TransferRecord } from '../../ledger/transfers.ts';

export interface TransferStory {
  readonly sequence: number;
  readonly at: string;
  readonly kind: string;
  readonly amount: string;
  readonly currency: string;
  readonly postings: readonly { readonly debit: string; readonly credit: string }[];
  /** `batch:line` of the line that asked for it; null when no file did. */
  readonly origin: string | null;
  readonly attempt: number | null;
  readonly reference: string | null;
  readonly repeat_of: string | null;
  readonly note: string | null;
  /** Id of the request that asked for it; null when none did. */
  readonly request: string | null;
}

/** Ids of batches by number, looked up once. */
export class BatchNames {
  readonly #statements: Pick<Statements, 'all'>;
  readonly #ids = new Map<number, string | undefined>();

  constructor(statements: Pick<Statements, 'all'>) {
    this.#statements = statements;
  }

  /** `batch:line`, or null where there is no line. */
  async nameOf({ batch, line }: Pick<TransferRecord, 'batch' | 'line'>): Promise<string | null> {
    if (batch === null || line === null) return null;
    if (!this.#ids.has(batch)) this.#ids.set(batch, await batchIdOf(this.#statements, batch));
    const id = this.#ids.get(batch);
    return id === undefined ? null : `${id}:${line}`;
  }
}

export async function transferStory(
  transfer: TransferRecord,
  currency: string,
  names: BatchNames,
): Promise<TransferStory> {
  return {
    sequence: transfer.sequence,
    at: isoTime(transfer.at),
    kind: transfer.kind,
    amount: formatAmount(transfer.amount, digitsOf(currency)!),
    currency,
    postings: TRANSFER_KINDS[transfer.kind].postings.map(([debit, credit]) => ({ debit, credit })),
    origin: await names.nameOf(transfer),
    attempt: transfer.attempt,
    reference: transfer.reference,
    repeat_of: transfer.repeatOf,
    note: transfer.note,
    request: transfer.request,
  };
}

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
