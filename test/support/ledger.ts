/** A small data directory for tests, made in milliseconds, with the pieces of the pipeline put together on it. */
import { createHash, createHmac } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { ActResult } from '../../src/batch/act.ts';
import { closeBatch, releaseLines, resume, retryBatch, stopBatch } from '../../src/batch/acts.ts';
import type { BatchContext } from '../../src/batch/context.ts';
import type { Executor } from '../../src/batch/executor.ts';
import { Folders } from '../../src/batch/folders.ts';
import { readBatch } from '../../src/batch/open-batch.ts';
import { resolveBatch } from '../../src/batch/resolve.ts';
import { rewriteReports } from '../../src/batch/revision.ts';
import { runFile } from '../../src/batch/run.ts';
import { unpackRevision } from '../../src/batch/stored-document.ts';
import type { Submission } from '../../src/batch/submission.ts';
import { digitsOf } from '../../src/core/currency.ts';
import type { EntriesRequest, InstructionGateway, PayoutRequest } from '../../src/core/gateway.ts';
import { DOT, formatAmount } from '../../src/core/money.ts';
import type { Operation } from '../../src/core/operation.ts';
import type { State } from '../../src/core/state.ts';
import { kindOfCode } from '../../src/core/transfer.ts';
import { Simulator } from '../../src/engine/connector/simulator.ts';
import { Engine } from '../../src/engine/engine.ts';
import { CARD_KEY_BYTES } from '../../src/engine/payments/card-vault.ts';
import type { PaymentOptions } from '../../src/engine/payments/desk.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import { type AccountSettings, insertAccount, readAccounts } from '../../src/ledger/accounts.ts';
import { readBalances } from '../../src/ledger/balances.ts';
import { Database } from '../../src/ledger/database.ts';
import { insertOpenings, type OpeningTransaction } from '../../src/ledger/import.ts';
import { type BatchRecord, findBatch, findRevision, listBatches } from '../../src/ledger/journal.ts';
import { fixSetting } from '../../src/ledger/settings.ts';
import type { BatchDocument } from '../../src/report/document.ts';

/** Noon of a fixed day: tests never depend on the clock. */
export const NOON = Date.UTC(2026, 10, 20, 12);
export const DAY = 24 * 60 * 60 * 1000;

/** In memory where there is room: every commit and report is synced, and hundreds of tests on one disk would mostly wait for it. */
const TEMPORARY = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

function hasRoom(folder: string): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 512 * 1024 * 1024;
}

/** A transaction as tests write it down: the account is M1/A1 unless it says otherwise. */
export interface Given {
  readonly id: string;
  readonly state?: State;
  readonly amount?: number;
  readonly captured?: number;
  readonly refunded?: number;
  readonly cancelled?: number;
  readonly currency?: string;
  readonly account?: number;
  readonly at?: number;
}

const CLOSED: ReadonlySet<string> = new Set(['captured', 'partially_refunded', 'refunded']);

/** The opening that the test means: figures that the state implies need not be said. */
function openingOf(given: Given): OpeningTransaction {
  const { id, state = 'authorised', amount = 10_000, currency = 'USD', account = 1, at = NOON - DAY } = given;
  const captured = given.captured ?? (CLOSED.has(state) ? amount : 0);
  const refunded = given.refunded ?? (state === 'refunded' ? captured : 0);
  const cancelled =
    given.cancelled ?? (state === 'cancelled' ? amount : CLOSED.has(state) ? amount - captured : 0);
  return {
    accountNumber: account,
    transactionId: id,
    orderNo: `O-${id}`,
    currency,
    amount,
    state,
    captured,
    refunded,
    cancelled,
    authorisedAt: at,
  };
}

/** What a test wants to be different; `gateway` stands for the embedded engine. */
export type ContextChange = Partial<BatchContext> & { readonly gateway?: InstructionGateway };

export class Sandbox {
  readonly folders: Folders;
  readonly database: Database;
  now = NOON;
  /** What payouts cost, and the rates: none unless a test says so. */
  schedule = new PayoutSchedule([], []);
  /** Where senders have their files: never under the data directory. */
  readonly #senders: string;
  /** How often chance was asked. */
  #drawn = 0;

  private constructor(folders: Folders, database: Database, senders: string) {
    this.folders = folders;
    this.database = database;
    this.#senders = senders;
  }

  /** @param accounts settings of M1/A1, M1/A2 and so on */
  static async make(accounts: readonly Partial<AccountSettings>[] = [{}]): Promise<Sandbox> {
    const folders = new Folders(mkdtempSync(join(TEMPORARY, 'batchgate-')));
    for (const folder of folders.all) mkdirSync(folder);
    await Database.create(folders.database);
    const database = await Database.open(folders.database);
    const sandbox = new Sandbox(folders, database, mkdtempSync(join(TEMPORARY, 'batchgate-senders-')));
    await database.write((statements) => fixSetting(statements, 'environment', 'sandbox'));
    for (const settings of accounts) await sandbox.account(settings);
    return sandbox;
  }

  async remove(): Promise<void> {
    await this.database.close();
    rmSync(this.folders.root, { recursive: true });
    rmSync(this.#senders, { recursive: true });
  }

  /** Adds the next account of M1. */
  async account(settings: Partial<AccountSettings> = {}): Promise<void> {
    const number = (await this.accounts()).length + 1;
    const all = { currencies: ['USD', 'EUR', 'JPY', 'KWD'], ...settings };
    await this.database.write((statements) =>
      insertAccount(statements, { merchantId: 'M1', accountId: `A${number}`, settings: all }, NOON),
    );
  }

  async given(...transactions: readonly Given[]): Promise<void> {
    await this.database.write((statements) => insertOpenings(statements, transactions.map(openingOf)));
  }

  /** A new engine on the same ledger: it is what a new process would have. */
  engine(payments: Partial<PaymentOptions> = {}): Engine {
    const { database, schedule } = this;
    return new Engine(database, { schedule, clock: this.clock, payments: this.payments(payments) });
  }

  readonly clock = (): number => this.now;

  /** What payments need: the simulated acquirer of this ledger, and chance that is the same in every run. */
  payments(change: Partial<PaymentOptions> = {}): PaymentOptions {
    return {
      connector: new Simulator({ database: this.database, clock: this.clock }),
      random: (bytes) => {
        this.#drawn += 1;
        return createHash('shake256', { outputLength: bytes }).update(`draw ${this.#drawn}`).digest();
      },
      keyedHash: (text) => createHmac('sha256', 'a key of tests').update(text).digest('hex'),
      cardKey: () => Buffer.alloc(CARD_KEY_BYTES, 'card key of tests'),
      ...change,
    };
  }

  context({ gateway, ...change }: ContextChange = {}): BatchContext {
    const { folders, database } = this;
    const executor: Executor = { is: 'engine', gateway: gateway ?? this.engine() };
    return {
      folders,
      database,
      executor: () => executor,
      environment: 'sandbox',
      version: 'test',
      keysOf: async () => [],
      keyedHash: (text) => `keyed ${text.length}`,
      clock: () => this.now,
      actor: 'test',
      concurrency: 8,
      out: undefined,
      interruption: () => undefined,
      onProgress: undefined,
      ...change,
    };
  }

  /** A context that asks the run to end, like SIGTERM, once the gateway has been asked so often. */
  endingAfter(requests: number): ContextChange {
    let asked = 0;
    const after = () => {
      asked += 1;
    };
    const interruption = () => (asked >= requests ? 143 : undefined);
    return { gateway: watched(this.engine(), { after }), concurrency: 1, interruption };
  }

  /** An empty folder of the sender's. */
  senderFolder(): string {
    return mkdtempSync(join(this.#senders, 'given-'));
  }

  /** Writes a file and returns its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.senderFolder(), name);
    writeFileSync(path, content);
    return path;
  }

  /** Executes text as a file of this name. */
  run(
    name: string,
    content: string | Uint8Array,
    change: Partial<Submission> = {},
    context: ContextChange = {},
  ): Promise<BatchDocument> {
    return this.runPath(this.file(name, content), change, context);
  }

  runPath(
    path: string,
    change: Partial<Submission> = {},
    context: ContextChange = {},
  ): Promise<BatchDocument> {
    return runFile(this.context(context), submissionOf(path, change), path);
  }

  async resume(document: BatchDocument, context: ContextChange = {}): Promise<ActResult> {
    return resume(this.context(context), await this.record(document.batch), 'a test');
  }

  async stop(document: BatchDocument, context: ContextChange = {}) {
    return stopBatch(this.context(context), await this.record(document.batch), 'a test');
  }

  async retry(document: BatchDocument, context: ContextChange = {}): Promise<ActResult> {
    return retryBatch(this.context(context), await this.record(document.batch), 'a test');
  }

  async release(
    document: BatchDocument,
    lines: readonly number[],
    context: ContextChange = {},
  ): Promise<ActResult> {
    return releaseLines(this.context(context), await this.record(document.batch), new Set(lines), 'a test');
  }

  async settle(document: BatchDocument): Promise<ActResult> {
    return resolveBatch(this.context(), await this.record(document.batch), 'a test');
  }

  async close(document: BatchDocument) {
    return closeBatch(this.context(), await this.record(document.batch), 'a test');
  }

  /** Writes the reports of a finished revision again, into a folder of their own. */
  async rewrite(document: BatchDocument, revision: number): Promise<BatchDocument> {
    const context = this.context({ out: this.senderFolder() });
    const record = await this.record(document.batch);
    const stored = await findRevision(this.database.reads, record.number, revision);
    const batch = await readBatch(context, record);
    return rewriteReports(context, batch, unpackRevision(stored!.document!));
  }

  async record(batch: string): Promise<BatchRecord> {
    const record = await findBatch(this.database.reads, batch);
    if (record === undefined) throw new Error(`there is no batch ${batch}`);
    return record;
  }

  batches(): Promise<BatchRecord[]> {
    return listBatches(this.database.reads);
  }

  /** All transfers as short text, in the order of the ledger: `T1 capture 10000`. */
  async transfers(): Promise<readonly string[]> {
    const rows = await this.database.reads.all<{ subject: string; kind: number; amount: number }>(
      `SELECT ifnull(t.transaction_id, p.request_id) AS subject, r.kind, r.amount
       FROM transfer AS r LEFT JOIN txn AS t ON t.number = r.txn LEFT JOIN payout AS p ON p.number = r.payout ORDER BY r.sequence`,
    );
    return rows.map(({ subject, kind, amount }) => `${subject} ${kindOfCode(kind)} ${amount}`);
  }

  /** The books of an account that are not even, such as `{ merchant: '100.00', acquirer: '-100.00' }`. */
  async books(currency = 'USD', account = 1): Promise<Readonly<Record<string, string>>> {
    const rows = await readBalances(this.database.reads);
    const own = rows.filter(
      (row) => row.account === account && row.currency === currency && row.amount !== '0',
    );
    return Object.fromEntries(
      own.map(({ book, amount }) => [book, formatAmount(BigInt(amount), digitsOf(currency)!)]),
    );
  }

  async accounts() {
    return readAccounts(this.database.reads);
  }

  /** Every file under the data directory, the database with its log written back. */
  async files(): Promise<readonly { readonly path: string; readonly bytes: Buffer }[]> {
    await this.database.write((statements) => statements.run('SELECT 1'));
    const names = readdirSync(this.folders.root, { recursive: true, withFileTypes: true });
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path, bytes: readFileSync(path) }));
  }
}

/** One request as the gateway gets it. */
export interface Call {
  readonly operation: Operation;
  readonly request: EntriesRequest | PayoutRequest;
}

/** What the request acts on: ids of transactions, or of the payout. */
export function subjectsOf({ request }: Call): readonly string[] {
  return 'entries' in request
    ? request.entries.map(({ transactionId }) => transactionId)
    : [request.payout.requestId];
}

/** A gateway that tells what it is asked, before and after the one behind it executes it; what is thrown there is the call's. */
export function watched(
  gateway: InstructionGateway,
  on: {
    readonly before?: (call: Call) => void | Promise<void>;
    readonly after?: (call: Call) => void | Promise<void>;
  },
): InstructionGateway {
  const through = async <T>(call: Call, answer: () => Promise<T>): Promise<T> => {
    await on.before?.(call);
    const given = await answer();
    await on.after?.(call);
    return given;
  };
  return {
    capture: (request, options) =>
      through({ operation: 'capture', request }, () => gateway.capture(request, options)),
    cancel: (request, options) =>
      through({ operation: 'cancel', request }, () => gateway.cancel(request, options)),
    review: (request, options) =>
      through({ operation: 'review', request }, () => gateway.review(request, options)),
    refund: (request, options) =>
      through({ operation: 'refund', request }, () => gateway.refund(request, options)),
    payout: (request, options) =>
      through({ operation: 'payout', request }, () => gateway.payout(request, options)),
  };
}

export function submissionOf(path: string, change: Partial<Submission> = {}): Submission {
  return {
    path,
    name: basename(path),
    reading: { style: DOT },
    gateway: 'engine',
    policy: 'valid-lines',
    repeats: 'hold',
    control: [],
    submittedBy: 'test',
    submittedFrom: 'here',
    ...change,
  };
}

/** The lines of a CSV report by column name. */
export function readCsv(path: string | null, delimiter = ','): Record<string, string>[] {
  if (path === null) return [];
  return parse(readFileSync(path), { columns: true, bom: true, delimiter });
}

/** The entries of a JSON report, whichever of the shapes it has. */
export function readJson(path: string | null): Record<string, unknown>[] {
  if (path === null) return [];
  const text = readFileSync(path, 'utf8');
  if (text.startsWith('[')) return JSON.parse(text);
  const lines = text.trimEnd().split('\n');
  if (lines.every((line) => line.startsWith('{') && line.endsWith('}')))
    return lines.map((line) => JSON.parse(line));
  return Object.values(JSON.parse(text)).find((value) => Array.isArray(value)) as Record<string, unknown>[];
}

/** Our part of each line of a result file, CSV or JSON. */
export function results(document: BatchDocument): readonly Record<string, string>[] {
  const { result } = document.reports;
  if (result?.endsWith('.json') !== true) return readCsv(result, document.read.delimiter ?? ',');
  return readJson(result).map((entry) => entry._result as Record<string, string>);
}

/** `outcome` and `code` of each line of a result file, such as `refused V0006`. */
export function outcomes(document: BatchDocument): readonly string[] {
  return results(document).map(({ outcome, code }) => `${outcome} ${code}`.trim());
}

/** A document, where an act could also have been refused. */
export function documentOf(result: ActResult | 'asked'): BatchDocument {
  if (typeof result === 'object' && 'batch' in result) return result;
  throw new Error(`no document, but ${JSON.stringify(result)}`);
}

/** A CSV file of these columns; rows as they would be typed. */
export function csv(columns: string, ...rows: readonly string[]): string {
  return `${[columns, ...rows].join('\n')}\n`;
}

/** Header of files that need no more than the four columns of every entry. */
export const ENTRY = 'transaction_id,order_no,currency,amount';
