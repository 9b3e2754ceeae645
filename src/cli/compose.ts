/** Where everything is put together: the only place that constructs databases, engines and contexts. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { findBehind } from '../batch/backup/behind.ts';
import type { BatchContext, OnProgress } from '../batch/context.ts';
import { Folders } from '../batch/folders.ts';
import type { Foresight } from '../batch/plan.ts';
import { RemoteForeseer } from '../batch/remote/foresee.ts';
import { sendChunk } from '../batch/send.ts';
import type { Config } from '../config.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { Simulator } from '../engine/connector/simulator.ts';
import { Engine } from '../engine/engine.ts';
import { PayoutSchedule, readRateLine } from '../engine/terms.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import { Database } from '../ledger/database.ts';
import { quickFaults } from '../ledger/integrity.ts';
import { readSetting } from '../ledger/settings.ts';
import { DatabaseBroken } from '../ledger/sqlite.ts';
import { type Key, parseKey } from '../wire/signature.ts';
import { cardKeyOf } from './card-key.ts';
import { UsageError } from './errors.ts';
import { Gateways } from './gateways.ts';
import { LedgerMerchants } from './merchants.ts';
import { networkFileSystem } from './network-file-system.ts';
import { say } from './output.ts';
import { VERSION } from './version.ts';

export const RATES_FILE = 'rates.csv';
export const HASH_KEY_FILE = 'hash.key';

/** An open data directory. */
export interface Opened {
  readonly folders: Folders;
  readonly database: Database;
  readonly environment: string;
  readonly gateways: Gateways;
  close(): Promise<void>;
}

/** Opens the data directory that `init` has made. */
export async function openData(config: Config): Promise<Opened> {
  const folders = new Folders(config.data, config.drop);
  const database = await Database.open(folders.database);
  const kind = networkFileSystem(folders.root);
  if (kind !== undefined)
    say(
      `warning: ${folders.root} lies on a network file system (${kind}); keep the data directory on a local disk`,
    );
  const environment = await readSetting(database.reads, 'environment');
  if (environment === undefined)
    throw new UsageError(`${folders.database} says no environment; it was not made by batchgate init`);
  const merchants = new LedgerMerchants(database, (file) => readKey(folders, file));
  const gateways = new Gateways(config, environment, merchants);
  const close = async () => {
    await gateways.close();
    await database.close();
  };
  return { folders, database, environment, gateways, close };
}

/** The same for those who execute: not on a damaged ledger (F55), nor on one that is behind what it has promised (F106). */
export async function openForExecution(config: Config): Promise<Opened> {
  const opened = await openData(config);
  try {
    await refuseDamaged(opened);
    const behind = await findBehind(opened);
    if (behind === undefined) return opened;
    throw new UsageError(
      `the ledger is behind its own OK files: ${behind}`,
      'An older copy of the database was put here. Run: batchgate restore (takes the outcomes back; nothing is paid twice).',
    );
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** A larger database would keep everybody waiting; damage in it is found when it is met. `verify` looks at all of it. */
const LOOKED_THROUGH_BYTES = 64 * 1024 * 1024;

async function refuseDamaged({ folders, database }: Opened): Promise<void> {
  if (statSync(folders.database).size > LOOKED_THROUGH_BYTES) return;
  const [fault] = await quickFaults(database.reads, 1);
  if (fault !== undefined) throw new DatabaseBroken(fault, 'SQLITE_CORRUPT');
}

/** Does `work` on the data directory and closes it, however that ends. */
export function inData<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  return closing(openData(config), work);
}

/** The same for those who execute. */
export function inExecution<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  return closing(openForExecution(config), work);
}

async function closing<T>(opening: Promise<Opened>, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** What acts outside the pipeline need: the ledger, the clock and who acts. */
export function actor(
  config: Config,
  { database }: Opened,
): Pick<BatchContext, 'database' | 'clock' | 'actor'> {
  return { database, clock: Date.now, actor: config.user };
}

/** What the pipeline needs to execute. */
export function executionContext(
  config: Config,
  { folders, database, environment, gateways }: Opened,
  options: {
    readonly out?: string | undefined;
    readonly interruption?: () => number | undefined;
    readonly onProgress?: OnProgress | undefined;
    /** When the engine decides, where that is not now. */
    readonly decidesAt?: () => number;
  } = {},
): BatchContext {
  const clock = Date.now;
  let made: Engine | undefined;
  const engine = () => {
    made ??= simulator(config, folders, database, environment, options.decidesAt);
    return made;
  };
  return {
    folders,
    database,
    environment,
    executor: (gateway) => gateways.executor(gateway, engine),
    version: VERSION,
    keysOf: (account) => keysOf(folders, account),
    keyedHash: keyedHashOf(folders),
    clock,
    actor: config.user,
    concurrency: config.concurrency,
    out: options.out,
    interruption: options.interruption ?? (() => undefined),
    onProgress: options.onProgress,
  };
}

/** What foresees in a gateway's stead; close it when done. A remote gateway is asked, and needs no engine here. */
export async function openForesight(
  config: Config,
  { folders, database, environment, gateways }: Opened,
  gateway: string,
): Promise<Foresight & { close(): Promise<void> }> {
  if (gateway !== EMBEDDED) {
    const executor = gateways.remote(gateway);
    const foreseer = new RemoteForeseer(executor.gateway, database.reads);
    return {
      reads: database.reads,
      sendAs: (origin) => foreseer.sendAs(origin),
      concurrency: Math.min(config.concurrency, executor.concurrency),
      byQuery: true,
      close: () => Promise.resolve(),
    };
  }
  refuseSimulation(environment);
  const overlay = await Database.openOverlay(folders.database);
  const engine = simulator(config, folders, overlay, environment);
  return {
    reads: overlay.reads,
    sendAs: (origin) => (chunk, more) => sendChunk(engine, chunk, origin, more),
    concurrency: config.concurrency,
    byQuery: false,
    close: () => overlay.close(),
  };
}

/** The embedded engine, to be served. */
export function servedEngine(config: Config, { folders, database, environment }: Opened): Engine {
  return simulator(config, folders, database, environment);
}

/** The embedded engine with its simulated acquirer. Nobody may ever take it for real money. */
function simulator(
  config: Config,
  folders: Folders,
  database: Database,
  environment: string,
  clock: () => number = Date.now,
): Engine {
  refuseSimulation(environment);
  return new Engine(database, {
    schedule: scheduleOf(config, folders),
    clock,
    payments: {
      connector: new Simulator({ database, clock }),
      random: randomBytes,
      keyedHash: keyedHashOf(folders),
      cardKey: cardKeyOf(folders),
    },
  });
}

function refuseSimulation(environment: string): void {
  if (environment === 'sandbox') return;
  const message = `B0023: this data directory is ${environment}, and the embedded engine simulates its acquirer`;
  throw new UsageError(message, 'A live directory executes against remote gateways only.');
}

/** Who submits, and from where: for evidence. */
export function submitter(config: Config): { submittedBy: string; submittedFrom: string } {
  return { submittedBy: config.user, submittedFrom: hostname() };
}

export function scheduleOf(config: Config, folders: Folders): PayoutSchedule {
  const path = join(folders.root, RATES_FILE);
  if (!existsSync(path)) return new PayoutSchedule(config.payoutFees, []);
  const [header, ...lines] = parse(readFileSync(path), {
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  if (header?.join() !== 'date,source,payment,rate')
    throw new UsageError(`${path} must begin with date,source,payment,rate`);
  const rates = lines.map((cells, index) => {
    const rate = readRateLine(cells);
    if (rate !== undefined) return rate;
    throw new UsageError(`${path}, rate ${index + 1}: expected a date, two currencies and a rate above zero`);
  });
  return new PayoutSchedule(config.payoutFees, rates);
}

/** The account's keys that are not revoked. */
export async function keysOf(folders: Folders, account: KnownAccount): Promise<readonly Key[]> {
  const valid = account.settings.keys.filter(({ revoked }) => !revoked);
  return Promise.all(valid.map(({ file }) => readKey(folders, file)));
}

/** The key in a file of keys/. */
export async function readKey(folders: Folders, file: string): Promise<Key> {
  const path = join(folders.keys, file);
  const parsed = parseKey(await readFile(path, 'utf8'));
  if ('fault' in parsed) throw new UsageError(`${path}: ${parsed.fault}`);
  return parsed.key;
}

/** HMAC with the data directory's own key. */
export function keyedHashOf(folders: Folders): (text: string) => string {
  const path = join(folders.keys, HASH_KEY_FILE);
  let key: Buffer | undefined;
  return (text) => {
    key ??= readFileSync(path);
    return createHmac('sha256', key).update(text).digest('hex');
  };
}
