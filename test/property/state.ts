/** What a ledger holds and what reports say, as text that can be compared. */
import { readFileSync } from 'node:fs';
import type { BatchDocument } from '../../src/report/document.ts';
import type { Sandbox } from '../support/ledger.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Every row of every table. */
export async function logicalContent(sandbox: Sandbox): Promise<Readonly<Record<string, Rows>>> {
  const { reads } = sandbox.database;
  const tables = await reads.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1",
  );
  const content: Record<string, Rows> = {};
  for (const { name } of tables) content[name] = sorted(await reads.all(`SELECT * FROM "${name}"`));
  return content;
}

function sorted(rows: Rows): Rows {
  const texts = new Map(rows.map((row) => [row, JSON.stringify(row)]));
  return [...rows].sort((one, other) => (texts.get(one)! < texts.get(other)! ? -1 : 1));
}

/** All that execution leaves behind, without times: transfers in their order, payouts, balances, answers, chunks. */
export async function effects(sandbox: Sandbox): Promise<Readonly<Record<string, Rows>>> {
  const { transfer, payout, balance, answer, chunk } = await logicalContent(sandbox);
  const timeless = (rows: Rows = []) => rows.map(({ at, ...row }) => row);
  return {
    transfer: timeless(transfer),
    payout: timeless(payout),
    balance: timeless(balance),
    answer: timeless(answer),
    chunk: timeless(chunk),
  };
}

/** The bytes of all reports by kind, null for one that was not written. */
export function reportBytes({ reports }: BatchDocument): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(reports).map(([kind, path]) => [kind, path === null ? null : readFileSync(path, 'utf8')]),
  );
}
