/**
 * Named statements that select transactions for a query: by name, by time, the newest. Each goes by an index and reads
 * no more rows than it returns, however many the account has.
 */
import type { Statements } from './database.ts';

/** A selected transaction: its key in the ledger, its id, and since when it is there (epoch milliseconds). */
export interface Selected {
  readonly number: number;
  readonly transactionId: string;
  readonly orderNo: string;
  readonly createdAt: number;
}

/** A place in the order of time; transactions of one millisecond follow one another by their keys. */
export interface Place {
  readonly createdAt: number;
  readonly number: number;
}

type SelectedCells = [number: number, transactionId: string, orderNo: string, createdAt: number];

type Reads = Pick<Statements, 'json'>;

/** The transactions with these ids. */
export function selectTransactions(
  statements: Reads,
  account: number,
  transactionIds: readonly string[],
): Promise<readonly Selected[]> {
  return select(
    statements,
    `SELECT t.* FROM json_each(?2) AS i CROSS JOIN txn AS t ON t.account = ?1 AND t.transaction_id = i.value`,
    [account, JSON.stringify(transactionIds)],
  );
}

/** The last transactions under each of these order numbers, those that came into the ledger last first. */
export function selectOrders(
  statements: Reads,
  account: number,
  orderNos: readonly string[],
  mostOfEach: number,
): Promise<readonly Selected[]> {
  return select(
    statements,
    `SELECT t.* FROM json_each(?2) AS i CROSS JOIN txn AS t ON t.number IN
       (SELECT number FROM txn WHERE account = ?1 AND order_no = i.value ORDER BY number DESC LIMIT ?3)
     ORDER BY t.number DESC`,
    [account, JSON.stringify(orderNos), mostOfEach],
  );
}

/** The transactions of a span of time (`to` excluded) that come after a place, oldest first. */
export async function selectSpan(
  statements: Reads,
  account: number,
  span: { readonly from: number; readonly to: number },
  after: Place | undefined,
  most: number,
): Promise<readonly Selected[]> {
  if (after === undefined) return selectFrom(statements, account, span.from, span.to, most);
  // In two parts, because a comparison of pairs would walk over all transactions of one millisecond, and an import can
  // bring a million of them.
  const sameTime = await select(
    statements,
    'SELECT * FROM txn WHERE account = ? AND authorised_at = ? AND number > ? ORDER BY number LIMIT ?',
    [account, after.createdAt, after.number, most],
  );
  if (sameTime.length === most) return sameTime;
  const left = most - sameTime.length;
  return [...sameTime, ...(await selectFrom(statements, account, after.createdAt + 1, span.to, left))];
}

function selectFrom(statements: Reads, account: number, from: number, to: number, most: number) {
  return select(
    statements,
    `SELECT * FROM txn WHERE account = ? AND authorised_at >= ? AND authorised_at < ?
     ORDER BY authorised_at, number LIMIT ?`,
    [account, from, to, most],
  );
}

/** The newest transactions, newest first. */
export function selectNewest(statements: Reads, account: number, most: number): Promise<readonly Selected[]> {
  return select(
    statements,
    'SELECT * FROM txn WHERE account = ? ORDER BY authorised_at DESC, number DESC LIMIT ?',
    [account, most],
  );
}

async function select(
  statements: Reads,
  query: string,
  values: readonly (number | string)[],
): Promise<readonly Selected[]> {
  const rows = await statements.json<SelectedCells[]>(
    `SELECT json_group_array(json_array(number, transaction_id, order_no, authorised_at)) AS json FROM (${query})`,
    values,
  );
  return rows.map(([number, transactionId, orderNo, createdAt]) => ({
    number,
    transactionId,
    orderNo,
    createdAt,
  }));
}
