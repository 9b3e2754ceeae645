/** First answers under idempotency keys. They are stored in the commit of their effects, so a repeated request can never act twice. */
import type { Statements } from './database.ts';

export interface AnswerKey {
  readonly accountNumber: number;
  readonly operation: string;
  readonly key: string;
}

export interface StoredAnswer extends AnswerKey {
  readonly requestHash: string;
  readonly answer: string;
  /** When it was given, epoch milliseconds. */
  readonly at: number;
}

/** The stored answers among the given keys. */
export async function findAnswers(
  statements: Pick<Statements, 'json'>,
  keys: readonly AnswerKey[],
): Promise<readonly StoredAnswer[]> {
  const cells = keys.map(({ accountNumber, operation, key }) => [accountNumber, operation, key]);
  const rows = await statements.json<[number, string, string, string, string, number][]>(
    `SELECT json_group_array(json_array(a.account, a.operation, a.idempotency_key, a.request_hash, a.answer, a.at)) AS json
     FROM json_each(?) AS k CROSS JOIN seen_answer AS a
       ON a.account = k.value->>0 AND a.operation = k.value->>1 AND a.idempotency_key = k.value->>2`,
    [JSON.stringify(cells)],
  );
  return rows.map(([accountNumber, operation, key, requestHash, answer, at]) => ({
    accountNumber,
    operation,
    key,
    requestHash,
    answer,
    at,
  }));
}

export async function insertAnswers(statements: Statements, answers: readonly StoredAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const cells = answers.map(({ accountNumber, operation, key, requestHash, answer, at }) => [
    accountNumber,
    operation,
    key,
    requestHash,
    answer,
    at,
  ]);
  await statements.run(
    `INSERT INTO answer (account, operation, idempotency_key, request_hash, answer, at)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?)`,
    [JSON.stringify(cells)],
  );
}

/** Deletes answers given before a moment, oldest first; returns how many. */
export function deleteAnswersBefore(statements: Statements, before: number, limit: number): Promise<number> {
  return statements.run(
    `DELETE FROM answer WHERE (account, operation, idempotency_key) IN
       (SELECT account, operation, idempotency_key FROM answer WHERE at < ? ORDER BY at LIMIT ?)`,
    [before, limit],
  );
}
