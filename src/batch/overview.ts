/** Batches as lists show them, and everything that is known of one of them. */
import { join } from 'node:path';
import { actsOn, type ListedBatch, listedBatches, revisionsOf } from '../ledger/history.ts';
import { attemptsOf, type BatchRecord, type JournalStatus } from '../ledger/journal.ts';
import { Ownership } from '../ledger/owner.ts';
import type { BatchDocument, LineCounts, ReportError } from '../report/document.ts';
import type { BatchContext } from './context.ts';
import { EXIT } from './exit.ts';
import { type Running, runningNow } from './running.ts';
import { unpackRevision } from './stored-document.ts';

type Looking = Pick<BatchContext, 'database' | 'folders'> & {
  /** Epoch milliseconds; by default the clock of this machine, which the processes at work on it share. */
  readonly clock?: () => number;
};

export interface BatchOverview {
  readonly batch: string;
  readonly file: string;
  readonly operation: string;
  readonly gateway: string;
  readonly status: JournalStatus;
  /** Somebody may still have to do something about it. */
  readonly open: boolean;
  readonly closed: boolean;
  readonly revision: number;
  readonly received_at: string;
  /** As its newest finished revision counts them. */
  readonly lines: LineCounts | null;
  readonly exit: number | null;
  /** Who executes it now, and how far that is; null for all others. */
  readonly running: Running | null;
}

/** All batches, oldest first. */
export async function overview(context: Looking): Promise<readonly BatchOverview[]> {
  const rows = await listedBatches(context.database.reads);
  return Promise.all(rows.map((row) => overviewOf(context, row)));
}

async function overviewOf(context: Looking, row: ListedBatch): Promise<BatchOverview> {
  const status = await statusNow(context, row);
  const now = context.clock?.() ?? Date.now();
  return {
    batch: row.id,
    file: row.name,
    operation: row.operation,
    gateway: row.gateway,
    status,
    open: isOpen(row),
    closed: row.closed === 1,
    revision: row.revision,
    received_at: new Date(row.received_at).toISOString(),
    lines: row.lines === null ? null : (JSON.parse(row.lines) as LineCounts),
    exit: row.status === 'rejected' ? EXIT.rejected : row.exit,
    running: status === 'running' ? await runningNow(context, row, now) : null,
  };
}

/** A batch that counts as running without a living owner was interrupted. */
async function statusNow(
  { folders }: Looking,
  { id, status }: Pick<BatchRecord, 'id' | 'status'>,
): Promise<JournalStatus> {
  if (status !== 'running') return status;
  return (await Ownership.isTaken(join(folders.workOf(id), 'owner.db'))) ? 'running' : 'interrupted';
}

/** Rejected ones are over, and completed ones where every line succeeded. */
function isOpen({ status, closed, exit }: Pick<ListedBatch, 'status' | 'closed' | 'exit'>): boolean {
  if (closed === 1 || status === 'rejected') return false;
  return status !== 'completed' || exit !== EXIT.done;
}

export interface BatchStory extends BatchOverview {
  readonly sha256: string;
  readonly bytes: number;
  /** Of the newest finished revision. */
  readonly document: BatchDocument | null;
  /** Why a rejected file was rejected. */
  readonly errors: readonly ReportError[];
  readonly attempts: readonly {
    readonly number: number;
    readonly state: string;
    readonly lines: string | null;
  }[];
  readonly revisions: readonly {
    readonly revision: number;
    readonly started_at: string;
    readonly finished: boolean;
  }[];
  readonly acts: readonly {
    readonly at: string;
    readonly who: string;
    readonly act: string;
    readonly detail: unknown;
  }[];
}

/** Everything about one batch. */
export async function storyOf(context: Looking, record: BatchRecord): Promise<BatchStory> {
  const { reads } = context.database;
  const revisions = await revisionsOf(reads, record.number);
  const finished = revisions.findLast(({ document }) => document !== null);
  const document = finished === undefined ? null : unpackRevision(finished.document!).document;
  const listed = {
    ...record,
    lines: document === null ? null : JSON.stringify(document.lines),
    exit: document?.exit ?? null,
  };
  const { errors } = JSON.parse(record.intake) as { readonly errors?: readonly ReportError[] };
  return {
    ...(await overviewOf(context, listed)),
    sha256: record.sha256,
    bytes: record.bytes,
    document,
    errors: errors ?? document?.errors ?? [],
    attempts: (await attemptsOf(reads, record.number)).map(({ number, state, lines }) => ({
      number,
      state,
      lines,
    })),
    revisions: revisions.map((one) => ({
      revision: one.revision,
      started_at: new Date(one.started_at).toISOString(),
      finished: one.document !== null,
    })),
    acts: (await actsOn(reads, record.id)).map(({ at, who, act, detail }) => ({
      at: new Date(at).toISOString(),
      who,
      act,
      detail: JSON.parse(detail) as unknown,
    })),
  };
}
