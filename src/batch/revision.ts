/** Writing the reports of a revision, and writing them again later with the same bytes. */
import { dirname, join } from 'node:path';
import type { LineOutcome } from '../core/outcome.ts';
import type { FileShape } from '../core/row.ts';
import { together } from '../core/together.ts';
import type { OpenedFile } from '../files/open.ts';
import { appendAct } from '../ledger/audit.ts';
import { finishRevision, setBatch } from '../ledger/journal.ts';
import { type Written, writeWhole } from '../report/atomic.ts';
import type {
  BatchDocument,
  BatchStatus,
  Evidence,
  LineCounts,
  ReportDocument,
  ReportError,
  ReportPaths,
} from '../report/document.ts';
import { reportHtml } from '../report/html.ts';
import { reportJson } from '../report/json.ts';
import { type BatchContext, checkpoint } from './context.ts';
import { batchDocument, reportError } from './document.ts';
import { gatherEvidence } from './evidence.ts';
import { EXIT, exitOfLines } from './exit.ts';
import { safeStem } from './folders.ts';
import { walkOf } from './kept-file.ts';
import { makeFolder } from './make-folder.ts';
import type { OpenBatch, ReadBatch } from './open-batch.ts';
import { type Findings, writeLines } from './report.ts';
import { statusReport, writeStatusReport } from './status-report.ts';
import { packRevision, type StoredRevision } from './stored-document.ts';
import { syncFolder } from './take.ts';

/** How a batch ended: rejected when the policy is atomic and a line invalid. */
export type Ending = Extract<BatchStatus, 'completed' | 'stopped' | 'rejected'>;

/** Writes all reports of the revision that is being made and closes it. */
export async function writeReports(
  context: BatchContext,
  batch: OpenBatch,
  ending: Ending,
): Promise<BatchDocument> {
  const { record, revision } = batch;
  const evidence = await gatherEvidence(context, batch);
  const warnings = ((await context.warnings?.()) ?? []).map(reportError);
  context.onExecuted?.();
  const { document, hashes } = await produce(context, batch, ending, evidence, warnings);
  const { lines, exit } = document;
  await context.database.write(async (statements) => {
    await finishRevision(statements, record.number, revision, packRevision({ document, evidence, hashes }));
    await setBatch(statements, record.number, { status: document.status, stop_requested: 0 });
    await appendAct(statements, {
      at: context.clock(),
      who: context.actor,
      act: 'batch.report',
      subject: record.id,
      detail: JSON.stringify({ revision, status: document.status, exit, lines }),
    });
  });
  return document;
}

/** Writes the reports of a finished revision again; all but the paths is as it was. */
export async function rewriteReports(
  context: BatchContext,
  read: ReadBatch,
  stored: StoredRevision,
): Promise<BatchDocument> {
  const { status, revision } = stored.document;
  const ending = status === 'unknown' ? 'completed' : (status as Ending);
  const warnings = ending === 'rejected' ? [] : stored.document.errors;
  const batch = { ...read, revision };
  const { document } = await produce(context, batch, ending, stored.evidence, warnings);
  return document;
}

async function produce(
  context: BatchContext,
  batch: OpenBatch,
  ending: Ending,
  evidence: Evidence,
  warnings: readonly ReportError[],
): Promise<Pick<StoredRevision, 'document' | 'hashes'>> {
  const { record, revision, submission, checked } = batch;
  const walk = await walkOf(context.database.reads, batch, revision, (lines) => {
    checkpoint(context, lines);
    context.onProgress?.('reporting', lines, checked.rows);
  });
  const paths = await reportPaths(context, batch, walk.opened.shape);
  const found = await writeLines(walk, record.id, checked.extra, paths);
  const exit = (lines: LineCounts) => (ending === 'rejected' ? EXIT.rejected : exitOfWarned(lines, warnings));
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
    errors: ending === 'rejected' ? checked.listed.map(reportError) : warnings,
    exit,
  });
  const answer = await writeAnswer(batch, walk.opened, paths.pain002, evidence, found.outcomes);
  const documents = await writeDocuments(
    reportDocument(document, context.environment, evidence, found),
    paths,
  );
  const hash = (file: Written | null) => file?.sha256 ?? null;
  const { result, fixme, held } = written;
  return {
    document,
    hashes: {
      result: hash(result),
      fixme: hash(fixme),
      held: hash(held),
      ...(answer === undefined ? {} : { pain002: answer.sha256 }),
      ...documents,
    },
  };
}

/** Only a payment initiation is answered in kind. */
async function writeAnswer(
  { record, revision }: OpenBatch,
  { shape, initiation }: OpenedFile,
  path: string | undefined,
  { finished_at }: Evidence,
  outcomes: readonly LineOutcome[],
): Promise<Written | undefined> {
  if (shape.format !== 'pain001' || initiation === undefined || path === undefined) return undefined;
  const answering = { batch: record.id, revision, created: finished_at };
  return writeStatusReport(path, statusReport(answering, shape, initiation.transfers, outcomes));
}

/** A file that grew after it was taken is an alarm, however its lines ended. */
function exitOfWarned(lines: LineCounts, warnings: readonly ReportError[]): number {
  return warnings.some(({ code }) => code === 'B0022') ? EXIT.unknown : exitOfLines(lines);
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
  const [json, html] = await together([
    writeWhole(paths.json, (sink) => sink.write(reportJson(document))),
    writeWhole(paths.html, (sink) => sink.write(text)),
  ]);
  return { json: json.sha256, html: html.sha256 };
}

type NonNullPaths = { readonly [Kind in keyof ReportPaths]: string };

async function reportPaths(
  context: BatchContext,
  { record, revision, submission }: OpenBatch,
  shape: FileShape,
): Promise<NonNullPaths> {
  const folder = context.out ?? context.folders.reportsOf(record.id);
  await makeFolder(folder);
  // The reports are only as durable as the name of their folder.
  await syncFolder(dirname(folder));
  const stem = `${safeStem(submission.name)}.${record.id}${revision > 1 ? `.r${revision}` : ''}`;
  const path = (kind: string) => join(folder, `${stem}.${kind}`);
  const format = shape.format === 'json' ? 'json' : 'csv';
  return {
    result: path(`result.${format}`),
    fixme: path(`fixme.${format}`),
    held: path(`held.${format}`),
    ...(shape.format === 'pain001' ? { pain002: path('pain002.xml') } : {}),
    json: path('report.json'),
    html: path('report.html'),
  };
}
