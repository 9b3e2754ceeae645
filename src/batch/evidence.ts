/** What backs a report: who, when, from what, and the ledger before and after. */
import { digitsOf } from '../core/currency.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { formatAmount } from '../core/money.ts';
import { termsOf } from '../files/iso20022/pain001-terms.ts';
import { readAccounts } from '../ledger/accounts.ts';
import { auditHead } from '../ledger/audit.ts';
import { readBalances } from '../ledger/balances.ts';
import type { Statements } from '../ledger/database.ts';
import { findRevision } from '../ledger/journal.ts';
import { lastSequence } from '../ledger/transactions.ts';
import type { Evidence } from '../report/document.ts';
import type { BatchContext } from './context.ts';
import type { OpenBatch } from './open-batch.ts';
import type { Preflight } from './preflight.ts';

/** What is known of the ledger when a revision begins. */
interface Opening {
  readonly sequence: number;
  readonly balances: readonly Balance[];
}

interface Balance {
  readonly merchant: string;
  readonly account: string;
  readonly currency: string;
  readonly amount: string;
}

export async function openingOf(statements: Pick<Statements, 'all'>): Promise<Opening> {
  return { sequence: await lastSequence(statements), balances: await merchantBalances(statements) };
}

/** Gathers the evidence of a revision that is about to be closed. */
export async function gatherEvidence(
  context: BatchContext,
  { record, revision, submission, checked }: OpenBatch,
): Promise<Evidence> {
  const { reads } = context.database;
  const begun = (await findRevision(reads, record.number, revision))!;
  const opening = JSON.parse(begun.opening) as Opening;
  const { encoding, delimiter, style, pain001 } = submission.reading;
  const stated = checked.stated;
  const last = await lastSequence(reads);
  // What a remote gateway executes makes no entry here, whatever others have entered meanwhile.
  const isRemote = record.gateway !== EMBEDDED;
  return {
    submitted_by: submission.submittedBy,
    submitted_from: submission.submittedFrom,
    received_at: isoTime(record.received_at),
    started_at: isoTime(begun.started_at),
    finished_at: isoTime(context.clock()),
    options: {
      policy: submission.policy,
      repeats: submission.repeats,
      decimal: style.decimal,
      thousands: style.thousands,
      ...(encoding === undefined ? {} : { encoding }),
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(submission.operation === undefined ? {} : { operation: submission.operation }),
      ...(stated?.sequence === undefined ? {} : { sequence: stated.sequence }),
      ...(submission.merchantId === undefined ? {} : { merchant: submission.merchantId }),
      ...(submission.accountId === undefined ? {} : { account: submission.accountId }),
      ...(checked.shape?.format === 'pain001' ? termsOf(pain001) : {}),
    },
    program_version: context.version,
    control_totals: {
      stated: stated === undefined ? null : { rows: stated.rows ?? null, totals: stated.totals ?? {} },
      calculated: checked.calculated,
    },
    ledger_sequence: { from: (isRemote ? last : opening.sequence) + 1, to: last },
    balances: isRemote ? [] : balancesOf(checked, opening.balances, await merchantBalances(reads)),
    audit_head: await auditHead(reads),
  };
}

/** Before and after, for the accounts that the file names. */
function balancesOf(
  checked: Preflight,
  before: readonly Balance[],
  after: readonly Balance[],
): Evidence['balances'] {
  const named = new Set(checked.tally.breakdown().map(({ merchant, account }) => `${merchant}\n${account}`));
  return after
    .filter(({ merchant, account }) => named.has(`${merchant}\n${account}`))
    .map(({ merchant, account, currency, amount }) => {
      const earlier = before.find(
        (one) => one.merchant === merchant && one.account === account && one.currency === currency,
      );
      return {
        merchant,
        account,
        currency,
        before: earlier?.amount ?? formatAmount(0, digitsOf(currency)!),
        after: amount,
      };
    });
}

/** Time with its offset; reports are in UTC. */
function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** What each merchant has, per account and currency. */
async function merchantBalances(statements: Pick<Statements, 'all'>): Promise<readonly Balance[]> {
  const accounts = new Map((await readAccounts(statements)).map((account) => [account.number, account]));
  return (await readBalances(statements))
    .filter(({ book }) => book === 'merchant')
    .map(({ account, currency, amount }) => {
      const { merchantId, accountId } = accounts.get(account)!;
      return {
        merchant: merchantId,
        account: accountId,
        currency,
        amount: formatAmount(BigInt(amount), digitsOf(currency)!),
      };
    });
}
