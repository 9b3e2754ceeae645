/** One claimed file, from its receipt to done/ or rejected/. Whatever interrupts it, the same call goes on. */
import { lstat } from 'node:fs/promises';
import { type Reason, reason } from '../../core/code.ts';
import { hashOf } from '../../files/hash.ts';
import type { ClaimedFile } from '../../files/inbox/claim.ts';
import { CONTROL } from '../../files/inbox/names.ts';
import { endsLine } from '../../files/inbox/scan.ts';
import { batchOfClaim } from '../../ledger/journal.ts';
import type { BatchDocument } from '../../report/document.ts';
import type { BatchContext } from '../context.ts';
import { readControl } from '../control.ts';
import { keptPath } from '../kept-file.ts';
import type { Preflight } from '../preflight.ts';
import { rejectFile } from '../reject.ts';
import { continueBatch, runFile } from '../run.ts';
import type { Submission } from '../submission.ts';
import { acknowledge, acknowledgeRejection } from './ack.ts';
import { finishDone, finishRejected } from './finish.ts';

/** How files of one folder of the inbox are read and executed. */
export type FolderSettings = Omit<
  Submission,
  'path' | 'name' | 'merchantId' | 'accountId' | 'control' | 'claim' | 'submittedBy' | 'submittedFrom'
>;

/** A copy of the original, with its hash. */
interface Copied {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Executes a claimed file and puts it where it belongs.
 * @param turn given the accounts (`merchant/account`) of a file that was read and acknowledged, resolves when it may execute
 * @returns the document; a batch that is `interrupted` stays claimed, and the same call goes on with it
 */
export async function executeClaimed(
  context: BatchContext,
  claimed: ClaimedFile,
  settings: FolderSettings,
  turn: (accounts: ReadonlySet<string>) => Promise<void>,
): Promise<BatchDocument> {
  const folders = context.folders.at(claimed.place);
  const watched: BatchContext = { ...context, folders, out: folders.outbox };
  const document = await execute(watched, claimed, settings, turn);
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
  turn: (accounts: ReadonlySet<string>) => Promise<void>,
): Promise<BatchDocument> {
  let warnings: BatchContext['warnings'];
  const watched: BatchContext = {
    ...context,
    async onAccepted(accepted) {
      const { batch, sha256, bytes } = accepted;
      warnings = () => warningsOf(claimed, { sha256, bytes }, keptPath(context.folders, { id: batch }));
      await acknowledge(context, accepted);
      if (!accepted.repeat) await turn(accountsIn(accepted.checked));
    },
    unchanged: (taken) => changeOf(claimed, taken),
    warnings: async () => (await warnings?.()) ?? [],
  };
  const before = await batchOfClaim(context.database.reads, claimed.claim);
  if (before !== undefined) return continueBatch(watched, before);
  const control = await readControl(claimed.path + CONTROL);
  const submission = submissionOf(claimed, settings);
  if (control !== undefined && 'fault' in control)
    return rejectFile(context, submission, undefined, undefined, [reason('B0009', control.fault)]);
  return runFile(watched, { ...submission, control: control === undefined ? [] : [control] }, claimed.path);
}

function accountsIn({ tally }: Preflight): ReadonlySet<string> {
  return new Set(tally.breakdown().map(({ merchant, account }) => `${merchant}/${account}`));
}

function submissionOf(claimed: ClaimedFile, settings: FolderSettings): Submission {
  const { claim, path, name, place, stats } = claimed;
  const [merchantId, accountId] = place;
  return {
    ...settings,
    path,
    name,
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(accountId === undefined ? {} : { accountId }),
    control: [],
    claim,
    submittedBy: `uid ${stats.uid}`,
    submittedFrom: ['inbox', ...place].join('/'),
  };
}

/** Before anything is executed: why the original is no longer what was claimed, if it is not (F32). */
async function changeOf({ path, stats }: ClaimedFile, taken: Copied): Promise<Reason | undefined> {
  const now = await lstat(path).catch(() => undefined);
  const isSame =
    now !== undefined &&
    now.size === stats.size &&
    now.mtimeMs === stats.mtimeMs &&
    (await hashOf(path)) === taken.sha256;
  return isSame ? undefined : reason('B0018', 'it changed after it was claimed');
}

/** What the report must say of the original: that it had no end, or that it went on after it was taken (F1). */
async function warningsOf({ path }: ClaimedFile, taken: Copied, kept: string): Promise<readonly Reason[]> {
  const warnings = taken.bytes > 0 && !(await endsLine(kept)) ? [reason('B0021')] : [];
  const now = await lstat(path).catch(() => undefined);
  if (now === undefined || (await hashOf(path)) === taken.sha256) return warnings;
  const more = now.size - taken.bytes;
  return more > 0
    ? [...warnings, reason('B0022', `${more} bytes were added and not executed`)]
    : [...warnings, reason('B0022', 'its content changed; what was taken is what was executed')];
}
