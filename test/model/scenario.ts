/** One ledger of the model test: files, and what people do with their batches, carried out by both and compared. */
import { expect } from 'vitest';
import type { ActResult } from '../../src/batch/act.ts';
import { releaseLines, resume, retryBatch, stopBatch } from '../../src/batch/acts.ts';
import type { BatchContext } from '../../src/batch/context.ts';
import { resolveBatch } from '../../src/batch/resolve.ts';
import type { Submission } from '../../src/batch/submission.ts';
import { verify } from '../../src/batch/verify.ts';
import { parseRate } from '../../src/core/payout.ts';
import type { State } from '../../src/core/state.ts';
import { Engine } from '../../src/engine/engine.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import { Database } from '../../src/ledger/database.ts';
import { insertOpenings } from '../../src/ledger/import.ts';
import type { BatchRecord } from '../../src/ledger/journal.ts';
import { findBatch, listBatches } from '../../src/ledger/journal.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { Chance } from '../support/chance.ts';
import { DyingGateway, Killed } from '../support/dying-gateway.ts';
import {
  type Format,
  type Frame,
  type InstructionFile,
  writeInstructions,
} from '../support/instruction-file.ts';
import { type ContextChange, DAY, Sandbox } from '../support/ledger.ts';
import { ModelBatch } from './batches.ts';
import {
  compareBalances,
  compareDocument,
  compareLedger,
  compareRest,
  compareResult,
  compareTransactions,
} from './compare.ts';
import { BICS, Drafts, IBANS } from './drafts.ts';
import type { Terms } from './payouts.ts';
import { isReadWrongly, readLine, type Style } from './reading.ts';
import { Reference, type Repeats } from './reference.ts';

const HOUR = 3_600_000;
const OPERATIONS = ['capture', 'cancel', 'review', 'refund', 'payout'];

const TERMS: Terms = {
  fees: [
    { method: 'SWIFT', paidBy: undefined, currency: 'USD', fee: 25n },
    { method: undefined, paidBy: 'SHARED', currency: 'EUR', fee: 7n },
    { method: undefined, paidBy: undefined, currency: 'JPY', fee: 3n },
  ],
  rates: [
    { date: '2026-11-01', source: 'USD', payment: 'EUR', rate: '0.5' },
    { date: '2026-11-24', source: 'USD', payment: 'EUR', rate: '0.95' },
    { date: '2026-11-01', source: 'EUR', payment: 'USD', rate: '1.0855' },
    { date: '2026-11-10', source: 'USD', payment: 'JPY', rate: '151.5' },
    { date: '2026-11-10', source: 'JPY', payment: 'USD', rate: '0.005' },
    { date: '2026-11-21', source: 'KWD', payment: 'USD', rate: '3.25' },
  ],
  validIbans: new Set(IBANS),
  validBics: new Set(BICS),
};

const SCHEDULE = new PayoutSchedule(
  TERMS.fees.map(({ method, paidBy, currency, fee }) => ({
    method,
    fee_paid_by: paidBy as 'SHARED' | undefined,
    currency,
    fee: Number(fee),
  })),
  TERMS.rates.map((one) => ({ ...one, rate: parseRate(one.rate)! })),
);

/** A file that was run, to be run or acted upon again. */
interface Ran {
  readonly path: string;
  readonly file: InstructionFile;
  readonly submission: Partial<Submission>;
  readonly batch: ModelBatch;
  document: BatchDocument;
}

export class Scenario {
  readonly sandbox: Sandbox;
  /** What is being done, for the message of a failure. */
  doing = '';
  /** How often each outcome and act has come up. */
  readonly seen = new Map<string, number>();
  readonly #chance: Chance;
  readonly #model: Reference;
  readonly #drafts: Drafts;
  readonly #ran: Ran[] = [];
  #sequence = 0;
  #files = 0;

  private constructor(sandbox: Sandbox, chance: Chance, model: Reference) {
    this.sandbox = sandbox;
    this.#chance = chance;
    this.#model = model;
    this.#drafts = new Drafts(chance, model);
  }

  static async begin(seed: number): Promise<Scenario> {
    const chance = new Chance(seed);
    const settings = Array.from({ length: chance.between(1, 4) }, () => ({
      capture: chance.pick(['manual', 'automatic'] as const),
      lifetime: chance.pick([7 * DAY, 7 * DAY, HOUR]),
    }));
    const sandbox = await Sandbox.make(settings);
    const accounts = settings.map((one, at) => ({
      number: at + 1,
      merchantId: 'M1',
      accountId: `A${at + 1}`,
      ...one,
    }));
    const scenario = new Scenario(sandbox, chance, new Reference(accounts, TERMS));
    await scenario.#import(chance.between(20, 80), OPERATIONS);
    return scenario;
  }

  /** Does one thing, compares, and returns how many instructions it was. */
  async step(): Promise<number> {
    const chance = this.#chance;
    this.sandbox.now += chance.pick([0, 0, 1000, 60_000, 60_000, HOUR / 4, HOUR, DAY]);
    if (this.#ran.length > 0 && chance.percent(35)) return this.#act(chance.pick(this.#ran.slice(-8)));
    return this.#runNew();
  }

  async compareAll(): Promise<void> {
    this.doing = 'comparing all transactions';
    await compareTransactions(this.sandbox, this.#model);
  }

  #context(change: ContextChange = {}): BatchContext {
    const { database } = this.sandbox;
    const gateway = new Engine(database, { schedule: SCHEDULE, clock: () => this.sandbox.now });
    return this.sandbox.context({ gateway, concurrency: this.#chance.pick([1, 2, 3, 8, 400]), ...change });
  }

  /** @param operations what the next file is going to ask for; transactions for other things come along */
  async #import(count: number, operations: readonly string[]): Promise<void> {
    const { now } = this.sandbox;
    const fresh = Array.from({ length: count }, () =>
      this.#drafts.transaction(now, this.#chance.pick(operations)),
    );
    for (const transaction of fresh) this.#model.open({ ...transaction, executed: [] });
    await this.sandbox.database.write((statements) =>
      insertOpenings(
        statements,
        fresh.map(
          ({
            account,
            id,
            orderNo,
            currency,
            amount,
            opening,
            captured,
            refunded,
            cancelled,
            authorisedAt,
          }) => ({
            accountNumber: account,
            transactionId: id,
            orderNo,
            currency,
            amount: Number(amount),
            state: opening as State,
            captured: Number(captured),
            refunded: Number(refunded),
            cancelled: Number(cancelled),
            authorisedAt,
          }),
        ),
      ),
    );
  }

  async #runNew(): Promise<number> {
    const { file, submission, count } = await this.#newFile();
    const path = this.sandbox.file(file.name, file.bytes);
    const policy = this.#chance.percent(8) ? 'atomic' : 'valid-lines';
    const repeats = this.#chance.percent(15) ? 'allow' : 'hold';
    const change = { ...submission, policy, repeats } as const;
    const batch = this.#read(file, repeats);
    this.doing = `${path} ${policy} ${repeats}`;
    // Nothing says what is to happen (B0015), or the file was read wrongly (B0020).
    const isRejected = batch.reads.every(({ operation }) => operation === '') || isReadWrongly(batch.reads);
    if (isRejected) {
      const document = await this.sandbox.runPath(path, change, this.#context());
      expect([document.status, document.exit]).toEqual(['rejected', 6]);
      this.#see(document.status);
      await this.#compareLedger();
      return 1;
    }
    if (policy === 'atomic' && batch.linesThatAre('invalid').length > 0) {
      await this.#runAtomic(path, change, file, batch);
      return count;
    }
    const ran = { path, file, submission: change, batch, document: await this.#execute(path, change, batch) };
    await this.#compare(ran);
    this.#ran.push(ran);
    return count;
  }

  /** Nothing runs, and every line says so. */
  async #runAtomic(
    path: string,
    change: Partial<Submission>,
    file: InstructionFile,
    batch: ModelBatch,
  ): Promise<void> {
    const document = await this.sandbox.runPath(path, change, this.#context());
    expect([document.status, document.exit]).toEqual(['rejected', 6]);
    batch.name.id = document.batch;
    compareResult(document, file, batch);
    this.#see('atomic');
    await this.#compareLedger();
  }

  /** In one go, or interrupted and killed any number of times, or stopped and gone on with. */
  async #execute(path: string, change: Partial<Submission>, batch: ModelBatch): Promise<BatchDocument> {
    const chance = this.#chance;
    let wasKilled = false;
    for (;;) {
      const document = await this.#runSome(path, change);
      if (document === 'killed') wasKilled = true;
      else {
        if (batch.name.id !== '') expect(document.batch).toBe(batch.name.id);
        batch.name.id = document.batch;
        if (document.status !== 'interrupted') {
          batch.execute(this.sandbox.now, document.status === 'stopped' ? document.chunks.done : undefined);
          return document;
        }
        expect(document.exit).toBe(143);
        // After a kill the ledger may know of more than the journal does, until all of it has been sent again.
        if (!wasKilled) {
          batch.execute(this.sandbox.now, document.chunks.done);
          await this.#compareLedger();
        }
      }
      if (chance.percent(25)) return this.#stop(batch, await this.#newest());
    }
  }

  /** The rest is not sent; somebody may change their mind. */
  async #stop(batch: ModelBatch, record: BatchRecord): Promise<BatchDocument> {
    batch.name.id = record.id;
    const stopped = documentOf(await stopBatch(this.#context(), record, 'a test'));
    // What the gateway had executed before somebody was killed is not lost.
    batch.execute(this.sandbox.now, stopped.chunks.done);
    expect(stopped.status).toBe(batch.isDone ? 'completed' : 'stopped');
    this.#see('stopped');
    if (batch.isDone || this.#chance.percent(50)) return stopped;
    batch.execute(this.sandbox.now);
    return documentOf(await resume(this.#context(), await this.#record(batch), 'a test'));
  }

  /** To the end, or to where a signal, a person or a kill -9 ends it. */
  async #runSome(path: string, change: Partial<Submission>): Promise<BatchDocument | 'killed'> {
    const chance = this.#chance;
    const ending = chance.pick([
      'none',
      'none',
      'none',
      'none',
      'signal',
      'stop',
      'killed',
      'second',
    ] as const);
    if (ending === 'second') return this.#runTwice(path, change);
    let left = chance.below(6);
    const asked: Promise<unknown>[] = [];
    const interruption = () => {
      left -= 1;
      if (ending === 'stop' && left === 0) {
        asked.push(this.#newest().then((record) => stopBatch(this.#context(), record, 'a test')));
      }
      return ending === 'signal' && left < 0 ? 143 : undefined;
    };
    const context = this.#context(ending === 'none' || ending === 'killed' ? {} : { interruption });
    const gateway =
      ending === 'killed'
        ? new DyingGateway(context.executor('engine').gateway, left)
        : context.executor('engine').gateway;
    try {
      const document = await this.sandbox.runPath(path, change, { ...context, gateway });
      this.#see(`${ending}, then ${document.status}`);
      return document;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.#see('killed');
      return 'killed';
    } finally {
      for (const answer of await Promise.all(asked)) if (answer !== 'asked') this.#see('stop came too late');
    }
  }

  /** By two processes at once, each with a connection of its own: one of them executes it. */
  async #runTwice(path: string, change: Partial<Submission>): Promise<BatchDocument> {
    const { folders } = this.sandbox;
    const database = await Database.open(folders.database);
    try {
      const gateway = new Engine(database, { schedule: SCHEDULE, clock: () => this.sandbox.now });
      const both = await Promise.all([
        this.sandbox.runPath(path, change, this.#context()),
        this.sandbox.runPath(path, change, this.#context({ database, gateway })),
      ]);
      const [document, other] = both.toSorted(
        (a, b) => Number(a.repeat) - Number(b.repeat) || b.revision - a.revision,
      );
      if (!other!.repeat) {
        expect([other!.exit, other!.errors.map(({ code }) => code)]).toEqual([5, ['B0025']]);
      } else expect({ ...other, repeat: false }).toEqual(document);
      this.#see(other!.repeat ? 'a second process came after the end' : 'a second process was turned away');
      return document!;
    } finally {
      await database.close();
    }
  }

  async #newest(): Promise<BatchRecord> {
    return (await listBatches(this.sandbox.database.reads)).at(-1)!;
  }

  /** One of the things that people can do with a batch now. */
  async #act(ran: Ran): Promise<number> {
    const { batch } = ran;
    const held = batch.linesThatAre('duplicate').filter((line) => !batch.isPayout(line));
    const retryable = batch.retryable();
    const record = await this.#record(batch);
    const acts: (() => Promise<BatchDocument>)[] = [];
    const act = (
      name: string,
      lines: readonly number[],
      repeats: Repeats,
      ordered: (context: BatchContext) => Promise<ActResult>,
    ) => {
      acts.push(async () => {
        this.#see(name);
        batch.again(repeats, lines);
        batch.execute(this.sandbox.now);
        return this.#finished(ran, ordered);
      });
    };
    if (held.length > 0) {
      const lines = this.#chance.shuffled(held).slice(0, this.#chance.between(1, 60));
      act('release', lines, 'release', (context) => releaseLines(context, record, new Set(lines), 'a test'));
    }
    if (retryable.length > 0)
      act('retry', retryable, batch.repeats, (context) => retryBatch(context, record, 'a test'));
    if (batch.isDue(this.sandbox.now)) {
      acts.push(async () => {
        this.#see('settle');
        batch.settle(this.sandbox.now);
        return documentOf(await resolveBatch(this.#context(), record, 'a test'));
      });
    }
    this.doing = `acting on ${ran.path}`;
    if (acts.length === 0 || this.#chance.percent(30)) return this.#repeat(ran);
    ran.document = await this.#chance.pick(acts)();
    await this.#compare(ran);
    return held.length + retryable.length;
  }

  /** An act may be killed too; the same file again, or a word to resume, goes on with it. */
  async #finished(
    { path, submission, batch }: Ran,
    act: (context: BatchContext) => Promise<ActResult>,
  ): Promise<BatchDocument> {
    const context = this.#context();
    const dies = this.#chance.percent(30);
    const gateway = dies
      ? new DyingGateway(context.executor('engine').gateway, this.#chance.below(3))
      : context.executor('engine').gateway;
    try {
      return documentOf(await act({ ...context, executor: () => ({ is: 'engine', gateway }) }));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.#see('act killed');
      // A word to resume would send what was stopped before, too.
      return this.#chance.percent(50) || batch.linesThatAre('not_sent').length > 0
        ? this.sandbox.runPath(path, submission, this.#context())
        : documentOf(await resume(this.#context(), await this.#record(batch), 'a test'));
    }
  }

  /** The same bytes under any name: nothing is executed, the same document comes back (F29, F30). */
  async #repeat({ path, file, submission, document }: Ran): Promise<number> {
    if (document.status === 'stopped') return 0;
    const renamed = this.#chance.percent(50)
      ? path
      : this.sandbox.file(file.name.replace('.', '-copy.'), file.bytes);
    const again = await this.sandbox.runPath(renamed, submission, this.#context());
    expect(again).toEqual({ ...document, repeat: true });
    this.#see('repeat');
    await this.#compareLedger();
    return 0;
  }

  async #record(batch: ModelBatch) {
    return (await findBatch(this.sandbox.database.reads, batch.name.id))!;
  }

  async #compare({ document, file, batch }: Ran): Promise<void> {
    expect(document.errors).toEqual([]);
    compareResult(document, file, batch);
    compareRest(document, file, batch);
    compareDocument(document, batch);
    await this.#compareLedger();
    await this.#verify();
    for (const { line, fields } of batch.reads) {
      if (fields.repeat_of === undefined) continue;
      const { outcome, code } = batch.standings.get(line)!.fate;
      this.#see(`repeat_of ${outcome} ${code}`);
    }
    for (const { fate } of batch.standings.values()) this.#see(`${fate.outcome} ${fate.code}`.trim());
  }

  /** What `batchgate verify` finds: nothing. */
  async #verify(): Promise<void> {
    const { folders } = this.sandbox;
    const database = await Database.openSnapshot(folders.database);
    try {
      const findings = await verify({ database, folders });
      expect(findings.filter(({ ok }) => !ok).map(({ name, named }) => ({ name, named }))).toEqual([]);
      expect(findings.length).toBeGreaterThan(5);
    } finally {
      await database.close();
    }
  }

  async #compareLedger(): Promise<void> {
    this.#sequence = await compareLedger(this.sandbox, this.#model, this.#sequence);
    await compareBalances(this.sandbox, this.#model);
  }

  async #newFile(): Promise<{ file: InstructionFile; submission: Partial<Submission>; count: number }> {
    const chance = this.#chance;
    const single = chance.percent(65) ? chance.pick(OPERATIONS) : undefined;
    const ownAccount = chance.percent(40) ? `A${chance.between(1, this.#model.accounts.length)}` : undefined;
    const hasEnvelope = single !== undefined && single !== 'payout';
    const format: Format = chance.pick([
      'csv',
      'csv',
      'csv',
      'array',
      'ndjson',
      hasEnvelope ? 'envelope' : 'csv',
    ]);
    const style = this.#style();
    const frame: Frame = {
      operation: single,
      merchantId: ownAccount === undefined ? undefined : 'M1',
      accountId: ownAccount,
    };
    const operations = single === undefined ? OPERATIONS : [single];
    const count = chance.pick([1, 3, 9, 10, 30, 51, 120, 230]);
    if (chance.percent(80))
      await this.#import(Math.ceil((count * chance.pick([10, 50, 80])) / 100), operations);
    const drafts = this.#drafts.file(frame, operations, style, count, this.sandbox.now);
    this.#files += 1;
    const file = writeInstructions({ drafts, frame, style, format, suffix: `-${this.#files}` }, chance);
    const submission: Partial<Submission> = {
      reading: { style },
      // An envelope says whose it is; other files need the flags.
      ...(format === 'envelope' || ownAccount === undefined
        ? {}
        : { merchantId: 'M1', accountId: ownAccount }),
    };
    return { file, submission, count };
  }

  #style(): Style {
    const chance = this.#chance;
    if (chance.percent(70)) return { decimal: 'dot', thousands: 'none' };
    const decimal = chance.pick(['dot', 'comma'] as const);
    const marks = ['none', 'space', decimal === 'dot' ? 'comma' : 'dot'] as const;
    return { decimal, thousands: chance.pick(marks) };
  }

  #read(file: InstructionFile, repeats: 'hold' | 'allow'): ModelBatch {
    const reads = file.drafts.map(({ fields, shape }, at) =>
      readLine(
        { line: file.lines[at]!, fields, whole: file.format !== 'csv' || shape === 'whole' },
        file.frame,
        file.style,
        this.#model.accounts,
      ),
    );
    return new ModelBatch(this.#model, reads, repeats);
  }

  #see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

function documentOf(result: ActResult | 'asked'): BatchDocument {
  if (typeof result === 'string' || 'refusal' in result)
    throw new Error(`the act was refused: ${JSON.stringify(result)}`);
  return result;
}
