/** Named statements that read all payments, stored cards and contracts, a page at a time: for verifying them. */
import type { Outcome } from '../core/payment-decision.ts';
import type { State } from '../core/state.ts';
import { kindOfCode, TRANSFER_KINDS, type TransferKind } from '../core/transfer.ts';
import type { Statements } from './database.ts';

type Reads = Pick<Statements, 'json'>;

/** Something with the moment at which it was written, epoch milliseconds. */
interface Dated<What> {
  readonly what: What;
  readonly at: number;
}

/** What is written down of a payment beside its order. */
export interface PaymentTrace {
  readonly txn: number;
  readonly transactionId: string;
  /** Of the transaction's own row. */
  readonly state: State;
  /** All its transfers, in their order. */
  readonly transfers: readonly Dated<TransferKind>[];
  readonly decisions: readonly Dated<Outcome>[];
  /** Whether it says what it is paid with. */
  readonly hasAttempt: boolean;
  /** Whether a connector has still to say what became of it. */
  readonly isInDoubt: boolean;
  /** The stored card that it names: whether the account has it, and whether it can be used. */
  readonly token: { readonly isThere: boolean; readonly isKept: boolean } | undefined;
}

type TraceCells = [
  txn: number,
  transactionId: string,
  state: State,
  transfers: [kind: number, at: number][],
  decisions: [outcome: Outcome, at: number][],
  attempts: number,
  doubts: number,
  token: string | null,
  tokens: number,
  keptTokens: number,
];

const TOKENS = 'SELECT count(*) FROM token WHERE token_id = a.token AND account = t.account';

/** The next `limit` payments after a key of a transaction. */
export async function paymentTracesAfter(
  statements: Reads,
  after: number,
  limit: number,
): Promise<readonly PaymentTrace[]> {
  const rows = await statements.json<TraceCells[]>(
    `SELECT json_group_array(json_array(p.txn, t.transaction_id, t.state,
       (SELECT json_group_array(json_array(kind, at)) FROM
         (SELECT kind, at FROM transfer WHERE txn = p.txn ORDER BY sequence)),
       (SELECT json_group_array(json_array(outcome, at)) FROM
         (SELECT outcome, at FROM payment_decision WHERE txn = p.txn ORDER BY number)),
       a.txn IS NOT NULL, (SELECT count(*) FROM payment_doubt WHERE txn = p.txn),
       a.token, (${TOKENS}), (${TOKENS} AND kept_at IS NOT NULL))) AS json
     FROM (SELECT txn FROM payment WHERE txn > ? ORDER BY txn LIMIT ?) AS p
     CROSS JOIN txn AS t ON t.number = p.txn LEFT JOIN payment_attempt AS a ON a.txn = p.txn`,
    [after, limit],
  );
  return rows.map(traceOf);
}

function traceOf(cells: TraceCells): PaymentTrace {
  const [txn, transactionId, state, transfers, decisions, attempts, doubts, token, tokens, keptTokens] =
    cells;
  return {
    txn,
    transactionId,
    state,
    transfers: transfers.map(([kind, at]) => ({ what: kindOfCode(kind), at })),
    decisions: decisions.map(([what, at]) => ({ what, at })),
    hasAttempt: attempts > 0,
    isInDoubt: doubts > 0,
    token: token === null ? undefined : { isThere: tokens > 0, isKept: keptTokens > 0 },
  };
}

/** How many cards are stored, and the ids of the first few that no payment of their account has brought, or whose payment says otherwise of them. */
export async function strayTokens(
  statements: Reads,
  limit: number,
): Promise<{ readonly count: number; readonly strays: readonly string[] }> {
  return statements.json(
    `SELECT json_object('count', (SELECT count(*) FROM token), 'strays', (SELECT json_group_array(token_id) FROM (
       SELECT k.token_id FROM token AS k WHERE NOT EXISTS (
         SELECT 1 FROM payment_attempt AS a WHERE a.txn = k.txn AND a.account = k.account AND a.token = k.token_id)
       OR (k.kept_at IS NOT NULL) <> EXISTS (
         SELECT 1 FROM payment_decision AS d WHERE d.txn = k.txn AND d.outcome IN ('approved', 'review'))
       ORDER BY k.token_id LIMIT ?))) AS json`,
    [limit],
  );
}

/** A transaction that charges a contract. Amount in minor units. */
export interface ChargeTrace {
  readonly cycle: number;
  readonly transactionId: string;
  readonly currency: string;
  readonly amount: number;
  /** Whether it was ever approved, by its connector or by a review. */
  readonly isPaid: boolean;
}

/** A contract with all its charges. */
export interface ContractTrace {
  readonly number: number;
  readonly recurringId: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** Whether its first payment was approved or held for review. */
  readonly isBegun: boolean;
  /** Whether its account has its card. */
  readonly hasCard: boolean;
  readonly charges: readonly ChargeTrace[];
}

type ChargeCells = [cycle: number, transactionId: string, currency: string, amount: number, paid: number];

type ContractCells = [
  number: number,
  recurringId: string,
  currency: string,
  amount: number,
  begun: number,
  cards: number,
  charges: ChargeCells[],
];

/** Transfers after which a charge is paid; a payment that is held for review is not yet. */
const PAID = `${TRANSFER_KINDS.authorise.code}, ${TRANSFER_KINDS.review_accepted.code}`;

/** The next `limit` contracts after a key. */
export async function contractTracesAfter(
  statements: Reads,
  after: number,
  limit: number,
): Promise<readonly ContractTrace[]> {
  const rows = await statements.json<ContractCells[]>(
    `SELECT json_group_array(json_array(c.number, c.recurring_id, c.currency, c.amount,
       EXISTS (SELECT 1 FROM payment_decision WHERE txn = c.txn AND outcome IN ('approved', 'review')),
       EXISTS (SELECT 1 FROM token WHERE token_id = c.token_id AND account = c.account AND kept_at IS NOT NULL),
       (SELECT json_group_array(json_array(k.cycle, t.transaction_id, t.currency, t.amount,
           EXISTS (SELECT 1 FROM transfer WHERE txn = t.number AND kind IN (${PAID}))))
         FROM contract_charge AS k CROSS JOIN txn AS t ON t.account = c.account AND t.order_no = k.order_no
         CROSS JOIN payment AS p ON p.txn = t.number AND p.kind = 'recurring'
         WHERE k.contract = c.number))) AS json
     FROM (SELECT * FROM contract WHERE number > ? ORDER BY number LIMIT ?) AS c`,
    [after, limit],
  );
  return rows.map(([number, recurringId, currency, amount, begun, cards, charges]) => ({
    number,
    recurringId,
    currency,
    amount,
    isBegun: begun === 1,
    hasCard: cards === 1,
    charges: charges.map(chargeOf),
  }));
}

function chargeOf([cycle, transactionId, currency, amount, paid]: ChargeCells): ChargeTrace {
  return { cycle, transactionId, currency, amount, isPaid: paid === 1 };
}

/** Ids of the first few charges that belong to no contract. */
export function strayCharges(statements: Reads, limit: number): Promise<readonly string[]> {
  return statements.json<string[]>(
    `SELECT json_group_array(id) AS json FROM (
       SELECT t.transaction_id AS id FROM payment AS p CROSS JOIN txn AS t ON t.number = p.txn
       WHERE p.kind = 'recurring' AND NOT EXISTS (
         SELECT 1 FROM contract_charge AS k CROSS JOIN contract AS c ON c.number = k.contract
         WHERE k.order_no = t.order_no AND c.account = t.account)
       ORDER BY p.txn LIMIT ?)`,
    [limit],
  );
}
