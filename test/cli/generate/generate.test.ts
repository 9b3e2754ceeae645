import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { isValidIBAN } from 'ibantools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GeneratedFile, type GenerateOptions, generate } from '../../../src/cli/generate/generate.ts';
import { Random } from '../../../src/cli/generate/random.ts';
import { BREAK_KINDS, type PlantedBreak } from '../../../src/cli/generate/statement.ts';
import { randomIds, syntheticTransactions } from '../../../src/cli/generate/transactions.ts';
import { digitsOf } from '../../../src/core/currency.ts';
import { isInvalid, parseInstruction } from '../../../src/core/instruction.ts';
import { DOT, formatAmount, parseAmount } from '../../../src/core/money.ts';
import type { EntryOperation } from '../../../src/core/operation.ts';
import { isState } from '../../../src/core/state.ts';
import {
  type AccountRules,
  AUTHORISATION_LIFETIME,
  applyTransfer,
  decide,
  type Transaction,
} from '../../../src/core/transaction.ts';

type Row = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), 'batchgate-generate-'));
afterAll(() => rmSync(folder, { recursive: true }));

let sets = 0;

/** Generates a set into a folder of its own. */
async function makeSet(
  options: Partial<GenerateOptions> = {},
): Promise<{ out: string; files: GeneratedFile[] }> {
  sets += 1;
  const out = join(folder, String(sets));
  return { out, files: await generate({ transactions: 2000, seed: 7, ids: 'ordered', ...options, out }) };
}

function rowsOf(out: string, name: string): Row[] {
  return parse(readFileSync(join(out, name)), { columns: true });
}

function breaksOf(out: string): PlantedBreak[] {
  return JSON.parse(readFileSync(join(out, 'breaks.json'), 'utf8')).breaks;
}

function hashesOf(out: string, files: readonly GeneratedFile[]): string[] {
  return files.map(({ path }) =>
    createHash('sha256')
      .update(readFileSync(join(out, basename(path))))
      .digest('hex'),
  );
}

function minorOf(text: string, currency: string): number {
  const minor = parseAmount(text, digitsOf(currency)!);
  if (typeof minor === 'string') throw new Error(`${text} ${currency} is ${minor}`);
  return minor;
}

describe('how much', () => {
  test.each<[number, Record<string, number>]>([
    [
      2000,
      { transactions: 2600, capture: 2000, cancel: 200, review: 200, refund: 300, payout: 200, breaks: 10 },
    ],
    [100, { transactions: 130, capture: 100, cancel: 10, review: 10, refund: 15, payout: 10, breaks: 5 }],
    [19, { transactions: 22, capture: 19, cancel: 1, review: 1, refund: 1, payout: 1, breaks: 5 }],
    [5, { transactions: 5, capture: 5, cancel: 0, review: 0, refund: 0, payout: 0, breaks: 5 }],
    [1, { transactions: 1, capture: 1, cancel: 0, review: 0, refund: 0, payout: 0, breaks: 0 }],
  ])('%i: %j', async (transactions, expected) => {
    const { out, files } = await makeSet({ transactions });
    const counts = Object.fromEntries(files.map(({ path, rows }) => [basename(path).split('.')[0], rows]));
    expect(counts).toMatchObject(expected);
    for (const { path, rows } of files) {
      const found = path.endsWith('.json') ? breaksOf(out) : rowsOf(out, basename(path));
      expect([path, found.length]).toEqual([path, rows]);
    }
  });
});

describe('the seed', () => {
  test('alone decides the bytes', async () => {
    const [first, second] = [await makeSet(), await makeSet()];
    expect(hashesOf(second.out, second.files)).toEqual(hashesOf(first.out, first.files));
  });

  test('gives these bytes on every machine', async () => {
    const { out } = await makeSet({ transactions: 100, seed: 1 });
    const digest = createHash('sha256')
      .update(readFileSync(join(out, 'transactions.csv')))
      .digest('hex');
    expect(digest).toBe('954402d60aec699eddc74028a3b4b95f779cf31f814268995eea602330d4634e');
  });

  test.each<Partial<GenerateOptions>>([{ seed: 8 }, { seed: -7 }, { seed: 7 + 2 ** 32 }, { ids: 'random' }])(
    '%j gives other bytes in every file',
    async (changed) => {
      const [first, second] = [await makeSet(), await makeSet(changed)];
      const others = hashesOf(second.out, second.files);
      expect(hashesOf(first.out, first.files).filter((hash, index) => hash === others[index])).toEqual([]);
    },
  );
});

describe.each<GenerateOptions['ids']>(['ordered', 'random'])('a set with %s ids', (ids) => {
  let out: string;
  const ledger = new Map<string, Transaction>();
  const rules: AccountRules = { capture: 'manual', lifetime: AUTHORISATION_LIFETIME };

  beforeAll(async () => {
    ({ out } = await makeSet({ ids }));
    for (const row of rowsOf(out, 'transactions.csv')) ledger.set(row.transaction_id!, imported(row));
    for (const operation of ['capture', 'cancel', 'review', 'refund'] as const) execute(operation);
  });

  function imported(row: Row): Transaction {
    const { transaction_id, order_no, currency, amount, state, captured } = row;
    if (!isState(state!)) throw new Error(`${state} is no state`);
    return {
      transactionId: transaction_id!,
      orderNo: order_no!,
      currency: currency!,
      amount: minorOf(amount!, currency!),
      standing: state,
      captured: captured === '' ? 0 : minorOf(captured!, currency!),
      refunded: 0,
      cancelled: 0,
      expired: 0,
      review: undefined,
      authorisedAt: 0,
    };
  }

  /** Executes a file of entries; every line must be accepted. */
  function execute(operation: EntryOperation): void {
    rowsOf(out, `${operation}.csv`).forEach((row, index) => {
      const instruction = parseInstruction(operation, index + 2, row, DOT);
      if (isInvalid(instruction) || instruction.operation === 'payout') throw new Error(JSON.stringify(row));
      const before = ledger.get(instruction.entry.transactionId);
      const decided = decide(operation, instruction.entry, before, 1, rules);
      if ('code' in decided) throw new Error(`${decided.message} ${JSON.stringify(row)}`);
      const after = decided.reduce((now, { kind, amount }) => applyTransfer(now, kind, amount, 1), before!);
      ledger.set(after.transactionId, after);
    });
  }

  test('has distinct ids of the right shape', () => {
    const found = [...ledger.keys()];
    expect(found).toHaveLength(2600);
    for (const id of found) expect(id).toMatch(ids === 'ordered' ? /^T[0-9A-Z]{19}$/ : /^T[0-9A-Z]{22}$/);
    expect(found.join() === [...found].sort().join()).toBe(ids === 'ordered');
  });

  test('has three currencies, and every file names its account', () => {
    const rows = rowsOf(out, 'transactions.csv');
    const share = (currency: string) => rows.filter((row) => row.currency === currency).length / rows.length;
    expect(share('USD')).toBeCloseTo(0.9, 1);
    expect(share('EUR')).toBeCloseTo(0.08, 1);
    expect(share('JPY')).toBeGreaterThan(0);
    for (const name of ['transactions', 'capture', 'cancel', 'review', 'refund', 'payout']) {
      for (const row of rowsOf(out, `${name}.csv`))
        expect([row.merchant_id, row.account_id]).toEqual(['M1', 'A1']);
    }
  });

  test('pays out no more than the imported captures bring in after their refunds', () => {
    const balance: Record<string, number> = {};
    const add = (currency: string, minor: number) => {
      balance[currency] = (balance[currency] ?? 0) + minor;
    };
    const captured = [...ledger.values()].filter(({ standing }) => standing === 'captured');
    const refunds = new Map(rowsOf(out, 'refund.csv').map((row) => [row.transaction_id, row]));
    for (const { transactionId, currency, amount } of captured) {
      add(currency, amount - minorOf(refunds.get(transactionId)!.refund_amount!, currency));
    }
    const lines = rowsOf(out, 'payout.csv');
    lines.forEach((row, index) => {
      const instruction = parseInstruction('payout', index + 2, row, DOT);
      if (isInvalid(instruction)) throw new Error(instruction.reason.message);
      add(instruction.currency, -instruction.amount);
      expect(isValidIBAN(row['beneficiary.bank_details.iban']!)).toBe(true);
    });
    expect(new Set(lines.map((row) => row.request_id)).size).toBe(lines.length);
    for (const left of Object.values(balance)) expect(left).toBeGreaterThanOrEqual(0);
  });

  test('does to its transactions what the files say, every line of which is accepted', () => {
    const settled = [...ledger.values()];
    expect(settled.filter(({ captured }) => captured > 0)).toHaveLength(2200);
    expect(settled.filter(({ cancelled }) => cancelled > 0)).toHaveLength(200);
    expect(settled.filter(({ review }) => review === 'accepted').length).toBeGreaterThan(150);
    expect(settled.filter(({ review }) => review === 'rejected').length).toBeGreaterThan(0);
    expect(settled.filter(({ refunded, amount }) => refunded === amount).length).toBeGreaterThan(20);
    expect(
      settled.filter(({ refunded, amount }) => refunded > 0 && refunded < amount).length,
    ).toBeGreaterThan(100);
  });

  test('has a statement that differs from the ledger in the planted breaks and in nothing else', () => {
    expect(reconcile([...ledger.values()], rowsOf(out, 'settlement.csv'))).toEqual(
      breaksOf(out).sort((a, b) => compare(a.reference, b.reference)),
    );
  });

  test('has breaks of every kind, each on its own transaction', () => {
    const breaks = breaksOf(out);
    for (const kind of BREAK_KINDS) expect(breaks.filter((each) => each.kind === kind)).toHaveLength(2);
    expect(new Set(breaks.map(({ reference }) => reference)).size).toBe(breaks.length);
    for (const each of breaks) {
      expect(Object.keys(each)).toEqual(['kind', 'reference', 'currency', 'ledger', 'statement']);
    }
  });
});

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A second, slow way to find the breaks: by comparing all captures and refunds with the statement. */
function reconcile(ledger: readonly Transaction[], statement: readonly Row[]): PlantedBreak[] {
  const stated = new Map<string, Row[]>();
  for (const line of statement) {
    const key = `${line.reference} ${line.type}`;
    stated.set(key, [...(stated.get(key) ?? []), line]);
  }
  const breaks: PlantedBreak[] = [];
  const match = (reference: string, type: string, currency: string, minor: number) => {
    if (minor === 0) return;
    const key = `${reference} ${type}`;
    const [line, again] = stated.get(key) ?? [];
    stated.delete(key);
    const found = (kind: PlantedBreak['kind'], hasLedger: boolean, gross: string | undefined) =>
      breaks.push({
        kind,
        reference,
        currency,
        ledger: hasLedger ? formatAmount(minor, digitsOf(currency)!) : null,
        statement: gross ?? null,
      });
    if (line === undefined) found('missing_in_statement', true, undefined);
    else if (line.currency !== currency) found('currency_differs', true, line.gross);
    else if (line.gross !== formatAmount(minor, digitsOf(currency)!))
      found('amount_differs', true, line.gross);
    if (again !== undefined) found('duplicate_in_statement', false, again.gross);
  };
  for (const { transactionId, currency, captured, refunded } of ledger) {
    match(transactionId, 'capture', currency, captured);
    match(transactionId, 'refund', currency, -refunded);
  }
  for (const line of [...stated.values()].flat()) {
    const { reference, currency, gross } = line as { reference: string; currency: string; gross: string };
    breaks.push({ kind: 'missing_in_ledger', reference, currency, ledger: null, statement: gross });
  }
  return breaks.sort((a, b) => compare(a.reference, b.reference));
}

test('payouts are within what the imported captures leave, line by line and for any seed', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = new Random(seed);
    const left = { USD: 0, EUR: 0, JPY: 0 };
    for (const made of syntheticTransactions(200, random, 'ORD', randomIds(random))) {
      if (made.fate !== 'captured') continue;
      left[made.currency] += made.amount - made.refund - made.payout;
      expect(made.payout).toBeGreaterThan(0);
      expect(left[made.currency]).toBeGreaterThanOrEqual(0);
    }
  }
});

test('every line of the statement adds up: gross − fee = net', async () => {
  const { out } = await makeSet();
  for (const { gross, fee, net, date } of rowsOf(out, 'settlement.csv')) {
    expect(cents(gross!) - cents(fee!)).toBe(cents(net!));
    expect(date).toBe('');
  }
});

function cents(text: string): number {
  return Number(text.replace('.', ''));
}
