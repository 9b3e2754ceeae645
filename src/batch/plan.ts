/**
 * Foreseeing: the same preflight, chunks and decisions as a run, on a database whose writes go nowhere. A plan moves no
 * money and writes nothing, and on the same ledger the run ends as it says.
 */
import type { Code } from '../core/code.ts';
import type { Gateway, Result } from '../core/gateway.ts';
import { isKnownField } from '../core/instruction.ts';
import type { Chunk } from '../core/chunk.ts';
import { packResult } from '../core/answer.ts';
import { openFile } from '../files/open.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import type { Database } from '../ledger/database.ts';
import { batchesBySameness } from '../ledger/journal.ts';
import { execute } from './execute.ts';
import { batchIdOf, samenessOf } from './identity-of-file.ts';
import { LineReader } from './lines.ts';
import { outcomeOf } from './outcomes.ts';
import { type Preflight, preflight, type PreflightInput } from './preflight.ts';

export interface PlanInput extends PreflightInput {
  /** Sees the ledger and the effects foreseen so far, and nothing else does. */
  readonly overlay: Database;
  /** Decides on the overlay. */
  readonly gateway: Gateway;
  readonly concurrency: number;
}

export interface Plan {
  readonly preflight: Preflight;
  /** Foreseen refusals, invalid lines and duplicates: how many lines each code has. */
  readonly foreseen: ReadonlyMap<Code, number>;
  /** The submission was executed before: nothing would be executed again. */
  readonly repeatOf: string | undefined;
}

/** Number that stands for the batch that is only foreseen. No batch of the journal has it. */
const FORESEEN_BATCH = -1;

/** Foresees what executing the file would do. The preflight's tally ends with the foreseen outcomes. */
export async function plan(path: string, input: PlanInput): Promise<Plan> {
  const { submission, overlay, accounts } = input;
  const checked = await preflight(path, input);
  const foreseen = new Map<Code, number>();
  if (checked.rejections.length > 0) return { preflight: checked, foreseen, repeatOf: undefined };
  const sameness = samenessOf(input.sha256, submission, checked.operation, input.environment);
  const same = await batchesBySameness(overlay.reads, sameness);
  const before = same.findLast(({ status }) => status === 'completed' || status === 'unknown');
  if (before !== undefined) return { preflight: checked, foreseen, repeatOf: before.id };
  if (submission.policy === 'valid-lines' || checked.invalid === 0) {
    await foresee(path, input, accounts, checked, foreseen, batchIdOf(sameness, same.length + 1));
  }
  return { preflight: checked, foreseen, repeatOf: undefined };
}

async function foresee(
  path: string,
  { submission, gateway, concurrency }: PlanInput,
  accounts: AccountBook,
  checked: Preflight,
  foreseen: Map<Code, number>,
  batch: string,
): Promise<void> {
  const opened = await openFile(path, submission.name, submission.reading, isKnownField);
  await execute({
    opened,
    reader: new LineReader(opened.shape, submission, accounts),
    gateway,
    origin: { batch, batchNumber: FORESEEN_BATCH, attempt: 1, repeats: submission.repeats },
    concurrency,
    only: undefined,
    skip: async () => false,
    onResults: async (chunk, results) => count(checked, foreseen, chunk, results),
    halt: () => undefined,
    onProgress: undefined,
  });
}

function count(checked: Preflight, foreseen: Map<Code, number>, chunk: Chunk, results: readonly Result[]): void {
  const place = { merchantId: chunk.account.merchantId, accountId: chunk.account.accountId, operation: chunk.operation };
  results.forEach((result, index) => {
    const { amount, currency } = chunk.instructions[index]!;
    checked.tally.settle(place, currency, outcomeOf(packResult(result, { reference: '', moved: [] })), amount);
    const code = result.status === 'repeat' ? 'B0001' : 'reason' in result ? result.reason.code : undefined;
    if (code !== undefined) foreseen.set(code, (foreseen.get(code) ?? 0) + 1);
  });
}
