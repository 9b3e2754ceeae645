/** Unknown transaction ids that look like a known one which a spreadsheet has changed (F45). */
import { type Reason, reason } from '../core/code.ts';
import type { Statements } from '../ledger/database.ts';

/** Excel keeps 15 digits of a number and writes zeros for the others. */
const EXCEL_DIGITS = 15;

/** Ids of the sandbox and of gateways in use are shorter; longer paddings are not looked for. */
const LONGEST_PADDED = 32;

/** Says what happened to the id, or undefined when it is simply unknown. */
export async function spreadsheetDamage(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  unknown: string,
): Promise<Reason | undefined> {
  if (!/^[1-9]\d*$/.test(unknown)) return undefined;
  const rounded = unknown.length > EXCEL_DIGITS && unknown.endsWith('0');
  const kept = unknown.slice(0, EXCEL_DIGITS);
  const known = rounded
    ? await firstId(statements, 'transaction_id > ?2 AND transaction_id < ?3 AND length(transaction_id) = length(?4)', accountNumber, [
        kept,
        `${kept}:`,
        unknown,
      ])
    : undefined;
  if (known !== undefined) {
    return damaged(`${unknown} is unknown, but ${known} is known: only its first ${EXCEL_DIGITS} digits were kept`);
  }
  const padded = await firstId(statements, 'transaction_id IN (SELECT value FROM json_each(?2))', accountNumber, [
    JSON.stringify(paddings(unknown)),
  ]);
  return padded === undefined ? undefined : damaged(`${unknown} is unknown, but ${padded} is known: its leading zeros were dropped`);
}

function damaged(detail: string): Reason {
  return reason('B0013', detail, { column: 'transaction_id' });
}

function paddings(id: string): readonly string[] {
  return Array.from({ length: Math.max(0, LONGEST_PADDED - id.length) }, (_, index) => id.padStart(id.length + index + 1, '0'));
}

async function firstId(
  statements: Pick<Statements, 'all'>,
  condition: string,
  accountNumber: number,
  values: readonly string[],
): Promise<string | undefined> {
  const [row] = await statements.all<{ id: string }>(
    `SELECT transaction_id AS id FROM txn WHERE account = ?1 AND ${condition} LIMIT 1`,
    [accountNumber, ...values],
  );
  return row?.id;
}
