/** What becomes of breaks from run to run: late, repeated, corrected and withdrawn statements, and people's words. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breaksNamed, putBreaks } from '../../src/ledger/breaks.ts';
import { forgetStatements } from '../../src/reconcile/forget.ts';
import { DAY, NOON, Sandbox } from '../support/ledger.ts';
import { reconciling, saying, told } from '../support/reconciling.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(
    { id: 'T1', amount: 1000, state: 'captured', at: NOON },
    { id: 'T2', amount: 2000, state: 'captured', at: NOON },
  );
});

afterEach(() => sandbox.remove());

const first = { name: 'first.csv', text: saying({ reference: 'T1', gross: '10.00', id: 'L1' }) };
const second = { name: 'second.csv', text: saying({ reference: 'T2', gross: '20.00', id: 'L2' }) };

async function audited(): Promise<readonly string[]> {
  const rows = await sandbox.database.reads.all<{ act: string }>('SELECT act FROM audit ORDER BY number');
  return rows.map(({ act }) => act);
}

describe('from run to run', () => {
  test('a break goes on under its id, and a late statement closes it', async () => {
    const before = await reconciling(sandbox, [first]);
    expect(told(before)).toEqual(['missing_in_statement T2 USD 20.00 –']);
    sandbox.now += 3 * DAY;
    const again = await reconciling(sandbox, []);
    expect(again.breaks.map(({ id, age_days, found }) => [id, age_days, found])).toEqual([
      [before.breaks[0]!.id, 3, '2026-11-20'],
    ]);
    const after = await reconciling(sandbox, [second]);
    expect(told(after)).toEqual([]);
    expect(after.counts).toMatchObject({ open: 0, closed: 1 });
  });

  test('a break that turns into another kind keeps its id', async () => {
    const [missing] = (await reconciling(sandbox, [first])).breaks;
    const wrong = { name: 'second.csv', text: saying({ reference: 'T2', gross: '19.00' }) };
    const [differs] = (await reconciling(sandbox, [wrong])).breaks;
    expect([differs!.kind, differs!.id]).toEqual(['amount_differs', missing!.id]);
  });

  test('the same files again change nothing, and are no act', async () => {
    const before = await reconciling(sandbox, [first]);
    const acts = await audited();
    const after = await reconciling(sandbox, [first]);
    expect(after.statements.map(({ repeat }) => repeat)).toEqual([true]);
    expect({ ...after, statements: [] }).toEqual({ ...before, statements: [] });
    expect(await audited()).toEqual(acts);
    expect(acts).toEqual(['statement.load', 'reconcile']);
  });

  test('what is expected becomes missing when its day has come', async () => {
    const asked = { terms: { lag: 2 } };
    const days = [];
    for (const _ of [0, 1, 2, 3]) {
      days.push((await reconciling(sandbox, [first], asked)).breaks.map(({ state }) => state));
      sandbox.now += DAY;
    }
    expect(days).toEqual([['expected'], ['expected'], ['open'], ['open']]);
  });

  test('overlapping reports share lines, which count once', async () => {
    const both = {
      name: 'both.csv',
      text: saying(
        { reference: 'T1', gross: '10.00', id: 'L1' },
        { reference: 'T2', gross: '20.00', id: 'L2' },
      ),
    };
    const document = await reconciling(sandbox, [first, second, both]);
    expect(told(document)).toEqual([]);
    expect(document.totals.USD).toEqual({
      ledger: '30.00',
      statement: '30.00',
      matched: '30.00',
      open: '0.00',
    });
    expect(
      document.statements.map(({ counted_elsewhere }) => counted_elsewhere).reduce((a, b) => a + b),
    ).toBe(2);
  });

  test('a file that was the wrong one is taken back, and what shared its lines counts again', async () => {
    const both = {
      name: 'both.csv',
      text: saying(
        { reference: 'T1', gross: '10.00', id: 'L1' },
        { reference: 'T9', gross: '9.00', id: 'L9' },
      ),
    };
    const before = await reconciling(sandbox, [first]);
    await reconciling(sandbox, [both]);
    const [books] = await sandbox.database.reads.all<{ number: number }>('SELECT number FROM reconciliation');
    const context = { database: sandbox.database, actor: 'test', now: sandbox.now };
    expect(await forgetStatements(context, books!.number, 'nothing.csv')).toBeUndefined();
    expect(await forgetStatements(context, books!.number, 'both.csv')).toEqual({
      file: 'both.csv',
      statements: 1,
    });
    const after = await reconciling(sandbox, []);
    expect(told(after)).toEqual(told(before));
    expect(after.totals).toEqual(before.totals);
    expect(await audited()).toContain('statement.forget');
    // And it can be loaded again.
    expect(told(await reconciling(sandbox, [both]))).toContain('missing_in_ledger T9 USD – 9.00');
  });
});

describe('what people said of a break', () => {
  const resolve = async (id: string) => {
    const [found] = await breaksNamed(sandbox.database.reads, [id]);
    await sandbox.database.write((statements) =>
      putBreaks(statements, found!.reconciliation, [
        { ...found!, state: 'resolved', resolution: 'known', assignee: 'Ann' },
      ]),
    );
  };

  test('stands as long as the figures do', async () => {
    const [missing] = (await reconciling(sandbox, [first])).breaks;
    await resolve(missing!.id);
    const document = await reconciling(sandbox, []);
    expect(told(document)).toEqual(['resolved missing_in_statement T2 USD 20.00 –']);
    expect(document.comparisons[0]!.ledger).toEqual({
      total: '30.00',
      matched: '10.00',
      open: '0.00',
      expected: '0.00',
      resolved: '20.00',
      count: 2,
    });
  });

  test('does not stand for other figures: the break is open again, still somebody’s', async () => {
    const [missing] = (await reconciling(sandbox, [first])).breaks;
    await resolve(missing!.id);
    const wrong = { name: 'second.csv', text: saying({ reference: 'T2', gross: '19.00' }) };
    const [differs] = (await reconciling(sandbox, [wrong])).breaks;
    expect([differs!.id, differs!.state, differs!.assignee, differs!.resolution]).toEqual([
      missing!.id,
      'open',
      'Ann',
      null,
    ]);
  });

  test('ends with the break when a later statement explains it', async () => {
    const [missing] = (await reconciling(sandbox, [first])).breaks;
    await resolve(missing!.id);
    expect((await reconciling(sandbox, [second])).counts).toMatchObject({ open: 0, resolved: 0, closed: 1 });
  });
});

describe('a file that cannot be used', () => {
  test('leaves nothing behind, and keeps no other from being loaded', async () => {
    const broken = { name: 'broken.csv', text: `${first.text}payment,T2,,USD,1.2.3,,2026-11-20,,,\n` };
    const document = await reconciling(sandbox, [broken, second]);
    expect(document.errors).toMatchObject([{ file: 'broken.csv', line: 3, column: 'gross' }]);
    expect(told(document)).toEqual(['missing_in_statement T1 USD 10.00 –']);
    const count = (table: string) =>
      sandbox.database.reads.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).then(([row]) => row!.n);
    expect([await count('statement'), await count('statement_line')]).toEqual([1, 1]);
  });

  test('what an interrupted load has left is swept by the next', async () => {
    await reconciling(sandbox, [first, second]);
    await sandbox.database.write((statements) =>
      statements.run("UPDATE statement SET loaded_at = NULL WHERE file = 'second.csv'"),
    );
    const document = await reconciling(sandbox, []);
    expect(told(document)).toEqual(['missing_in_statement T2 USD 20.00 –']);
    expect(told(await reconciling(sandbox, [second]))).toEqual([]);
  });
});
