/** What all acts of people on a batch have in common: owning it, looking at its lines, and the audit. */

import { hashOf } from '../files/hash.ts';
import { appendAct } from '../ledger/audit.ts';
import type { BatchRecord } from '../ledger/journal.ts';
import type { BatchDocument } from '../report/document.ts';
import { type Claimed, continueClaim } from './claim.ts';
import type { BatchContext } from './context.ts';
import { keptFile, keptPath, walkOf } from './kept-file.ts';
import type { Refusal } from './refusal.ts';
import { type VisitedLine, visitLines } from './report.ts';
import { releasing } from './run.ts';

export type ActResult = BatchDocument | Refusal | 'elsewhere';

/** Batches of which nothing more is executed, unless a person says so. */
export const FINISHED: ReadonlySet<string> = new Set(['completed', 'stopped', 'unknown']);

/** Nothing is sent from a copy that is not what was handed in. */
export const CHANGED: Refusal = { refusal: 'its kept copy has changed (B0018)' };

export async function isCopyChanged({ folders }: BatchContext, record: BatchRecord): Promise<boolean> {
  return (await hashOf(keptPath(folders, record))) !== record.sha256;
}

/** Why an act has to wait until the batch has come to its end. */
export function unfinished({ status, id }: BatchRecord): Refusal {
  return { refusal: `it is ${status}; \`batchgate batch resume ${id}\` goes on with it` };
}

/** @param refused asked once the batch is ours, when nobody else can act on it any more: two people may want the same */
export async function asOwner(
  context: BatchContext,
  record: BatchRecord,
  refused: (fresh: BatchRecord) => Refusal | undefined | Promise<Refusal | undefined>,
  work: (claimed: Claimed) => Promise<ActResult>,
): Promise<ActResult> {
  const claimed = await continueClaim(context, record, refused);
  if (claimed === undefined) return 'elsewhere';
  if ('refusal' in claimed) return claimed;
  return releasing(claimed.ownership, () => work(claimed));
}

/** Shows every line of the batch with its outcome, as the newest revision has it. */
export async function visitBatch(
  context: BatchContext,
  record: BatchRecord,
  visit: (line: VisitedLine) => void,
): Promise<void> {
  const { database, folders } = context;
  const kept = await keptFile(database.reads, folders, record);
  await visitLines(await walkOf(database.reads, kept, record.revision), visit);
}

/** Within the transaction of `statements`. */
export function audit(
  { clock, actor }: BatchContext,
  statements: Parameters<typeof appendAct>[0],
  act: string,
  record: BatchRecord,
  detail: object,
): Promise<void> {
  return appendAct(statements, {
    at: clock(),
    who: actor,
    act,
    subject: record.id,
    detail: JSON.stringify(detail),
  });
}
