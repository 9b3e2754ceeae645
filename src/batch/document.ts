/** Putting the parts of a batch together to the document that commands print and reports show. */
import type { Reason } from '../core/code.ts';
import { hintOf } from '../core/code.ts';
import type { BatchDocument, BatchStatus, LineCounts, ReportError, ReportPaths } from '../report/document.ts';
import type { Preflight } from './preflight.ts';
import type { Submission } from './submission.ts';
import type { Tally } from './tally.ts';

export const NO_REPORTS: ReportPaths = { result: null, fixme: null, held: null, json: null, html: null };

export interface DocumentParts {
  readonly batch: string;
  readonly submission: Submission;
  readonly sha256: string;
  readonly preflight: Preflight;
  readonly status: BatchStatus;
  readonly revision: number;
  readonly tally: Tally;
  readonly chunksDone: number;
  readonly reports: ReportPaths;
  readonly errors: readonly ReportError[];
  readonly exit: (lines: LineCounts) => number;
}

export function batchDocument(parts: DocumentParts): BatchDocument {
  const { preflight, submission, tally } = parts;
  const lines = tally.counts();
  return {
    batch: parts.batch,
    file: submission.name,
    sha256: parts.sha256,
    repeat: false,
    gateway: submission.gateway,
    operation: preflight.operation,
    status: parts.status,
    revision: parts.revision,
    read: readOf(submission, preflight),
    lines,
    totals: preflight.operation === 'mixed' ? null : tally.totals(),
    breakdown: tally.breakdown(),
    chunks: { planned: preflight.chunks, done: parts.chunksDone },
    reports: parts.reports,
    errors: parts.errors,
    exit: parts.exit(lines),
  };
}

/** How the file was read. */
export function readOf({ reading }: Submission, { shape, rows }: Preflight): BatchDocument['read'] {
  return {
    encoding: shape?.encoding ?? '',
    delimiter: shape?.format === 'csv' ? shape.delimiter : null,
    decimal: reading.style.decimal,
    rows,
  };
}

export function reportError(reason: Reason): ReportError {
  const { code, message, line, column } = reason;
  return {
    code,
    message,
    hint: hintOf(reason),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
