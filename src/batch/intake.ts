/** How a batch was submitted: what the journal keeps of it, so that it is always read again in the same way. */
import { AccountBook, readAccounts } from '../ledger/accounts.ts';
import type { Statements } from '../ledger/database.ts';
import type { BatchRecord } from '../ledger/journal.ts';
import type { Submission } from './submission.ts';

export interface Intake {
  readonly submission: Submission;
  readonly sequenceKey: string;
  /** Number of the newest account then. */
  readonly lastAccount: number;
}

export function intakeOf(record: BatchRecord): Intake {
  return JSON.parse(record.intake) as Intake;
}

/** The accounts that there were when the batch came in: one that is added later never changes how a file is read. */
export async function accountsOf(
  statements: Pick<Statements, 'all'>,
  record: BatchRecord,
): Promise<AccountBook> {
  const { lastAccount } = intakeOf(record);
  return new AccountBook((await readAccounts(statements)).filter(({ number }) => number <= lastAccount));
}
