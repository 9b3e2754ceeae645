/** Lines against the ledger: what succeeded has its transfers, and what did not has none. */

import { getOrSet } from '../../core/get-or-set.ts';
import type { LineOutcome } from '../../core/outcome.ts';
import type { Statements } from '../../ledger/database.ts';
import { attemptsOf, type BatchRecord } from '../../ledger/journal.ts';
import { loadPayouts, type StoredPayout } from '../../ledger/payouts.ts';
import { remoteLinesOf } from '../../ledger/remote.ts';
import { type LineTransfer, lineTransfers } from '../../ledger/verify.ts';
import type { ExecutedLine } from '../outcomes.ts';
import type { VisitedLine } from '../report.ts';
import type { Finding } from './finding.ts';

/** What of the ledger the lines of a batch have accounted for. */
export interface Accounted {
  transfers: number;
  payouts: number;
  remote: number;
}

type Executed = VisitedLine & { readonly executed: ExecutedLine };

/** Compares a block of lines with the ledger; adds to `accounted` what it met there. */
export async function matchLines(
  statements: Pick<Statements, 'all' | 'json'>,
  record: BatchRecord,
  lines: readonly VisitedLine[],
  finding: Finding,
  accounted: Accounted,
): Promise<void> {
  const executed = lines.filter((line): line is Executed => line.executed !== undefined);
  const isPayout = ({ executed: { chunk } }: Executed) => chunk.operation === 'payout';
  finding.checked += executed.length;
  await matchEntries(
    statements,
    record,
    executed.filter((line) => !isPayout(line)),
    finding,
    accounted,
  );
  await matchPayouts(statements, record, executed.filter(isPayout), finding, accounted);
}

/**
 * Of a remote gateway: every line that may have happened holds its identity, and no other does. What an attempt holds that
 * is still open is not in the journal yet, and counts as accounted for.
 */
export async function matchRemoteLines(
  statements: Pick<Statements, 'all' | 'json'>,
  record: BatchRecord,
  lines: readonly VisitedLine[],
  finding: Finding,
  accounted: Accounted,
): Promise<void> {
  const executed = lines.filter((line): line is Executed => line.executed !== undefined);
  finding.checked += executed.length;
  const numbers = executed.map(({ row }) => row.line);
  const held = new Map<number, string[]>();
  const journaled = new Map(executed.map((line) => [line.row.line, line.executed.chunk.attempt]));
  const open = (await attemptsOf(statements, record.number)).filter(({ state }) => state === 'open');
  const isOpen = (attempt: number) => open.some(({ number }) => number === attempt);
  for (const { line, attempt, kind, amount } of await remoteLinesOf(statements, record.number, numbers)) {
    accounted.remote += 1;
    if (attempt > journaled.get(line)! && isOpen(attempt)) continue;
    getOrSet(held, line, () => []).push(`attempt ${attempt}: ${kind} ${amount}`);
  }
  for (const line of executed) {
    const due = HOLDS.has(line.outcome.outcome) ? expectedRemotely(line) : '';
    const stands = (held.get(line.row.line) ?? []).join(', ');
    if (due !== stands) finding.differs(difference(record, line.outcome, due, stands));
  }
}

/** Outcomes of lines that a remote gateway has executed, or may have executed. */
const HOLDS: ReadonlySet<string> = new Set(['succeeded', 'pending', 'unknown']);

function expectedRemotely({ row, outcome, executed, amount }: Executed): string {
  const { operation } = executed.chunk;
  const verdict = row.fields.review_flag === '1' ? 'review_accepted' : 'review_rejected';
  return `attempt ${outcome.attempt}: ${operation === 'review' ? verdict : operation} ${amount}`;
}

async function matchEntries(
  statements: Pick<Statements, 'all' | 'json'>,
  record: BatchRecord,
  lines: readonly Executed[],
  finding: Finding,
  accounted: Accounted,
): Promise<void> {
  if (lines.length === 0) return;
  const written = await lineTransfers(statements, record.number, idsOf(lines, 'transaction_id'));
  const byLine = new Map<number, LineTransfer[]>(lines.map(({ row }) => [row.line, []]));
  for (const transfer of written) byLine.get(transfer.line)?.push(transfer);
  for (const line of lines) {
    const named = byLine.get(line.row.line)!.filter(({ account, transactionId }) => {
      return account === line.executed.chunk.account && transactionId === line.row.fields.transaction_id;
    });
    accounted.transfers += named.length;
    if (line.outcome.outcome === 'unknown') continue;
    const due = expected(line).sort().join(', ');
    const stands = named
      .map(({ attempt, kind, amount }) => `attempt ${attempt}: ${kind} ${amount}`)
      .sort()
      .join(', ');
    if (due !== stands) finding.differs(difference(record, line.outcome, due, stands));
  }
}

/** The transfers that a line should have made, in words. */
function expected({ row, outcome, executed, amount, moved }: Executed): string[] {
  if (outcome.outcome !== 'succeeded' || amount === undefined) return [];
  const { operation } = executed.chunk;
  const transfer = (kind: string) => `attempt ${outcome.attempt}: ${kind} ${amount}`;
  if (operation !== 'review') return [transfer(operation)];
  if (row.fields.review_flag !== '1') return [transfer('review_rejected')];
  return moved.length === 0
    ? [transfer('review_accepted')]
    : [transfer('review_accepted'), transfer('capture')];
}

async function matchPayouts(
  statements: Pick<Statements, 'all'>,
  record: BatchRecord,
  lines: readonly Executed[],
  finding: Finding,
  accounted: Accounted,
): Promise<void> {
  if (lines.length === 0) return;
  const payouts = await loadPayouts(statements, idsOf(lines, 'request_id'));
  const byName = new Map(payouts.map((payout) => [`${payout.accountNumber}\n${payout.requestId}`, payout]));
  for (const line of lines) {
    const payout = byName.get(`${line.executed.chunk.account}\n${line.row.fields.request_id}`);
    const own = payout?.batchNumber === record.number && payout.line === line.row.line ? payout : undefined;
    if (own !== undefined) accounted.payouts += 1;
    const { outcome } = line.outcome;
    if (outcome === 'unknown') continue;
    const due =
      outcome === 'succeeded' || outcome === 'pending'
        ? `attempt ${line.outcome.attempt}: payout ${line.amount}`
        : '';
    const stands = own === undefined ? '' : `attempt ${own.attempt}: payout ${ownAmount(line, own)}`;
    if (due !== stands) finding.differs(difference(record, line.outcome, due, stands));
  }
}

/** The amount that the line gave: what the beneficiary gets, or what it is made from. */
function ownAmount({ row }: Executed, payout: StoredPayout): number {
  return row.fields.payment_amount === undefined ? payout.sourceAmount : payout.beneficiaryReceives;
}

function idsOf(
  lines: readonly Executed[],
  field: 'transaction_id' | 'request_id',
): ReadonlyMap<number, ReadonlySet<string>> {
  const ids = new Map<number, Set<string>>();
  for (const { row, executed } of lines) {
    const id = row.fields[field];
    if (id === undefined) continue;
    const known = ids.get(executed.chunk.account);
    if (known === undefined) ids.set(executed.chunk.account, new Set([id]));
    else known.add(id);
  }
  return ids;
}

function difference(
  { id }: BatchRecord,
  { line, outcome }: LineOutcome,
  due: string,
  stands: string,
): string {
  return `${id}:${line} ${outcome}: the ledger should have ${due || 'nothing'} and has ${stands || 'nothing'} (minor units)`;
}
