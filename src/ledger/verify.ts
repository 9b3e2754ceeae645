/** Named statements that read the whole ledger, a page at a time: for verifying it. */
import { kindOfCode, type TransferKind } from '../core/transfer.ts';
import type { Statements } from './database.ts';
import {
  fromCells,
  type OpeningRecord,
  TRANSFER_CELLS,
  type TransferCells,
  type TransferRecord,
} from './transfers.ts';

/** What a line of a batch has done to a transaction. */
export interface LineTransfer {
  readonly line: number;
  readonly attempt: number;
  readonly kind: TransferKind;
  readonly amount: number;
  readonly account: number;
  readonly transactionId: string;
}

/**
 * The transfers that lines of a batch made on these transactions.
 * @param wanted transaction ids by account number
 */
export async function lineTransfers(
  statements: Pick<Statements, 'json'>,
  batch: number,
  wanted: ReadonlyMap<number, Iterable<string>>,
): Promise<readonly LineTransfer[]> {
  const named = Object.fromEntries([...wanted].map(([account, ids]) => [account, [...ids]]));
  const rows = await statements.json<[number, number, number, number, number, string][]>(
    `SELECT json_group_array(json_array(r.line, r.attempt, r.kind, r.amount, t.account, t.transaction_id)) AS json
     FROM json_each(?1) AS a CROSS JOIN json_each(a.value) AS i
     CROSS JOIN txn AS t ON t.account = CAST(a.key AS INTEGER) AND t.transaction_id = i.value
     CROSS JOIN transfer AS r ON r.txn = t.number
     WHERE r.batch = ?2 AND r.line IS NOT NULL`,
    [JSON.stringify(named), batch],
  );
  return rows.map(([line, attempt, kind, amount, account, transactionId]) => ({
    line,
    attempt,
    kind: kindOfCode(kind),
    amount,
    account,
    transactionId,
  }));
}

/** How many transfers of transactions each batch's lines made, by the number of the batch. */
export async function lineTransferCounts(
  statements: Pick<Statements, 'all'>,
): Promise<ReadonlyMap<number, number>> {
  const rows = await statements.all<{ batch: number; count: number }>(
    'SELECT batch, count(*) AS count FROM transfer WHERE batch IS NOT NULL AND line IS NOT NULL AND txn IS NOT NULL GROUP BY batch',
  );
  return new Map(rows.map(({ batch, count }) => [batch, count]));
}

/** How many payouts each batch's lines made, by the number of the batch. */
export async function payoutCounts(
  statements: Pick<Statements, 'all'>,
): Promise<ReadonlyMap<number, number>> {
  const rows = await statements.all<{ batch: number; count: number }>(
    'SELECT batch, count(*) AS count FROM payout WHERE batch IS NOT NULL AND line IS NOT NULL GROUP BY batch',
  );
  return new Map(rows.map(({ batch, count }) => [batch, count]));
}

/** How many transfers there are, and the first and last number. */
export async function transferSpan(
  statements: Pick<Statements, 'all'>,
): Promise<{ count: number; first: number; last: number }> {
  const [row] = await statements.all<{ count: number; first: number | null; last: number | null }>(
    'SELECT count(*) AS count, min(sequence) AS first, max(sequence) AS last FROM transfer',
  );
  return { count: row!.count, first: row!.first ?? 1, last: row!.last ?? 0 };
}

/** Numbers after which one or more are missing. */
export async function gapsInSequence(
  statements: Pick<Statements, 'all'>,
  limit: number,
): Promise<readonly number[]> {
  const rows = await statements.all<{ before: number }>(
    `SELECT sequence AS before FROM transfer AS t WHERE sequence < (SELECT max(sequence) FROM transfer)
       AND NOT EXISTS (SELECT 1 FROM transfer WHERE sequence = t.sequence + 1) ORDER BY sequence LIMIT ?`,
    [limit],
  );
  return rows.map(({ before }) => before);
}

/** Transfers whose transaction or payout is not there. */
export async function orphanedTransfers(
  statements: Pick<Statements, 'all'>,
  limit: number,
): Promise<readonly number[]> {
  const rows = await statements.all<{ sequence: number }>(
    `SELECT sequence FROM transfer AS r
     WHERE (txn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM txn WHERE number = r.txn))
        OR (payout IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payout WHERE number = r.payout))
     ORDER BY sequence LIMIT ?`,
    [limit],
  );
  return rows.map(({ sequence }) => sequence);
}

/** A transaction with all its transfers. */
export interface TransactionHistory {
  readonly opening: OpeningRecord;
  readonly transfers: readonly TransferRecord[];
}

type OpeningCells = [
  number: number,
  account: number,
  transactionId: string,
  orderNo: string,
  currency: string,
  amount: number,
  state: string,
  captured: number,
  refunded: number,
  cancelled: number,
  authorisedAt: number,
  transfers: TransferCells[],
];

/** The next `limit` transactions after a key, in the order of keys: for walking the whole ledger. */
export async function historiesAfter(
  statements: Pick<Statements, 'json'>,
  after: number,
  limit: number,
): Promise<readonly TransactionHistory[]> {
  const rows = await statements.json<OpeningCells[]>(
    `SELECT json_group_array(json_array(t.number, t.account, t.transaction_id, t.order_no, t.currency, t.amount, t.state,
       t.captured, t.refunded, t.cancelled, t.authorised_at,
       (SELECT json_group_array(${TRANSFER_CELLS}) FROM (SELECT * FROM transfer WHERE txn = t.number ORDER BY sequence)))) AS json
     FROM (SELECT * FROM txn WHERE number > ? ORDER BY number LIMIT ?) AS t`,
    [after, limit],
  );
  return rows.map(
    ([
      number,
      account,
      transaction_id,
      order_no,
      currency,
      amount,
      state,
      captured,
      refunded,
      cancelled,
      authorised_at,
      transfers,
    ]) => ({
      opening: {
        number,
        account,
        transaction_id,
        order_no,
        currency,
        amount,
        state,
        captured,
        refunded,
        cancelled,
        authorised_at,
      },
      transfers: transfers.map(fromCells),
    }),
  );
}

/** The highest number of a transfer that a finished report speaks of. */
export async function promisedSequence(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ last: number | null }>(
    "SELECT max(document->>'$.evidence.ledger_sequence.to') AS last FROM batch_revision WHERE document IS NOT NULL",
  );
  return row?.last ?? 0;
}
