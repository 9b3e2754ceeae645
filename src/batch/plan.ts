/**
 * Foreseeing: the same preflight, chunks and decisions as a run, on a database whose writes go nowhere. A plan moves no
 * money and writes nothing, and on the same ledger the run ends as it says.
 */
import { type PackedResult, packResult } from '../core/answer.ts';
import type { Chunk } from '../core/chunk.ts';
import type { Code } from '../core/code.ts';
import type { InstructionGateway, Origin } from '../core/gateway.ts';
import { isKnownField } from '../core/instruction.ts';
import { openFile } from '../files/open.ts';
import type { Database } from '../ledger/database.ts';
import { attemptsOf, batchesBySameness } from '../ledger/journal.ts';
import type { BatchDocument } from '../report/document.ts';
import { finishedRevision } from './claim.ts';
import { DoneChunks } from './done-chunks.ts';
import { execute } from './execute.ts';
import { batchIdOf, samenessOf } from './identity-of-file.ts';
import { LineReader } from './lines.ts';
import { outcomeOf } from './outcomes.ts';
import { type Preflight, type PreflightInput, preflight } from './preflight.ts';
import { sendChunk } from './send.ts';

export interface PlanInput extends PreflightInput {
  /** Sees the ledger and the effects foreseen so far, and nothing else does. */
  readonly overlay: Database;
  /** Decides on the overlay. */
  readonly gateway: InstructionGateway;
  readonly concurrency: number;
  /** Names of the files that were planned on this overlay before, by what makes submissions the same. */
  readonly planned: Map<string, string>;
}

export interface Plan {
  readonly preflight: Preflight;
  /** Foreseen refusals, invalid lines and duplicates: how many lines each code has. */
  readonly foreseen: ReadonlyMap<Code, number>;
  readonly before: Before | undefined;
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
  const { submission, overlay, planned } = input;
  const checked = await preflight(path, input);
  const foreseen = new Map<Code, number>();
  const result = (before: Before | undefined): Plan => ({ preflight: checked, foreseen, before });
  if (checked.rejections.length > 0) return result(undefined);
  const sameness = samenessOf(input.sha256, submission, checked.operation, input.environment);
  const name = planned.get(sameness);
  if (name !== undefined) return result({ is: 'planned', name });
  planned.set(sameness, submission.name);
  const same = await batchesBySameness(overlay.reads, sameness);
  const last = same.findLast(({ status }) => status !== 'rejected' && status !== 'stopped');
  const document = last === undefined ? undefined : (await finishedRevision(overlay.reads, last))?.document;
  if (document !== undefined) return result({ is: 'executed', document });
  const attempts = last === undefined ? [] : await attemptsOf(overlay.reads, last.number);
  // A batch that was interrupted in a later attempt has some of its outcomes from each of them.
  if (attempts.length > 1) return result({ is: 'begun', batch: last!.id });
  if (submission.policy === 'valid-lines' || checked.invalid === 0) {
    await foresee(path, input, checked, foreseen, {
      batch: last?.id ?? batchIdOf(sameness, same.length + 1),
      // No batch of the journal has a number below zero.
      batchNumber: last?.number ?? -planned.size,
      attempt: 1,
      repeats: submission.repeats,
    });
  }
  return result(last === undefined ? undefined : { is: 'begun', batch: last.id });
}

async function foresee(
  path: string,
  { submission, gateway, concurrency, overlay, accounts }: PlanInput,
  checked: Preflight,
  foreseen: Map<Code, number>,
  origin: Origin,
): Promise<void> {
  const opened = await openFile(path, submission.name, submission.reading, isKnownField);
  const done = await DoneChunks.load(overlay.reads, origin);
  await execute({
    opened,
    reader: new LineReader(opened.shape, submission, accounts),
    send: (chunk, more) => sendChunk(gateway, chunk, origin, more),
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
    },
    halt: () => undefined,
    onProgress: undefined,
  });
}

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
