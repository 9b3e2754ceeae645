/** The whole story of one line: what it asked, what became of it in every attempt, and what that did to the ledger. */
import { hintOf } from '../core/code.ts';
import { digitsOf } from '../core/currency.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { isInvalid } from '../core/instruction.ts';
import { formatAmount } from '../core/money.ts';
import type { Operation } from '../core/operation.ts';
import type { LineOutcome, Outcome } from '../core/outcome.ts';
import { maskCards } from '../files/card-data.ts';
import { type KnownAccount, readAccounts } from '../ledger/accounts.ts';
import type { AuditRow } from '../ledger/audit.ts';
import { actsOn, revisionsOf } from '../ledger/history.ts';
import type { BatchRecord } from '../ledger/journal.ts';
import { payoutsNamed } from '../ledger/payouts.ts';
import { remoteLinesOf } from '../ledger/remote.ts';
import { openingsNamed } from '../ledger/transfers.ts';
import type { ReportError, ReportPaths } from '../report/document.ts';
import type { BatchContext } from './context.ts';
import { NO_REPORTS } from './document.ts';
import { type Found, findLine, type NoSuchLine } from './explain/line.ts';
import { type PayoutStory, payoutStory } from './explain/payout.ts';
import { type TransactionStory, transactionStory } from './explain/transaction.ts';
import { isoTime } from './explain/transfers.ts';
import { intakeOf } from './intake.ts';
import { unpackLines } from './line-ranges.ts';
import type { Line } from './lines.ts';
import { type ExecutedLine, outcomeOf } from './outcomes.ts';
import { unpackRevision } from './stored-document.ts';

type Looking = Pick<BatchContext, 'database' | 'folders' | 'clock'>;

export interface LineStory {
  readonly batch: string;
  readonly line: number;
  readonly file: string;
  readonly status: string;
  readonly submitted_by: string;
  readonly submitted_from: string;
  readonly received_at: string;
  /** `engine`, or the remote gateway that the batch names. */
  readonly gateway: string;
  /** When it was sent to a remote gateway that has executed it or may have; else null. */
  readonly sent_at: string | null;
  /** The filled fields as they were read. */
  readonly fields: Readonly<Record<string, string>>;
  readonly operation: string | null;
  readonly merchant: string | null;
  readonly account: string | null;
  /** Acted-on amount. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly message: string | null;
  readonly hint: string | null;
  /** Duplicates: the line it repeats. */
  readonly first: string | null;
  readonly gateway_reference: string | null;
  /** Executions that a person ordered, oldest first. */
  readonly attempts: readonly {
    readonly attempt: number;
    readonly chunk: number;
    readonly revision: number;
    readonly outcome: Outcome;
  }[];
  /** Who found out, or said, later what became of it. */
  readonly settled: Settlement | null;
  readonly transaction: TransactionStory | null;
  readonly payout: PayoutStory | null;
  readonly acts: readonly {
    readonly at: string;
    readonly who: string;
    readonly act: string;
    readonly reason: string;
  }[];
  readonly reports: ReportPaths;
}

export interface Settlement {
  readonly at: string;
  readonly who: string;
  readonly reason: string;
  /** What a person has said; null when the gateway was asked. */
  readonly as: 'succeeded' | 'refused' | null;
}

/** Why there is no story of a line. */
export type NoStory = NoSuchLine | { readonly is: 'rejected'; readonly errors: readonly ReportError[] };

export async function explainLine(
  context: Looking,
  record: BatchRecord,
  line: number,
): Promise<LineStory | NoStory> {
  if (record.status === 'rejected' && record.revision === 0) {
    const { errors } = JSON.parse(record.intake) as { readonly errors?: readonly ReportError[] };
    return { is: 'rejected', errors: errors ?? [] };
  }
  const found = await findLine(context, record, line);
  return 'is' in found ? found : storyOf(context, record, found);
}

async function storyOf(context: Looking, record: BatchRecord, found: Found): Promise<LineStory> {
  const { reads } = context.database;
  const { submission } = intakeOf(record);
  const { line, amount, currency } = found;
  const operation = found.executed?.chunk.operation ?? line.operation ?? null;
  const account = await accountOf(context, found);
  const outcome = found.settled?.outcome ?? notExecuted(line);
  const masked = outcome.reason?.code === 'B0012';
  const fields = Object.entries(line.row.fields).map(
    ([name, value]) => [name, masked ? maskCards(value, name) : value] as const,
  );
  const acts = await actsOn(reads, record.id);
  const document = (await revisionsOf(reads, record.number)).findLast(
    (one) => one.document !== null,
  )?.document;
  return {
    batch: record.id,
    line: line.row.line,
    file: record.name,
    status: record.status,
    submitted_by: submission.submittedBy,
    submitted_from: submission.submittedFrom,
    received_at: isoTime(record.received_at),
    gateway: record.gateway,
    sent_at: await sentAt(context, record, line.row.line),
    fields: Object.fromEntries(fields),
    operation,
    merchant: account?.merchantId ?? line.merchantId ?? null,
    account: account?.accountId ?? line.accountId ?? null,
    amount: amount === undefined || currency === undefined ? null : formatAmount(amount, digitsOf(currency)!),
    currency: currency ?? null,
    ...outcomeWords(outcome),
    attempts: attemptsOf(found.executed),
    settled: settlementOf(acts, line.row.line),
    // A transaction of the same name in this ledger is another one than the remote gateway's.
    ...(record.gateway === EMBEDDED
      ? await subjectOf(context, account, operation, line.row.fields)
      : { transaction: null, payout: null }),
    acts: acts.map(({ at, who, act, detail }) => ({
      at: isoTime(at),
      who,
      act,
      reason: detailOf(detail).reason ?? '',
    })),
    reports:
      document === undefined || document === null ? NO_REPORTS : unpackRevision(document).document.reports,
  };
}

/** What a line is that no chunk has carried. */
function notExecuted(line: Line): LineOutcome {
  const { parsed, row } = line;
  const reason = isInvalid(parsed) ? parsed.reason : undefined;
  const outcome = isInvalid(parsed) ? 'invalid' : 'not_sent';
  return {
    line: row.line,
    outcome,
    reason,
    chunk: undefined,
    attempt: undefined,
    reference: undefined,
    first: undefined,
  };
}

function outcomeWords({ outcome, reason, first, reference }: LineOutcome) {
  return {
    outcome,
    code: reason?.code ?? null,
    message: reason?.message ?? null,
    hint: reason === undefined ? null : hintOf(reason),
    first: first ?? null,
    gateway_reference: reference ?? null,
  };
}

function attemptsOf(executed: ExecutedLine | undefined): LineStory['attempts'] {
  if (executed === undefined) return [];
  const { chunk, index, before } = executed;
  const { attempt, number, revision, results } = chunk;
  return [...attemptsOf(before), { attempt, chunk: number, revision, outcome: outcomeOf(results[index]!) }];
}

async function accountOf(
  { database }: Looking,
  { executed, line }: Found,
): Promise<KnownAccount | undefined> {
  const number = executed?.chunk.account ?? line.account?.number;
  return number === undefined
    ? undefined
    : (await readAccounts(database.reads)).find((account) => account.number === number);
}

/** What the line is about, as far as the ledger knows it. */
async function subjectOf(
  { database, clock }: Looking,
  account: KnownAccount | undefined,
  operation: Operation | null,
  fields: Readonly<Record<string, string>>,
): Promise<Pick<LineStory, 'transaction' | 'payout'>> {
  const { reads } = database;
  const { transaction_id, request_id } = fields;
  if (account === undefined) return { transaction: null, payout: null };
  if (operation === 'payout') {
    const payouts = request_id === undefined ? [] : await payoutsNamed(reads, request_id);
    const payout = payouts.find(({ accountNumber }) => accountNumber === account.number);
    return {
      transaction: null,
      payout: payout === undefined ? null : await payoutStory(reads, payout, account, clock()),
    };
  }
  const openings = transaction_id === undefined ? [] : await openingsNamed(reads, transaction_id);
  const opening = openings.find((one) => one.account === account.number);
  return {
    payout: null,
    transaction: opening === undefined ? null : await transactionStory(reads, opening, account, clock()),
  };
}

/** A line that is taken back may have been sent at a time that nobody knows. */
async function sentAt({ database }: Looking, record: BatchRecord, line: number): Promise<string | null> {
  const sent = (await remoteLinesOf(database.reads, record.number, [line])).at(-1);
  return sent === undefined || sent.at === 0 ? null : isoTime(sent.at);
}

interface ActDetail {
  readonly reason?: string;
  /** Lines that were settled. */
  readonly lines?: string | readonly number[];
  readonly as?: 'succeeded' | 'refused';
}

function detailOf(detail: string): ActDetail {
  return JSON.parse(detail) as ActDetail;
}

/** The last act that settled the line. */
function settlementOf(acts: readonly AuditRow[], line: number): Settlement | null {
  const act = acts.findLast(({ act, detail }) => {
    const { lines = [] } = detailOf(detail);
    return act === 'batch.resolve' && (typeof lines === 'string' ? unpackLines(lines) : lines).includes(line);
  });
  if (act === undefined) return null;
  const { reason = '', as = null } = detailOf(act.detail);
  return { at: isoTime(act.at), who: act.who, reason, as };
}
