/** Files against `batchgate serve` in another process end as they do against the embedded engine. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchDocument, RunDocument } from '../../src/report/document.ts';
import { command } from '../support/cli.ts';
import { readCsv, readJson } from '../support/ledger.ts';
import { Served } from '../support/served.ts';

/** Transactions that generated files are about. */
const GENERATED = 1_000;

let folder: string;
let server: Served;
const at = (...parts: readonly string[]) => join(folder, ...parts);

async function ok(...args: readonly string[]): Promise<void> {
  const { exit, out, err } = await command(...args);
  expect(exit, `${args.join(' ')}\n${out}${err}`).toBe(0);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'batchgate-remote-'));
  await ok('init', '--demo', '--data', at('upstream'));
  await ok('generate', '--transactions', `${GENERATED}`, '--seed', '5', '--out', at('files'));
  await ok('import', at('files', 'transactions.csv'), '--data', at('upstream'));
  cpSync(at('upstream'), at('embedded'), { recursive: true });
  const [key] = readdirSync(at('upstream', 'keys')).filter((name) => name.startsWith('M1'));
  await ok('init', '--data', at('local'));
  const account = ['--merchant', 'M1', '--account', 'A1', '--currency', 'USD,EUR,JPY'];
  await ok('account', 'add', ...account, '--key-file', at('upstream', 'keys', key!), '--data', at('local'));
  server = await Served.start(at('upstream'));
  writeFileSync(
    at('local', 'batchgate.yaml'),
    `gateways:\n  upstream:\n    url: ${server.url}\n    idempotent: true\n`,
  );
}, 60_000);

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(data: string, file: string, ...more: readonly string[]): Promise<BatchDocument> {
  const { out, err } = await command('run', file, '--json', '--quiet', '--data', at(data), ...more);
  const { batches } = JSON.parse(out === '' ? `{"error": ${JSON.stringify(err)}}` : out) as RunDocument;
  return batches[0]!;
}

/** Outcome and code of each line. */
function outcomes({ reports: { result } }: BatchDocument): readonly string[] {
  if (result === null) return [];
  const lines = result.endsWith('.json')
    ? readJson(result).map(({ _result }) => _result as Record<string, string>)
    : readCsv(result, readFileSync(result, 'utf8').split('\n')[0]!.includes(';') ? ';' : ',');
  return lines.map(({ line, outcome, code }) => `${line} ${outcome} ${code}`);
}

/** What must be the same, whoever executes. */
function figures(document: BatchDocument) {
  const { status, operation, lines, totals, chunks, exit, errors } = document;
  return { status, operation, lines, totals, chunks, exit, errors, outcomes: outcomes(document) };
}

/** The ledger behind both, as it tells itself. */
async function balances(data: string): Promise<string> {
  const { out } = await command('account', 'show', '--json', '--data', at(data));
  return out;
}

const SAMPLES = [
  'capture.csv',
  'cancel.csv',
  'review.json',
  'refunds-2026-11-20.csv',
  'refund.json',
  'payout.csv',
  'payout.ndjson',
  'mixed.csv',
  'cancel-rejected.csv',
];

describe('each of these files, executed in this order', () => {
  test.for([
    ...SAMPLES.map((name) => ['sample', name] as const),
    ...['capture.csv', 'cancel.csv', 'review.csv', 'refund.csv', 'payout.csv'].map(
      (name) => ['generated', name] as const,
    ),
  ])('%s %s', async ([kind, name]) => {
    const file = kind === 'sample' ? at('upstream', 'samples', name) : at('files', name);
    const [embedded, remote] = [
      await run('embedded', file),
      await run('local', file, '--gateway', 'upstream'),
    ];
    expect(figures(remote)).toEqual(figures(embedded));
    expect(remote.gateway).toBe('upstream');
  });

  test('and both ledgers have the same balances, and every report is true', async () => {
    expect(JSON.parse(await balances('upstream')).balances).toEqual(
      JSON.parse(await balances('embedded')).balances,
    );
    await ok('verify', '--data', at('local'));
    await ok('verify', '--data', at('upstream'));
  });
});

test('lists say where a batch was executed', async () => {
  const { out } = await command('batch', 'list', '--data', at('local'));
  expect(out).toContain('capture at upstream');
  const { out: json } = await command('batch', 'list', '--json', '--data', at('embedded'));
  expect(JSON.parse(json).batches[0].gateway).toBe('engine');
});

describe('the same gateway', () => {
  test('by its address is the one that the configuration knows', async () => {
    const file = at('upstream', 'samples', 'capture.csv');
    const again = await run('local', file, '--gateway', `${server.url}/`);
    expect([again.gateway, again.repeat]).toEqual(['upstream', true]);
  });

  test('is asked by default where the configuration says so', async () => {
    const yaml = readFileSync(at('local', 'batchgate.yaml'), 'utf8');
    writeFileSync(at('local', 'batchgate.yaml'), `gateway: upstream\n${yaml}`);
    const again = await run('local', at('upstream', 'samples', 'capture.csv'));
    expect([again.gateway, again.repeat]).toEqual(['upstream', true]);
    writeFileSync(at('local', 'batchgate.yaml'), yaml);
  });
});

test.for<[what: string, gateway: string, exit: number, words: string]>([
  ['a name that nobody has', 'acme', 2, 'there is no gateway acme'],
  ['plain http to another machine', 'http://gateway.example', 2, 'begins with http'],
  ['nobody listens', 'http://127.0.0.1:9', 5, 'E0002'],
])('%s: exit and words', async ([, gateway, exit, words]) => {
  const file = at('upstream', 'samples', 'cancel.csv');
  const ended = await command('run', file, '--gateway', gateway, '--data', at('local'));
  expect([ended.exit, ended.out + ended.err]).toEqual([exit, expect.stringContaining(words)]);
});

test('F62 a key that the gateway does not know: exit 4, nothing sent, and the words say what to check', async () => {
  await ok('init', '--data', at('stranger'));
  const account = ['--merchant', 'M1', '--account', 'A1', '--currency', 'USD'];
  await ok('account', 'add', ...account, '--data', at('stranger'));
  const file = at('upstream', 'samples', 'capture.csv');
  const ended = await command('run', file, '--gateway', server.url, '--data', at('stranger'));
  expect([ended.exit, ended.out + ended.err]).toEqual([4, expect.stringContaining('I0013')]);
});

test('B0023 a live data directory executes against live gateways only', async () => {
  await ok('init', '--environment', 'live', '--data', at('live'));
  const file = at('upstream', 'samples', 'capture.csv');
  for (const gateway of ['engine', server.url]) {
    const ended = await command('run', file, '--gateway', gateway, '--data', at('live'));
    expect([ended.exit, ended.out + ended.err]).toEqual([2, expect.stringContaining('B0023')]);
  }
});
