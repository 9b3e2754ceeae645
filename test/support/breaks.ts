/** Breaks put into a data directory, as reconciling would leave them. */
import { join } from 'node:path';
import type { Break } from '../../src/core/break.ts';
import { dayAfter } from '../../src/core/break.ts';
import { appendAct } from '../../src/ledger/audit.ts';
import { putBreaks } from '../../src/ledger/breaks.ts';
import { Database } from '../../src/ledger/database.ts';
import { booksOf } from '../../src/ledger/statements.ts';

/** The day in UTC, and so many days before or after it. */
export function dayFromNow(days: number): string {
  return dayAfter(new Date().toISOString().slice(0, 10), days);
}

/** An open difference of 2.50 EUR, three days old, unless told otherwise. */
export function aBreak(number: number, more: Partial<Break> = {}): Break {
  return {
    id: `K${String(number).padStart(16, '0')}`,
    side: 'acquirer',
    kind: 'amount_differs',
    reference: `T${number}`,
    currency: 'EUR',
    statementCurrency: null,
    ledger: 1250n,
    statement: 1000n,
    compared: true,
    day: dayFromNow(-3),
    due: null,
    why: 'Books and statement have it with different amounts.',
    place: `report.csv:${number + 1}`,
    state: 'open',
    found: dayFromNow(-2),
    closed: null,
    assignee: null,
    resolution: null,
    ...more,
  };
}

/** Who resolved what a test begins with. */
const BEFORE = 'somebody before';

/** Puts them into the books of the account with that number. */
export async function storeBreaks(data: string, breaks: readonly Break[], account = 1): Promise<void> {
  await inLedger(data, (database) =>
    database.write(async (statements) => {
      await putBreaks(statements, await booksOf(statements, account, 'engine'), breaks);
      const resolved = breaks.filter(({ state }) => state === 'resolved');
      for (const { id } of resolved)
        await appendAct(statements, { at: 0, who: BEFORE, act: 'break.resolve', subject: id, detail: '{}' });
    }),
  );
}

/** Does `work` on the database of a data directory that nobody else has open. */
export async function inLedger<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await Database.open(join(data, 'batchgate.db'));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export interface StoredAct {
  readonly act: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What the audit says of breaks since the test began, oldest first. */
export async function breakActs(data: string): Promise<readonly StoredAct[]> {
  const rows = await inLedger(data, ({ reads }) =>
    reads.all<{ act: string; subject: string; detail: string }>(
      "SELECT act, subject, detail FROM audit WHERE act LIKE 'break.%' AND who <> ? ORDER BY number",
      [BEFORE],
    ),
  );
  return rows.map(({ act, subject, detail }) => ({ act, subject, detail: JSON.parse(detail) }));
}
