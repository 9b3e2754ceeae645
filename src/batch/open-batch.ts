/** A batch whose input has been read: what every step after the claim works on. */
import type { AccountBook } from '../ledger/accounts.ts';
import type { BatchRecord } from '../ledger/journal.ts';
import { type BatchContext, checkpoint } from './context.ts';
import type { KeysOf } from './envelope.ts';
import { type KeptFile, keptFile } from './kept-file.ts';
import { type Preflight, preflight } from './preflight.ts';
import type { Submission } from './submission.ts';

export interface ReadBatch extends KeptFile {
  /** What preflight found; execution moves the lines of its tally from `not_sent` to their outcomes. */
  readonly checked: Preflight;
}

export interface OpenBatch extends ReadBatch {
  /** The revision that is being made. */
  readonly revision: number;
}

/** Preflight of a known batch's kept copy. Its signature was verified when it was accepted; keys may have changed since. */
export async function readBatch(context: BatchContext, record: BatchRecord): Promise<ReadBatch> {
  const kept = await keptFile(context.database.reads, context.folders, record);
  const verified = { ...context, keysOf: undefined };
  const checked = await check(verified, kept.submission, kept.accounts, kept.path, record.sha256);
  return { ...kept, checked };
}

/** Preflight, with what the context knows. */
export function check(
  context: Pick<BatchContext, 'environment' | 'interruption' | 'onProgress'> & {
    readonly keysOf: KeysOf | undefined;
  },
  submission: Submission,
  accounts: AccountBook,
  path: string,
  sha256: string,
): Promise<Preflight> {
  const { environment, keysOf, onProgress } = context;
  return preflight(path, {
    submission,
    sha256,
    environment,
    accounts,
    keysOf,
    onProgress: (rows) => {
      checkpoint(context, rows);
      onProgress?.('reading', rows, undefined);
    },
  });
}
