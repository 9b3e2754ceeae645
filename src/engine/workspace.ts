/** What one group works on: the transactions, payouts and balances it names, and everything it is going to write. */
import { lineReference, usualMovement } from '../core/answer.ts';
import type { Reason } from '../core/code.ts';
import type { Movement } from '../core/gateway.ts';
import { getOrSet } from '../core/get-or-set.ts';
import type { Executed, Requested } from '../core/identity.ts';
import { together } from '../core/together.ts';
import type { Transaction } from '../core/transaction.ts';
import type { BookSums } from '../core/transfer.ts';
import { BalanceChanges, readBalance } from '../ledger/balances.ts';
import type { Statements } from '../ledger/database.ts';
import type { NewEvent } from '../ledger/events.ts';
import { batchIds } from '../ledger/journal.ts';
import { insertPayouts, loadPayouts, nextPayoutNumber, type StoredPayout } from '../ledger/payouts.ts';
import { loadTransactions, type NewTransfer, type TransferGroup } from '../ledger/transactions.ts';
import type { OpenRequest } from './request.ts';
import { type Damages, spreadsheetDamages } from './spreadsheet-damage.ts';

/** A transaction while a group is decided: what it is after the decisions so far. */
export interface WorkingTransaction {
  readonly number: number;
  transaction: Transaction;
  readonly executed: Executed[];
  readonly requested: Requested[];
  /** How many transfers it has. */
  transfers: number;
  readonly notifyUrl: string | undefined;
}

export class Workspace {
  readonly now: number;
  readonly transfers: TransferGroup[] = [];
  readonly balances = new BalanceChanges();
  readonly events: NewEvent[] = [];
  readonly #transactions: ReadonlyMap<number, ReadonlyMap<string, WorkingTransaction>>;
  readonly #damages: Damages;
  readonly #payouts: Map<string, StoredPayout>;
  readonly #opening: ReadonlyMap<string, bigint>;
  readonly #batchIds: ReadonlyMap<number, string>;
  readonly #newPayouts: StoredPayout[] = [];
  #nextPayout: number;

  constructor(
    now: number,
    transactions: ReadonlyMap<number, ReadonlyMap<string, WorkingTransaction>>,
    damages: Damages,
    payouts: Map<string, StoredPayout>,
    opening: ReadonlyMap<string, bigint>,
    nextPayout: number,
    ids: ReadonlyMap<number, string>,
  ) {
    this.now = now;
    this.#transactions = transactions;
    this.#damages = damages;
    this.#payouts = payouts;
    this.#opening = opening;
    this.#nextPayout = nextPayout;
    this.#batchIds = ids;
  }

  transaction(accountNumber: number, transactionId: string): WorkingTransaction | undefined {
    return this.#transactions.get(accountNumber)?.get(transactionId);
  }

  /** What a spreadsheet seems to have done to an id that the account does not have. */
  damage(accountNumber: number, transactionId: string): Reason | undefined {
    return this.#damages.get(accountNumber)?.get(transactionId);
  }

  payout(accountNumber: number, requestId: string): StoredPayout | undefined {
    return this.#payouts.get(`${accountNumber}/${requestId}`);
  }

  addPayout(payout: Omit<StoredPayout, 'number'>): StoredPayout {
    const stored = { ...payout, number: this.#nextPayout };
    this.#nextPayout += 1;
    this.#newPayouts.push(stored);
    this.#payouts.set(`${payout.accountNumber}/${payout.requestId}`, stored);
    return stored;
  }

  /** The merchant's balance after the decisions so far, in minor units. */
  merchantBalance(accountNumber: number, currency: string): bigint {
    return (
      (this.#opening.get(`${accountNumber}/${currency}`) ?? 0n) +
      this.books(accountNumber, currency).of('merchant')
    );
  }

  books(accountNumber: number, currency: string): BookSums {
    return this.balances.of(accountNumber, currency);
  }

  /** `batch:line` as a sender names an executed line. */
  nameOf = ({ batchNumber, line }: Executed): string => `${this.#batchIds.get(batchNumber)}:${line}`;

  /** Opens a list for the transfers of one request. */
  transfersOf({ request: { origin }, options }: OpenRequest): NewTransfer[] {
    const transfers: NewTransfer[] = [];
    this.transfers.push({
      batchNumber: origin?.batchNumber,
      attempt: origin?.attempt,
      request: options.requestId,
      transfers,
    });
    return transfers;
  }

  /** Writes the payouts that were accepted. */
  writePayouts(statements: Statements): Promise<void> {
    return insertPayouts(statements, this.#newPayouts);
  }
}

/** Loads everything that the requests name. */
export async function loadWorkspace(
  statements: Statements,
  requests: readonly OpenRequest[],
  now: number,
): Promise<Workspace> {
  const [transactions, { payouts, balances, next }, ids] = await together([
    loadNamedTransactions(statements, requests),
    loadNamedPayouts(statements, requests),
    batchIds(statements, repeatedBatches(requests)),
  ]);
  const isKnown = (accountNumber: number, transactionId: string) =>
    transactions.get(accountNumber)?.has(transactionId) === true;
  const damages = await spreadsheetDamages(statements, requests, isKnown);
  const released = releasedBatches(requests, transactions);
  const all = released.length === 0 ? ids : new Map([...ids, ...(await batchIds(statements, [], released))]);
  return new Workspace(now, transactions, damages, payouts, balances, next, all);
}

async function loadNamedTransactions(
  statements: Statements,
  requests: readonly OpenRequest[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, WorkingTransaction>>> {
  const wanted = new Map<number, Set<string>>();
  for (const request of requests) {
    if (request.operation === 'payout') continue;
    const ids = getOrSet(wanted, request.account.number, () => new Set<string>());
    for (const entry of request.request.entries) ids.add(entry.transactionId);
  }
  const byAccount = new Map<number, Map<string, WorkingTransaction>>();
  if (wanted.size === 0) return byAccount;
  for (const { accountNumber, ...loaded } of await loadTransactions(statements, wanted)) {
    const byId = getOrSet(byAccount, accountNumber, () => new Map<string, WorkingTransaction>());
    byId.set(loaded.transaction.transactionId, {
      ...loaded,
      executed: [...loaded.executed],
      requested: [...loaded.requested],
    });
  }
  return byAccount;
}

async function loadNamedPayouts(statements: Statements, requests: readonly OpenRequest[]) {
  const wanted = new Map<number, Set<string>>();
  const balances = new Map<string, bigint>();
  for (const request of requests) {
    if (request.operation !== 'payout') continue;
    const { account } = request;
    const { requestId, sourceCurrency } = request.request.payout;
    getOrSet(wanted, account.number, () => new Set<string>()).add(requestId);
    const key = `${account.number}/${sourceCurrency}`;
    if (!balances.has(key))
      balances.set(key, await readBalance(statements, account.number, sourceCurrency, 'merchant'));
  }
  const stored = wanted.size === 0 ? [] : await loadPayouts(statements, wanted);
  const payouts = new Map(stored.map((payout) => [`${payout.accountNumber}/${payout.requestId}`, payout]));
  return { payouts, balances, next: wanted.size === 0 ? 0 : await nextPayoutNumber(statements) };
}

/** Ids of the batches that senders name in repeat_of. */
function repeatedBatches(requests: readonly OpenRequest[]): readonly string[] {
  const ids = new Set<string>();
  for (const request of requests) {
    if (request.operation === 'payout') continue;
    for (const { repeatOf } of request.request.entries) {
      if (repeatOf !== undefined) ids.add(repeatOf.slice(0, repeatOf.lastIndexOf(':')));
    }
  }
  return [...ids];
}

/** Numbers of the batches whose lines may be repeated by lines that a person releases. */
function releasedBatches(
  requests: readonly OpenRequest[],
  transactions: ReadonlyMap<number, ReadonlyMap<string, WorkingTransaction>>,
): readonly number[] {
  const numbers = new Set<number>();
  for (const request of requests) {
    const { origin } = request.request;
    if (request.operation === 'payout' || origin?.repeats !== 'release') continue;
    numbers.add(origin.batchNumber);
    for (const { transactionId } of request.request.entries) {
      const working = transactions.get(request.account.number)?.get(transactionId);
      for (const { batchNumber } of working?.executed ?? []) numbers.add(batchNumber);
    }
  }
  return [...numbers];
}

/** What a plain success of a request's instruction would be: the short form in which answers are stored. */
export function usualOf(
  request: OpenRequest,
  index: number,
): { reference: string; moved: readonly Movement[] } {
  const { origin } = request.request;
  if (request.operation === 'payout') {
    return {
      reference: origin === undefined ? '' : lineReference(origin, request.request.payout.line),
      moved: [],
    };
  }
  const entry = request.request.entries[index]!;
  return {
    reference: origin === undefined ? '' : lineReference(origin, entry.line),
    moved: usualMovement(request.operation, entry.refundAmount ?? entry.amount, entry.currency),
  };
}
