/** One ledger of the model test: files, and what people do with their batches, carried out by both and compared. */
import { expect } from 'vitest';
import { type ActResult, releaseLines, resume, retryBatch, settlePending, stopBatch } from '../../src/batch/acts.ts';
import type { BatchContext } from '../../src/batch/context.ts';
import type { Submission } from '../../src/batch/submission.ts';
import { parseRate } from '../../src/core/payout.ts';
import { Engine } from '../../src/engine/engine.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import { findBatch } from '../../src/ledger/journal.ts';
import { insertOpenings } from '../../src/ledger/import.ts';
import type { State } from '../../src/core/transaction.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { Chance } from '../support/chance.ts';
import { type Format, type Frame, type InstructionFile, writeInstructions } from '../support/instruction-file.ts';
import { DAY, Sandbox } from '../support/ledger.ts';
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
import { Reference } from './reference.ts';

const HOUR = 3_600_000;
const OPERATIONS = ['capture', 'cancel', 'review', 'refund', 'payout'];

const TERMS: Terms = {
  fees: [
    { method: 'SWIFT', paidBy: undefined, currency: 'USD', fee: 25n },
    { method: undefined, paidBy: 'SHARED', currency: 'EUR', fee: 7n },
    { method: undefined, paidBy: undefined, currency: 'JPY', fee: 3n },
  ],
  rates: [
    { date: '2026-11-01', source: 'USD', payment: 'EUR', rate: '0.9213' },
    { date: '2026-11-24', source: 'USD', payment: 'EUR', rate: '0.95' },
    { date: '2026-11-01', source: 'EUR', payment: 'USD', rate: '1.0855' },
    { date: '2026-11-10', source: 'USD', payment: 'JPY', rate: '151.5' },
    { date: '2026-11-10', source: 'JPY', payment: 'USD', rate: '0.0066' },
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
    const accounts = settings.map((one, at) => ({ number: at + 1, merchantId: 'M1', accountId: `A${at + 1}`, ...one }));
    const scenario = new Scenario(sandbox, chance, new Reference(accounts, TERMS));
    await scenario.#import(chance.between(20, 80));
    return scenario;
  }

  /** Does one thing, compares, and returns how many instructions it was. */
  async step(): Promise<number> {
    const chance = this.#chance;
    this.sandbox.now += chance.pick([0, 0, 1000, 60_000, 60_000, HOUR / 4, HOUR, DAY]);
    if (this.#ran.length > 0 && chance.percent(25)) return this.#act(chance.pick(this.#ran.slice(-8)));
    if (chance.percent(80)) await this.#import(chance.pick([1, 20, 80, 150]));
    return this.#runNew();
  }

  async compareAll(): Promise<void> {
    this.doing = 'comparing all transactions';
    await compareTransactions(this.sandbox, this.#model);
  }

  #context(change: Partial<BatchContext> = {}): BatchContext {
    const { database } = this.sandbox;
    const gateway = new Engine(database, { schedule: SCHEDULE, clock: () => this.sandbox.now });
    return this.sandbox.context({ gateway, concurrency: this.#chance.pick([1, 2, 3, 8, 400]), ...change });
  }

  async #import(count: number): Promise<void> {
    const fresh = Array.from({ length: count }, () => this.#drafts.transaction(this.sandbox.now));
    for (const transaction of fresh) this.#model.open({ ...transaction, executed: [] });
    await this.sandbox.database.write((statements) =>
      insertOpenings(
        statements,
        fresh.map(({ account, id, orderNo, currency, amount, opening, captured, refunded, cancelled, authorisedAt }) => ({
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
        })),
      ),
    );
  }

  async #runNew(): Promise<number> {
    const { file, submission, count } = this.#newFile();
    const path = this.sandbox.file(file.name, file.bytes);
    const policy = this.#chance.percent(8) ? 'atomic' : 'valid-lines';
    const repeats = this.#chance.percent(15) ? 'allow' : 'hold';
    const change = { ...submission, policy, repeats } as const;
    const batch = this.#read(file, count, repeats);
    this.doing = `${path} ${policy} ${repeats}`;
    if (isReadWrongly(batch.reads) || batch.reads.length === 0) {
      const document = await this.sandbox.runPath(path, change, this.#context());
      expect([document.status, document.exit]).toEqual(batch.reads.length === 0 ? ['completed', 0] : ['rejected', 6]);
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
  async #runAtomic(path: string, change: Partial<Submission>, file: InstructionFile, batch: ModelBatch): Promise<void> {
    const document = await this.sandbox.runPath(path, change, this.#context());
    expect([document.status, document.exit]).toEqual(['rejected', 6]);
    batch.name.id = document.batch;
    compareResult(document, file, batch);
    this.#see('atomic');
    await this.#compareLedger();
  }

  /** In one go, or interrupted any number of times, or stopped and gone on with. */
  async #execute(path: string, change: Partial<Submission>, batch: ModelBatch): Promise<BatchDocument> {
    const chance = this.#chance;
    let document = await this.#runSome(path, change, chance.percent(30) ? chance.below(6) : undefined);
    batch.name.id = document.batch;
    while (document.status === 'interrupted') {
      this.#see('interrupted');
      expect(document.exit).toBe(143);
      batch.execute(this.sandbox.now, document.chunks.done);
      await this.#compareLedger();
      if (chance.percent(25)) return this.#stop(batch);
      document = await this.#runSome(path, change, chance.percent(50) ? chance.below(4) : undefined);
      expect(document.batch).toBe(batch.name.id);
    }
    batch.execute(this.sandbox.now);
    return document;
  }

  /** The rest is not sent; somebody may change their mind. */
  async #stop(batch: ModelBatch): Promise<BatchDocument> {
    const record = await this.#record(batch);
    const stopped = documentOf(await stopBatch(this.#context(), record, 'a test'));
    expect(stopped.status).toBe(batch.isDone ? 'completed' : 'stopped');
    this.#see('stopped');
    if (batch.isDone || this.#chance.percent(50)) return stopped;
    batch.execute(this.sandbox.now);
    return documentOf(await resume(this.#context(), await this.#record(batch), 'a test'));
  }

  /** Runs until so many chunks were looked at. */
  #runSome(path: string, change: Partial<Submission>, chunks: number | undefined): Promise<BatchDocument> {
    let left = chunks ?? Number.POSITIVE_INFINITY;
    const interruption = () => {
      left -= 1;
      return left < 0 ? 143 : undefined;
    };
    return this.sandbox.runPath(path, change, this.#context({ interruption }));
  }

  async #act(ran: Ran): Promise<number> {
    const { batch } = ran;
    const held = batch.linesThatAre('duplicate').filter((line) => !batch.isPayout(line));
    const retryable = batch.retryable();
    const record = await this.#record(batch);
    this.doing = `acting on ${ran.path}`;
    const act = this.#chance.below(4);
    if (act === 0) return this.#repeat(ran);
    if (act === 1 && held.length > 0) {
      const lines = held.filter(() => this.#chance.percent(60)).slice(0, 60);
      if (lines.length === 0) return 0;
      this.#see('release');
      batch.again('release', lines);
      batch.execute(this.sandbox.now);
      ran.document = documentOf(await releaseLines(this.#context(), record, new Set(lines), 'a test'));
    } else if (act === 2 && retryable.length > 0) {
      this.#see('retry');
      batch.again(batch.repeats, retryable);
      batch.execute(this.sandbox.now);
      ran.document = documentOf(await retryBatch(this.#context(), record, 'a test'));
    } else if (act === 3 && batch.settle(this.sandbox.now)) {
      this.#see('settle');
      ran.document = documentOf(await settlePending(this.#context(), record, 'a test'));
    } else return 0;
    await this.#compare(ran);
    return held.length + retryable.length;
  }

  /** The same bytes under any name: nothing is executed, the same document comes back (F29, F30). */
  async #repeat({ path, file, submission, document }: Ran): Promise<number> {
    if (document.status === 'stopped') return 0;
    const renamed = this.#chance.percent(50) ? path : this.sandbox.file(file.name.replace('.', '-copy.'), file.bytes);
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
    for (const { fate } of batch.standings.values()) this.#see(`${fate.outcome} ${fate.code}`.trim());
  }

  async #compareLedger(): Promise<void> {
    this.#sequence = await compareLedger(this.sandbox, this.#model, this.#sequence);
    await compareBalances(this.sandbox, this.#model);
  }

  #newFile(): { file: InstructionFile; submission: Partial<Submission>; count: number } {
    const chance = this.#chance;
    const single = chance.percent(65) ? chance.pick(OPERATIONS) : undefined;
    const ownAccount = chance.percent(40) ? `A${chance.between(1, this.#model.accounts.length)}` : undefined;
    const hasEnvelope = single !== undefined && single !== 'payout';
    const format: Format = chance.pick(['csv', 'csv', 'csv', 'array', 'ndjson', hasEnvelope ? 'envelope' : 'csv']);
    const style = this.#style();
    const frame: Frame = {
      operation: single,
      merchantId: ownAccount === undefined ? undefined : 'M1',
      accountId: ownAccount,
    };
    const operations = single === undefined ? OPERATIONS : [single];
    const count = chance.pick([1, 3, 9, 10, 30, 51, 120, 230]);
    const drafts = this.#drafts.file(frame, operations, style, count, this.sandbox.now);
    this.#files += 1;
    const file = writeInstructions({ drafts, frame, style, format, suffix: `-${this.#files}` }, chance);
    const submission: Partial<Submission> = {
      reading: { style },
      // An envelope says whose it is; other files need the flags.
      ...(format === 'envelope' || ownAccount === undefined ? {} : { merchantId: 'M1', accountId: ownAccount }),
    };
    return { file: { ...file, drafts } as InstructionFile & { drafts: typeof drafts }, submission, count };
  }

  #style(): Style {
    const chance = this.#chance;
    if (chance.percent(70)) return { decimal: 'dot', thousands: 'none' };
    const decimal = chance.pick(['dot', 'comma'] as const);
    const marks = ['none', 'space', decimal === 'dot' ? 'comma' : 'dot'] as const;
    return { decimal, thousands: chance.pick(marks) };
  }

  #read(file: InstructionFile, _count: number, repeats: 'hold' | 'allow'): ModelBatch {
    const { drafts } = file as InstructionFile & { drafts: { fields: Record<string, string>; shape: string }[] };
    const reads = drafts.map(({ fields, shape }, at) =>
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
  if (typeof result === 'string' || 'refusal' in result) throw new Error(`the act was refused: ${JSON.stringify(result)}`);
  return result;
}
