/** Named statements on the delivery of events: which are due, what became of a try, and what people do with them. */
import type { EventKind, EventState } from '../core/notification.ts';
import type { Statements } from './database.ts';

/** An event that may be sent now. */
export interface DueEvent {
  readonly number: number;
  readonly accountNumber: number;
  readonly url: string;
  readonly receiver: string;
  readonly kind: EventKind;
  /** The body as it was written, JSON. */
  readonly body: string;
  /** Tries so far. */
  readonly tries: number;
  /** Its address has said that it wants nothing any more. */
  readonly silent: boolean;
}

export interface DueSelection {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Receivers come in order, from after this one on: whoever was served last is asked last. */
  readonly after: string;
  /** Of one receiver at most. */
  readonly perReceiver: number;
  readonly limit: number;
  /** Events that are being sent, and those for whom there is no room. */
  readonly except: {
    readonly numbers: readonly number[];
    readonly receivers: readonly string[];
    readonly accounts: readonly number[];
  };
}

type DueCells = [number, number, string, string, EventKind, string, number, 0 | 1];

/**
 * Events that are due, a few of each receiver. The walk jumps from receiver to receiver in the index, so that a million
 * events for one of them stand in nobody's way.
 */
export async function dueEvents(
  statements: Pick<Statements, 'json'>,
  { now, after, perReceiver, limit, except }: DueSelection,
): Promise<readonly DueEvent[]> {
  const rows = await statements.json<DueCells[]>(
    `WITH RECURSIVE place (receiver) AS (
       SELECT min(receiver) FROM event WHERE state = 'waiting' AND receiver > ?1
       UNION ALL
       SELECT (SELECT min(receiver) FROM event WHERE state = 'waiting' AND receiver > place.receiver)
       FROM place WHERE place.receiver IS NOT NULL)
     SELECT json_group_array(json_array(number, account, url, receiver, kind, body, tries, silent)) AS json FROM (
       SELECT e.*, EXISTS (SELECT 1 FROM silent_address WHERE account = e.account AND url = e.url) AS silent
       FROM place CROSS JOIN event AS e ON e.number IN (
         SELECT number FROM event WHERE state = 'waiting' AND receiver = place.receiver AND due_at <= ?2
           AND number NOT IN (SELECT value FROM json_each(?5, '$.numbers'))
           AND account NOT IN (SELECT value FROM json_each(?5, '$.accounts')) ORDER BY due_at, number LIMIT ?3)
       WHERE place.receiver NOT IN (SELECT value FROM json_each(?5, '$.receivers'))
       LIMIT ?4)`,
    [after, now, perReceiver, limit, JSON.stringify(except)],
  );
  return rows.map(([number, accountNumber, url, receiver, kind, body, tries, silent]) => ({
    number,
    accountNumber,
    url,
    receiver,
    kind,
    body,
    tries,
    silent: silent === 1,
  }));
}

/** What became of one try. Times in epoch milliseconds. */
export interface TriedEvent {
  readonly number: number;
  readonly state: EventState;
  readonly tries: number;
  /** When it is tried next; undefined when it is not. */
  readonly dueAt: number | undefined;
  /** What was answered, or why nothing was: for people. */
  readonly outcome: string;
  readonly at: number;
  /** The address answered that it wants nothing any more. */
  readonly gone: boolean;
}

/** Writes down what became of tries. An event that was ended meanwhile stays as it is. */
export async function recordTries(statements: Statements, tried: readonly TriedEvent[]): Promise<void> {
  const cells = tried.map(({ number, state, tries, dueAt, outcome, at }) => [
    number,
    state,
    tries,
    dueAt ?? null,
    outcome,
    state === 'waiting' ? null : at,
  ]);
  await statements.run(
    `UPDATE event SET state = t.value->>1, tries = t.value->>2, due_at = ifnull(t.value->>3, due_at),
       outcome = t.value->>4, ended_at = t.value->>5
     FROM json_each(?) AS t WHERE number = t.value->>0 AND state = 'waiting'`,
    [JSON.stringify(cells)],
  );
  const gone = tried.filter((one) => one.gone).map(({ number, at }) => [number, at]);
  if (gone.length === 0) return;
  await statements.run(
    `INSERT OR IGNORE INTO silent_address (account, url, since)
     SELECT e.account, e.url, g.value->>1 FROM json_each(?) AS g JOIN event AS e ON e.number = g.value->>0`,
    [JSON.stringify(gone)],
  );
}

/** How many events wait for another try: those that failed before. */
export async function countWaitingForRetry(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ count: number }>(
    "SELECT count(*) AS count FROM event WHERE state = 'waiting' AND tries > 0",
  );
  return row!.count;
}

/** How many events there are in each state. */
export async function countByState(
  statements: Pick<Statements, 'all'>,
): Promise<Readonly<Partial<Record<EventState, number>>>> {
  const rows = await statements.all<{ state: EventState; count: number }>(
    'SELECT state, count(*) AS count FROM event GROUP BY state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** An event as a list shows it. Times in epoch milliseconds. */
export interface ListedEvent {
  readonly number: number;
  readonly merchant_id: string;
  readonly account_id: string;
  readonly kind: EventKind;
  /** The transaction, or the request_id of the payout. */
  readonly subject: string;
  readonly url: string;
  readonly state: EventState;
  readonly tries: number;
  readonly due_at: number;
  readonly outcome: string | null;
  readonly at: number;
  readonly ended_at: number | null;
}

/** The newest events, newest first. */
export function newestEvents(
  statements: Pick<Statements, 'all'>,
  state: EventState | undefined,
  limit: number,
): Promise<ListedEvent[]> {
  return statements.all<ListedEvent>(
    `SELECT e.number, a.merchant_id, a.account_id, e.kind, ifnull(t.transaction_id, p.request_id) AS subject, e.url,
       e.state, e.tries, e.due_at, e.outcome, e.at, e.ended_at
     FROM event AS e JOIN account AS a ON a.number = e.account LEFT JOIN txn AS t ON t.number = e.txn
       LEFT JOIN payout AS p ON p.number = e.payout
     ${state === undefined ? '' : `WHERE e.state = '${state}'`} ORDER BY e.number DESC LIMIT ?`,
    [limit],
  );
}

/** An event that is to be sent again; undefined when there is none of this number. */
export async function findEvent(
  statements: Pick<Statements, 'all'>,
  number: number,
): Promise<{ readonly state: EventState; readonly hasBody: boolean } | undefined> {
  const [row] = await statements.all<{ state: EventState; hasBody: 0 | 1 }>(
    'SELECT state, body IS NOT NULL AS hasBody FROM event WHERE number = ?',
    [number],
  );
  return row === undefined ? undefined : { state: row.state, hasBody: row.hasBody === 1 };
}

/** Makes events wait as if they had never been tried, and turns their addresses on again; returns how many. */
export async function reviveEvents(
  statements: Statements,
  which: { readonly number: number } | 'dead',
  now: number,
): Promise<number> {
  const [where, values] =
    which === 'dead' ? ["state = 'dead'", []] : ['number = ? AND body IS NOT NULL', [which.number]];
  await statements.run(
    `DELETE FROM silent_address WHERE (account, url) IN (SELECT account, url FROM event WHERE ${where})`,
    values,
  );
  return statements.run(
    `UPDATE event SET state = 'waiting', tries = 0, due_at = ?, ended_at = NULL WHERE ${where}`,
    [now, ...values],
  );
}

/** Takes the bodies of events that were delivered before a moment away, a limited number at a time. */
export function dropOldBodies(statements: Statements, before: number, limit: number): Promise<number> {
  return statements.run(
    `UPDATE event SET body = NULL WHERE number IN (SELECT number FROM event
       WHERE state = 'delivered' AND body IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?)`,
    [before, limit],
  );
}
