/** The kept copy of a batch's input, read again as it was read when it came in. */
import { join } from 'node:path';
import { isKnownField } from '../core/instruction.ts';
import { type OpenedFile, openFile } from '../files/open.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import type { Statements } from '../ledger/database.ts';
import type { BatchRecord } from '../ledger/journal.ts';
import { type Folders, KEPT_INPUT } from './folders.ts';
import { accountsOf, intakeOf } from './intake.ts';
import { LineReader } from './lines.ts';
import { JournalWalk } from './outcomes.ts';
import type { WalkInput } from './report.ts';
import type { Submission } from './submission.ts';

export interface KeptFile {
  readonly record: BatchRecord;
  readonly submission: Submission;
  /** The accounts that there were when the file came in. */
  readonly accounts: AccountBook;
  readonly path: string;
}

export async function keptFile(
  statements: Pick<Statements, 'all'>,
  folders: Folders,
  record: BatchRecord,
): Promise<KeptFile> {
  const accounts = await accountsOf(statements, record);
  return { record, submission: intakeOf(record).submission, accounts, path: keptPath(folders, record) };
}

export function keptPath(folders: Folders, record: Pick<BatchRecord, 'id'>): string {
  return join(folders.workOf(record.id), KEPT_INPUT);
}

/** A new pass over the file. */
export async function openKept({
  path,
  submission,
  accounts,
}: KeptFile): Promise<{ readonly opened: OpenedFile; readonly reader: LineReader }> {
  const opened = await openFile(path, submission.name, submission.reading, isKnownField);
  return { opened, reader: new LineReader(opened.shape, submission, accounts) };
}

/** A walk over all lines of the file with their outcomes, as they were in a revision. */
export async function walkOf(
  statements: Pick<Statements, 'all'>,
  kept: KeptFile,
  revision: number,
  onProgress?: (lines: number) => void,
): Promise<WalkInput> {
  return {
    ...(await openKept(kept)),
    submission: kept.submission,
    accounts: kept.accounts.all,
    journal: await JournalWalk.begin(statements, kept.record, revision),
    compare: revision > 1,
    onProgress,
  };
}
