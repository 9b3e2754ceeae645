/** The dry run is the real run, and leaves no trace. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan } from '../../src/batch/plan.ts';
import { sendChunk } from '../../src/batch/send.ts';
import { inspect } from '../../src/batch/take.ts';
import { Engine } from '../../src/engine/engine.ts';
import { AccountBook } from '../../src/ledger/accounts.ts';
import { Database } from '../../src/ledger/database.ts';
import type { BatchDocument, BreakdownRow } from '../../src/report/document.ts';
import { results, type Sandbox, submissionOf } from '../support/ledger.ts';
import { newLedger, randomFile } from './files.ts';
import { logicalContent } from './state.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 20);

test('plan = run on the same ledger, by breakdown row and code, and changes nothing of it', {
  timeout: 300_000,
}, async () => {
  const before = fc.record({
    file: randomFile(60),
    /** Chunks after which its run is interrupted; it is gone on with when it is the file itself that is planned. */
    interruptedAfter: fc.option(fc.nat({ max: 4 })),
    isTheFile: fc.boolean(),
  });
  const options = fc.record({
    policy: fc.constantFrom('valid-lines', 'valid-lines', 'atomic'),
    repeats: fc.constantFrom('hold', 'hold', 'allow'),
  });
  const settings = fc.record({ planned: fc.constantFrom(1, 3, 400), run: fc.constantFrom(1, 3, 400) });
  await fc.assert(
    fc.asyncProperty(randomFile(), before, options, settings, async (file, history, change, concurrency) => {
      const sandbox = await newLedger();
      try {
        const path = sandbox.file(file.name, file.content);
        const earlier = history.isTheFile ? path : sandbox.file(history.file.name, history.file.content);
        let left = history.interruptedAfter ?? Number.POSITIVE_INFINITY;
        await sandbox.runPath(earlier, change, { interruption: () => (--left < 0 ? 143 : undefined) });
        const untouched = await logicalContent(sandbox);
        const planned = await planOf(sandbox, path, change, concurrency.planned);
        expect(await logicalContent(sandbox)).toEqual(untouched);
        const document = await sandbox.runPath(path, change, { concurrency: concurrency.run });
        expect(planned).toEqual(resultOf(document));
      } finally {
        await sandbox.remove();
      }
    }),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
});

interface Foreseen {
  readonly rejected: boolean;
  readonly breakdown: readonly object[];
  /** Lines by code, of those that reached the gateway. */
  readonly codes: ReadonlyMap<string, number>;
  readonly invalid: number;
}

async function planOf(
  sandbox: Sandbox,
  path: string,
  change: { policy: 'valid-lines' | 'atomic'; repeats: 'hold' | 'allow' },
  concurrency: number,
): Promise<Foreseen | ReturnType<typeof resultOf>> {
  const overlay = await Database.openOverlay(sandbox.folders.database);
  try {
    const { sha256 } = await inspect(path);
    const { schedule, now } = sandbox;
    const engine = new Engine(overlay, { schedule, clock: () => now });
    const { preflight, foreseen, before } = await plan(path, {
      submission: submissionOf(path, change),
      sha256,
      environment: 'sandbox',
      accounts: new AccountBook(await sandbox.accounts()),
      keysOf: async () => [],
      foresight: {
        reads: overlay.reads,
        sendAs: (origin) => (chunk, more) => sendChunk(engine, chunk, origin, more),
        concurrency,
        byQuery: false,
      },
      planned: new Map(),
    });
    if (before?.is === 'executed') return resultOf(before.document);
    const isRejected =
      preflight.rejections.length > 0 || (change.policy === 'atomic' && preflight.invalid > 0);
    return {
      rejected: isRejected,
      breakdown: preflight.tally.breakdown().map(withoutMovements),
      codes: foreseen,
      invalid: preflight.invalid,
    };
  } finally {
    await overlay.close();
  }
}

function resultOf(document: BatchDocument): Foreseen {
  const lines = document.reports.result === null ? [] : results(document);
  const codes = new Map<string, number>();
  let invalid = 0;
  for (const { code, chunk } of lines) {
    if (String(chunk ?? '') === '') invalid += code === '' ? 0 : 1;
    else if (code !== '') codes.set(code!, (codes.get(code!) ?? 0) + 1);
  }
  return {
    rejected: document.status === 'rejected',
    breakdown: document.breakdown.filter(({ lines }) => lines.total > 0).map(withoutMovements),
    codes,
    invalid: document.reports.result === null ? document.lines.invalid : invalid,
  };
}

function withoutMovements({ moved_in, moved_out, fees, ...row }: BreakdownRow): object {
  return row;
}
