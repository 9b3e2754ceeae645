/** Every act that changes state, in a chain: each row's hash covers the row before, so none can be changed or taken out unseen. */
import { createHash } from 'node:crypto';
import type { Statements } from './database.ts';

export interface Act {
  readonly at: number;
  readonly who: string;
  /** What was done, for example `batch.release`. */
  readonly act: string;
  /** What it was done to. */
  readonly subject: string;
  /** Reason and options, as JSON. */
  readonly detail: string;
}

export interface AuditRow extends Act {
  readonly number: number;
  readonly hash: string;
}

/** The hash before the first row. */
export const CHAIN_START = '0'.repeat(64);

export function chainHash(before: string, { at, who, act, subject, detail }: Act): string {
  return createHash('sha256')
    .update(JSON.stringify([before, at, who, act, subject, detail]))
    .digest('hex');
}

/** Hash of the newest act. */
export async function auditHead(statements: Pick<Statements, 'all'>): Promise<string> {
  const [row] = await statements.all<{ hash: string }>('SELECT hash FROM audit ORDER BY number DESC LIMIT 1');
  return row?.hash ?? CHAIN_START;
}

export function appendAct(statements: Statements, act: Act): Promise<void> {
  return appendActs(statements, [act]);
}

/** Appends acts one after another. */
export async function appendActs(statements: Statements, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  let hash = await auditHead(statements);
  const rows = acts.map((act) => {
    hash = chainHash(hash, act);
    return [act.at, act.who, act.act, act.subject, act.detail, hash];
  });
  await statements.run(
    `INSERT INTO audit (at, who, act, subject, detail, hash)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?) ORDER BY key`,
    [JSON.stringify(rows)],
  );
}

/** Acts in order, from after a number on. */
export function actsAfter(
  statements: Pick<Statements, 'all'>,
  after: number,
  limit: number,
): Promise<AuditRow[]> {
  return statements.all<AuditRow>('SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?', [
    after,
    limit,
  ]);
}
