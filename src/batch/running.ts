/**
 * Which process executes a batch, and how far it is: a note beside the kept copy for as long as it works on it. Nothing
 * depends on the note: who owns the batch says its lock, what is done says the journal.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { attemptsOf, chunkNumbers } from '../ledger/journal.ts';
import type { BatchContext } from './context.ts';
import type { OpenBatch } from './open-batch.ts';

type Looking = Pick<BatchContext, 'database' | 'folders'>;

const note = z.object({
  pid: z.int(),
  host: z.string(),
  /** Epoch milliseconds. */
  started: z.int(),
  /** When `done_before` was counted, epoch milliseconds. */
  counted: z.int(),
  attempt: z.int(),
  lines: z.int(),
  chunks: z.int(),
  /** Chunks of the attempt that were done by then. */
  done_before: z.int(),
});

/** A batch at work, as lists show it. */
export interface Running {
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
  readonly chunks: { readonly planned: number; readonly done: number };
  /** Null before anything is done, and when only some lines are executed once more. */
  readonly lines_per_second: number | null;
  readonly seconds_left: number | null;
}

/** A batch that is over sooner has been seen by nobody. */
const UNSEEN_MS = 300;

/** Does `work` on a batch while everybody can see who does it. */
export async function announced<T>(
  context: BatchContext,
  batch: OpenBatch,
  work: () => Promise<T>,
): Promise<T> {
  const path = noteOf(context, batch.record.id);
  const started = context.clock();
  let noted: Promise<void> | undefined;
  const timer = setTimeout(() => {
    // A note that cannot be written is missed by nobody but who looks.
    noted = describe(context, batch, started)
      .then((text) => writeFile(path, JSON.stringify(text)))
      .catch(() => undefined);
  }, UNSEEN_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    await noted;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function describe(
  { database, clock }: BatchContext,
  { record, checked }: OpenBatch,
  started: number,
): Promise<z.output<typeof note>> {
  const attempts = await attemptsOf(database.reads, record.number);
  const attempt = attempts.find(({ state }) => state === 'open')?.number ?? 1;
  const done = await chunkNumbers(database.reads, record.number, attempt);
  return {
    pid: process.pid,
    host: hostname(),
    started,
    attempt,
    lines: checked.rows,
    chunks: checked.chunks,
    counted: clock(),
    done_before: done.length,
  };
}

/**
 * How far a batch is that somebody owns.
 * @param now epoch milliseconds
 * @returns null when its owner has not begun to execute, or is done with it
 */
export async function runningNow(
  { database, folders }: Looking,
  { id, number }: { readonly id: string; readonly number: number },
  now: number,
): Promise<Running | null> {
  const said = await readNote(noteOf({ folders }, id));
  if (said === undefined) return null;
  const { pid, host, started, counted, attempt, lines, chunks, done_before } = said;
  const done = (await chunkNumbers(database.reads, number, attempt)).length;
  const here = done - done_before;
  const seconds = (now - counted) / 1000;
  // Later attempts execute some lines only, and what those are is known when they are done.
  const isKnown = attempt === 1 && here > 0 && seconds > 0;
  return {
    pid,
    host,
    started_at: new Date(started).toISOString(),
    chunks: { planned: chunks, done },
    lines_per_second: isKnown ? Math.round(((here / chunks) * lines) / seconds) : null,
    seconds_left: isKnown ? Math.ceil(((chunks - done) * seconds) / here) : null,
  };
}

/** Undefined when there is none, or one that is just being written. */
async function readNote(path: string): Promise<z.output<typeof note> | undefined> {
  try {
    return note.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function noteOf({ folders }: Pick<BatchContext, 'folders'>, batch: string): string {
  return join(folders.workOf(batch), 'running.json');
}
