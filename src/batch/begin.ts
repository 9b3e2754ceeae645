/** Beginning a revision of a batch that is ours. */
import { type BatchRecord, findRevision, openRevision, setBatch } from '../ledger/journal.ts';
import type { BatchContext } from './context.ts';
import { openingOf } from './evidence.ts';
import { type OpenBatch, readBatch } from './open-batch.ts';

/** Reads a known batch and begins, or goes on with, its next revision. */
export async function openBatch(context: BatchContext, record: BatchRecord): Promise<OpenBatch> {
  const read = await readBatch(context, record);
  return { ...read, ...(await beginRevision(context, record)) };
}

/** Goes on with the revision that is being made, or begins the next: what the ledger says now is what it starts from. */
export async function beginRevision(
  { database, clock }: BatchContext,
  record: BatchRecord,
): Promise<{ readonly record: BatchRecord; readonly revision: number }> {
  return database.write(async (statements) => {
    const current =
      record.revision === 0 ? undefined : await findRevision(statements, record.number, record.revision);
    const isOpen = current !== undefined && current.document === null;
    const revision = isOpen ? record.revision : record.revision + 1;
    if (!isOpen) {
      const opening = await openingOf(statements);
      await openRevision(statements, {
        batch: record.number,
        revision,
        started_at: clock(),
        opening: JSON.stringify(opening),
      });
    }
    await setBatch(statements, record.number, { status: 'running', revision });
    return { record: { ...record, status: 'running', revision }, revision };
  });
}
