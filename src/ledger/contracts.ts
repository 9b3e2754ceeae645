/** Named statements on contracts of subscriptions and their charges. Terms and charges are never changed, only added. */
import type { Terms } from '../core/subscription.ts';
import type { Statements } from './database.ts';

/** A contract as it is made. Amounts in minor units, times in epoch milliseconds. */
export interface NewContract {
  readonly recurringId: string;
  readonly accountNumber: number;
  /** Key of the first payment's transaction. */
  readonly txn: number;
  /** The stored card that is charged. */
  readonly tokenId: string;
  readonly currency: string;
  /** What a charge after the first payment takes. */
  readonly amount: number;
  readonly terms: Terms;
  readonly openedAt: number;
}

/** A charge of a contract with the transactions that it made: none yet, or one; several only of declined ones. */
export interface StoredCharge {
  readonly cycle: number;
  readonly attempt: number;
  /** Undefined for a cycle that costs nothing. */
  readonly orderNo: string | undefined;
  readonly at: number;
  readonly transactionIds: readonly string[];
}

export interface StoredContract extends NewContract {
  readonly number: number;
  /** Id of the first payment's transaction. */
  readonly transactionId: string;
  /** Who has ended it, if anybody has. */
  readonly ended: { readonly at: number; readonly who: string; readonly reason: string } | undefined;
  readonly last: StoredCharge | undefined;
  /** When the newest charge that costs something was begun. */
  readonly chargedAt: number | undefined;
}

type ChargeCells = [
  cycle: number,
  attempt: number,
  orderNo: string | null,
  at: number,
  transactionIds: string[],
];

type ContractCells = [
  number: number,
  recurringId: string,
  account: number,
  txn: number,
  transactionId: string,
  tokenId: string,
  currency: string,
  amount: number,
  terms: string,
  openedAt: number,
  ended: readonly [at: number, who: string, reason: string] | null,
  last: ChargeCells | null,
  chargedAt: number | null,
];

/** Columns of a charge `k` of a contract `c`. */
const CHARGE_CELLS = `json_array(k.cycle, k.attempt, k.order_no, k.at,
  (SELECT json_group_array(t.transaction_id) FROM txn AS t JOIN payment AS p ON p.txn = t.number
   WHERE t.account = c.account AND t.order_no = k.order_no AND p.kind = 'recurring'))`;

const NEWEST = 'WHERE k.contract = c.number ORDER BY k.cycle DESC, k.attempt DESC LIMIT 1';

const CONTRACT_CELLS = `json_array(c.number, c.recurring_id, c.account, c.txn,
  (SELECT transaction_id FROM txn WHERE number = c.txn), c.token_id, c.currency, c.amount, c.terms, c.opened_at,
  (SELECT json_array(at, who, reason) FROM contract_ended WHERE contract = c.number),
  (SELECT ${CHARGE_CELLS} FROM contract_charge AS k ${NEWEST}),
  (SELECT k.at FROM contract_charge AS k ${NEWEST.replace('ORDER', 'AND k.order_no IS NOT NULL ORDER')}))`;

type Reads = Pick<Statements, 'json'>;

/** The contracts with these keys, in the order of keys. */
export async function loadContracts(
  statements: Reads,
  numbers: readonly number[],
): Promise<readonly StoredContract[]> {
  if (numbers.length === 0) return [];
  const rows = await statements.json<ContractCells[]>(
    `SELECT json_group_array(${CONTRACT_CELLS}) AS json FROM
       (SELECT * FROM contract WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number) AS c`,
    [JSON.stringify(numbers)],
  );
  return rows.map(contractOf);
}

/** Keys of the next contracts after one, in the order in which they were made. */
export function contractsAfter(statements: Reads, after: number, limit: number): Promise<readonly number[]> {
  return statements.json<number[]>(
    `SELECT json_group_array(number) AS json FROM (SELECT number FROM contract WHERE number > ? ORDER BY number LIMIT ?)`,
    [after, limit],
  );
}

/** Key of the contract with this id. */
export async function contractNamed(statements: Reads, recurringId: string): Promise<number | undefined> {
  const [number] = await statements.json<number[]>(
    'SELECT json_group_array(number) AS json FROM contract WHERE recurring_id = ?',
    [recurringId],
  );
  return number;
}

/**
 * The contracts to which transactions belong, as their first payment or as a charge.
 * @param txns keys of transactions
 * @returns keys of contracts by those of transactions
 */
export async function contractsOfTransactions(
  statements: Reads,
  txns: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (txns.length === 0) return new Map();
  const pairs = await statements.json<[number, number][]>(
    `SELECT json_group_array(json_array(txn, contract)) AS json FROM (
       SELECT c.txn, c.number AS contract FROM json_each(?1) AS w CROSS JOIN contract AS c ON c.txn = w.value
       UNION ALL
       SELECT t.number, c.number FROM json_each(?1) AS w CROSS JOIN txn AS t ON t.number = w.value
         CROSS JOIN contract_charge AS k ON k.order_no = t.order_no
         CROSS JOIN contract AS c ON c.number = k.contract AND c.account = t.account
         CROSS JOIN payment AS p ON p.txn = t.number AND p.kind = 'recurring')`,
    [JSON.stringify(txns)],
  );
  return new Map(pairs);
}

/** All charges of a contract after its first payment, newest first. */
export async function chargesOf(
  statements: Reads,
  number: number,
  limit: number,
): Promise<readonly StoredCharge[]> {
  const rows = await statements.json<ChargeCells[]>(
    `SELECT json_group_array(${CHARGE_CELLS}) AS json FROM
       (SELECT * FROM contract_charge WHERE contract = ? ORDER BY cycle DESC, attempt DESC LIMIT ?) AS k
       JOIN contract AS c ON c.number = k.contract`,
    [number, limit],
  );
  return rows.map(chargeOf);
}

/** @returns its key */
export async function insertContract(statements: Statements, contract: NewContract): Promise<number> {
  await statements.run(
    `INSERT INTO contract (recurring_id, account, txn, token_id, currency, amount, terms, opened_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      contract.recurringId,
      contract.accountNumber,
      contract.txn,
      contract.tokenId,
      contract.currency,
      contract.amount,
      JSON.stringify(contract.terms),
      contract.openedAt,
    ],
  );
  return (await contractNamed(statements, contract.recurringId))!;
}

/** Begins an attempt. One that was begun already stays as it is. */
export async function insertCharge(
  statements: Statements,
  contract: number,
  { cycle, attempt, orderNo, at }: Omit<StoredCharge, 'transactionIds'>,
): Promise<void> {
  await statements.run(
    'INSERT INTO contract_charge (contract, cycle, attempt, order_no, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    [contract, cycle, attempt, orderNo ?? null, at],
  );
}

/** Ends a contract for good. */
export async function insertEnding(
  statements: Statements,
  contract: number,
  { at, who, reason }: NonNullable<StoredContract['ended']>,
): Promise<void> {
  await statements.run('INSERT INTO contract_ended (contract, at, who, reason) VALUES (?, ?, ?, ?)', [
    contract,
    at,
    who,
    reason,
  ]);
}

/**
 * Says when a contract is to be looked at again.
 * @param at epoch milliseconds; undefined: not before a person does something
 */
export async function setWake(
  statements: Statements,
  contract: number,
  at: number | undefined,
): Promise<void> {
  if (at === undefined) {
    await statements.run('DELETE FROM contract_wake WHERE contract = ?', [contract]);
    return;
  }
  await statements.run(
    `INSERT INTO contract_wake (contract, at) VALUES (?, ?)
     ON CONFLICT (contract) DO UPDATE SET at = excluded.at`,
    [contract, at],
  );
}

/** Keys of the contracts that are to be looked at by now, those that have waited longest first. */
export function contractsAwake(statements: Reads, now: number, limit: number): Promise<readonly number[]> {
  return statements.json<number[]>(
    `SELECT json_group_array(contract) AS json FROM
       (SELECT contract FROM contract_wake WHERE at <= ? ORDER BY at, contract LIMIT ?)`,
    [now, limit],
  );
}

function contractOf(cells: ContractCells): StoredContract {
  const [number, recurringId, accountNumber, txn, transactionId, tokenId, currency, amount, terms, openedAt] =
    cells;
  const [ended, last, chargedAt] = [cells[10], cells[11], cells[12]];
  return {
    number,
    recurringId,
    accountNumber,
    txn,
    transactionId,
    tokenId,
    currency,
    amount,
    terms: JSON.parse(terms) as Terms,
    openedAt,
    ended: ended === null ? undefined : { at: ended[0], who: ended[1], reason: ended[2] },
    last: last === null ? undefined : chargeOf(last),
    chargedAt: chargedAt ?? undefined,
  };
}

function chargeOf([cycle, attempt, orderNo, at, transactionIds]: ChargeCells): StoredCharge {
  return { cycle, attempt, orderNo: orderNo ?? undefined, at, transactionIds };
}
