/** Named statements on notifications. They are written in the transaction of their cause, so none is lost and none invented. */
import type { EventKind } from '../core/notification.ts';
import type { Statements } from './database.ts';

/** What an event tells of: a transaction or a payout, by its key in the ledger. */
export type EventSubject = { readonly txn: number } | { readonly payout: number };

/** An event to be told to a merchant. */
export interface NewEvent {
  readonly accountNumber: number;
  readonly subject: EventSubject;
  /** The address that the payment or payout named. */
  readonly url: string;
  /** Who answers at the address: events for one receiver share its slots, and no other's. */
  readonly receiver: string;
  readonly kind: EventKind;
  /** The body without sequence number, environment and signature. */
  readonly body: Readonly<Record<string, string | number>>;
  /** Epoch milliseconds from which on it may be sent. */
  readonly dueAt: number;
}

const COLUMNS = ['account', 'txn', 'payout', 'url', 'receiver', 'kind', 'body', 'due_at', 'state', 'tries'];

/** Adds events in order; each gets the next sequence number. */
export async function insertEvents(
  statements: Statements,
  events: readonly NewEvent[],
  at: number,
): Promise<void> {
  if (events.length === 0) return;
  const cells = events.map(({ accountNumber, subject, url, receiver, kind, body, dueAt }) => [
    accountNumber,
    'txn' in subject ? subject.txn : null,
    'payout' in subject ? subject.payout : null,
    url,
    receiver,
    kind,
    JSON.stringify(body),
    dueAt,
    'waiting',
    0,
  ]);
  const values = COLUMNS.map((_, index) => `value->>${index}`);
  await statements.run(
    `INSERT INTO event (${COLUMNS.join(', ')}, at) SELECT ${values.join(', ')}, ?2 FROM json_each(?1)`,
    [JSON.stringify(cells), at],
  );
}

/** An effect's events as they should be and as they are, for verifying. */
export interface ToldSubject {
  /** Key of the transaction or payout. */
  readonly number: number;
  /** Its id as merchants know it. */
  readonly id: string;
  readonly events: readonly EventKind[];
}

export interface ToldPayment extends ToldSubject {
  /** Codes of its transfers' kinds. */
  readonly transfers: readonly number[];
}

/** The next payments that want to be told, in the order of keys. */
export async function toldPaymentsAfter(
  statements: Pick<Statements, 'json'>,
  after: number,
  limit: number,
): Promise<readonly ToldPayment[]> {
  const rows = await statements.json<[number, string, number[], EventKind[]][]>(
    `SELECT json_group_array(json_array(p.txn, t.transaction_id,
       (SELECT json_group_array(kind) FROM transfer WHERE txn = p.txn),
       (SELECT json_group_array(kind) FROM event WHERE txn = p.txn))) AS json
     FROM (SELECT txn FROM payment WHERE notify_url IS NOT NULL AND txn > ? ORDER BY txn LIMIT ?) AS p
       JOIN txn AS t ON t.number = p.txn`,
    [after, limit],
  );
  return rows.map(([number, id, transfers, events]) => ({ number, id, transfers, events }));
}

export interface ToldPayout extends ToldSubject {
  readonly accountNumber: number;
  readonly at: number;
  /** YYYY-MM-DD. */
  readonly paymentDate: string;
}

/** The next payouts that want to be told, in the order of keys. */
export async function toldPayoutsAfter(
  statements: Pick<Statements, 'json'>,
  after: number,
  limit: number,
): Promise<readonly ToldPayout[]> {
  const rows = await statements.json<[number, string, number, number, string, EventKind[]][]>(
    `SELECT json_group_array(json_array(p.number, p.request_id, p.account, p.at, p.payment_date,
       (SELECT json_group_array(kind) FROM event WHERE payout = p.number))) AS json
     FROM (SELECT * FROM payout WHERE message->>'$.notify_url' IS NOT NULL AND number > ?
       AND number >= (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'first payout with events')
       ORDER BY number LIMIT ?) AS p`,
    [after, limit],
  );
  return rows.map(([number, id, accountNumber, at, paymentDate, events]) => ({
    number,
    id,
    accountNumber,
    at,
    paymentDate,
    events,
  }));
}

/** How many events there are. */
export async function eventCount(statements: Pick<Statements, 'all'>): Promise<number> {
  const [row] = await statements.all<{ count: number }>('SELECT count(*) AS count FROM event');
  return row!.count;
}
