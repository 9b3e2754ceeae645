/** Writing the reports of a revision, and writing them again later with the same bytes. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digitsOf } from '../core/currency.ts';
import { isKnownField } from '../core/instruction.ts';
import { formatAmount } from '../core/money.ts';
import { openFile } from '../files/open.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import { appendAct, auditHead } from '../ledger/audit.ts';
import { type BatchRecord, findRevision, finishRevision, setBatch } from '../ledger/journal.ts';
import { lastSequence } from '../ledger/transactions.ts';
import { type Written, writeWhole } from '../report/atomic.ts';
import type {
  BatchDocument,
  BatchStatus,
  Evidence,
  LineCounts,
  ReportDocument,
  ReportPaths,
} from '../report/document.ts';
import { reportHtml } from '../report/html.ts';
import { reportJson } from '../report/json.ts';
import { type Balance, merchantBalances, type Opening } from './claim.ts';
import type { BatchContext } from './context.ts';
import { batchDocument } from './document.ts';
import { EXIT, exitOfLines } from './exit.ts';
import { KEPT_INPUT, safeStem } from './folders.ts';
import { LineReader } from './lines.ts';
import { JournalWalk } from './outcomes.ts';
import type { Preflight } from './preflight.ts';
import { type Findings, writeLines } from './report.ts';
import { packRevision, type StoredRevision } from './stored-document.ts';
import type { Submission } from './submission.ts';

/** How a batch ended: rejected when the policy is atomic and a line invalid. */
export type Ending = Extract<BatchStatus, 'completed' | 'stopped' | 'rejected'>;

/** Writes all reports of the revision that is being made and closes it. */
export async function writeReports(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  record: BatchRecord,
  revision: number,
  checked: Preflight,
  ending: Ending,
): Promise<BatchDocument> {
  const evidence = await gatherEvidence(context, submission, record, revision, checked);
  const { document, hashes } = await produce(
    context,
    submission,
    accounts,
    record,
    revision,
    checked,
    ending,
    evidence,
  );
  const { batch, lines, exit } = document;
  await context.database.write(async (statements) => {
    await finishRevision(statements, record.number, revision, packRevision({ document, evidence, hashes }));
    await setBatch(statements, record.number, { status: document.status, stop_requested: 0 });
    await appendAct(statements, {
      at: context.clock(),
      who: context.actor,
      act: 'batch.report',
      subject: batch,
      detail: JSON.stringify({ revision, status: document.status, exit, lines }),
    });
  });
  return document;
}

/** Writes the reports of a finished revision again; all but the paths is as it was. */
export async function rewriteReports(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  record: BatchRecord,
  revision: number,
  checked: Preflight,
  stored: StoredRevision,
): Promise<BatchDocument> {
  const { status } = stored.document;
  const ending = status === 'unknown' ? 'completed' : (status as Ending);
  const { document } = await produce(
    context,
    submission,
    accounts,
    record,
    revision,
    checked,
    ending,
    stored.evidence,
  );
  return document;
}

async function produce(
  context: BatchContext,
  submission: Submission,
  accounts: AccountBook,
  record: BatchRecord,
  revision: number,
  checked: Preflight,
  ending: Ending,
  evidence: Evidence,
): Promise<Pick<StoredRevision, 'document' | 'hashes'>> {
  const input = join(context.folders.workOf(record.id), KEPT_INPUT);
  const opened = await openFile(input, submission.name, submission.reading, isKnownField);
  const paths = await reportPaths(context, submission, record.id, revision, opened.shape.format);
  const found = await writeLines(
    {
      opened,
      reader: new LineReader(opened.shape, submission, accounts),
      submission,
      accounts: accounts.all,
      journal: await JournalWalk.begin(context.database.reads, record, revision),
      compare: revision > 1,
      onProgress: (lines) => context.onProgress?.('reporting', lines, checked.rows),
    },
    record.id,
    checked.extra,
    paths,
  );
  const exit = (lines: LineCounts) => (ending === 'rejected' ? EXIT.rejected : exitOfLines(lines));
  const counts = found.tally.counts();
  const { written } = found;
  const document = batchDocument({
    batch: record.id,
    submission,
    sha256: record.sha256,
    preflight: checked,
    status: statusOf(ending, counts),
    revision,
    tally: found.tally,
    chunksDone: found.chunks,
    reports: { ...paths, fixme: written.fixme?.path ?? null, held: written.held?.path ?? null },
    errors: ending === 'rejected' ? checked.listed : [],
    exit,
  });
  const documents = await writeDocuments(
    reportDocument(document, context.environment, evidence, found),
    paths,
  );
  const hash = (file: Written | null) => file?.sha256 ?? null;
  const { result, fixme, held } = written;
  return { document, hashes: { result: hash(result), fixme: hash(fixme), held: hash(held), ...documents } };
}

/** A stopped batch whose other lines were retried since has nothing left to send. */
function statusOf(ending: Ending, counts: LineCounts): BatchStatus {
  if (ending === 'rejected') return 'rejected';
  if (counts.unknown > 0) return 'unknown';
  return ending === 'stopped' && counts.not_sent > 0 ? 'stopped' : 'completed';
}

function reportDocument(
  document: BatchDocument,
  environment: string,
  evidence: Evidence,
  found: Findings,
): ReportDocument {
  const { exceptions, changes, listed, unlisted } = found;
  // A report says where its own files are by their names alone: the folder may be moved or mailed.
  const named = Object.fromEntries(
    Object.entries(document.reports).map(([kind, path]) => [
      kind,
      path === null ? null : (path.split('/').at(-1) ?? null),
    ]),
  ) as unknown as ReportPaths;
  return {
    ...document,
    reports: named,
    schema_version: 1,
    environment,
    evidence,
    exceptions,
    changes,
    listed,
    unlisted,
  };
}

/** Returns the SHA-256 of each. */
async function writeDocuments(
  document: ReportDocument,
  paths: NonNullPaths,
): Promise<Pick<ReportPaths, 'json' | 'html'>> {
  const text = await reportHtml(document);
  const json = await writeWhole(paths.json, (sink) => sink.write(reportJson(document)));
  const html = await writeWhole(paths.html, (sink) => sink.write(text));
  return { json: json.sha256, html: html.sha256 };
}

type NonNullPaths = { readonly [Kind in keyof ReportPaths]: string };

async function reportPaths(
  context: BatchContext,
  submission: Submission,
  batch: string,
  revision: number,
  format: 'csv' | 'json',
): Promise<NonNullPaths> {
  const folder = context.out ?? context.folders.reportsOf(batch);
  await mkdir(folder, { recursive: true });
  const stem = `${safeStem(submission.name)}.${batch}${revision > 1 ? `.r${revision}` : ''}`;
  const path = (kind: string) => join(folder, `${stem}.${kind}`);
  return {
    result: path(`result.${format}`),
    fixme: path(`fixme.${format}`),
    held: path(`held.${format}`),
    json: path('report.json'),
    html: path('report.html'),
  };
}

async function gatherEvidence(
  context: BatchContext,
  submission: Submission,
  record: BatchRecord,
  revision: number,
  checked: Preflight,
): Promise<Evidence> {
  const { reads } = context.database;
  const begun = (await findRevision(reads, record.number, revision))!;
  const opening = JSON.parse(begun.opening) as Opening;
  const { encoding, delimiter, style } = submission.reading;
  const stated = checked.stated;
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
      ...(submission.merchantId === undefined ? {} : { merchant: submission.merchantId }),
      ...(submission.accountId === undefined ? {} : { account: submission.accountId }),
    },
    program_version: context.version,
    control_totals: {
      stated: stated === undefined ? null : { rows: stated.rows ?? null, totals: stated.totals ?? {} },
      calculated: checked.calculated,
    },
    ledger_sequence: { from: opening.sequence + 1, to: await lastSequence(reads) },
    balances: balancesOf(checked, opening.balances, await merchantBalances(reads)),
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
