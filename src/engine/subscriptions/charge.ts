/**
 * Charging what is due. Each attempt is written down in a commit of its own before the card is asked, and goes by an
 * order number made from contract, cycle and attempt: whoever is killed, and whoever runs at the same time, comes upon
 * the same number again and asks nobody a second time. What became of it is read from the ledger, never remembered.
 */
import type { Reason } from '../../core/code.ts';
import type { ChargeOutcome, PlannedCharge, Standing } from '../../core/contract.ts';
import type { AuthoriseAnswer } from '../../core/payment.ts';
import { readAccountNumbered } from '../../ledger/accounts.ts';
import { appendAct } from '../../ledger/audit.ts';
import { contractsAwake, insertCharge, setWake } from '../../ledger/contracts.ts';
import type { Database } from '../../ledger/database.ts';
import { loadPayments } from '../../ledger/payments.ts';
import type { Charge } from '../payments/payments.ts';
import { type Contract, readContracts } from './contracts.ts';
import { orderNoOf, orderOf } from './order.ts';
import { PATIENCE_MS, wakeAt } from './wake.ts';

export interface ChargingContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Asks for the payment. An order number under which it was ever asked for is refused. */
  readonly charge: (charge: Charge) => Promise<AuthoriseAnswer>;
}

/** An attempt that was made. */
export interface ChargeReport {
  /** As it stands after it. */
  readonly contract: Contract;
  readonly planned: PlannedCharge;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
  /** `begun`: the card could not be asked; the same attempt is made again. */
  readonly outcome: ChargeOutcome;
  /** Why it was not approved. */
  readonly reason: Reason | undefined;
}

/** Contracts that one call looks at: some seconds' work, so that whoever wants to end need not wait. */
const MOST_AT_ONCE = 200;

/** What one call has done. */
export interface ChargingPass {
  readonly reports: readonly ChargeReport[];
  /** Contracts that it has looked at; with 0 there is nothing to do by now. */
  readonly looked: number;
}

/**
 * Makes the attempts that are due by now, one a contract, those that have waited longest first.
 * @param mayGoOn asked before each contract
 */
export async function chargeDue(
  context: ChargingContext,
  mayGoOn: () => boolean = () => true,
): Promise<ChargingPass> {
  const { database, clock } = context;
  const reports: ChargeReport[] = [];
  let looked = 0;
  for (const number of await contractsAwake(database.reads, clock(), MOST_AT_ONCE)) {
    if (!mayGoOn()) break;
    const report = await makeAttempt(context, number);
    if (report !== undefined) reports.push(report);
    looked += 1;
  }
  return { reports, looked };
}

/** A person's word that a declined charge is to be tried again now. */
export interface Ordered {
  readonly who: string;
  readonly reason: string;
}

/**
 * Makes the attempt of one contract if it is due by now. One that was declined before, past due or not, is made at once
 * where a person orders it; the order goes into the audit with it.
 * @returns undefined when there was nothing to do
 */
export async function makeAttempt(
  context: ChargingContext,
  number: number,
  ordered?: Ordered,
): Promise<ChargeReport | undefined> {
  const begun = await begin(context, number, ordered);
  if (begun === undefined) return undefined;
  const answer = begun.planned.free ? undefined : await ask(context, begun);
  const contract = await settle(context, number);
  const outcome = outcomeIn(contract, begun.planned);
  return { ...begun, contract, outcome, reason: answer && reasonOf(answer, outcome) };
}

/** An attempt that is committed and was not answered yet. */
type Begun = Pick<ChargeReport, 'contract' | 'planned' | 'at'>;

/** Commits that the attempt is going to be made. An attempt that was begun before is gone on with. */
function begin(
  { database, clock }: ChargingContext,
  number: number,
  ordered: Ordered | undefined,
): Promise<Begun | undefined> {
  return database.write(async (statements) => {
    const now = clock();
    const contract = (await readContracts(statements, [number]))[0]!;
    const planned = attemptNow(contract.standing, now, ordered !== undefined);
    if (planned === undefined) {
      await setWake(statements, number, wakeAt(contract.standing, now));
      return undefined;
    }
    const { cycle, attempt, free } = planned;
    const orderNo = free ? undefined : orderNoOf(contract, planned);
    await insertCharge(statements, number, { cycle, attempt, orderNo, at: now });
    // Whatever happens from here on, somebody looks at it again, and not before the others had their turn.
    await setWake(statements, number, now + PATIENCE_MS);
    if (ordered !== undefined) {
      const { who, reason } = ordered;
      const detail = JSON.stringify({ reason, cycle, attempt });
      await appendAct(statements, {
        at: now,
        who,
        act: 'recurring.run',
        subject: contract.recurringId,
        detail,
      });
    }
    return { contract, planned, at: now };
  });
}

async function ask(
  { database: { reads }, charge }: ChargingContext,
  { contract, planned }: Begun,
): Promise<AuthoriseAnswer> {
  const { txn, accountNumber, tokenId } = contract;
  const first = (await loadPayments(reads, [txn])).get(txn)!.order.message;
  const account = await readAccountNumbered(reads, accountNumber);
  return charge({ account, order: orderOf(contract, planned, first), tokenId });
}

function attemptNow(standing: Standing, now: number, ordered: boolean): PlannedCharge | undefined {
  if (standing.is === 'past due') return ordered ? standing.next : undefined;
  if (standing.is !== 'active') return undefined;
  const { next } = standing;
  return next.from <= now || (ordered && next.attempt > 1) ? next : undefined;
}

/** Says when the contract is worth looking at again, by what the ledger has of it now. */
function settle({ database, clock }: ChargingContext, number: number): Promise<Contract> {
  return database.write(async (statements) => {
    const contract = (await readContracts(statements, [number]))[0]!;
    if (contract.last?.outcome !== 'begun') {
      await setWake(statements, number, wakeAt(contract.standing, clock()));
    }
    return contract;
  });
}

/** Somebody else may have made the same attempt meanwhile, and gone on: what comes after an attempt shows how it ended. */
function outcomeIn({ last }: Contract, { cycle, attempt }: PlannedCharge): ChargeOutcome {
  if (last!.cycle > cycle) return 'approved';
  return last!.attempt > attempt ? 'declined' : last!.outcome;
}

/** A refusal says why the card was not asked; where it was, somebody else has asked it, and the ledger has what it said. */
function reasonOf(answer: AuthoriseAnswer, outcome: ChargeOutcome): Reason | undefined {
  if ('payment' in answer) return answer.payment.reason;
  if ('session' in answer || outcome !== 'begun') return undefined;
  return 'failure' in answer ? answer.failure : answer.notFound;
}
