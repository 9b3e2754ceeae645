/** Named statements on what a ledger knows of batches that were done before it was restored. */
import type { Statements } from './database.ts';

/** An act by which a batch that the ledger does not know is answered for: executed again, or given up by a person. */
export const TAKEN_BACK = 'batch.take-back';
export const GIVEN_UP = 'batch.give-up';

/** An act that says up to which number of another life of this ledger everything is answered for. */
export const RESTORED = 'ledger.restore';

/** Those of the batches that the ledger has reported on at least once, or that are answered for. */
export async function settledBatches(
  statements: Pick<Statements, 'all'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const reported = await statements.all<{ id: string }>(
    `SELECT id FROM batch AS b WHERE id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM batch_revision AS r WHERE r.batch = b.number AND r.document IS NOT NULL)`,
    [JSON.stringify(ids)],
  );
  const settled = new Set(reported.map(({ id }) => id));
  const others = ids.filter((id) => !settled.has(id));
  if (others.length === 0) return settled;
  const answered = await statements.all<{ subject: string }>(
    'SELECT subject FROM audit WHERE act IN (?, ?) AND subject IN (SELECT value FROM json_each(?))',
    [TAKEN_BACK, GIVEN_UP, JSON.stringify(others)],
  );
  for (const { subject } of answered) settled.add(subject);
  return settled;
}

/** The highest number that a restored ledger answers for; 0 when it never was restored. */
export async function answeredTo(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ last: number | null }>(
    `SELECT max(detail->>'answered_to') AS last FROM audit WHERE act = ?`,
    [RESTORED],
  );
  return row?.last ?? 0;
}

/** The newest finished revision of every batch that has one. */
export async function newestRevisions(
  statements: Pick<Statements, 'all'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await statements.all<{ id: string; newest: number }>(
    `SELECT b.id, max(r.revision) AS newest FROM batch_revision AS r JOIN batch AS b ON b.number = r.batch
     WHERE r.document IS NOT NULL GROUP BY r.batch`,
  );
  return new Map(rows.map(({ id, newest }) => [id, newest]));
}

/** Whether the audit has an act of this hash: what another life of this ledger has written names acts that it has not. */
export async function hasAct(statements: Pick<Statements, 'all'>, hash: string): Promise<boolean> {
  return (await statements.all('SELECT 1 FROM audit WHERE hash = ? LIMIT 1', [hash])).length > 0;
}
