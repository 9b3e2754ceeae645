/** One claimed file, from its receipt to done/ or rejected/. Whatever interrupts it, the same call goes on. */
import { stat } from 'node:fs/promises';
import { type Reason, reason } from '../../core/code.ts';
import type { ClaimedFile } from '../../files/inbox/claim.ts';
import { CONTROL } from '../../files/inbox/names.ts';
import { batchOfClaim } from '../../ledger/journal.ts';
import type { BatchDocument } from '../../report/document.ts';
import type { Accepted, BatchContext } from '../context.ts';
import { readControl } from '../control.ts';
import { rejectFile } from '../reject.ts';
import { continueBatch, runFile } from '../run.ts';
import type { Submission } from '../submission.ts';
import { hashOf } from '../take.ts';
import { acknowledge, acknowledgeRejection } from './ack.ts';
import { finishDone, finishRejected } from './finish.ts';

/** How files of one folder of the inbox are read and executed. */
export type FolderSettings = Omit<
  Submission,
  'path' | 'name' | 'merchantId' | 'accountId' | 'control' | 'claim' | 'submittedBy' | 'submittedFrom'
>;

/**
 * Executes a claimed file and puts it where it belongs.
 * @param cutOff whether it came without a final line end
 * @returns the document; a batch that is `interrupted` stays claimed, and the same call goes on with it
 */
export async function executeClaimed(
  context: BatchContext,
  claimed: ClaimedFile,
  settings: FolderSettings,
  cutOff: boolean,
): Promise<BatchDocument> {
  const folders = context.folders.at(claimed.place);
  const watched: BatchContext = { ...context, folders, out: folders.outbox };
  const document = await execute(watched, claimed, settings, cutOff);
  if (document.status === 'rejected') {
    await acknowledgeRejection(watched, document);
    await finishRejected(watched, claimed, document);
  } else if (document.status !== 'interrupted') {
    await finishDone(watched, claimed, document);
  }
  return document;
}

async function execute(
  context: BatchContext,
  claimed: ClaimedFile,
  settings: FolderSettings,
  cutOff: boolean,
): Promise<BatchDocument> {
  const before = await batchOfClaim(context.database.reads, claimed.claim);
  if (before !== undefined) {
    const { sha256, bytes } = before;
    return continueBatch(
      { ...context, warnings: () => warningsOf(claimed, { sha256, bytes }, cutOff) },
      before,
    );
  }
  const control = await readControl(claimed.path + CONTROL);
  const submission = await submissionOf(claimed, settings);
  if (control !== undefined && 'fault' in control)
    return rejectFile(context, submission, undefined, undefined, [reason('B0009', control.fault)]);
  let accepted: Accepted | undefined;
  return runFile(
    {
      ...context,
      async onAccepted(told) {
        accepted = told;
        await acknowledge(context, told);
      },
      warnings: () => warningsOf(claimed, accepted!, cutOff),
    },
    { ...submission, control: control === undefined ? [] : [control] },
    claimed.path,
  );
}

async function submissionOf(claimed: ClaimedFile, settings: FolderSettings): Promise<Submission> {
  const { claim, path, name, place } = claimed;
  const [merchantId, accountId] = place;
  const owner = await stat(path).then(
    ({ uid }) => `uid ${uid}`,
    () => 'unknown',
  );
  return {
    ...settings,
    path,
    name,
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(accountId === undefined ? {} : { accountId }),
    control: [],
    claim,
    submittedBy: owner,
    submittedFrom: ['inbox', ...place].join('/'),
  };
}

/** What the report must say of the original: that it had no end, or that it went on after it was taken. */
async function warningsOf(
  { path }: ClaimedFile,
  taken: { readonly sha256: string; readonly bytes: number },
  cutOff: boolean,
): Promise<readonly Reason[]> {
  const warnings = cutOff ? [reason('B0021')] : [];
  const now = await stat(path).catch(() => undefined);
  if (now === undefined || (await hashOf(path)) === taken.sha256) return warnings;
  const more = now.size - taken.bytes;
  return more > 0
    ? [...warnings, reason('B0022', `${more} bytes were added and not executed`)]
    : [...warnings, reason('B0022', 'its content changed; what was taken is what was executed')];
}
