/** Named statements on notifications. They are written in the transaction of their cause, so none is lost and none invented. */
import type { EventKind } from '../core/notification.ts';
import type { Statements } from './database.ts';

/** An event to be told to a merchant. */
export interface NewEvent {
  readonly accountNumber: number;
  /** The address that the payment or payout named. */
  readonly url: string;
  readonly kind: EventKind;
  /** The body without sequence number and signature. */
  readonly body: Readonly<Record<string, string>>;
  /** Epoch milliseconds from which on it may be sent. */
  readonly dueAt: number;
}

/** Adds events in order; each gets the next sequence number. */
export async function insertEvents(
  statements: Statements,
  events: readonly NewEvent[],
  at: number,
): Promise<void> {
  if (events.length === 0) return;
  const cells = events.map(({ accountNumber, url, kind, body, dueAt }) => [
    accountNumber,
    url,
    kind,
    JSON.stringify(body),
    dueAt,
  ]);
  await statements.run(
    `INSERT INTO event (account, url, kind, body, due_at, at)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, ?2 FROM json_each(?1)`,
    [JSON.stringify(cells), at],
  );
}
