/** Named statements on what has happened to batches: for lists and for telling their story. */
import type { AuditRow } from './audit.ts';
import type { Statements } from './database.ts';
import type { BatchRecord } from './journal.ts';

/** A batch with the figures of its newest finished revision; null before there is one. */
export type ListedBatch = Omit<BatchRecord, 'intake' | 'sameness' | 'stop_requested'> & {
  /** Lines by outcome, as JSON. */
  readonly lines: string | null;
  readonly exit: number | null;
};

/** All batches, oldest first. */
export function listedBatches(statements: Pick<Statements, 'all'>): Promise<ListedBatch[]> {
  return statements.all<ListedBatch>(
    `SELECT b.number, b.id, b.status, b.name, b.sha256, b.bytes, b.operation, b.gateway, b.sequence, b.closed, b.revision,
       b.received_at, r.document->'lines' AS lines, r.document->>'exit' AS exit
     FROM batch AS b LEFT JOIN batch_revision AS r ON r.batch = b.number AND r.revision =
       (SELECT max(revision) FROM batch_revision WHERE batch = b.number AND document IS NOT NULL)
     ORDER BY b.number`,
  );
}

/** A revision of a batch: when it was begun, and how it ended. */
export interface ListedRevision {
  readonly revision: number;
  readonly started_at: number;
  readonly opening: string;
  readonly document: string | null;
}

export function revisionsOf(statements: Pick<Statements, 'all'>, batch: number): Promise<ListedRevision[]> {
  return statements.all<ListedRevision>(
    'SELECT revision, started_at, opening, document FROM batch_revision WHERE batch = ? ORDER BY revision',
    [batch],
  );
}

/** The acts on one subject, such as a batch's id, oldest first. */
export function actsOn(statements: Pick<Statements, 'all'>, subject: string): Promise<AuditRow[]> {
  return statements.all<AuditRow>('SELECT * FROM audit WHERE subject = ? ORDER BY number', [subject]);
}

/** What senders and people have said of repeats, by batch and attempt; and how batches are called. */
export interface RepeatsOf {
  readonly modeOf: (batch: number, attempt: number) => 'hold' | 'allow' | 'release';
  /** `batch:line`. */
  readonly nameOf: (batch: number, line: number) => string;
}

export async function repeatsByAttempt(statements: Pick<Statements, 'all'>): Promise<RepeatsOf> {
  const batches = await statements.all<{ number: number; id: string }>('SELECT number, id FROM batch');
  const rows = await statements.all<{ batch: number; number: number; repeats: 'allow' | 'release' }>(
    "SELECT batch, number, repeats FROM attempt WHERE repeats <> 'hold'",
  );
  const ids = new Map(batches.map(({ number, id }) => [number, id]));
  const modes = new Map(rows.map(({ batch, number, repeats }) => [`${batch}/${number}`, repeats]));
  return {
    modeOf: (batch, attempt) => modes.get(`${batch}/${attempt}`) ?? 'hold',
    nameOf: (batch, line) => `${ids.get(batch) ?? `batch number ${batch}`}:${line}`,
  };
}

/** Every finished revision of every batch. */
export function finishedRevisions(
  statements: Pick<Statements, 'all'>,
): Promise<{ readonly id: string; readonly revision: number; readonly document: string }[]> {
  return statements.all(
    `SELECT b.id, r.revision, r.document FROM batch_revision AS r JOIN batch AS b ON b.number = r.batch
     WHERE r.document IS NOT NULL ORDER BY r.batch, r.revision`,
  );
}
