/** The end state depends on nothing but the file and the ledger: not on concurrency, signals, kills or their number. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer, InstructionGateway } from '../../src/core/gateway.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Database } from '../../src/ledger/database.ts';
import { DatabaseBusy } from '../../src/ledger/sqlite.ts';
import { DyingGateway, Killed } from '../support/dying-gateway.ts';
import type { ContextChange, Sandbox } from '../support/ledger.ts';
import { fileOf, newLedger, type RandomFile, randomFile } from './files.ts';
import { effects, reportBytes } from './state.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 15);

/** How a file is brought to its end, one run after the other; the last one has no ending. */
interface Way {
  readonly concurrency: number;
  readonly endings: readonly { readonly how: 'signal' | 'killed' | 'busy'; readonly after: number }[];
  /** Answers come back in another order than that of the requests. */
  readonly shuffled: boolean;
}

const way = fc.record<Way>({
  concurrency: fc.constantFrom(1, 2, 3, 400),
  endings: fc.array(
    fc.record({ how: fc.constantFrom('signal', 'killed', 'busy'), after: fc.nat({ max: 9 }) }),
    { maxLength: 4 },
  ),
  shuffled: fc.boolean(),
});

test('F28, F46, F47, F48, F51 invariant 11: the same file ends the same, however often it is interrupted', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomFile(), fc.array(way, { minLength: 2, maxLength: 2 }), async (file, ways) => {
      const expected = await endOf(file, { concurrency: 8, endings: [], shuffled: false });
      // A rejected file is read afresh each time, as another batch.
      fc.pre(expected.status !== 'rejected');
      for (const one of ways) expect(await endOf(file, one)).toEqual(expected);
    }),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
});

/** Runs the file on a ledger of its own and returns all that can be seen of it afterwards. */
async function endOf(file: RandomFile, { concurrency, endings, shuffled }: Way) {
  const sandbox = await newLedger();
  try {
    const path = sandbox.file(file.name, file.content);
    for (const { how, after } of endings) await runPart(sandbox, path, concurrency, how, after);
    const gateway = shuffled ? new ShuffledGateway(sandbox.engine()) : sandbox.engine();
    const document = await sandbox.runPath(path, {}, { concurrency, gateway });
    const { batch, lines, status } = document;
    return { batch, lines, status, reports: reportBytes(document), ...(await effects(sandbox)) };
  } finally {
    await sandbox.remove();
  }
}

/** Runs up to a signal, a kill or another process that keeps the database; one that comes too late leaves a finished batch. */
async function runPart(
  sandbox: Sandbox,
  path: string,
  concurrency: number,
  how: Way['endings'][number]['how'],
  after: number,
): Promise<void> {
  try {
    const document = await sandbox.runPath(path, {}, { concurrency, ...ending(sandbox, how, after) });
    if (document.status === 'interrupted') expect(document.exit).toBe(how === 'signal' ? 143 : 5);
  } catch (error) {
    if (!(error instanceof Killed) && !(error instanceof DatabaseBusy)) throw error;
  }
}

function ending(sandbox: Sandbox, how: Way['endings'][number]['how'], after: number): ContextChange {
  let left = after;
  switch (how) {
    case 'signal':
      return { interruption: () => (--left < 0 ? 143 : undefined) };
    case 'killed':
      return { gateway: new DyingGateway(sandbox.engine(), after) };
    case 'busy': {
      const database = busyFor(sandbox.database, after);
      const { schedule, now } = sandbox;
      return { database, gateway: new Engine(database, { schedule, clock: () => now }) };
    }
  }
}

/** The same database, which somebody else holds at one of the writes for longer than anybody waits. */
function busyFor(database: Database, after: number): Database {
  let left = after;
  const write: Database['write'] = (work) => {
    left -= 1;
    return left === -1 ? Promise.reject(new DatabaseBusy('busy')) : database.write(work);
  };
  return { reads: database.reads, write } as unknown as Database;
}

/** Holds some answers back for a while. */
class ShuffledGateway implements InstructionGateway {
  readonly #inner: InstructionGateway;
  #calls = 0;

  constructor(inner: InstructionGateway) {
    this.#inner = inner;
  }

  capture: InstructionGateway['capture'] = (request, options) =>
    this.#late(this.#inner.capture(request, options));
  cancel: InstructionGateway['cancel'] = (request, options) =>
    this.#late(this.#inner.cancel(request, options));
  review: InstructionGateway['review'] = (request, options) =>
    this.#late(this.#inner.review(request, options));
  refund: InstructionGateway['refund'] = (request, options) =>
    this.#late(this.#inner.refund(request, options));
  payout: InstructionGateway['payout'] = (request, options) =>
    this.#late(this.#inner.payout(request, options));

  async #late(answer: Promise<Answer>): Promise<Answer> {
    this.#calls += 1;
    const turns = (this.#calls * 7) % 5;
    await answer;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return answer;
  }
}

test('chunks in any order of arrival: a line ends the same, and a transaction has the same transfers', {
  timeout: 300_000,
}, async () => {
  const order = fc.array(fc.nat({ max: 12 }), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(randomFile(), order, async (random, delays) => {
      // What a payout comes to depends on what was captured before, and that on who comes first.
      const file = fileOf(
        random.fields.filter(({ operation }) => operation !== 'payout'),
        false,
        '',
      );
      fc.pre(file.fields.length > 0);
      const expected = await arrivingIn(file, [0]);
      fc.pre(expected.status !== 'rejected');
      expect(await arrivingIn(file, delays)).toEqual(expected);
    }),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
});

/** Runs the file through a gateway far away, whose requests overtake one another. */
async function arrivingIn(file: RandomFile, delays: readonly number[]) {
  const sandbox = await newLedger();
  try {
    const inner = sandbox.engine();
    let calls = 0;
    const arrive = async () => {
      calls += 1;
      const turns = delays[calls % delays.length]!;
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const gateway: InstructionGateway = {
      capture: (request, options) => arrive().then(() => inner.capture(request, { ...options, more: false })),
      cancel: (request, options) => arrive().then(() => inner.cancel(request, { ...options, more: false })),
      review: (request, options) => arrive().then(() => inner.review(request, { ...options, more: false })),
      refund: (request, options) => arrive().then(() => inner.refund(request, { ...options, more: false })),
      payout: (request, options) => arrive().then(() => inner.payout(request, { ...options, more: false })),
    };
    const document = await sandbox.run(file.name, file.content, {}, { gateway, concurrency: 8 });
    const { result, fixme, held } = reportBytes(document);
    const { transfer = [], balance } = await effects(sandbox);
    const transfers = [...transfer]
      .sort((a, b) => Number(a.txn) - Number(b.txn) || Number(a.sequence) - Number(b.sequence))
      .map(({ sequence, ...row }) => row);
    return { status: document.status, result, fixme, held, transfers, balance };
  } finally {
    await sandbox.remove();
  }
}
