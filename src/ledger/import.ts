/** Named statements that bring existing transactions into the ledger. */
import type { Opening } from '../core/transfer.ts';
import { applyBalanceChanges, BalanceChanges } from './balances.ts';
import type { Statements } from './database.ts';

/** A transaction as it stands when it comes in: amounts in minor units, times in epoch milliseconds. */
export interface OpeningTransaction extends Opening {
  readonly accountNumber: number;
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  readonly authorisedAt: number;
}

type Cells = [
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
];

const COLUMNS =
  'account, transaction_id, order_no, currency, amount, state, captured, refunded, cancelled, authorised_at';

/** The transactions among these ids that the ledger has already. */
export async function existingOpenings(
  statements: Pick<Statements, 'json'>,
  wanted: readonly OpeningTransaction[],
): Promise<readonly OpeningTransaction[]> {
  const rows = await statements.json<Cells[]>(
    `SELECT json_group_array(json_array(${COLUMNS.replaceAll(/\w+/g, 't.$&')})) AS json FROM json_each(?) AS w
     CROSS JOIN txn AS t ON t.account = w.value->>0 AND t.transaction_id = w.value->>1`,
    [JSON.stringify(wanted.map(({ accountNumber, transactionId }) => [accountNumber, transactionId]))],
  );
  return rows.map(
    ([
      accountNumber,
      transactionId,
      orderNo,
      currency,
      amount,
      state,
      captured,
      refunded,
      cancelled,
      authorisedAt,
    ]) => ({
      accountNumber,
      transactionId,
      orderNo,
      currency,
      amount,
      state,
      captured,
      refunded,
      cancelled,
      authorisedAt,
    }),
  );
}

/** Adds transactions that the ledger does not have, and books what explains them. */
export async function insertOpenings(
  statements: Statements,
  openings: readonly OpeningTransaction[],
): Promise<void> {
  const cells: Cells[] = openings.map((one) => [
    one.accountNumber,
    one.transactionId,
    one.orderNo,
    one.currency,
    one.amount,
    one.state,
    one.captured,
    one.refunded,
    one.cancelled,
    one.authorisedAt,
  ]);
  const values = cells[0]?.map((_, index) => `value->>${index}`).join(', ');
  if (values === undefined) return;
  await statements.run(`INSERT INTO txn (${COLUMNS}) SELECT ${values} FROM json_each(?)`, [
    JSON.stringify(cells),
  ]);
  const changes = new BalanceChanges();
  for (const one of openings) changes.of(one.accountNumber, one.currency).opening(one);
  await applyBalanceChanges(statements, changes);
}
