/** What the books have under a break's reference: the transaction or payout, and what moved. */
import { dayOf } from '../../core/calendar.ts';
import { digitsOf } from '../../core/currency.ts';
import { EMBEDDED } from '../../core/gateway.ts';
import { formatAmount } from '../../core/money.ts';
import type { Statements } from '../../ledger/database.ts';
import { repeatsByAttempt } from '../../ledger/history.ts';
import { loadPayouts } from '../../ledger/payouts.ts';
import { remoteLinesOn } from '../../ledger/remote.ts';
import { openingsNamed, type TransferRecord, transfersOfTransaction } from '../../ledger/transfers.ts';
import type { Books } from './books.ts';

export interface LedgerSide {
  readonly is: 'transaction' | 'payout';
  /** Transaction id, or request_id. */
  readonly id: string;
  readonly order_no: string | null;
  /** Decimal, of the whole transaction or payout; null where only what was sent is known. */
  readonly amount: string | null;
  readonly currency: string;
  readonly movements: readonly Movement[];
}

export interface Movement {
  readonly kind: string;
  /** Decimal. */
  readonly amount: string;
  readonly currency: string;
  /** In the account's time zone, `YYYY-MM-DD`. */
  readonly day: string;
  /** `BATCH:LINE`; null for what did not come from a file. */
  readonly line: string | null;
}

type Reads = Pick<Statements, 'all' | 'json'>;

/** How subjects of payouts begin (core/chunk.ts, subjectOf). */
const PAYOUT_SUBJECT = 'payout\n';

/** Null where the reference is none of the books. */
export async function ledgerSide(
  statements: Reads,
  books: Books,
  reference: string,
): Promise<LedgerSide | null> {
  if (books.gateway !== EMBEDDED) return sentSide(statements, books, reference);
  return (
    (await transactionSide(statements, books, reference)) ?? (await payoutSide(statements, books, reference))
  );
}

async function transactionSide(
  statements: Reads,
  { account }: Books,
  reference: string,
): Promise<LedgerSide | null> {
  const named = await openingsNamed(statements, reference);
  const opening = named.find((one) => one.account === account.number);
  if (opening === undefined) return null;
  const { currency, order_no, transaction_id: id } = opening;
  const { nameOf } = await repeatsByAttempt(statements);
  const movement = ({ kind, amount, at, batch, line }: TransferRecord): Movement => ({
    kind,
    amount: decimal(amount, currency),
    currency,
    day: dayOf(at, account.settings.time_zone),
    line: batch === null || line === null ? null : nameOf(batch, line),
  });
  const transfers = await transfersOfTransaction(statements, opening.number);
  const amount = decimal(opening.amount, currency);
  return { is: 'transaction', id, order_no, amount, currency, movements: transfers.map(movement) };
}

async function payoutSide(
  statements: Reads,
  { account }: Books,
  reference: string,
): Promise<LedgerSide | null> {
  const [payout] = await loadPayouts(statements, new Map([[account.number, [reference]]]));
  if (payout === undefined) return null;
  const { paymentCurrency: currency, paymentDate: day, batchNumber, line } = payout;
  const amount = decimal(payout.beneficiaryReceives, currency);
  const name =
    batchNumber === undefined || line === undefined
      ? null
      : (await repeatsByAttempt(statements)).nameOf(batchNumber, line);
  const movements = [{ kind: 'payout', amount, currency, day, line: name }];
  return { is: 'payout', id: reference, order_no: null, amount, currency, movements };
}

/** Of a remote gateway only what was sent there is known. */
async function sentSide(
  statements: Reads,
  { account }: Books,
  reference: string,
): Promise<LedgerSide | null> {
  const subjects = [reference, PAYOUT_SUBJECT + reference];
  const lines = await remoteLinesOn(statements, new Map([[account.number, subjects]]));
  const [first] = lines;
  if (first === undefined) return null;
  const { nameOf } = await repeatsByAttempt(statements);
  return {
    is: first.subject === reference ? 'transaction' : 'payout',
    id: reference,
    order_no: first.orderNo ?? null,
    amount: null,
    currency: first.currency,
    movements: lines.map(({ kind, amount, currency, at, batchNumber, line }) => ({
      kind,
      amount: decimal(amount, currency),
      currency,
      day: dayOf(at, account.settings.time_zone),
      line: nameOf(batchNumber, line),
    })),
  };
}

function decimal(minor: number, currency: string): string {
  return formatAmount(minor, digitsOf(currency) ?? 0);
}
