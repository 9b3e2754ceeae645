/** Named statements on what was sent to remote gateways: intents, and the lines that may have happened there. */
import type { PackedResult } from '../core/answer.ts';
import type { Executed } from '../core/identity.ts';
import { isState, type State } from '../core/state.ts';
import type { TransferKind } from '../core/transfer.ts';
import type { Statements } from './database.ts';

/**
 * What is known of one line of a chunk that is not in the journal yet: `sent` (nobody knows what became of it), `kept` (it
 * is to be sent, and was not), or its result.
 */
export type LineIntent = 'sent' | 'kept' | PackedResult;

/** A chunk that is being sent. */
export interface IntentRecord {
  readonly batch: number;
  readonly attempt: number;
  readonly chunk: number;
  /** In the order of the chunk's instructions. */
  readonly lines: readonly LineIntent[];
}

/** A line that a remote gateway has executed, or may have executed. */
export interface RemoteLine extends Executed {
  readonly accountNumber: number;
  /** What it acts on: a transaction's id, or a payout's request_id in the form of `subjectOf`. */
  readonly subject: string;
  readonly attempt: number;
  readonly currency: string;
  /** Payouts have none. */
  readonly orderNo: string | undefined;
  /** Payouts: a hash of what was asked for. */
  readonly content: string | undefined;
  /** State of the transaction shortly before the line was sent, where somebody asked for it. */
  readonly before: State | undefined;
  /** Where it was sent. */
  readonly address: string;
  /** For so many milliseconds its key was promised to be remembered there; 0: not at all. */
  readonly remembered: number;
  /** When it was sent first, epoch milliseconds. */
  readonly at: number;
}

/** A line with its place in the order in which lines were sent. */
export type StoredRemoteLine = RemoteLine & {
  readonly number: number;
  /** When it may have been on its way last, epoch milliseconds. */
  readonly lastAt: number;
  /** The gateway has answered its request: it knows the key, and executes nothing more under it. */
  readonly isAnswered: boolean;
};

export async function findIntents(
  statements: Pick<Statements, 'all'>,
  keys: readonly Pick<IntentRecord, 'batch' | 'attempt' | 'chunk'>[],
): Promise<readonly IntentRecord[]> {
  const rows = await statements.all<Omit<IntentRecord, 'lines'> & { readonly lines: string }>(
    `SELECT i.batch, i.attempt, i.chunk, i.lines FROM json_each(?) AS k
     CROSS JOIN intent AS i ON i.batch = k.value->>0 AND i.attempt = k.value->>1 AND i.chunk = k.value->>2`,
    [JSON.stringify(keys.map(({ batch, attempt, chunk }) => [batch, attempt, chunk]))],
  );
  return rows.map((row) => ({ ...row, lines: JSON.parse(row.lines) as LineIntent[] }));
}

/** Writes intents, or what is known of them by now. */
export async function putIntents(statements: Statements, intents: readonly IntentRecord[]): Promise<void> {
  if (intents.length === 0) return;
  const cells = intents.map(({ batch, attempt, chunk, lines }) => [
    batch,
    attempt,
    chunk,
    JSON.stringify(lines),
  ]);
  await statements.run(
    `INSERT OR REPLACE INTO intent (batch, attempt, chunk, lines)
     SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?)`,
    [JSON.stringify(cells)],
  );
}

export async function deleteIntents(
  statements: Statements,
  batch: number,
  attempt: number,
  chunks: readonly number[],
): Promise<void> {
  await statements.run(
    'DELETE FROM intent WHERE batch = ? AND attempt = ? AND chunk IN (SELECT value FROM json_each(?))',
    [batch, attempt, JSON.stringify(chunks)],
  );
}

export async function insertRemoteLines(statements: Statements, lines: readonly RemoteLine[]): Promise<void> {
  if (lines.length === 0) return;
  const cells = lines.map((line) => [
    line.accountNumber,
    line.subject,
    line.kind,
    line.amount,
    line.batchNumber,
    line.attempt,
    line.line,
    line.reference ?? null,
    line.repeatOf ?? null,
    line.content ?? null,
    line.before ?? null,
    line.address,
    line.remembered,
    line.at,
    line.currency,
    line.orderNo ?? null,
  ]);
  await statements.run(
    `INSERT INTO remote_line (account, subject, kind, amount, batch, attempt, line, reference, repeat_of, content,
       state_before, address, remembered, at, last_at, currency, order_no)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9,
       value->>10, value->>11, value->>12, value->>13, value->>13, value->>14, value->>15 FROM json_each(?)`,
    [JSON.stringify(cells)],
  );
}

/**
 * Forgets lines that did not happen: they hold no identity.
 * @param attempt the one that did not happen; all of them when it is not given
 */
export async function deleteRemoteLines(
  statements: Statements,
  batch: number,
  lines: readonly number[],
  attempt?: number,
): Promise<void> {
  if (lines.length === 0) return;
  await statements.run(
    `DELETE FROM remote_line WHERE batch = ?1 AND line IN (SELECT value FROM json_each(?2))
     AND (?3 IS NULL OR attempt = ?3)`,
    [batch, JSON.stringify(lines), attempt ?? null],
  );
}

/**
 * These lines are, or may have been until now, on their way.
 * @param isAnswered their request has been answered, whatever it says of these
 */
export async function touchRemoteLines(
  statements: Statements,
  batch: number,
  lines: readonly number[],
  at: number,
  isAnswered = false,
): Promise<void> {
  if (lines.length === 0) return;
  await statements.run(
    `UPDATE remote_line SET last_at = max(last_at, ?3), answered = max(answered, ?4)
     WHERE batch = ?1 AND line IN (SELECT value FROM json_each(?2))`,
    [batch, JSON.stringify(lines), at, isAnswered ? 1 : 0],
  );
}

type Cells = [
  number: number,
  account: number,
  subject: string,
  kind: TransferKind,
  amount: number,
  batch: number,
  attempt: number,
  line: number,
  reference: string | null,
  repeatOf: string | null,
  content: string | null,
  before: string | null,
  address: string,
  remembered: number,
  at: number,
  lastAt: number,
  answered: 0 | 1,
  currency: string,
  orderNo: string | null,
];

const CELLS = `json_array(r.number, r.account, r.subject, r.kind, r.amount, r.batch, r.attempt, r.line, r.reference,
  r.repeat_of, r.content, r.state_before, r.address, r.remembered, r.at, r.last_at,
  r.answered, r.currency, r.order_no)`;

function unpacked(cells: Cells): StoredRemoteLine {
  const [number, accountNumber, subject, kind, amount, batchNumber, attempt, line] = cells;
  const [, , , , , , , , reference, repeatOf, content, before, address, remembered, at] = cells;
  const [lastAt, answered, currency, orderNo] = cells.slice(15) as [number, 0 | 1, string, string | null];
  return {
    number,
    accountNumber,
    subject,
    kind,
    amount,
    batchNumber,
    attempt,
    line,
    currency,
    orderNo: orderNo ?? undefined,
    reference: reference ?? undefined,
    repeatOf: repeatOf ?? undefined,
    content: content ?? undefined,
    before: before !== null && isState(before) ? before : undefined,
    address,
    remembered,
    at,
    lastAt,
    isAnswered: answered === 1,
  };
}

/** Everything that may have happened to these subjects, in the order in which it was sent. */
export async function remoteLinesOn(
  statements: Pick<Statements, 'json'>,
  subjects: ReadonlyMap<number, Iterable<string>>,
): Promise<readonly StoredRemoteLine[]> {
  const named = Object.fromEntries([...subjects].map(([account, names]) => [account, [...names]]));
  const rows = await statements.json<Cells[]>(
    `SELECT json_group_array(${CELLS} ORDER BY r.number) AS json
     FROM json_each(?) AS a CROSS JOIN json_each(a.value) AS s
     CROSS JOIN remote_line AS r ON r.account = CAST(a.key AS INTEGER) AND r.subject = s.value`,
    [JSON.stringify(named)],
  );
  return rows.map(unpacked);
}

/** What these lines of a batch may have done. */
export async function remoteLinesOf(
  statements: Pick<Statements, 'json'>,
  batch: number,
  lines: readonly number[],
): Promise<readonly StoredRemoteLine[]> {
  const rows = await statements.json<Cells[]>(
    `SELECT json_group_array(${CELLS} ORDER BY r.number) AS json
     FROM json_each(?) AS l CROSS JOIN remote_line AS r ON r.batch = ? AND r.line = l.value`,
    [JSON.stringify(lines), batch],
  );
  return rows.map(unpacked);
}

/** How many lines of each batch may have happened, for verifying. */
export async function remoteLineCounts(
  statements: Pick<Statements, 'all'>,
): Promise<readonly (readonly [batch: number, lines: number])[]> {
  const rows = await statements.all<{ batch: number; lines: number }>(
    'SELECT batch, count(*) AS lines FROM remote_line GROUP BY batch',
  );
  return rows.map(({ batch, lines }) => [batch, lines] as const);
}
