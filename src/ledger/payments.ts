/** Named statements on payments: what was asked for, what it is paid with, what was decided. Rows are only added. */
import type { Reason } from '../core/code.ts';
import type { Item, Order, RiskVerdict, ThreeDsResult } from '../core/payment.ts';
import type { Outcome } from '../core/payment-decision.ts';
import type { PaymentMessage } from '../core/payment-message.ts';
import type { RiskFacts } from '../core/risk.ts';
import type { State } from '../core/state.ts';
import type { Statements } from './database.ts';

/** How a payment came: from the merchant with a card or token, by a hosted page, by an APM's page, by a contract. */
export type PaymentWay = 'direct' | 'hosted' | 'apm' | 'recurring';

/** A payment as it is reserved: its transaction's own row and what was asked for. */
export interface NewPayment {
  readonly accountNumber: number;
  readonly transactionId: string;
  readonly state: Extract<State, 'created' | 'in_doubt'>;
  readonly way: PaymentWay;
  /** The method of an APM payment. */
  readonly method: string | undefined;
  readonly order: Order;
  /** Address from which it was asked for. */
  readonly ip: string;
  /** Where its shopper goes on. */
  readonly session: string | undefined;
  readonly at: number;
}

/** What a payment is paid with, as far as it may be kept, and what risk says of it. */
export interface Attempt {
  /** First 6 and last 4 digits; undefined where no card is used or the number is none that anybody issues. */
  readonly maskedCard: string | undefined;
  /** Keyed hash of the card's number. */
  readonly cardHash: string | undefined;
  /** The stored card that it uses, or that is to be kept if it is approved. */
  readonly token: string | undefined;
  readonly email: string | undefined;
  /** The shopper's address. */
  readonly ip: string | undefined;
  readonly risk: RiskVerdict;
  readonly at: number;
}

export interface StoredDecision {
  readonly outcome: Outcome;
  readonly reason: Reason | undefined;
  readonly referenceNo: string | undefined;
  readonly threeDs: ThreeDsResult;
  readonly at: number;
}

export interface StoredPayment extends Omit<NewPayment, 'state' | 'at'> {
  /** Key of its transaction. */
  readonly txn: number;
  readonly createdAt: number;
  /** Undefined until it is paid with something. */
  readonly attempt: Attempt | undefined;
  /** In the order in which they were made. */
  readonly decisions: readonly StoredDecision[];
}

/** Reserves a payment; returns the key of its transaction. */
export async function insertPayment(statements: Statements, payment: NewPayment): Promise<number> {
  const { accountNumber, transactionId, order, at } = payment;
  const [row] = await statements.all<{ number: number }>(
    `INSERT INTO txn (account, transaction_id, order_no, currency, amount, state, captured, refunded, cancelled, authorised_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, ?) RETURNING number`,
    [accountNumber, transactionId, order.orderNo, order.currency, order.amount, payment.state, at],
  );
  const { number } = row!;
  await statements.run(
    `INSERT INTO payment (txn, kind, method, message, items, contract_amount, ip, notify_url, session)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      number,
      payment.way,
      payment.method ?? null,
      JSON.stringify(order.message),
      JSON.stringify(order.items),
      order.contractAmount ?? null,
      payment.ip,
      order.message.notify_url ?? null,
      payment.session ?? null,
    ],
  );
  return number;
}

/** @param txn key of the payment's transaction */
export async function insertAttempt(
  statements: Statements,
  accountNumber: number,
  txn: number,
  { maskedCard, cardHash, token, email, ip, risk, at }: Attempt,
): Promise<void> {
  await statements.run(
    `INSERT INTO payment_attempt (txn, account, masked_card, card_hash, token, email, ip, risk, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      txn,
      accountNumber,
      maskedCard ?? null,
      cardHash ?? null,
      token ?? null,
      email ?? null,
      ip ?? null,
      JSON.stringify(risk),
      at,
    ],
  );
}

export async function insertDecision(
  statements: Statements,
  txn: number,
  { outcome, reason, referenceNo, threeDs, at }: StoredDecision,
): Promise<void> {
  await statements.run(
    'INSERT INTO payment_decision (txn, outcome, reason, reference_no, threeds, at) VALUES (?, ?, ?, ?, ?, ?)',
    [txn, outcome, reason === undefined ? null : JSON.stringify(reason), referenceNo ?? null, threeDs, at],
  );
}

type AttemptCells = [
  maskedCard: string | null,
  cardHash: string | null,
  token: string | null,
  email: string | null,
  ip: string | null,
  risk: RiskVerdict,
  at: number,
];

type DecisionCells = [
  outcome: Outcome,
  reason: Reason | null,
  referenceNo: string | null,
  threeDs: ThreeDsResult,
  at: number,
];

type PaymentCells = [
  txn: number,
  account: number,
  transactionId: string,
  orderNo: string,
  currency: string,
  amount: number,
  createdAt: number,
  way: PaymentWay,
  method: string | null,
  message: PaymentMessage,
  items: Item[],
  contractAmount: number | null,
  ip: string,
  session: string | null,
  attempt: AttemptCells | null,
  decisions: DecisionCells[],
];

const CELLS = `json_array(p.txn, t.account, t.transaction_id, t.order_no, t.currency, t.amount, t.authorised_at,
  p.kind, p.method, json(p.message), json(p.items), p.contract_amount, p.ip, p.session,
  (SELECT json_array(masked_card, card_hash, token, email, ip, json(risk), at) FROM payment_attempt WHERE txn = p.txn),
  (SELECT json_group_array(json_array(outcome, json(reason), reference_no, threeds, at)) FROM
    (SELECT * FROM payment_decision WHERE txn = p.txn ORDER BY number)))`;

/** The payments among these transactions, by the keys of transactions; what was imported has none. */
export async function loadPayments(
  statements: Pick<Statements, 'json'>,
  txns: readonly number[],
): Promise<ReadonlyMap<number, StoredPayment>> {
  if (txns.length === 0) return new Map();
  const rows = await statements.json<PaymentCells[]>(
    `SELECT json_group_array(${CELLS}) AS json FROM json_each(?) AS i
     CROSS JOIN payment AS p ON p.txn = i.value CROSS JOIN txn AS t ON t.number = p.txn`,
    [JSON.stringify(txns)],
  );
  return new Map(rows.map((cells) => [cells[0], fromCells(cells)]));
}

/** Key of the transaction that a session belongs to. */
export async function txnOfSession(
  statements: Pick<Statements, 'all'>,
  session: string,
): Promise<number | undefined> {
  const [row] = await statements.all<{ txn: number }>('SELECT txn FROM payment WHERE session = ?', [session]);
  return row?.txn;
}

/** Ids of the transactions that have an order number, imported ones too. */
export async function transactionsOfOrder(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  orderNo: string,
): Promise<readonly string[]> {
  const rows = await statements.all<{ id: string }>(
    'SELECT transaction_id AS id FROM txn WHERE account = ? AND order_no = ? ORDER BY number',
    [accountNumber, orderNo],
  );
  return rows.map(({ id }) => id);
}

/**
 * How many payments of the account share a card, an e-mail address or an address with this one, since a moment.
 * @param most counting ends here: a shop's own card of tests may have paid a hundred thousand times
 */
export async function countEarlier(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  { cardHash, email, ip }: Pick<Attempt, 'cardHash' | 'email' | 'ip'>,
  since: number,
  most: RiskFacts['earlier'],
): Promise<RiskFacts['earlier']> {
  const count = (column: string, value: number, limit: number) =>
    `(SELECT count(*) FROM (SELECT 1 FROM payment_attempt
       WHERE account = ?1 AND ${column} = ?${value} AND at > ?2 LIMIT ?${limit}))`;
  const [row] = await statements.all<RiskFacts['earlier']>(
    `SELECT ${count('card_hash', 3, 6)} AS card, ${count('email', 4, 7)} AS email, ${count('ip', 5, 8)} AS ip`,
    [accountNumber, since, cardHash ?? null, email ?? null, ip ?? null, most.card, most.email, most.ip],
  );
  return row!;
}

/** From now on a connector has to say what became of the payment. */
export async function beginDoubt(statements: Statements, txn: number, at: number): Promise<void> {
  await statements.run('INSERT INTO payment_doubt (txn, since) VALUES (?, ?)', [txn, at]);
}

export async function endDoubt(statements: Statements, txn: number): Promise<void> {
  await statements.run('DELETE FROM payment_doubt WHERE txn = ?', [txn]);
}

/** A payment that is in doubt. */
export interface Doubt {
  readonly txn: number;
  /** The name under which the connector was asked: the transaction's id. */
  readonly reference: string;
}

/**
 * The payments that have been in doubt since a moment or longer, in the order of keys.
 * @param after only keys above this one
 */
export function doubtsSince(
  statements: Pick<Statements, 'all'>,
  since: number,
  after: number,
  limit: number,
): Promise<readonly Doubt[]> {
  return statements.all<Doubt>(
    `SELECT d.txn, t.transaction_id AS reference FROM payment_doubt AS d JOIN txn AS t ON t.number = d.txn
     WHERE d.since <= ? AND d.txn > ? ORDER BY d.txn LIMIT ?`,
    [since, after, limit],
  );
}

function fromCells(cells: PaymentCells): StoredPayment {
  const [
    txn,
    accountNumber,
    transactionId,
    orderNo,
    currency,
    amount,
    createdAt,
    way,
    method,
    message,
    items,
  ] = cells;
  const [contractAmount, ip, session, attempt, decisions] = [
    cells[11],
    cells[12],
    cells[13],
    cells[14],
    cells[15],
  ];
  return {
    txn,
    accountNumber,
    transactionId,
    createdAt,
    way,
    method: method ?? undefined,
    order: { message, orderNo, currency, amount, items, contractAmount: contractAmount ?? undefined },
    ip,
    session: session ?? undefined,
    attempt: attempt === null ? undefined : attemptOf(attempt),
    decisions: decisions.map(decisionOf),
  };
}

function attemptOf([maskedCard, cardHash, token, email, ip, risk, at]: AttemptCells): Attempt {
  return {
    maskedCard: maskedCard ?? undefined,
    cardHash: cardHash ?? undefined,
    token: token ?? undefined,
    email: email ?? undefined,
    ip: ip ?? undefined,
    risk,
    at,
  };
}

function decisionOf([outcome, why, referenceNo, threeDs, at]: DecisionCells): StoredDecision {
  return { outcome, reason: why ?? undefined, referenceNo: referenceNo ?? undefined, threeDs, at };
}
