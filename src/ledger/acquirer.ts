/** Named statements on what the simulated acquirer remembers. Nothing here is part of the merchant's books. */
import type { Statements } from './database.ts';

/** What the acquirer has to say about a request, once it is known. */
export interface RememberedAnswer {
  /** JSON. */
  readonly answer: string;
  /** Epoch milliseconds; before this the acquirer cannot say. */
  readonly knownAt: number;
}

/** What is remembered under a reference. */
export async function recallAnswer(
  statements: Pick<Statements, 'all'>,
  reference: string,
): Promise<RememberedAnswer | undefined> {
  const [row] = await statements.all<RememberedAnswer>(
    'SELECT answer, known_at AS knownAt FROM acquirer_request WHERE reference = ?',
    [reference],
  );
  return row;
}

/** Remembers an answer in place of what was remembered before. */
export async function rememberAnswer(
  statements: Statements,
  reference: string,
  { answer, knownAt }: RememberedAnswer,
): Promise<void> {
  await statements.run(
    `INSERT INTO acquirer_request (reference, answer, known_at) VALUES (?, ?, ?)
     ON CONFLICT (reference) DO UPDATE SET answer = excluded.answer, known_at = excluded.known_at`,
    [reference, answer, knownAt],
  );
}
