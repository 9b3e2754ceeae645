/** Contracts as commands show them: found by their ids, described for programs and for people. */
import { digitsOf } from '../../../core/currency.ts';
import { formatAmount } from '../../../core/money.ts';
import { dueOf, periodOf } from '../../../core/subscription.ts';
import { type Contract, findContract, stateOfContract } from '../../../engine/subscriptions/contracts.ts';
import { type KnownAccount, readAccounts } from '../../../ledger/accounts.ts';
import type { Database } from '../../../ledger/database.ts';
import { UsageError } from '../../errors.ts';

/** `recurring_status` by name. */
export const STATUSES = ['active', 'past_due', 'ended'] as const;

const STATUS_OF = { 1: 'active', 2: 'past_due', 0: 'ended' } as const;

export interface ContractDocument {
  readonly recurring_id: string;
  readonly name: string;
  readonly merchant: string;
  readonly account: string;
  readonly status: (typeof STATUSES)[number];
  readonly currency: string;
  /** Of a charge after the first payment. */
  readonly amount: string;
  readonly period: string;
  /** The next charge is made from then on; null when there is none. */
  readonly next_at: string | null;
  /** Charges that are made or passed over, the first payment among them. */
  readonly cycles_done: number;
  /** Charges in all; null: until somebody ends it. */
  readonly cycles: number | null;
  readonly opened_at: string;
}

export type Accounts = ReadonlyMap<number, KnownAccount>;

export async function accountsByNumber({ reads }: Database): Promise<Accounts> {
  return new Map((await readAccounts(reads)).map((account) => [account.number, account]));
}

export function documentOf(contract: Contract, accounts: Accounts): ContractDocument {
  const { recurringId, terms, currency, amount, openedAt } = contract;
  const { merchantId, accountId } = accounts.get(contract.accountNumber)!;
  const { next, status } = stateOfContract(contract);
  return {
    recurring_id: recurringId,
    name: terms.name,
    merchant: merchantId,
    account: accountId,
    status: STATUS_OF[status],
    currency,
    amount: formatAmount(amount, digitsOf(currency)!),
    period: periodOf(terms),
    next_at: timeOf(next),
    cycles_done: cyclesDone(contract),
    cycles: terms.cycles === 0 ? null : terms.cycles,
    opened_at: timeOf(openedAt)!,
  };
}

/** When a charge is due, ISO 8601. */
export function dueTime({ terms }: Contract, cycle: number): string | null {
  return timeOf(dueOf(terms, cycle));
}

export function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

/** A time as tables show it: to the minute, UTC. */
export function shortTime(time: string | null): string {
  return time === null ? '–' : `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;
}

function cyclesDone({ last }: Contract): number {
  if (last === undefined) return 1;
  return last.outcome === 'approved' || last.outcome === 'free' ? last.cycle : last.cycle - 1;
}

/** The contract with this id. Ids are typed as they are printed; small letters do no harm. */
export async function namedContract({ reads }: Database, id: string): Promise<Contract> {
  const contract = (await findContract(reads, id)) ?? (await findContract(reads, id.toUpperCase()));
  if (contract === undefined) {
    throw new UsageError(`there is no subscription ${id}`, 'See: batchgate recurring list');
  }
  return contract;
}
