/** Named statements on what of the books is compared with statements: money that moved between acquirer and merchant. */
import { TRANSFER_KINDS } from '../core/transfer.ts';
import type { Statements } from './database.ts';

type Reads = Pick<Statements, 'json'>;

/** One movement: above zero is owed to the merchant. */
export type Movement = [
  /** Its place among those of its transaction: what was imported comes first, then the ledger's sequence. */
  key: number,
  amount: number,
  /** Epoch milliseconds. */
  at: number,
];

/** What moved under one transaction id. */
export interface Trade {
  readonly reference: string;
  readonly currency: string;
  readonly movements: readonly Movement[];
}

const { capture, refund } = TRANSFER_KINDS;

/** A transaction beside one of its transfers; several in turn where it has several, nulls where it has none. */
type TradeCells = [
  transactionId: string,
  currency: string,
  captured: number,
  refunded: number,
  authorisedAt: number,
  sequence: number | null,
  kind: number,
  amount: number,
  at: number,
];

/**
 * Transactions of the ledger in the order of their ids, after one; also those of which nothing moved. A left join keeps
 * the order of its left side; whoever walks through them checks that.
 * @returns the last id of the block, undefined when there are no more, and what moved
 */
export async function tradesAfter(
  statements: Reads,
  account: number,
  after: string,
  limit: number,
): Promise<{ readonly last: string | undefined; readonly trades: readonly Trade[] }> {
  const rows = await statements.json<TradeCells[]>(
    `SELECT json_group_array(json_array(transaction_id, currency, captured, refunded, authorised_at, x.sequence, x.kind,
       x.amount, x.at)) AS json
     FROM (SELECT * FROM txn WHERE account = ? AND transaction_id > ? ORDER BY transaction_id LIMIT ?) AS t
     LEFT JOIN transfer AS x ON x.txn = t.number AND x.kind IN (${capture.code}, ${refund.code})`,
    [account, after, limit],
  );
  return { last: rows.at(-1)?.[0], trades: tradesOf(rows) };
}

function tradesOf(rows: readonly TradeCells[]): readonly Trade[] {
  const trades: (Trade & { readonly movements: Movement[] })[] = [];
  for (const [reference, currency, captured, refunded, authorisedAt, sequence, kind, amount, at] of rows) {
    let trade = trades.at(-1);
    if (trade?.reference !== reference) {
      if (sequence === null && captured === 0) continue;
      trade = { reference, currency, movements: [] };
      trades.push(trade);
      if (captured > 0) trade.movements.push([-2, captured, authorisedAt]);
      if (refunded > 0) trade.movements.push([-1, -refunded, authorisedAt]);
    }
    if (sequence !== null) trade.movements.push([sequence, kind === capture.code ? amount : -amount, at]);
  }
  return trades;
}

/** The same of what a remote gateway has executed, or may have executed. */
export async function remoteTradesAfter(
  statements: Reads,
  account: number,
  address: string,
  after: string,
  limit: number,
): Promise<{ readonly last: string | undefined; readonly trades: readonly Trade[] }> {
  const rows = await statements.json<[string, string, [number, string, number, number][]][]>(
    `SELECT json_group_array(json_array(subject, currency, json(moved))) AS json FROM (
       SELECT subject, max(currency) AS currency, json_group_array(json_array(number, kind, amount, at)) AS moved
       FROM remote_line WHERE account = ? AND address = ? AND subject > ? AND kind IN ('capture', 'refund')
       GROUP BY subject ORDER BY subject LIMIT ?)`,
    [account, address, after, limit],
  );
  const trades = rows.map(([reference, currency, moved]) => ({
    reference,
    currency,
    movements: moved.map(
      ([number, kind, amount, at]): Movement => [number, kind === 'capture' ? amount : -amount, at],
    ),
  }));
  return { last: rows.at(-1)?.[0], trades };
}

/** A name that a statement uses, and the transactions of which something moved that it may mean. */
export type Named = readonly [name: string, transactionIds: readonly string[]];

/** What each of these names means: an order, or the acquirer's own reference of a payment. */
export async function tradesNamed(
  statements: Reads,
  account: number,
  names: readonly string[],
): Promise<readonly Named[]> {
  return statements.json<Named[]>(
    `SELECT json_group_array(json_array(name, json(ids))) AS json FROM (
       SELECT name, json_group_array(DISTINCT transaction_id) AS ids FROM (
         SELECT n.value AS name, t.transaction_id, t.captured, t.number FROM json_each(?2) AS n
         CROSS JOIN txn AS t ON t.account = ?1 AND t.transaction_id = n.value
         UNION ALL
         SELECT n.value, t.transaction_id, t.captured, t.number FROM json_each(?2) AS n
         CROSS JOIN txn AS t ON t.account = ?1 AND t.order_no = n.value
         UNION ALL
         SELECT n.value, t.transaction_id, t.captured, t.number FROM json_each(?2) AS n
         CROSS JOIN payment_decision AS d ON d.reference_no = n.value
         CROSS JOIN txn AS t ON t.number = d.txn AND t.account = ?1) AS found
       WHERE captured > 0 OR EXISTS (SELECT 1 FROM transfer WHERE txn = found.number AND kind = ${capture.code})
       GROUP BY name)`,
    [account, JSON.stringify(names)],
  );
}

/** The same at a remote gateway: it knows transactions by id and order. */
export async function remoteTradesNamed(
  statements: Reads,
  account: number,
  address: string,
  names: readonly string[],
): Promise<readonly Named[]> {
  return statements.json<Named[]>(
    `SELECT json_group_array(json_array(name, json(ids))) AS json FROM (
       SELECT name, json_group_array(DISTINCT subject) AS ids FROM (
         SELECT n.value AS name, r.* FROM json_each(?3) AS n
         CROSS JOIN remote_line AS r ON r.account = ?1 AND r.subject = n.value
         UNION ALL
         SELECT n.value AS name, r.* FROM json_each(?3) AS n
         CROSS JOIN remote_line AS r ON r.account = ?1 AND r.order_no = n.value)
       WHERE address = ?2 AND kind IN ('capture', 'refund') GROUP BY name)`,
    [account, address, JSON.stringify(names)],
  );
}

/** A payout that left the account, or is to leave it; amount in minor units of the payment currency. */
export interface PaidOut {
  readonly requestId: string;
  /** The engine's id of it; null at a remote gateway. */
  readonly reference: string | null;
  /** Of the file that asked for it. */
  readonly batch: string | null;
  readonly currency: string;
  readonly amount: number;
  /** YYYY-MM-DD; null where only the moment is known. */
  readonly date: string | null;
  readonly at: number;
}

type PaidCells = [string, string | null, string | null, string, number, string | null, number];

const paidOut = ([requestId, reference, batch, currency, amount, date, at]: PaidCells): PaidOut => ({
  requestId,
  reference,
  batch,
  currency,
  amount,
  date,
  at,
});

export async function paidOutByLedger(statements: Reads, account: number): Promise<readonly PaidOut[]> {
  const rows = await statements.json<PaidCells[]>(
    `SELECT json_group_array(json_array(p.request_id, p.reference, b.id, p.payment_currency, p.beneficiary_receives,
       p.payment_date, p.at)) AS json
     FROM payout AS p LEFT JOIN batch AS b ON b.number = p.batch WHERE p.account = ?`,
    [account],
  );
  return rows.map(paidOut);
}

/** @param requestIdOf undoes the form in which a payout stands among subjects */
export async function paidOutRemotely(
  statements: Reads,
  account: number,
  address: string,
  requestIdOf: (subject: string) => string,
): Promise<readonly PaidOut[]> {
  const rows = await statements.json<PaidCells[]>(
    `SELECT json_group_array(json_array(r.subject, NULL, b.id, r.currency, r.amount, NULL, r.at)) AS json
     FROM remote_line AS r LEFT JOIN batch AS b ON b.number = r.batch
     WHERE r.account = ? AND r.address = ? AND r.kind = 'payout'`,
    [account, address],
  );
  return rows.map(paidOut).map((paid) => ({ ...paid, requestId: requestIdOf(paid.requestId) }));
}
