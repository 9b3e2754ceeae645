/** The built program as a process, and the data directories that the tests of faults start from. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from '../../src/cli/generate/generate.ts';
import { Connection } from '../../src/ledger/sqlite.ts';
import type { BatchDocument, RunDocument } from '../../src/report/document.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/batchgate.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** True once it has ended. */
  readonly isOver: () => boolean;
}

export function start(...args: readonly string[]): Started {
  if (!existsSync(BUILT)) throw new Error('there is no dist/: run `npm run build` first, as `npm test` does');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    // Standard input that is asked for never says anything.
    stdio: [args.includes('-') ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  let over = false;
  const text = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    text.stdout += piece;
  });
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    text.stderr += piece;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      resolve({ code, signal, ...text });
    });
  });
  return { process: child, ended, isOver: () => over };
}

/** Runs the program to its end; it must end well. */
export async function call(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await start(...args).ended;
  if (code !== 0) throw new Error(`batchgate ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** A data directory with the transactions of a generated set, as the program itself makes it. */
export interface Prepared {
  readonly data: string;
  /** Where the files of the set are. */
  readonly files: string;
}

export async function prepare(transactions: number, seed: number): Promise<Prepared> {
  const root = mkdtempSync(join(tmpdir(), 'batchgate-fault-'));
  const [data, files] = [join(root, 'data'), join(root, 'files')];
  await generate({ transactions, seed, out: files, ids: 'random' });
  await call('init', '--data', data);
  const currencies = ['USD', 'EUR', 'JPY'].flatMap((currency) => ['--currency', currency]);
  await call('account', 'add', '--merchant', 'M1', '--account', 'A1', ...currencies, '--data', data);
  await call('import', join(files, 'transactions.csv'), '--data', data, '--quiet');
  return { data, files };
}

/** A copy of the data directory, to be spoilt by one test. */
export function copyOf({ data }: Prepared): string {
  const copy = mkdtempSync(join(tmpdir(), 'batchgate-copy-'));
  cpSync(data, copy, { recursive: true });
  return copy;
}

/** The document of `run --json`. */
export function documentIn({ stdout }: Pick<Ended, 'stdout'>): RunDocument {
  return JSON.parse(stdout) as RunDocument;
}

/** All that must be the same however a run got to its end. */
export interface EndState {
  readonly exit: number;
  readonly batch: Pick<BatchDocument, 'batch' | 'status' | 'lines' | 'totals' | 'chunks'>;
  /** SHA-256 of the line files. */
  readonly result: string;
  readonly fixme: string | null;
  /** SHA-256 over sequence, transaction, payout, kind, amount and line of every transfer, and over all balances. */
  readonly ledger: string;
  readonly transfers: number;
}

export async function endState(data: string, { exit, batches }: RunDocument): Promise<EndState> {
  const { batch, status, lines, totals, chunks, reports } = batches[0]!;
  const database = await Connection.open(join(data, 'batchgate.db'), 'read');
  try {
    const [ledger] = await database.all<{ transfers: number; text: string }>(
      `SELECT count(*) AS transfers, json_group_array(json_array(sequence, txn, payout, kind, amount, line)) AS text
       FROM (SELECT * FROM transfer ORDER BY sequence)`,
    );
    const balances = await database.all('SELECT * FROM balance ORDER BY account, currency, book');
    return {
      exit,
      batch: { batch, status, lines, totals, chunks },
      result: sha256(readFileSync(reports.result!)),
      fixme: reports.fixme === null ? null : sha256(readFileSync(reports.fixme)),
      ledger: sha256(ledger!.text + JSON.stringify(balances)),
      transfers: ledger!.transfers,
    };
  } finally {
    await database.close();
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
