/**
 * Foreseeing: the same preflight, chunks and decisions as a run, by something that answers in the gateway's stead. A plan
 * moves no money and writes nothing. With the embedded engine, on the same ledger the run ends as it says; of a remote
 * gateway it foresees refusals, as far as a query tells them.
 */
import { type PackedResult, packResult } from '../core/answer.ts';
import type { Chunk } from '../core/chunk.ts';
import type { Code, Reason } from '../core/code.ts';
import type { Origin } from '../core/gateway.ts';
import { isKnownField } from '../core/instruction.ts';
import { openFile } from '../files/open.ts';
import type { Database } from '../ledger/database.ts';
import { attemptsOf, batchesBySameness } from '../ledger/journal.ts';
import type { BatchDocument } from '../report/document.ts';
import { finishedRevision } from './claim.ts';
import type { Send } from './dispatch.ts';
import { DoneChunks } from './done-chunks.ts';
import { execute } from './execute.ts';
import { batchIdOf, samenessOf } from './identity-of-file.ts';
import { LineReader } from './lines.ts';
import { outcomeOf } from './outcomes.ts';
import { type Preflight, type PreflightInput, preflight } from './preflight.ts';

/** What answers in the gateway's stead. */
export interface Foresight {
  readonly reads: Database['reads'];
  /** Answers the chunks of one file; it sees what it has foreseen before, and nothing else does. */
  readonly sendAs: (origin: Origin) => Send;
  /** Chunks in flight at most. */
  readonly concurrency: number;
  /** It knows no more than a query tells: what it answers as `pending` nobody can foresee. */
  readonly byQuery: boolean;
}

export interface PlanInput extends PreflightInput {
  readonly foresight: Foresight;
  /** Names of the files that were planned with this foresight before, by what makes submissions the same. */
  readonly planned: Map<string, string>;
}

export interface Plan {
  readonly preflight: Preflight;
  /** Foreseen refusals, invalid lines and duplicates: how many lines each code has. */
  readonly foreseen: ReadonlyMap<Code, number>;
  /** How many lines would be sent of which nothing can be foreseen. */
  readonly unforeseen: number;
  readonly before: Before | undefined;
  /** Why not all of it could be foreseen: the gateway did not answer. */
  readonly failure: Reason | undefined;
}

/** What is said of a file before anything of it is foreseen. */
export function unplanned(checked: Preflight): Plan {
  return { preflight: checked, foreseen: new Map(), unforeseen: 0, before: undefined, failure: undefined };
}

/** What the ledger, or an earlier file of the same plan, knows of the same submission. */
export type Before =
  /** It was executed: nothing would be executed again. */
  | { readonly is: 'executed'; readonly document: BatchDocument }
  /** It was begun: running the file goes on with the batch. */
  | { readonly is: 'begun'; readonly batch: string }
  /** The same submission stands earlier in this plan. */
  | { readonly is: 'planned'; readonly name: string };

/** Foresees what executing the file would do. The preflight's tally ends with the foreseen outcomes. */
export async function plan(path: string, input: PlanInput): Promise<Plan> {
  const { submission, planned } = input;
  const { reads } = input.foresight;
  const checked = await preflight(path, input);
  const nothing = unplanned(checked);
  if (checked.rejections.length > 0) return nothing;
  const sameness = samenessOf(input.sha256, submission, checked, input.environment);
  const name = planned.get(sameness);
  if (name !== undefined) return { ...nothing, before: { is: 'planned', name } };
  planned.set(sameness, submission.name);
  const same = await batchesBySameness(reads, sameness);
  const last = same.findLast(({ status }) => status !== 'rejected' && status !== 'stopped');
  const document = last === undefined ? undefined : (await finishedRevision(reads, last))?.document;
  if (document !== undefined) return { ...nothing, before: { is: 'executed', document } };
  const before = last === undefined ? undefined : ({ is: 'begun', batch: last.id } as const);
  const attempts = last === undefined ? [] : await attemptsOf(reads, last.number);
  // A batch that was interrupted in a later attempt has some of its outcomes from each of them.
  if (attempts.length > 1) return { ...nothing, before };
  if (submission.policy === 'atomic' && checked.invalid > 0) return { ...nothing, before };
  const origin: Origin = {
    batch: last?.id ?? batchIdOf(sameness, same.length + 1),
    // No batch of the journal has a number below zero.
    batchNumber: last?.number ?? -planned.size,
    attempt: 1,
    repeats: submission.repeats,
  };
  return { ...nothing, before, ...(await foresee(path, input, checked, origin)) };
}

async function foresee(
  path: string,
  { submission, foresight, accounts }: PlanInput,
  checked: Preflight,
  origin: Origin,
): Promise<Pick<Plan, 'foreseen' | 'unforeseen' | 'failure'>> {
  const { reads, sendAs, concurrency, byQuery } = foresight;
  const opened = await openFile(path, submission.name, submission.reading, isKnownField);
  const done = await DoneChunks.load(reads, origin);
  const foreseen = new Map<Code, number>();
  let unforeseen = 0;
  const end = await execute({
    opened,
    reader: new LineReader(opened.shape, submission, accounts),
    send: sendAs(origin),
    concurrency,
    only: undefined,
    async skip(chunk) {
      const results = await done.results(chunk.number);
      if (results !== undefined) count(checked, foreseen, chunk, results);
      return results !== undefined;
    },
    onResults: async (chunk, results) => {
      const packed = results.map((result) => packResult(result, { reference: '', moved: [] }));
      count(checked, foreseen, chunk, packed);
      if (byQuery) unforeseen += results.filter(({ status }) => status === 'pending').length;
    },
    halt: () => undefined,
    onProgress: undefined,
  });
  return { foreseen, unforeseen, failure: typeof end === 'object' ? end.failure : undefined };
}

/** Puts the results of a chunk into the tally and among the codes. */
function count(
  checked: Preflight,
  foreseen: Map<Code, number>,
  chunk: Chunk,
  results: readonly PackedResult[],
): void {
  const { merchantId, accountId } = chunk.account;
  const place = { merchantId, accountId, operation: chunk.operation };
  results.forEach((result, index) => {
    const { amount, currency } = chunk.instructions[index]!;
    checked.tally.settle(place, currency, outcomeOf(result), amount);
    const code = codeOf(result);
    if (code !== undefined) foreseen.set(code, (foreseen.get(code) ?? 0) + 1);
  });
}

function codeOf(result: PackedResult): Code | undefined {
  if (result === 1) return undefined;
  switch (result[0]) {
    case 'done':
    case 'pending':
      return undefined;
    case 'repeat':
      return 'B0001';
    default:
      return result[1].code;
  }
}
