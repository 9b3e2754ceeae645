/** `batchgate reconcile` as people and programs use it. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ownership } from '../../src/ledger/owner.ts';
import type { ListedBreak, ReconciliationDocument } from '../../src/report/reconciliation/document.ts';
import { CliSandbox, command } from '../support/cli.ts';

interface Planted {
  readonly kind: string;
  readonly reference: string;
  readonly currency: string;
  readonly ledger: string | null;
  readonly statement: string | null;
}

/** As `generate` says what it planted. */
const planted = ({ kind, reference, currency, ledger, statement }: ListedBreak | Planted): Planted => ({
  kind,
  reference,
  currency: currency!,
  ledger,
  statement,
});

const inOrder = (breaks: readonly Planted[]) =>
  breaks.toSorted((a, b) => (`${a.reference} ${a.kind}` < `${b.reference} ${b.kind}` ? -1 : 1));

/** A data directory that has executed what a generated settlement tells of. */
async function settled(transactions: number, ids: 'ordered' | 'random'): Promise<CliSandbox> {
  const sandbox = new CliSandbox();
  const out = join(sandbox.folder, 'files');
  const size = ['--transactions', String(transactions), '--seed', '20261120', '--ids', ids, '--out', out];
  await command('generate', ...size);
  const steps: readonly (readonly string[])[] = [
    ['init'],
    ['account', 'add', '--merchant', 'M1', '--account', 'A1', ...currencies('USD', 'EUR', 'JPY')],
    ['import', join(out, 'transactions.csv'), '--quiet'],
    ['run', join(out, 'capture.csv'), '--quiet'],
    ['run', join(out, 'refund.csv'), '--quiet'],
  ];
  for (const step of steps) {
    const { exit, err } = await sandbox.run(...step);
    if (exit !== 0) throw new Error(`${step[0]} ended with ${exit}: ${err}`);
  }
  return sandbox;
}

function currencies(...codes: readonly string[]): readonly string[] {
  return codes.flatMap((code) => ['--currency', code]);
}

let sandbox: CliSandbox;
let settlement: string;

beforeAll(async () => {
  sandbox = await settled(1000, 'ordered');
  settlement = join(sandbox.folder, 'files', 'settlement.csv');
}, 60_000);

afterAll(() => sandbox.remove());

/** Sizes of the settlements that are tried; `npm run test:reconcile` names larger ones. */
const SIZES = (process.env.RECONCILE_LINES ?? '1000').split(',').map(Number);

describe('a settlement with known breaks', () => {
  test.each(SIZES.flatMap((size) => [[size, 'ordered'] as const, [size, 'random'] as const]))(
    'of %i captures with %s ids: exactly those are found',
    async (size, ids) => {
      const own = await settled(size, ids);
      try {
        const files = join(own.folder, 'files');
        const document = await own.json<ReconciliationDocument>(
          ...['reconcile', '--statement', join(files, 'settlement.csv'), '--quiet'],
        );
        const { breaks } = JSON.parse(readFileSync(join(files, 'breaks.json'), 'utf8')) as {
          breaks: readonly Planted[];
        };
        expect(breaks.length).toBeGreaterThan(0);
        expect(inOrder(document.breaks.map(planted))).toEqual(inOrder(breaks.map(planted)));
        expect([document.unlisted, document.exit]).toEqual([0, 10]);
      } finally {
        own.remove();
      }
    },
    600_000,
  );
});

describe('the command', () => {
  test('says in JSON what the contract says, and writes the reports', async () => {
    const document = await sandbox.json<ReconciliationDocument>('reconcile', '--statement', settlement);
    expect(document.statements).toMatchObject([
      { file: 'settlement.csv', profile: 'batchgate', lines: 1251, period: null, repeat: false },
    ]);
    expect(Object.keys(document.totals)).toEqual(['EUR', 'JPY', 'USD']);
    expect(Object.keys(document.totals.USD!)).toEqual(['ledger', 'statement', 'matched', 'open']);
    expect(document.breaks[0]).toMatchObject({
      id: expect.stringMatching(/^K[0-9A-Z]{16}$/),
      state: 'open',
      age_days: 0,
    });
    for (const path of Object.values(document.reports)) expect(existsSync(path)).toBe(true);
    expect(JSON.parse(readFileSync(document.reports.json, 'utf8'))).toEqual(document);
    expect(readFileSync(document.reports.csv, 'utf8').trim().split('\n')).toHaveLength(
      document.breaks.length + 1,
    );
    expect(readFileSync(document.reports.html, 'utf8')).toContain(document.breaks[0]!.id);
  });

  test('says it again without being given a file, byte for byte', async () => {
    const first = await sandbox.json<ReconciliationDocument>('reconcile');
    const bytes = Object.values(first.reports).map((path) => readFileSync(path, 'utf8'));
    const second = await sandbox.json<ReconciliationDocument>('reconcile');
    expect(second).toEqual(first);
    expect(Object.values(second.reports).map((path) => readFileSync(path, 'utf8'))).toEqual(bytes);
  });

  test('ends for people with the next command', async () => {
    const { exit, out } = await sandbox.run('reconcile', '--statement', settlement, '--no-color');
    expect(exit).toBe(10);
    expect(out).toContain('loaded before');
    expect(out).toMatch(/next: batchgate break show K[0-9A-Z]{16}/);
  });

  test('ends with 0 when nothing is open', async () => {
    const own = sandbox.copy();
    try {
      await own.run('reconcile', '--statement', settlement, '--quiet');
      const preview = await own.run('break', 'resolve', '--state', 'open', '--reason', 'planted');
      const digest = /--yes ([0-9A-F]{6})/.exec(preview.out + preview.err)![1]!;
      expect(
        (await own.run('break', 'resolve', '--state', 'open', '--reason', 'planted', '--yes', digest)).exit,
      ).toBe(0);
      const { exit, out } = await own.run('reconcile', '--no-color');
      expect([exit, out]).toEqual([0, expect.stringContaining('nothing is open, 5 resolved by people')]);
      expect((await own.run('verify', '--quiet')).exit).toBe(0);
    } finally {
      own.remove();
    }
  });

  test('takes a wrong file back', async () => {
    const own = sandbox.copy();
    try {
      const wrong = join(own.folder, 'wrong.csv');
      writeFileSync(
        wrong,
        'reference,type,order_no,currency,gross,fee,net,date\nT-x,capture,,USD,1.00,0.00,1.00,\n',
      );
      const before = await own.json<ReconciliationDocument>('reconcile', '--statement', settlement);
      const with_ = await own.json<ReconciliationDocument>('reconcile', '--statement', wrong);
      expect(with_.counts.open).toBe(before.counts.open + 1);
      const after = await own.json<ReconciliationDocument>('reconcile', '--forget', 'wrong.csv');
      expect(after.breaks).toEqual(before.breaks);
      const { exit, err } = await own.run('reconcile', '--forget', 'wrong.csv');
      expect([exit, err]).toEqual([2, expect.stringContaining('no file wrong.csv is loaded')]);
    } finally {
      own.remove();
    }
  });

  test('reads a format of one’s own, and says what is wrong with a mapping', async () => {
    const own = sandbox.copy();
    try {
      const file = join(own.folder, 'acme.txt');
      const mapping = join(own.folder, 'acme.yaml');
      writeFileSync(file, 'Report of ACME\nref;when;what;sum\nT-x;20.11.2026;sale;1.234,50\n');
      const settings = [
        ...['name: acme', 'recognise: [ref, when, what, sum]', 'delimiter: semicolon', 'preamble: 1'],
        ...['amounts: decimal', 'decimal: comma', 'thousands: dot', 'direction: signed'],
        ...['gross: { column: sum }', 'fee: none', 'net: derived', 'currency: { constant: EUR }'],
        ...[
          'kind: { column: what, words: { sale: payment } }',
          'dates: dd.MM.yyyy',
          'booked: { column: when }',
        ],
        'references: [ref]',
      ];
      writeFileSync(mapping, settings.join('\n'));
      const document = await own.json<ReconciliationDocument>(
        ...['reconcile', '--statement', file, '--profile', mapping],
      );
      expect(document.statements).toMatchObject([
        { profile: 'acme', lines: 1, period: ['2026-11-20', '2026-11-20'] },
      ]);
      expect(document.breaks).toContainEqual(
        expect.objectContaining({ reference: 'T-x', statement: '1234.50', place: 'acme.txt:3' }),
      );
      writeFileSync(mapping, settings.join('\n').replace('decimal: comma', 'decimal: point'));
      const { exit, err } = await own.run('reconcile', '--statement', file, '--profile', mapping);
      expect([exit, err]).toEqual([2, expect.stringContaining('acme.yaml is no mapping: decimal:')]);
    } finally {
      own.remove();
    }
  });

  test.each([
    ['a file that is no statement', 'a,b\n1,2\n', [], 6, 'it is no statement that is known'],
    [
      'a profile that is not known',
      'a,b\n1,2\n',
      ['--profile', 'stripe-balanse'],
      2,
      'Did you mean stripe-balance?',
    ],
    [
      'a line that cannot be read',
      'reference,type,order_no,currency,gross,fee,net,date\nT1,capture,,USD,1.00,0.00,1.00,\nT2,capture,,USD,one,0,1,\n',
      [],
      6,
      'bad.csv, line 3, column "gross": "one" is no amount',
    ],
    ['a day that is none', 'a,b\n', ['--from', '2026-02-30'], 2, '--from must be a day'],
  ])('refuses %s', async (_, text, args, exit, message) => {
    const path = join(sandbox.folder, 'bad.csv');
    writeFileSync(path, text);
    const own = sandbox.copy();
    try {
      const ended = await own.run('reconcile', '--statement', path, ...args, '--no-color');
      expect(ended.out + ended.err).toContain(message);
      expect(ended.exit).toBe(exit);
    } finally {
      own.remove();
    }
  });

  test('lets one at a time work', async () => {
    const owner = await Ownership.take(join(sandbox.data, 'work', 'reconcile.lock'));
    try {
      const { exit, err } = await sandbox.run('reconcile');
      expect([exit, err]).toEqual([5, expect.stringContaining('another reconciliation is running')]);
    } finally {
      await owner!.release();
    }
  });

  test('writes its reports where it is told', async () => {
    const out = join(sandbox.folder, 'some', 'where');
    const document = await sandbox.json<ReconciliationDocument>('reconcile', '--out', out);
    expect(document.reports.html).toBe(join(out, 'reconciliation.html'));
    expect(existsSync(document.reports.csv)).toBe(true);
  });

  test('names the account where there are several', async () => {
    const own = sandbox.copy();
    try {
      await own.run('account', 'add', '--merchant', 'M1', '--account', 'A2', ...currencies('USD'));
      const { exit, err } = await own.run('reconcile', '--statement', settlement);
      expect([exit, err]).toEqual([2, expect.stringContaining('2 accounts fit')]);
      const copy = join(own.folder, 'renamed.csv');
      copyFileSync(settlement, copy);
      const document = await own.json<ReconciliationDocument>(
        ...['reconcile', '--statement', copy, '--account', 'A2'],
      );
      expect(document.totals.USD).toMatchObject({ ledger: '0.00', matched: '0.00' });
    } finally {
      own.remove();
    }
  });
});
