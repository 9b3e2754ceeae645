/** Contracts as they stand: what is stored of them, and what follows from it. */
import {
  type Charge,
  type ChargeOutcome,
  type ContractFacts,
  contractState,
  outcomeOf,
  type Standing,
  standingOf,
} from '../../core/contract.ts';
import { getOrSet } from '../../core/get-or-set.ts';
import type { ContractState } from '../../core/payment.ts';
import type { Transaction } from '../../core/transaction.ts';
import {
  chargesOf,
  contractNamed,
  contractsAfter,
  contractsOfTransactions,
  loadContracts,
  type StoredCharge,
  type StoredContract,
} from '../../ledger/contracts.ts';
import type { Statements } from '../../ledger/database.ts';
import { loadTransactions } from '../../ledger/transactions.ts';

type Reads = Pick<Statements, 'json'>;

/** A contract and where it stands. */
export interface Contract extends Omit<StoredContract, 'last'> {
  readonly last: Charge | undefined;
  readonly standing: Standing;
}

/** The contracts with these keys, in the order of keys. */
export async function readContracts(
  statements: Reads,
  numbers: readonly number[],
): Promise<readonly Contract[]> {
  const stored = await loadContracts(statements, numbers);
  const outcomes = await outcomesOf(
    statements,
    stored.flatMap(({ accountNumber, transactionId, last }) =>
      [transactionId, ...(last?.transactionIds ?? [])].map((id) => ({ accountNumber, transactionId: id })),
    ),
  );
  return stored.map((contract) => {
    const { accountNumber, transactionId, terms } = contract;
    const outcome = (id: string) => outcomes(accountNumber, id);
    const last = contract.last === undefined ? undefined : chargeWith(contract.last, outcome);
    const facts: ContractFacts = {
      terms,
      first: outcome(transactionId),
      last,
      askedAt: contract.chargedAt ?? contract.openedAt,
      ended: contract.ended !== undefined,
    };
    return { ...contract, last, standing: standingOf(facts) };
  });
}

/** Contracts that are read at a time. */
const PAGE = 200;

/** All contracts, in the order in which they were made. */
export async function* eachContract(statements: Reads): AsyncGenerator<Contract> {
  let after = 0;
  for (;;) {
    const page = await readContracts(statements, await contractsAfter(statements, after, PAGE));
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.number;
  }
}

/** The contract with this id. */
export async function findContract(statements: Reads, recurringId: string): Promise<Contract | undefined> {
  const number = await contractNamed(statements, recurringId);
  return number === undefined ? undefined : (await readContracts(statements, [number]))[0];
}

/** A charge with the transactions that it made. */
export type ListedCharge = Charge & Pick<StoredCharge, 'transactionIds'>;

/** The newest charges of a contract after its first payment, newest first. */
export async function readCharges(
  statements: Reads,
  { number, accountNumber }: Pick<Contract, 'number' | 'accountNumber'>,
  limit: number,
): Promise<readonly ListedCharge[]> {
  const stored = await chargesOf(statements, number, limit);
  const outcomes = await outcomesOf(
    statements,
    stored.flatMap(({ transactionIds }) =>
      transactionIds.map((transactionId) => ({ accountNumber, transactionId })),
    ),
  );
  return stored.map((charge) => ({
    ...chargeWith(charge, (id) => outcomes(accountNumber, id)),
    transactionIds: charge.transactionIds,
  }));
}

/**
 * What results and queries say of the contracts to which transactions belong, as first payment or as a charge.
 * @param txns keys of transactions in the ledger
 * @returns by the keys of those transactions that belong to one
 */
export async function contractStates(
  statements: Reads,
  txns: readonly number[],
): Promise<ReadonlyMap<number, ContractState>> {
  const numbers = await contractsOfTransactions(statements, txns);
  const contracts = await readContracts(statements, [...new Set(numbers.values())]);
  const states = new Map(contracts.map((contract) => [contract.number, stateOfContract(contract)]));
  return new Map([...numbers].map(([txn, number]) => [txn, states.get(number)!]));
}

/**
 * What the answer to a first payment says of the contract that it began: as it stood then, whatever was charged since,
 * so that the same request always gets the same answer.
 * @param txn key of the first payment's transaction
 * @param first what was decided on it at first
 */
export async function contractAtFirst(
  statements: Reads,
  txn: number,
  first: 'approved' | 'review',
): Promise<ContractState | undefined> {
  const number = (await contractsOfTransactions(statements, [txn])).get(txn);
  const [contract] = number === undefined ? [] : await loadContracts(statements, [number]);
  if (contract?.txn !== txn) return undefined;
  const { recurringId, terms, openedAt } = contract;
  const outcome = first === 'approved' ? 'approved' : 'waiting';
  const facts = { terms, first: outcome, last: undefined, askedAt: openedAt, ended: false } as const;
  return contractState(recurringId, terms, standingOf(facts));
}

export function stateOfContract({ recurringId, terms, standing }: Contract): ContractState {
  return contractState(recurringId, terms, standing);
}

function chargeWith(charge: StoredCharge, outcome: (transactionId: string) => ChargeOutcome): Charge {
  const { cycle, attempt, at, orderNo, transactionIds } = charge;
  if (orderNo === undefined) return { cycle, attempt, at, outcome: 'free' };
  const outcomes = transactionIds.map(outcome);
  // One that was approved is the charge, whatever else was tried under its number.
  const decisive = (['approved', 'waiting', 'declined'] as const).find((one) => outcomes.includes(one));
  return { cycle, attempt, at, outcome: decisive ?? 'begun' };
}

async function outcomesOf(
  statements: Reads,
  named: readonly { readonly accountNumber: number; readonly transactionId: string }[],
): Promise<(accountNumber: number, transactionId: string) => ChargeOutcome> {
  if (named.length === 0) return outcomeOfUnknown;
  const wanted = new Map<number, string[]>();
  for (const { accountNumber, transactionId } of named) {
    getOrSet(wanted, accountNumber, () => []).push(transactionId);
  }
  const loaded = await loadTransactions(statements, wanted);
  const transactions = new Map<string, Transaction>(
    loaded.map(({ accountNumber, transaction }) => [
      `${accountNumber}/${transaction.transactionId}`,
      transaction,
    ]),
  );
  return (accountNumber, transactionId) => outcomeOf(transactions.get(`${accountNumber}/${transactionId}`)!);
}

function outcomeOfUnknown(_: number, transactionId: string): never {
  throw new Error(`transaction ${transactionId} was not loaded`);
}
