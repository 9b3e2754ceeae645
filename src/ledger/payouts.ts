/** Named statements on payouts. */
import type { PayoutFigures } from '../core/payout-record.ts';
import type { Statements } from './database.ts';

/** A payout as it was accepted. */
export interface StoredPayout extends PayoutFigures {
  readonly number: number;
  readonly accountNumber: number;
  readonly requestId: string;
  /** Hash of its message: two payouts with one request_id are the same only with the same content. */
  readonly content: string;
  readonly reference: string;
  readonly sourceCurrency: string;
  readonly paymentCurrency: string;
  /** YYYY-MM-DD; on this day a scheduled payout completes. */
  readonly paymentDate: string;
  readonly message: string;
  readonly batchNumber: number | undefined;
  readonly line: number | undefined;
  readonly attempt: number | undefined;
  readonly at: number;
}

interface PayoutRow {
  readonly number: number;
  readonly account: number;
  readonly request_id: string;
  readonly content: string;
  readonly reference: string;
  readonly source_currency: string;
  readonly payment_currency: string;
  readonly source_amount: number;
  readonly payer_pays: number;
  readonly fee: number;
  readonly beneficiary_receives: number;
  readonly payment_date: string;
  readonly message: string;
  readonly batch: number | null;
  readonly line: number | null;
  readonly attempt: number | null;
  readonly at: number;
}

/**
 * Loads the payouts that have these request ids already.
 * @param wanted request ids by account number
 */
export async function loadPayouts(
  statements: Pick<Statements, 'all'>,
  wanted: ReadonlyMap<number, Iterable<string>>,
): Promise<readonly StoredPayout[]> {
  const named = Object.fromEntries([...wanted].map(([account, ids]) => [account, [...ids]]));
  const rows = await statements.all<PayoutRow>(
    `SELECT p.* FROM json_each(?) AS a CROSS JOIN json_each(a.value) AS i
     CROSS JOIN seen_payout AS p ON p.account = CAST(a.key AS INTEGER) AND p.request_id = i.value`,
    [JSON.stringify(named)],
  );
  return rows.map(fromRow);
}

/** The payouts that these lines of a batch made, in the order of lines. One walk over all payouts, whatever their number. */
export async function payoutsOfBatch(
  statements: Pick<Statements, 'all'>,
  batchNumber: number,
  lines: readonly number[],
): Promise<readonly StoredPayout[]> {
  const rows = await statements.all<PayoutRow>(
    'SELECT * FROM payout WHERE batch = ? AND line IN (SELECT value FROM json_each(?)) ORDER BY line',
    [batchNumber, JSON.stringify(lines)],
  );
  return rows.map(fromRow);
}

/** The payouts with this request_id, one per account at most. */
export async function payoutsNamed(
  statements: Pick<Statements, 'all'>,
  requestId: string,
): Promise<readonly StoredPayout[]> {
  const rows = await statements.all<PayoutRow>(
    'SELECT * FROM payout WHERE account IN (SELECT number FROM account) AND request_id = ? ORDER BY account',
    [requestId],
  );
  return rows.map(fromRow);
}

/** All payouts, oldest first, from after a key on. */
export async function payoutsAfter(
  statements: Pick<Statements, 'all'>,
  after: number,
  limit: number,
): Promise<readonly StoredPayout[]> {
  const rows = await statements.all<PayoutRow>(
    'SELECT * FROM payout WHERE number > ? ORDER BY number LIMIT ?',
    [after, limit],
  );
  return rows.map(fromRow);
}

function fromRow(row: PayoutRow): StoredPayout {
  return {
    number: row.number,
    accountNumber: row.account,
    requestId: row.request_id,
    content: row.content,
    reference: row.reference,
    sourceCurrency: row.source_currency,
    paymentCurrency: row.payment_currency,
    sourceAmount: row.source_amount,
    payerPays: row.payer_pays,
    fee: row.fee,
    beneficiaryReceives: row.beneficiary_receives,
    paymentDate: row.payment_date,
    message: row.message,
    batchNumber: row.batch ?? undefined,
    line: row.line ?? undefined,
    attempt: row.attempt ?? undefined,
    at: row.at,
  };
}

/** Number for the next payout. Only the one writer asks, inside its transaction. */
export async function nextPayoutNumber(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ last: number | null }>('SELECT max(number) AS last FROM seen_payout');
  return (row?.last ?? 0) + 1;
}

export async function insertPayouts(statements: Statements, payouts: readonly StoredPayout[]): Promise<void> {
  const cells = payouts.map((payout) => [
    payout.number,
    payout.accountNumber,
    payout.requestId,
    payout.content,
    payout.reference,
    payout.sourceCurrency,
    payout.paymentCurrency,
    payout.sourceAmount,
    payout.payerPays,
    payout.fee,
    payout.beneficiaryReceives,
    payout.paymentDate,
    payout.message,
    payout.batchNumber ?? null,
    payout.line ?? null,
    payout.attempt ?? null,
    payout.at,
  ]);
  const columns = cells[0]?.map((_, index) => `value->>${index}`).join(', ');
  if (columns === undefined) return;
  await statements.run(
    `INSERT INTO payout (number, account, request_id, content, reference, source_currency, payment_currency,
       source_amount, payer_pays, fee, beneficiary_receives, payment_date, message, batch, line, attempt, at)
     SELECT ${columns} FROM json_each(?)`,
    [JSON.stringify(cells)],
  );
}
