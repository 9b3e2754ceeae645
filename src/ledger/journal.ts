/** Named statements of the journal: batches, their revisions, and what became of each chunk. */
import type { Statements } from './database.ts';

/** Where a batch stands. `running` without a living owner means that it was interrupted. */
export type JournalStatus =
  | 'running'
  | 'interrupted'
  | 'completed'
  | 'rejected'
  | 'stopped'
  | 'unknown'
  | 'awaiting_approval';

export interface BatchRecord {
  readonly number: number;
  readonly id: string;
  /** Equal for two submissions that are the same: bytes, gateway, accounts, operation and reading options. */
  readonly sameness: string;
  readonly status: JournalStatus;
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly operation: string;
  readonly gateway: string;
  /** Number that the sender gave the file in its control file. */
  readonly sequence: number | null;
  /** How the file was submitted, read and planned, as JSON. */
  readonly intake: string;
  readonly stop_requested: number;
  readonly closed: number;
  /** Revision that is being made or was made last; 0 before the first. */
  readonly revision: number;
  readonly received_at: number;
}

type NewBatch = Omit<BatchRecord, 'number' | 'stop_requested' | 'closed' | 'revision'>;

export async function insertBatch(statements: Statements, batch: NewBatch): Promise<number> {
  await statements.run(
    `INSERT INTO batch (id, sameness, status, name, sha256, bytes, operation, gateway, sequence, intake, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      batch.id,
      batch.sameness,
      batch.status,
      batch.name,
      batch.sha256,
      batch.bytes,
      batch.operation,
      batch.gateway,
      batch.sequence,
      batch.intake,
      batch.received_at,
    ],
  );
  const [row] = await statements.all<{ number: number }>('SELECT number FROM batch WHERE id = ?', [batch.id]);
  return row!.number;
}

/** The batch that a claimed file became, unless it was rejected. */
export async function batchOfClaim(
  statements: Pick<Statements, 'all'>,
  claim: string,
): Promise<BatchRecord | undefined> {
  const [batch] = await statements.all<BatchRecord>(
    `SELECT * FROM batch WHERE intake->>'$.submission.claim' = ? AND status <> 'rejected' ORDER BY number DESC LIMIT 1`,
    [claim],
  );
  return batch;
}

/** All submissions that were the same, oldest first. */
export function batchesBySameness(
  statements: Pick<Statements, 'all'>,
  sameness: string,
): Promise<BatchRecord[]> {
  return statements.all<BatchRecord>('SELECT * FROM batch WHERE sameness = ? ORDER BY number', [sameness]);
}

export async function findBatch(
  statements: Pick<Statements, 'all'>,
  id: string,
): Promise<BatchRecord | undefined> {
  const [row] = await statements.all<BatchRecord>('SELECT * FROM batch WHERE id = ?', [id]);
  return row;
}

export function listBatches(statements: Pick<Statements, 'all'>): Promise<BatchRecord[]> {
  return statements.all<BatchRecord>('SELECT * FROM batch ORDER BY number');
}

/** Ids by number, for the batches that have one of these ids or numbers. */
export async function batchIds(
  statements: Pick<Statements, 'all'>,
  ids: readonly string[],
  numbers: readonly number[] = [],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length + numbers.length === 0) return new Map();
  const rows = await statements.all<{ number: number; id: string }>(
    `SELECT number, id FROM batch WHERE id IN (SELECT value FROM json_each(?))
     UNION SELECT number, id FROM batch WHERE number IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids), JSON.stringify(numbers)],
  );
  return new Map(rows.map(({ number, id }) => [number, id]));
}

/** The id of the batch with this number. */
export async function batchIdOf(
  statements: Pick<Statements, 'all'>,
  number: number,
): Promise<string | undefined> {
  const [row] = await statements.all<{ id: string }>('SELECT id FROM batch WHERE number = ?', [number]);
  return row?.id;
}

/**
 * The highest sequence number among accepted files with this sequence key (account and operation).
 * @param sameness of the file that asks: when it was stopped and is read afresh, it keeps its number
 */
export async function lastFileSequence(
  statements: Pick<Statements, 'all'>,
  key: string,
  sameness: string,
): Promise<number | undefined> {
  const [row] = await statements.all<{ last: number | null }>(
    `SELECT max(sequence) AS last FROM batch WHERE status <> 'rejected' AND intake->>'sequenceKey' = ? AND sameness <> ?`,
    [key, sameness],
  );
  return row?.last ?? undefined;
}

export async function setBatch(
  statements: Statements,
  number: number,
  change: Partial<Pick<BatchRecord, 'status' | 'stop_requested' | 'closed' | 'revision' | 'intake'>>,
): Promise<void> {
  const entries = Object.entries(change);
  const assignments = entries.map(([column]) => `${column} = ?`).join(', ');
  await statements.run(`UPDATE batch SET ${assignments} WHERE number = ?`, [
    ...entries.map(([, value]) => value),
    number,
  ]);
}

export async function isStopRequested(statements: Pick<Statements, 'all'>, number: number): Promise<boolean> {
  const [row] = await statements.all<{ stop_requested: number }>(
    'SELECT stop_requested FROM batch WHERE number = ?',
    [number],
  );
  return row?.stop_requested === 1;
}

/** A revision of a batch's reports: what it starts from and, once it is whole, its document; both as JSON. */
export interface RevisionRecord {
  readonly batch: number;
  readonly revision: number;
  readonly started_at: number;
  readonly opening: string;
  readonly document: string | null;
}

export async function openRevision(
  statements: Statements,
  revision: Omit<RevisionRecord, 'document'>,
): Promise<void> {
  await statements.run(
    'INSERT INTO batch_revision (batch, revision, started_at, opening) VALUES (?, ?, ?, ?)',
    [revision.batch, revision.revision, revision.started_at, revision.opening],
  );
}

export async function findRevision(
  statements: Pick<Statements, 'all'>,
  batch: number,
  revision: number,
): Promise<RevisionRecord | undefined> {
  const [row] = await statements.all<RevisionRecord>(
    'SELECT * FROM batch_revision WHERE batch = ? AND revision = ?',
    [batch, revision],
  );
  return row;
}

export async function finishRevision(
  statements: Statements,
  batch: number,
  revision: number,
  document: string,
): Promise<void> {
  await statements.run('UPDATE batch_revision SET document = ? WHERE batch = ? AND revision = ?', [
    document,
    batch,
    revision,
  ]);
}

/** An execution that a person ordered: the first of all lines, later ones of some. It is written down before anything is sent. */
export interface AttemptRecord {
  readonly number: number;
  readonly repeats: 'hold' | 'allow' | 'release';
  /** The lines to execute as ranges; null for all. */
  readonly lines: string | null;
  readonly state: 'open' | 'stopped' | 'done';
}

/** All attempts of a batch in their order. */
export function attemptsOf(statements: Pick<Statements, 'all'>, batch: number): Promise<AttemptRecord[]> {
  return statements.all<AttemptRecord>(
    'SELECT number, repeats, lines, state FROM attempt WHERE batch = ? ORDER BY number',
    [batch],
  );
}

export async function insertAttempt(
  statements: Statements,
  batch: number,
  attempt: AttemptRecord,
): Promise<void> {
  await statements.run('INSERT INTO attempt (batch, number, repeats, lines, state) VALUES (?, ?, ?, ?, ?)', [
    batch,
    attempt.number,
    attempt.repeats,
    attempt.lines,
    attempt.state,
  ]);
}

/** Moves attempts from one state to another: all of the batch, or one. */
export async function setAttempts(
  statements: Statements,
  batch: number,
  from: AttemptRecord['state'],
  to: AttemptRecord['state'],
  number?: number,
): Promise<void> {
  await statements.run(
    'UPDATE attempt SET state = ?1 WHERE batch = ?2 AND state = ?3 AND (?4 IS NULL OR number = ?4)',
    [to, batch, from, number ?? null],
  );
}

/** One executed chunk: its lines as ranges (`2-51,53`) and their packed results in the same order, as JSON. */
export interface ChunkRecord {
  readonly attempt: number;
  readonly number: number;
  readonly revision: number;
  readonly account: number;
  readonly operation: string;
  readonly lines: string;
  readonly results: string;
}

export async function insertChunks(
  statements: Statements,
  batch: number,
  chunks: readonly ChunkRecord[],
): Promise<void> {
  const cells = chunks.map((chunk) => [
    chunk.attempt,
    chunk.number,
    chunk.revision,
    chunk.account,
    chunk.operation,
    chunk.lines,
    chunk.results,
  ]);
  await statements.run(
    `INSERT INTO chunk (batch, attempt, number, revision, account, operation, lines, results)
     SELECT ?2, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6 FROM json_each(?1)`,
    [JSON.stringify(cells), batch],
  );
}

/** Chunks of one attempt in the order of their numbers, which is the order of their first lines. */
export function chunksAfter(
  statements: Pick<Statements, 'all'>,
  batch: number,
  attempt: number,
  after: number,
  limit: number,
): Promise<ChunkRecord[]> {
  return statements.all<ChunkRecord>(
    `SELECT attempt, number, revision, account, operation, lines, results FROM chunk
     WHERE batch = ? AND attempt = ? AND number > ? ORDER BY number LIMIT ?`,
    [batch, attempt, after, limit],
  );
}

/** Numbers of the chunks of an attempt that are done. */
export async function chunkNumbers(
  statements: Pick<Statements, 'json'>,
  batch: number,
  attempt: number,
): Promise<readonly number[]> {
  return statements.json<number[]>(
    'SELECT json_group_array(number) AS json FROM chunk WHERE batch = ? AND attempt = ?',
    [batch, attempt],
  );
}

/** The highest attempt that has a chunk in a revision up to this one; 0 before the first. */
export async function lastAttempt(
  statements: Pick<Statements, 'all'>,
  batch: number,
  revision: number,
): Promise<number> {
  const [row] = await statements.all<{ last: number | null }>(
    'SELECT max(attempt) AS last FROM chunk WHERE batch = ? AND revision <= ?',
    [batch, revision],
  );
  return row?.last ?? 0;
}

/** A line that was pending and has been settled since: its packed result as JSON. */
export interface SettlementRecord {
  readonly line: number;
  readonly revision: number;
  readonly result: string;
}

export async function insertSettlements(
  statements: Statements,
  batch: number,
  settled: readonly SettlementRecord[],
): Promise<void> {
  const cells = settled.map(({ line, revision, result }) => [line, revision, result]);
  await statements.run(
    'INSERT INTO settlement (batch, line, revision, result) SELECT ?2, value->>0, value->>1, value->>2 FROM json_each(?1)',
    [JSON.stringify(cells), batch],
  );
}

/** Settlements up to a revision, the newest last. */
export function settlementsOf(
  statements: Pick<Statements, 'all'>,
  batch: number,
  revision: number,
): Promise<SettlementRecord[]> {
  return statements.all<SettlementRecord>(
    'SELECT line, revision, result FROM settlement WHERE batch = ? AND revision <= ? ORDER BY revision, line',
    [batch, revision],
  );
}
