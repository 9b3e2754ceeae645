/** A file that is not executed: it goes to rejected/ with all the reasons, and the journal remembers it. */
import { dirname, join } from 'node:path';
import type { Reason } from '../core/code.ts';
import { maskCards } from '../files/card-data.ts';
import { appendAct } from '../ledger/audit.ts';
import { type BatchRecord, batchesBySameness, insertBatch } from '../ledger/journal.ts';
import { copyWhole, writeWhole } from '../report/atomic.ts';
import type { BatchDocument, ReportError } from '../report/document.ts';
import { errorsCsv, errorsJson } from '../report/errors.ts';
import type { BatchContext } from './context.ts';
import { batchDocument, NO_REPORTS, reportError } from './document.ts';
import { EXIT } from './exit.ts';
import { safeStem } from './folders.ts';
import { batchIdOf, samenessOf } from './identity-of-file.ts';
import { intakeOf } from './intake.ts';
import { makeFolder } from './make-folder.ts';
import { emptyPreflight, type Preflight } from './preflight.ts';
import { rejectionReport, writeStatusReport } from './status-report.ts';
import type { Submission } from './submission.ts';
import { destroy, discard, syncFolder, type Taken } from './take.ts';

/** Puts the file away and says why. A file with card data leaves nothing but its name, a keyed hash and masked reasons. */
export async function rejectFile(
  context: BatchContext,
  submission: Submission,
  taken: Taken | undefined,
  checked: Preflight = emptyPreflight(),
  reasons: readonly Reason[],
): Promise<BatchDocument> {
  const hasCards = reasons.some(({ code }) => code === 'B0012');
  if (hasCards && submission.name !== maskCards(submission.name)) {
    const masked = { ...submission, name: maskCards(submission.name), path: maskCards(submission.path) };
    return rejectFile(context, masked, taken, checked, reasons);
  }
  const sha256 = taken === undefined ? '' : hasCards ? context.keyedHash(taken.sha256) : taken.sha256;
  const id = await record(context, submission, checked, sha256, taken?.bytes ?? 0, reasons);
  const errors = [...reasons, ...checked.listed].map(reportError);
  const folder = await putAside(context, id, submission.name, hasCards ? undefined : taken?.path, errors);
  const pain002 = hasCards ? undefined : await answer(context, id, submission, checked, reasons, folder);
  if (taken !== undefined) await (hasCards ? destroy(taken) : discard(taken));
  return batchDocument({
    batch: id,
    submission,
    sha256,
    preflight: checked,
    status: 'rejected',
    revision: 0,
    tally: checked.tally,
    chunksDone: 0,
    reports: pain002 === undefined ? NO_REPORTS : { ...NO_REPORTS, pain002 },
    errors: reasons.map(reportError),
    exit: () => EXIT.rejected,
  });
}

/** Whoever sent a payment initiation that could be read gets an answer in kind: among the reports, or beside the file. */
async function answer(
  context: BatchContext,
  batch: string,
  { name }: Submission,
  { shape }: Preflight,
  reasons: readonly Reason[],
  rejected: string,
): Promise<string | undefined> {
  if (shape?.format !== 'pain001') return undefined;
  const folder = context.out ?? rejected;
  await makeFolder(folder);
  const answering = { batch, revision: 1, created: new Date(context.clock()).toISOString() };
  const path = join(folder, `${safeStem(name)}.${batch}.pain002.xml`);
  return (await writeStatusReport(path, rejectionReport(answering, shape, reasons))).path;
}

/**
 * Puts a copy of the file, and why it was rejected, where people look for it.
 * @returns the folder
 */
export async function putAside(
  { folders, clock }: BatchContext,
  id: string,
  name: string,
  path: string | undefined,
  errors: readonly ReportError[],
): Promise<string> {
  const folder = folders.rejectedOf(new Date(clock()).toISOString().slice(0, 10), id);
  await makeFolder(folder);
  await syncFolder(dirname(folder));
  await syncFolder(dirname(dirname(folder)));
  if (path !== undefined) await copyWhole(path, join(folder, keptName(name)));
  await writeWhole(join(folder, 'errors.csv'), (sink) => sink.write(errorsCsv(errors)));
  await writeWhole(join(folder, 'errors.json'), (sink) => sink.write(errorsJson(errors)));
  return folder;
}

/** The sender's name, without anything a file system or terminal could stumble over, and never that of an error file. */
export function keptName(name: string): string {
  const stem = safeStem(name);
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return (stem.toLowerCase() === 'errors' ? `file-${stem}` : stem) + extension;
}

function claimOf(record: BatchRecord): string | undefined {
  return intakeOf(record).submission.claim;
}

async function record(
  { database, clock, actor, environment }: BatchContext,
  submission: Submission,
  checked: Preflight,
  sha256: string,
  bytes: number,
  reasons: readonly Reason[],
): Promise<string> {
  const sameness = samenessOf(sha256, submission, checked, environment);
  return database.write(async (statements) => {
    const same = await batchesBySameness(statements, sameness);
    // A crash came between the rejection and the removal of the file.
    const before = same.findLast((one) => one.status === 'rejected' && claimOf(one) === submission.claim);
    if (submission.claim !== undefined && before !== undefined) return before.id;
    const id = batchIdOf(sameness, same.length + 1);
    await insertBatch(statements, {
      id,
      sameness,
      status: 'rejected',
      name: submission.name,
      sha256,
      bytes,
      operation: checked.operation,
      gateway: submission.gateway,
      sequence: null,
      intake: JSON.stringify({ submission, errors: reasons.map(reportError) }),
      received_at: clock(),
    });
    await appendAct(statements, {
      at: clock(),
      who: actor,
      act: 'batch.reject',
      subject: id,
      detail: JSON.stringify({ file: submission.name, codes: [...new Set(reasons.map(({ code }) => code))] }),
    });
    return id;
  });
}
