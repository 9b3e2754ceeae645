/** Named statements that look for transactions whose ids are nearly the ones given. */
import type { Statements } from './database.ts';

export interface Lookalike {
  readonly unknown: string;
  readonly known: string;
}

/** Ids of gateways in use are shorter than this; longer paddings are not looked for. */
const MOST_ZEROS = 24;

/** For each number, the shortest known id that is the number after leading zeros. */
export function knownByLeadingZeros(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  numbers: readonly string[],
): Promise<Lookalike[]> {
  const zeros = Array.from({ length: MOST_ZEROS }, (_, index) => '0'.repeat(index + 1));
  return lookalikes(
    statements,
    't.transaction_id IN (SELECT z.value || w.value FROM json_each(?3) AS z)',
    accountNumber,
    numbers,
    JSON.stringify(zeros),
  );
}

/** For each number, a known id of the same length that begins with the same digits. */
export function knownByFirstDigits(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  numbers: readonly string[],
  digits: number,
): Promise<Lookalike[]> {
  const condition = `t.transaction_id > substr(w.value, 1, ?3) AND t.transaction_id < substr(w.value, 1, ?3) || ':'
    AND length(t.transaction_id) = length(w.value)`;
  return lookalikes(statements, condition, accountNumber, numbers, digits);
}

function lookalikes(
  statements: Pick<Statements, 'all'>,
  condition: string,
  accountNumber: number,
  numbers: readonly string[],
  parameter: string | number,
): Promise<Lookalike[]> {
  return statements.all<Lookalike>(
    `SELECT unknown, known FROM (SELECT w.value AS unknown, (SELECT t.transaction_id FROM txn AS t
       WHERE t.account = ?1 AND ${condition} ORDER BY t.transaction_id DESC LIMIT 1) AS known FROM json_each(?2) AS w)
     WHERE known IS NOT NULL`,
    [accountNumber, JSON.stringify(numbers), parameter],
  );
}
