/** Named statements on transactions and their transfers. Rows travel as JSON, many at a time. */
import type { Executed, Requested } from '../core/identity.ts';
import type { State } from '../core/state.ts';
import { applyTransfer, SHOPPER_LIFETIME, type Transaction } from '../core/transaction.ts';
import { kindOfCode, TRANSFER_KINDS, type TransferKind } from '../core/transfer.ts';
import type { Statements } from './database.ts';

/** A transaction as loaded for decisions: its state, and which lines of files made it so. */
export interface LoadedTransaction {
  /** Its key in the ledger. */
  readonly number: number;
  readonly accountNumber: number;
  readonly transaction: Transaction;
  readonly executed: readonly Executed[];
  readonly requested: readonly Requested[];
  /** How many transfers it has. */
  readonly transfers: number;
  /** Where its payment wants to be told of what happens to it. */
  readonly notifyUrl: string | undefined;
}

type TransferCells = [
  kind: number,
  amount: number,
  at: number,
  batch: number | null,
  line: number | null,
  reference: string | null,
  repeatOf: string | null,
];

type TransactionCells = [
  number: number,
  account: number,
  transactionId: string,
  orderNo: string,
  currency: string,
  amount: number,
  state: State,
  captured: number,
  refunded: number,
  cancelled: number,
  authorisedAt: number,
  payment: readonly [notifyUrl: string | null, hasSession: 0 | 1] | null,
  transfers: TransferCells[],
];

const CELLS = `json_array(t.number, t.account, t.transaction_id, t.order_no, t.currency, t.amount, t.state,
  t.captured, t.refunded, t.cancelled, t.authorised_at,
  (SELECT json_array(notify_url, session IS NOT NULL) FROM payment WHERE txn = t.number),
  (SELECT json_group_array(json_array(r.kind, r.amount, r.at, r.batch, r.line, r.reference, r.repeat_of))
   FROM seen_transfer AS r WHERE r.txn = t.number))`;

/**
 * Loads the named transactions of each account with all their transfers, in one statement.
 * @param wanted transaction ids by account number
 */
export async function loadTransactions(
  statements: Pick<Statements, 'json'>,
  wanted: ReadonlyMap<number, Iterable<string>>,
): Promise<readonly LoadedTransaction[]> {
  const named = Object.fromEntries([...wanted].map(([account, ids]) => [account, [...ids]]));
  const rows = await statements.json<TransactionCells[]>(
    `SELECT json_group_array(${CELLS}) AS json
     FROM json_each(?) AS a CROSS JOIN json_each(a.value) AS i
     CROSS JOIN txn AS t ON t.account = CAST(a.key AS INTEGER) AND t.transaction_id = i.value`,
    [JSON.stringify(named)],
  );
  return rows.map(unpacked);
}

/** The next `limit` transactions after a key, in the order of keys: for walking the whole ledger. */
export async function loadTransactionsAfter(
  statements: Pick<Statements, 'json'>,
  after: number,
  limit: number,
): Promise<readonly LoadedTransaction[]> {
  const rows = await statements.json<TransactionCells[]>(
    `SELECT json_group_array(${CELLS}) AS json FROM (SELECT * FROM txn WHERE number > ? ORDER BY number LIMIT ?) AS t`,
    [after, limit],
  );
  return rows.map(unpacked);
}

function unpacked(cells: TransactionCells): LoadedTransaction {
  const [
    number,
    accountNumber,
    transactionId,
    orderNo,
    currency,
    amount,
    standing,
    captured,
    refunded,
    cancelled,
    authorisedAt,
    payment,
    transfers,
  ] = cells;
  let transaction: Transaction = {
    transactionId,
    orderNo,
    currency,
    amount,
    standing,
    captured,
    refunded,
    cancelled,
    expired: 0,
    review: undefined,
    authorisedAt,
    waitsUntil: payment?.[1] === 1 ? authorisedAt + SHOPPER_LIFETIME : undefined,
  };
  const executed: Executed[] = [];
  const requested: Requested[] = [];
  for (const [index, [code, moved, at, batch, line, reference, repeatOf]] of transfers.entries()) {
    const kind = kindOfCode(code);
    transaction = applyTransfer(transaction, kind, moved, at);
    if (batch !== null && line !== null) {
      executed.push({
        kind,
        amount: moved,
        batchNumber: batch,
        line,
        reference: reference ?? undefined,
        repeatOf: repeatOf ?? undefined,
      });
    } else if (reference !== null) {
      requested.push({ kind, amount: moved, reference, place: index + 1 });
    }
  }
  return {
    number,
    accountNumber,
    transaction,
    executed,
    requested,
    notifyUrl: payment?.[0] ?? undefined,
    transfers: transfers.length,
  };
}

/** A transfer to append; `subject` says whose it is. */
export interface NewTransfer {
  readonly txn: number | undefined;
  readonly payout: number | undefined;
  readonly kind: TransferKind;
  readonly amount: number;
  readonly line: number | undefined;
  readonly reference: string | undefined;
  readonly repeatOf: string | undefined;
  readonly note: string | undefined;
}

/** Transfers that share their origin: they travel together, and what is common to them once. */
export interface TransferGroup {
  readonly batchNumber: number | undefined;
  readonly attempt: number | undefined;
  /** Id of the request, where it came by one. */
  readonly request: string | undefined;
  readonly transfers: readonly NewTransfer[];
}

/** The sequence number of the ledger's newest transfer; 0 when it has none. */
export async function lastSequence(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ last: number | null }>('SELECT max(sequence) AS last FROM transfer');
  return row?.last ?? 0;
}

/**
 * Appends transfers in the given order, numbered on without a gap: SQLite gives each row one more than the newest, and
 * nothing is ever deleted. Most transfers are six numbers; taking the other columns out of the JSON only when one of a
 * group needs them makes the usual group twice as fast.
 */
export async function appendTransfers(
  statements: Statements,
  groups: readonly TransferGroup[],
  at: number,
): Promise<void> {
  const isPlain = groups.every(
    ({ request, transfers }) => request === undefined && transfers.every(isPlainTransfer),
  );
  const cells = groups.flatMap(({ batchNumber, attempt, request, transfers }) =>
    transfers.map(({ txn, kind, amount, line, reference, repeatOf, note, payout }) => {
      const plain = [
        txn ?? null,
        TRANSFER_KINDS[kind].code,
        amount,
        batchNumber ?? null,
        line ?? null,
        attempt ?? null,
      ];
      return isPlain
        ? plain
        : [...plain, reference ?? null, repeatOf ?? null, note ?? null, payout ?? null, request ?? null];
    }),
  );
  if (cells.length === 0) return;
  const columns = isPlain
    ? PLAIN_COLUMNS
    : [...PLAIN_COLUMNS, 'reference', 'repeat_of', 'note', 'payout', 'request'];
  const values = columns.map((_, index) => `json_extract(value, '$[${index}]')`);
  await statements.run(
    `INSERT INTO transfer (${columns.join(', ')}, at) SELECT ${values.join(', ')}, ?2 FROM json_each(?1)`,
    [JSON.stringify(cells), at],
  );
}

const PLAIN_COLUMNS = ['txn', 'kind', 'amount', 'batch', 'line', 'attempt'];

function isPlainTransfer({ reference, repeatOf, note, payout }: NewTransfer): boolean {
  return reference === undefined && repeatOf === undefined && note === undefined && payout === undefined;
}
