/** What a batch leaves behind: every line once, totals that add up to the cent, and files that can be worked with. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digitsOf } from '../../src/core/currency.ts';
import { formatAmount, parseAmount } from '../../src/core/money.ts';
import { OUTCOMES } from '../../src/core/outcome.ts';
import type { Amounts, BatchDocument, ReportDocument } from '../../src/report/document.ts';
import { csv, ENTRY, type Given, readCsv, readJson, results, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

const report = (document: BatchDocument): ReportDocument =>
  JSON.parse(readFileSync(document.reports.json!, 'utf8'));

/** Amounts per currency and outcome, summed up from the lines of the result file alone. */
function recomputed(document: BatchDocument, amountField: string): Record<string, Record<string, string>> {
  const sums = new Map<string, Map<string, bigint>>();
  for (const line of results(document)) {
    const digits = digitsOf(line.currency ?? '');
    const minor = digits === undefined ? undefined : parseAmount(line[amountField] ?? '', digits);
    if (typeof minor !== 'number') continue;
    const own = sums.get(line.currency!) ?? new Map<string, bigint>();
    sums.set(line.currency!, own);
    for (const key of ['instructed', line.outcome!]) own.set(key, (own.get(key) ?? 0n) + BigInt(minor));
  }
  return Object.fromEntries(
    [...sums].map(([currency, own]) => [
      currency,
      Object.fromEntries(
        ['instructed', ...OUTCOMES].map((key) => [
          key,
          formatAmount(own.get(key) ?? 0n, digitsOf(currency)!),
        ]),
      ),
    ]),
  );
}

function expectEquation(amounts: Amounts, digits: number): void {
  const minor = (text: string) => BigInt(text.replace('.', ''));
  const sum = OUTCOMES.reduce((all, outcome) => all + minor(amounts[outcome]), 0n);
  expect(formatAmount(sum, digits)).toBe(amounts.instructed);
}

/** 400 captures in three currencies, of which many go wrong, each in its own way. */
const CURRENCIES = ['USD', 'JPY', 'KWD'];
const WHOLE: Readonly<Record<string, string>> = { USD: '100.00', JPY: '10000', KWD: '10.000' };
const lines = Array.from({ length: 400 }, (_, index) => {
  const currency = CURRENCIES[index % 3]!;
  const id = `T${index % 350}`;
  const own = CURRENCIES[(index % 350) % 3]!;
  if (index % 50 === 7) return `${id},O-${id},${own},abc`;
  if (index % 50 === 17) return `${id},O-${id},XXX,1`;
  if (index % 50 === 27) return `${id},,${own},${WHOLE[own]}`;
  if (index % 50 === 37) return `${id},O-${id},${own},${own === 'JPY' ? '20000' : '200'}`;
  if (index % 50 === 47) return `${id},O-other,${currency},1`;
  return `${id},O-${id},${own},${WHOLE[own]}`;
});
const FILE = csv(ENTRY, ...lines);
const GIVEN: readonly Given[] = Array.from({ length: 350 }, (_, index) => ({
  id: `T${index}`,
  currency: CURRENCIES[index % 3]!,
}));

describe('totals', () => {
  test('are the sums of the result file, per currency and outcome, and add up', async () => {
    await sandbox.given(...GIVEN);
    const document = await sandbox.run('capture.csv', FILE);
    expect(document.lines).toMatchObject({ total: 400, invalid: 24 });
    for (const outcome of ['succeeded', 'refused', 'duplicate'] as const)
      expect(document.lines[outcome]).toBeGreaterThan(10);
    expect(document.totals).toEqual(recomputed(document, 'amount'));
    for (const [currency, amounts] of Object.entries(document.totals!))
      expectEquation(amounts, digitsOf(currency)!);
    for (const outcome of OUTCOMES)
      expect(document.lines[outcome]).toBe(
        results(document).filter((line) => line.outcome === outcome).length,
      );
  });

  test('are the sums of the ledger: what succeeded is what was captured', async () => {
    await sandbox.given(...GIVEN);
    const document = await sandbox.run('capture.csv', FILE);
    for (const currency of CURRENCIES) {
      const books = await sandbox.books(currency);
      expect(books.merchant).toBe(document.totals![currency]!.succeeded);
      expect(document.breakdown.find((row) => row.currency === currency)).toMatchObject({
        moved_in: books.merchant,
        moved_out: formatAmount(0, digitsOf(currency)!),
      });
    }
    expect((await sandbox.transfers()).length).toBe(document.lines.succeeded);
  });

  test('lines whose amount or currency cannot be read are counted, and nothing else', async () => {
    await sandbox.given({ id: 'T1' });
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,abc', 'T1,O-T1,,5.00', 'T1,O-T1', 'T1,O-T1,USD,'),
    );
    expect(document.lines).toMatchObject({ total: 5, succeeded: 1, invalid: 4 });
    expect(document.totals).toMatchObject({ USD: { instructed: '1.00', invalid: '0.00' } });
    expect(
      document.breakdown.map(({ currency, lines, unreadable_amounts }) => [
        currency,
        lines.total,
        unreadable_amounts,
      ]),
    ).toEqual([
      ['USD', 3, 2],
      ['', 2, 2],
    ]);
  });

  test('a refund counts with its refund_amount', async () => {
    await sandbox.given({ id: 'R1', state: 'captured' });
    const document = await sandbox.run(
      'refund.csv',
      csv(
        `${ENTRY},refund_amount`,
        'R1,O-R1,USD,100.00,2.00',
        'R1,O-R1,USD,100.00,99.00',
        'R1,O-R1,USD,100.00,2.00',
      ),
    );
    expect(document.totals).toEqual(recomputed(document, 'refund_amount'));
    expect(document.totals).toMatchObject({
      USD: { instructed: '103.00', succeeded: '2.00', refused: '99.00', duplicate: '2.00' },
    });
    expect(document.breakdown).toMatchObject([{ moved_in: '0.00', moved_out: '2.00' }]);
  });

  test('of a mixed file are null: only the breakdown means something', async () => {
    await sandbox.given({ id: 'T1' }, { id: 'R1', state: 'captured' }, { id: 'V1', state: 'in_review' });
    const header = `operation,${ENTRY},refund_amount,review_flag`;
    const document = await sandbox.run(
      'november.csv',
      csv(
        header,
        'capture,T1,O-T1,USD,40.00,,',
        'cancel,T1,O-T1,USD,60.00,,',
        'refund,R1,O-R1,USD,100.00,5.00,',
        'review,V1,O-V1,USD,100.00,,0',
        'capture,V1,O-V1,USD,1.00,,',
      ),
    );
    expect(document).toMatchObject({ operation: 'mixed', totals: null });
    expect(
      document.breakdown.map(({ operation, amounts, moved_in, moved_out }) => [
        operation,
        amounts.instructed,
        amounts.succeeded,
        moved_in,
        moved_out,
      ]),
    ).toEqual([
      ['cancel', '60.00', '60.00', '0.00', '0.00'],
      ['capture', '41.00', '40.00', '40.00', '0.00'],
      ['refund', '5.00', '5.00', '0.00', '5.00'],
      ['review', '100.00', '100.00', '0.00', '0.00'],
    ]);
  });
});

describe('the result', () => {
  test('has every line of the file exactly once, in its order, with its own cells', async () => {
    await sandbox.given(...GIVEN);
    const document = await sandbox.run('capture.csv', FILE);
    const rows = results(document);
    expect(rows.map(({ line }) => Number(line))).toEqual(lines.map((_, index) => index + 2));
    expect(
      rows.map(({ transaction_id, order_no, currency, amount }) =>
        [transaction_id, order_no, currency, amount].join(),
      ),
    ).toEqual(lines);
    for (const row of rows) {
      expect(row.batch).toBe(document.batch);
      expect(row.code === '').toBe(row.outcome === 'succeeded');
      expect(row.message === '').toBe(row.outcome === 'succeeded');
      expect(row.hint === '').toBe(row.outcome === 'succeeded');
      expect(row.gateway_reference).toBe(row.outcome === 'succeeded' ? `${document.batch}-${row.line}` : '');
      expect(row.chunk === '').toBe(row.outcome === 'invalid');
      expect(row.attempt).toBe(row.outcome === 'invalid' ? '' : '1');
    }
  });

  test('fixme and held share out what did not succeed', async () => {
    await sandbox.given(...GIVEN);
    const document = await sandbox.run('capture.csv', FILE);
    const of = (...wanted: string[]) =>
      results(document)
        .filter(({ outcome }) => wanted.includes(outcome!))
        .map(({ line }) => `${document.batch}:${line}`);
    expect(readCsv(document.reports.fixme).map(({ _line_of }) => _line_of)).toEqual(
      of('refused', 'invalid', 'not_sent'),
    );
    expect(readCsv(document.reports.held)).toHaveLength(of('duplicate').length);
    for (const { _first, repeat_of } of readCsv(document.reports.held)) {
      expect(_first).toMatch(new RegExp(`^${document.batch}:\\d+$`));
      expect(repeat_of).toBe('');
    }
  });

  test.each([
    ['semicolons and CRLF', ';', '\r\n'],
    ['tabs and LF', '\t', '\n'],
    ['bars and CR', '|', '\r'],
  ])('in the file’s own dialect, with a byte order mark: %s', async (_, delimiter, lineEnd) => {
    await sandbox.given({ id: 'T1' });
    const rows = ['T1,O-T1,USD,1.00,a', 'T1,O-T1,USD,200,b', 'T1,O-T1,USD,1.00,c'];
    const content = csv(`${ENTRY},Note`, ...rows)
      .replaceAll(',', delimiter)
      .replaceAll('\n', lineEnd);
    const document = await sandbox.run('capture.csv', content);
    for (const path of [document.reports.result, document.reports.fixme, document.reports.held]) {
      const text = readFileSync(path!, 'utf8');
      expect(
        text.startsWith(
          `\uFEFF${['transaction_id', 'order_no', 'currency', 'amount', 'Note'].join(delimiter)}${delimiter}`,
        ),
      ).toBe(true);
      expect(text.endsWith(lineEnd)).toBe(true);
      expect(text.split(lineEnd).length).toBe((path === document.reports.result ? 3 : 1) + 2);
    }
  });

  test('in UTF-8, whatever the file was in', async () => {
    await sandbox.given({ id: 'T1' });
    const document = await sandbox.run(
      'capture.csv',
      Buffer.from(`\uFEFF${csv(`${ENTRY},note`, 'T1,O-T1,USD,1.00,Zürich 😀')}`, 'utf16le'),
    );
    expect(document.read.encoding).toBe('utf-16le');
    expect(readCsv(document.reports.result)).toMatchObject([{ note: 'Zürich 😀' }]);
  });
});

describe('where reports are', () => {
  test('in reports/<batch>/, under the file’s name and the batch’s', async () => {
    await sandbox.given({ id: 'T1' });
    const document = await sandbox.run(
      'capture november.2026.csv',
      csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,x', 'T1,O-T1,USD,1'),
    );
    const names = ['result.csv', 'fixme.csv', 'held.csv', 'report.json', 'report.html'].map(
      (kind) => `capture_november.2026.${document.batch}.${kind}`,
    );
    expect(
      Object.values(document.reports)
        .map((path) => basename(path!))
        .sort(),
    ).toEqual(names.sort());
    for (const path of Object.values(document.reports)) {
      expect(isAbsolute(path!)).toBe(true);
      expect(dirname(path!)).toBe(sandbox.folders.reportsOf(document.batch));
      expect(existsSync(path!)).toBe(true);
    }
    expect(readdirSync(sandbox.folders.reportsOf(document.batch))).toHaveLength(5);
  });

  test('or where --out says, made if need be', async () => {
    await sandbox.given({ id: 'T1' });
    const out = join(sandbox.senderFolder(), 'a', 'b');
    const document = await sandbox.run(
      'capture.json',
      JSON.stringify([{ transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00' }]),
      {},
      { out },
    );
    expect(readdirSync(out).sort()).toEqual(
      ['report.html', 'report.json', 'result.json'].map((kind) => `capture.${document.batch}.${kind}`),
    );
    expect(document.reports).toMatchObject({ fixme: null, held: null });
  });
});

describe('report.json', () => {
  test('has the document, and the evidence that backs it', async () => {
    await sandbox.account();
    await sandbox.given(
      { id: 'T1' },
      { id: 'T2', state: 'captured' },
      { id: 'T3', account: 2, state: 'captured' },
    );
    await sandbox.run('capture.csv', csv(`account_id,${ENTRY}`, 'A1,T1,O-T1,USD,50.00'), {
      merchantId: 'M1',
    });
    sandbox.now += 90_000;
    const document = await sandbox.run(
      'capture 2.csv',
      csv(
        ENTRY,
        'T1,O-T1,USD,25.00',
        'T1,O-T1,USD,70.00',
        'T1,O-T1,USD,-1',
        'T9,O-T9,USD,1.00',
        'T1,O-T1,USD,25.0',
      ),
      {
        merchantId: 'M1',
        accountId: 'A1',
        submittedBy: 'Ada',
        submittedFrom: 'host',
        control: [{ rows: 5 }],
      },
    );
    const found = report(document);
    const { exceptions, changes, listed, unlisted, evidence, schema_version, environment, reports, ...same } =
      found;
    expect({ ...same, reports: document.reports }).toEqual(document);
    expect(Object.values(reports).map((name) => name === null || basename(name) === name)).toEqual(
      Array(5).fill(true),
    );
    expect({ schema_version, environment, changes, unlisted }).toEqual({
      schema_version: 1,
      environment: 'sandbox',
      changes: [],
      unlisted: 0,
    });
    expect(evidence).toEqual({
      submitted_by: 'Ada',
      submitted_from: 'host',
      received_at: '2026-11-20T12:01:30.000Z',
      started_at: '2026-11-20T12:01:30.000Z',
      finished_at: '2026-11-20T12:01:30.000Z',
      options: {
        policy: 'valid-lines',
        repeats: 'hold',
        decimal: 'dot',
        thousands: 'none',
        merchant: 'M1',
        account: 'A1',
      },
      program_version: 'test',
      control_totals: { stated: { rows: 5, totals: {} }, calculated: { rows: 5, totals: { USD: '121.00' } } },
      ledger_sequence: { from: 2, to: 2 },
      balances: [{ merchant: 'M1', account: 'A1', currency: 'USD', before: '150.00', after: '175.00' }],
      audit_head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(exceptions.map(({ outcome, code, lines, amounts }) => [outcome, code, lines, amounts])).toEqual([
      ['duplicate', 'B0001', 1, { USD: '25.00' }],
      ['invalid', 'I0021', 1, {}],
      ['refused', 'V0001', 1, { USD: '1.00' }],
      ['refused', 'V0005', 1, { USD: '70.00' }],
    ]);
    // Exceptions first, in the order of the file.
    expect(listed.map(({ line, outcome }) => [line, outcome])).toEqual([
      [3, 'refused'],
      [4, 'invalid'],
      [5, 'refused'],
      [6, 'duplicate'],
      [2, 'succeeded'],
    ]);
  });

  test('lists at most so many lines, and says how many it leaves out', async () => {
    const ids = Array.from({ length: 700 }, (_, index) => `T${index}`);
    await sandbox.given(...ids.map((id) => ({ id })));
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, ...ids.map((id, at) => `${id},O-${id},USD,${at === 650 ? '200' : '1.00'}`)),
    );
    const { listed, unlisted } = report(document);
    expect([listed.length, unlisted]).toEqual([500, 200]);
    expect(listed[0]).toMatchObject({ line: 652, outcome: 'refused', code: 'V0005' });
  });
});

test('JSON reports say the same as CSV ones', async () => {
  const rows = [
    ['T1', '1.00'],
    ['T1', '1.00'],
    ['T1', '200.00'],
    ['T1', 'x'],
  ].map(([id, amount]) => ({
    transaction_id: id!,
    order_no: `O-${id}`,
    currency: 'USD',
    amount: amount!,
    note: 'ü',
  }));
  await sandbox.given({ id: 'T1' });
  const json = await sandbox.run('capture.json', JSON.stringify({ capture_orders: rows }));
  const other = await Sandbox.make();
  await other.given({ id: 'T1' });
  const asCsv = await other.run(
    'capture.csv',
    csv(Object.keys(rows[0]!).join(), ...rows.map((row) => Object.values(row).join())),
  );
  const said = (document: BatchDocument) =>
    results(document).map(({ outcome, code, message }) => [
      outcome,
      code,
      message?.replaceAll(/B\w{16}:\d+/g, ''),
    ]);
  expect(said(json)).toEqual(said(asCsv));
  expect(json.totals).toEqual(asCsv.totals);
  expect(readJson(json.reports.result).map(({ _result, ...entry }) => entry)).toEqual(rows);
  expect(
    readJson(json.reports.fixme).map(({ note, _problem }) => [note, (_problem as string).slice(0, 5)]),
  ).toEqual([
    ['ü', 'V0005'],
    ['ü', 'I0021'],
  ]);
  await other.remove();
});
