/** The receipt that the person who dropped a file finds first: how it was read, and what will happen. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../report/atomic.ts';
import type { BatchDocument, ReportError } from '../../report/document.ts';
import type { Accepted, BatchContext } from '../context.ts';
import { readOf, reportError } from '../document.ts';
import { safeStem } from '../folders.ts';
import { makeFolder } from '../make-folder.ts';
import { syncFolder } from '../take.ts';

/** What the receipt says besides when and where. */
type Receipt = Pick<BatchDocument, 'batch' | 'file' | 'sha256' | 'gateway' | 'operation' | 'read'> & {
  readonly status: 'accepted' | 'repeat' | 'rejected';
  readonly lines: { readonly total: number; readonly invalid: number };
  /** Sums of the acted-on amounts per currency. */
  readonly totals_calculated: Readonly<Record<string, string>>;
  readonly chunks: { readonly planned: number };
  readonly errors: readonly ReportError[];
};

/** Of a file that is going to be executed, or was before. */
export function acknowledge(context: BatchContext, accepted: Accepted): Promise<void> {
  const { batch, sha256, submission, checked, repeat } = accepted;
  const { total, invalid } = checked.tally.counts();
  return writeReceipt(context, {
    batch,
    file: submission.name,
    sha256,
    status: repeat ? 'repeat' : 'accepted',
    gateway: submission.gateway,
    operation: checked.operation,
    read: readOf(submission, checked),
    lines: { total, invalid },
    totals_calculated: checked.calculated.totals,
    chunks: { planned: checked.chunks },
    errors: checked.listed.map(reportError),
  });
}

/** Of a file that is not executed. */
export function acknowledgeRejection(context: BatchContext, document: BatchDocument): Promise<void> {
  const { batch, file, sha256, gateway, operation, read, lines, errors } = document;
  return writeReceipt(context, {
    batch,
    file,
    sha256,
    status: 'rejected',
    gateway,
    operation,
    read,
    lines: { total: lines.total, invalid: lines.invalid },
    totals_calculated: {},
    chunks: { planned: 0 },
    errors,
  });
}

async function writeReceipt({ folders, environment, clock }: BatchContext, receipt: Receipt): Promise<void> {
  const path = join(folders.outbox, `${safeStem(receipt.file)}.${receipt.batch}.ack.json`);
  // Whoever goes on after an interruption has nothing new to say.
  if (existsSync(path)) return;
  if (!existsSync(folders.outbox)) {
    await makeFolder(folders.outbox);
    await syncFolder(dirname(folders.outbox));
  }
  const at = new Date(clock()).toISOString();
  await writeWhole(path, (sink) =>
    sink.write(`${JSON.stringify({ environment, at, ...receipt }, undefined, 2)}\n`),
  );
}
