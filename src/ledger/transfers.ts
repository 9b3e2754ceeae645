/** Named statements that read transfers with their place in the ledger: for telling stories and for verifying. */
import { kindOfCode, type TransferKind } from '../core/transfer.ts';
import type { Statements } from './database.ts';

/** One row of the ledger. Amount in minor units, time in epoch milliseconds. */
export interface TransferRecord {
  readonly sequence: number;
  /** Key of its transaction; null for a payout's. */
  readonly txn: number | null;
  readonly payout: number | null;
  readonly kind: TransferKind;
  readonly amount: number;
  readonly at: number;
  /** Null for what did not come from a file. */
  readonly batch: number | null;
  /** Null for what no line asked for, such as an expiry. */
  readonly line: number | null;
  readonly attempt: number | null;
  readonly reference: string | null;
  readonly repeatOf: string | null;
  readonly note: string | null;
  /** Id of the request that asked for it; null for what came from a file or what nobody asked for. */
  readonly request: string | null;
}

export type TransferCells = [
  sequence: number,
  txn: number | null,
  payout: number | null,
  kind: number,
  amount: number,
  at: number,
  batch: number | null,
  line: number | null,
  attempt: number | null,
  reference: string | null,
  repeatOf: string | null,
  note: string | null,
  request: string | null,
];

/** Columns of a transfer as `fromCells` takes them. */
export const TRANSFER_CELLS =
  'json_array(sequence, txn, payout, kind, amount, at, batch, line, attempt, reference, repeat_of, note, request)';

/** All transfers of a transaction, in the order of the ledger. */
export function transfersOfTransaction(
  statements: Pick<Statements, 'json'>,
  txn: number,
): Promise<readonly TransferRecord[]> {
  return read(statements, 'SELECT * FROM transfer WHERE txn = ? ORDER BY sequence', [txn]);
}

/** All transfers of a payout, in the order of the ledger. */
export function transfersOfPayout(
  statements: Pick<Statements, 'json'>,
  payout: number,
): Promise<readonly TransferRecord[]> {
  return transfersOfPayouts(statements, payout, payout);
}

/** All transfers of the payouts from one key to another, in the order of the ledger. */
export function transfersOfPayouts(
  statements: Pick<Statements, 'json'>,
  first: number,
  last: number,
): Promise<readonly TransferRecord[]> {
  return read(statements, 'SELECT * FROM transfer WHERE payout >= ? AND payout <= ? ORDER BY sequence', [
    first,
    last,
  ]);
}

async function read(
  statements: Pick<Statements, 'json'>,
  query: string,
  values: readonly number[],
): Promise<readonly TransferRecord[]> {
  const rows = await statements.json<TransferCells[]>(
    `SELECT json_group_array(${TRANSFER_CELLS}) AS json FROM (${query})`,
    values,
  );
  return rows.map(fromCells);
}

export function fromCells([
  sequence,
  txn,
  payout,
  kind,
  amount,
  at,
  batch,
  line,
  attempt,
  reference,
  repeatOf,
  note,
  request,
]: TransferCells): TransferRecord {
  return {
    sequence,
    txn,
    payout,
    kind: kindOfCode(kind),
    amount,
    at,
    batch,
    line,
    attempt,
    reference,
    repeatOf,
    note,
    request,
  };
}

/** A transaction as it came into the ledger: its own row, which never changes. */
export interface OpeningRecord {
  readonly number: number;
  readonly account: number;
  readonly transaction_id: string;
  readonly order_no: string;
  readonly currency: string;
  readonly amount: number;
  readonly state: string;
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
  readonly authorised_at: number;
  /** Whether the shopper was sent to a page of ours; read by name only. */
  readonly waits?: 0 | 1 | null;
}

/** The transactions with this id, one per account at most. */
export function openingsNamed(
  statements: Pick<Statements, 'all'>,
  transactionId: string,
): Promise<OpeningRecord[]> {
  return statements.all<OpeningRecord>(
    `SELECT *, (SELECT session IS NOT NULL FROM payment WHERE txn = txn.number) AS waits
     FROM txn WHERE account IN (SELECT number FROM account) AND transaction_id = ? ORDER BY account`,
    [transactionId],
  );
}
