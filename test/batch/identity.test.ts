/** When two lines are the same instruction, across everything that may have happened to the file in between: nothing is paid twice. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BatchDocument } from '../../src/report/document.ts';
import {
  csv,
  documentOf,
  ENTRY,
  outcomes,
  readCsv,
  readJson,
  results,
  Sandbox,
  watched,
} from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(
    { id: 'T1', state: 'captured' },
    { id: 'T2', state: 'captured' },
    { id: 'T3', state: 'in_review' },
    { id: 'T4' },
  );
});
afterEach(() => sandbox.remove());

const REFUND = `${ENTRY},refund_amount`;
const refund = (amount: string, more = '', id = 'T1') => `${id},O-${id},USD,100.00,${amount}${more}`;
const refunds = (...rows: readonly string[]) => csv(REFUND, ...rows);

async function refunded(id = 'T1'): Promise<number> {
  const own = (await sandbox.transfers()).filter((row) => row.startsWith(`${id} refund `));
  return own.reduce((sum, row) => sum + Number(row.split(' ')[2]), 0);
}

describe('in one file', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'F28 the second of two is a duplicate',
      [refund('10.00'), refund('10.00')],
      ['succeeded', 'duplicate B0001'],
    ],
    [
      'however the amount is written',
      [refund('10.5'), refund('10.50'), refund('010.5')],
      ['succeeded', 'duplicate B0001', 'duplicate B0001'],
    ],
    ['another amount is another instruction', [refund('10.00'), refund('10.01')], ['succeeded', 'succeeded']],
    ['so is another transaction', [refund('10.00'), refund('10.00', '', 'T2')], ['succeeded', 'succeeded']],
    [
      'F28 when the first was refused, the second is decided on its own',
      [refund('100.01'), refund('100.01')],
      ['refused V0006', 'refused V0006'],
    ],
    [
      'F28 when the first was invalid as well',
      [refund('0'), refund('10.00')],
      ['invalid I0021', 'succeeded'],
    ],
  ])('%s', async (_, rows, wanted) => {
    expect(outcomes(await sandbox.run('refund.csv', refunds(...rows)))).toEqual(wanted);
  });

  test('the duplicate names its first line', async () => {
    const document = await sandbox.run(
      'refund.csv',
      refunds(refund('10.00'), refund('5.00'), refund('10.00')),
    );
    expect(results(document)[2]).toMatchObject({
      outcome: 'duplicate',
      code: 'B0001',
      gateway_reference: '',
      chunk: '3',
    });
    expect(results(document)[2]!.message).toContain(`${document.batch}:2`);
    expect(readCsv(document.reports.held)).toEqual([
      {
        transaction_id: 'T1',
        order_no: 'O-T1',
        currency: 'USD',
        amount: '100.00',
        refund_amount: '10.00',
        _first: `${document.batch}:2`,
        repeat_of: '',
      },
    ]);
    expect(document.reports.fixme).toBeNull();
  });

  test('text and own columns never count', async () => {
    const content = csv(
      `${REFUND},refund_reason,shop`,
      `${refund('10.00')},damaged,Z1`,
      `${refund('10.00')},not delivered,Z2`,
    );
    expect(outcomes(await sandbox.run('refund.csv', content))).toEqual(['succeeded', 'duplicate B0001']);
  });

  test('a review counts with its flag', async () => {
    const content = csv(
      `${ENTRY},review_flag`,
      'T3,O-T3,USD,100.00,1',
      'T3,O-T3,USD,100.00,1',
      'T3,O-T3,USD,100.00,0',
    );
    expect(outcomes(await sandbox.run('review.csv', content))).toEqual([
      'succeeded',
      'duplicate B0001',
      'refused V0009',
    ]);
  });

  test('another operation is another instruction', async () => {
    const content = csv(
      `operation,${REFUND}`,
      'capture,T4,O-T4,USD,100.00,',
      'refund,T4,O-T4,USD,100.00,100.00',
      'capture,T4,O-T4,USD,100.00,',
    );
    expect(outcomes(await sandbox.run('november.csv', content))).toEqual([
      'succeeded',
      'succeeded',
      'duplicate B0001',
    ]);
  });

  test('the same ids in another account are another transaction', async () => {
    await sandbox.account();
    await sandbox.given({ id: 'T1', state: 'captured', account: 2 });
    const content = csv(`account_id,${REFUND}`, `A1,${refund('10.00')}`, `A2,${refund('10.00')}`);
    expect(outcomes(await sandbox.run('refund.csv', content, { merchantId: 'M1' }))).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });
});

describe('across files', () => {
  const FIRST = refunds(refund('10.50'), refund('20.00', '', 'T2'));
  const asJson = (amount: string) => ({
    transaction_id: 'T1',
    order_no: 'O-T1',
    currency: 'USD',
    amount: '100',
    refund_amount: amount,
  });

  test.each<[string, string, string]>([
    ['F31 other bytes under the same name', 'refund.csv', refunds(refund('10.50'))],
    ['re-saved: the amount without its zero', 'refund.csv', refunds(refund('10.5'))],
    [
      're-saved: other columns, in another order, by another program',
      'refunds november.csv',
      'shop;refund_amount;amount;currency;order_no;transaction_id\r\nZ1;10.50;100;USD;O-T1;T1\r\n',
    ],
    ['with one more column', 'refund.csv', csv(`${REFUND},note`, `${refund('10.50')},again`)],
    ['with a blank line at its end', 'refund.csv', `${refunds(refund('10.50'))}\n`],
    ['as a JSON array', 'refund.json', JSON.stringify([asJson('10.50')])],
    [
      'as an envelope',
      'refund.json',
      JSON.stringify({ merchant_id: 'M1', account_id: 'A1', refund_orders: [asJson('10.5')] }),
    ],
    ['one object per line', 'refund.ndjson', `${JSON.stringify(asJson('10.50'))}\n`],
  ])('%s: the line is a duplicate of the first', async (_, name, content) => {
    const first = await sandbox.run('refund.csv', FIRST);
    const document = await sandbox.run(name, content);
    expect(document).toMatchObject({ repeat: false, exit: 3 });
    expect(outcomes(document)).toEqual(['duplicate B0001']);
    expect(results(document)[0]!.message).toContain(`${first.batch}:2`);
    expect(await refunded()).toBe(1_050);
  });

  test('however long ago', async () => {
    await sandbox.run('refund.csv', FIRST);
    sandbox.now += 400 * 24 * 60 * 60 * 1000;
    expect(outcomes(await sandbox.run('refund-2027.csv', refunds(refund('10.50'))))).toEqual([
      'duplicate B0001',
    ]);
  });

  test('a file with old lines and new ones: only the new ones run', async () => {
    await sandbox.run('refund.csv', FIRST);
    const document = await sandbox.run(
      'refund.csv',
      refunds(refund('1.00'), refund('10.50'), refund('20.00', '', 'T2'), refund('2.00', '', 'T2')),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001', 'duplicate B0001', 'succeeded']);
    expect([await refunded('T1'), await refunded('T2')]).toEqual([1_150, 2_200]);
  });
});

describe('references', () => {
  const REFERENCED = `${REFUND},reference`;

  test.each<[string, readonly [string, string][], readonly string[]]>([
    [
      'that differ: both run',
      [
        ['10.00', 'R1'],
        ['10.00', 'R2'],
      ],
      ['succeeded', 'succeeded'],
    ],
    [
      'that are the same: a duplicate',
      [
        ['10.00', 'R1'],
        ['10.00', 'R1'],
      ],
      ['succeeded', 'duplicate B0001'],
    ],
    [
      'only the first has one: a duplicate',
      [
        ['10.00', 'R1'],
        ['10.00', ''],
      ],
      ['succeeded', 'duplicate B0001'],
    ],
    [
      'only the second has one: a duplicate',
      [
        ['10.00', ''],
        ['10.00', 'R1'],
      ],
      ['succeeded', 'duplicate B0001'],
    ],
    [
      'the same with another amount: invalid',
      [
        ['10.00', 'R1'],
        ['11.00', 'R1'],
      ],
      ['succeeded', 'invalid B0014'],
    ],
    [
      'the same with another amount, when the first was refused',
      [
        ['100.01', 'R1'],
        ['11.00', 'R1'],
      ],
      ['refused V0006', 'succeeded'],
    ],
    [
      'a third like the second',
      [
        ['10.00', 'R1'],
        ['10.00', 'R2'],
        ['10.00', 'R2'],
      ],
      ['succeeded', 'succeeded', 'duplicate B0001'],
    ],
  ])('%s', async (_, lines, wanted) => {
    const content = csv(REFERENCED, ...lines.map(([amount, reference]) => `${refund(amount)},${reference}`));
    expect(outcomes(await sandbox.run('refund.csv', content))).toEqual(wanted);
    // The same when every line comes in a file of its own.
    const own = await Sandbox.make();
    await own.given({ id: 'T1', state: 'captured' });
    const found: string[] = [];
    for (const [at, [amount, reference]] of lines.entries()) {
      found.push(
        ...outcomes(
          await own.run(`refund-${at}.csv`, csv(`${REFERENCED},at`, `${refund(amount)},${reference},${at}`)),
        ),
      );
    }
    expect(found).toEqual(wanted);
    await own.remove();
  });

  test('are the sender’s own per transaction and operation', async () => {
    const content = csv(
      `operation,${REFERENCED}`,
      `refund,${refund('10.00')},R1`,
      `refund,${refund('11.00', '', 'T2')},R1`,
      'capture,T4,O-T4,USD,12.00,,R1',
      'cancel,T4,O-T4,USD,88.00,,R1',
    );
    expect(outcomes(await sandbox.run('november.csv', content))).toEqual(Array(4).fill('succeeded'));
  });
});

describe('what holds no identity', () => {
  test('refused, invalid and not sent lines: the whole file, corrected, can be dropped again', async () => {
    const first = await sandbox.run(
      'refund.csv',
      refunds(refund('10.00'), refund('90.01'), refund('x'), refund('5.00', '', 'T9')),
    );
    expect(outcomes(first)).toEqual(['succeeded', 'refused V0006', 'invalid I0021', 'refused V0001']);
    const whole = await sandbox.run(
      'refund.csv',
      refunds(refund('10.00'), refund('90.00'), refund('x'), refund('5.00', '', 'T2')),
    );
    expect(outcomes(whole)).toEqual(['duplicate B0001', 'succeeded', 'invalid I0021', 'succeeded']);
    expect([await refunded('T1'), await refunded('T2')]).toEqual([10_000, 500]);
  });

  test('the fixme, corrected, runs; as it is, it is refused again; and its corrected lines run once', async () => {
    const first = await sandbox.run('refund.csv', refunds(refund('10.00'), refund('90.01'), refund('1O.00')));
    const text = readFileSync(first.reports.fixme!, 'utf8');
    expect(
      readCsv(first.reports.fixme).map(({ _problem, _line_of }) => [_problem?.slice(0, 5), _line_of]),
    ).toEqual([
      ['V0006', `${first.batch}:3`],
      ['I0021', `${first.batch}:4`],
    ]);
    const asIs = await sandbox.run('refund.fixme.csv', text);
    expect(outcomes(asIs)).toEqual(['refused V0006', 'invalid I0021']);
    const corrected = await sandbox.run(
      'refund.fixme.csv',
      text.replace('90.01', '40.00').replace('1O.00', '50.00'),
    );
    expect(outcomes(corrected)).toEqual(['succeeded', 'succeeded']);
    const twice = await sandbox.run(
      'refund.fixme.csv',
      `${text.replace('90.01', '40.00').replace('1O.00', '50.00')}\n`,
    );
    expect(outcomes(twice)).toEqual(['duplicate B0001', 'duplicate B0001']);
    expect(await refunded()).toBe(10_000);
  });
});

describe('repeat_of: the sender says that a repeat is meant', () => {
  const AGAIN = `${REFUND},repeat_of`;
  let first: BatchDocument;
  beforeEach(async () => {
    first = await sandbox.run('refund.csv', refunds(refund('10.00'), refund('3.00', '', 'T2')));
  });

  test('naming the true first line: it runs', async () => {
    const document = await sandbox.run('refund-2.csv', csv(AGAIN, `${refund('10.00')},${first.batch}:2`));
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(await refunded()).toBe(2_000);
  });

  test.each<[string, () => string]>([
    ['a line that is another instruction', () => `${first.batch}:3`],
    ['a line that there is not', () => `${first.batch}:99`],
    ['a batch that there is not', () => 'B0000000000000000:2'],
    ['anything else', () => 'yes'],
  ])('naming %s: it stays a duplicate', async (_, name) => {
    const document = await sandbox.run('refund-2.csv', csv(AGAIN, `${refund('10.00')},${name()}`));
    expect(outcomes(document)).toEqual(['duplicate B0001']);
    expect(await refunded()).toBe(1_000);
  });

  test('the held file, filled in, runs once: dropped again with a blank line more, it is not paid twice', async () => {
    const again = await sandbox.run('refund-2.csv', csv(`note,${REFUND}`, `x,${refund('10.00')}`));
    const filled = readFileSync(again.reports.held!, 'utf8').replace(/(B\w+:2),$/m, '$1,$1');
    expect(outcomes(await sandbox.run('refund-2.held.csv', filled))).toEqual(['succeeded']);
    expect(outcomes(await sandbox.run('refund-2.held.csv', `${filled}\n`))).toEqual(['duplicate B0001']);
    expect(await sandbox.run('other name for a refund.csv', filled, { operation: 'refund' })).toMatchObject({
      repeat: true,
    });
    expect(await refunded()).toBe(2_000);
  });

  test('two held lines of one file, released by repeat_of, both run; and then neither again', async () => {
    const held = await sandbox.run('refund-2.csv', refunds(refund('10.00'), refund('10.00'), refund('7.00')));
    expect(outcomes(held)).toEqual(['duplicate B0001', 'duplicate B0001', 'succeeded']);
    const filled = csv(AGAIN, `${refund('10.00')},${first.batch}:2`, `${refund('10.00')},${first.batch}:2`);
    expect(outcomes(await sandbox.run('refund-2.held.csv', filled))).toEqual(['succeeded', 'succeeded']);
    expect(outcomes(await sandbox.run('refund-3.held.csv', `${filled}\n`))).toEqual([
      'duplicate B0001',
      'duplicate B0001',
    ]);
    expect(await refunded()).toBe(3_700);
  });

  test('in JSON: the held file has the empty key, and with it filled in the line runs', async () => {
    const entry = {
      transaction_id: 'T1',
      order_no: 'O-T1',
      currency: 'USD',
      amount: '100.00',
      refund_amount: '10.00',
    };
    const held = await sandbox.run('refund.json', JSON.stringify({ refund_orders: [entry] }));
    const [line] = readJson(held.reports.held);
    expect(line).toEqual({ ...entry, _first: `${first.batch}:2`, repeat_of: '' });
    const filled = JSON.stringify({ refund_orders: [{ ...line, repeat_of: `${first.batch}:2` }] });
    expect(outcomes(await sandbox.run('refund.held.json', filled))).toEqual(['succeeded']);
    expect(await refunded()).toBe(2_000);
  });

  test('money that is not there is refused all the same', async () => {
    const all = await sandbox.run('refund-2.csv', refunds(refund('90.00')));
    expect(outcomes(all)).toEqual(['succeeded']);
    expect(
      outcomes(await sandbox.run('refund-3.csv', csv(AGAIN, `${refund('10.00')},${first.batch}:2`))),
    ).toEqual(['refused V0006']);
  });
});

describe('--repeats allow', () => {
  test('lets repeats inside the file run, and those of other files stay held', async () => {
    const content = refunds(refund('10.00'), refund('10.00'), refund('10.00'));
    const first = await sandbox.run('refund.csv', content, { repeats: 'allow' });
    expect(outcomes(first)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const second = await sandbox.run('refund.csv', `${content}\n`, { repeats: 'allow' });
    expect(outcomes(second)).toEqual(Array(3).fill('duplicate B0001'));
    expect(await refunded()).toBe(3_000);
  });

  test('does not change what a reference means', async () => {
    const content = csv(`${REFUND},reference`, `${refund('10.00')},R1`, `${refund('11.00')},R1`);
    expect(outcomes(await sandbox.run('refund.csv', content, { repeats: 'allow' }))).toEqual([
      'succeeded',
      'invalid B0014',
    ]);
  });

  test('is no part of what makes a file the same: dropped again without it, nothing runs', async () => {
    const content = refunds(refund('10.00'), refund('10.00'));
    await sandbox.run('refund.csv', content, { repeats: 'allow' });
    expect(await sandbox.run('refund.csv', content)).toMatchObject({ repeat: true, lines: { succeeded: 2 } });
  });
});

describe('batch release', () => {
  let held: BatchDocument;
  beforeEach(async () => {
    await sandbox.run('refund.csv', refunds(refund('10.00'), refund('3.00', '', 'T2')));
    held = await sandbox.run(
      'refund-2.csv',
      refunds(refund('10.00'), refund('3.00', '', 'T2'), refund('10.00'), refund('1.00')),
    );
    expect(outcomes(held)).toEqual(['duplicate B0001', 'duplicate B0001', 'duplicate B0001', 'succeeded']);
  });

  test('executes exactly the lines that are named, in a revision of its own', async () => {
    const document = documentOf(await sandbox.release(held, [2, 4]));
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001', 'succeeded', 'succeeded']);
    expect(document).toMatchObject({ revision: 2, lines: { succeeded: 3, duplicate: 1 } });
    expect(
      results(document).map(({ attempt, gateway_reference }) => `${attempt} ${gateway_reference}`),
    ).toEqual([`2 ${held.batch}-2-2`, '1 ', `2 ${held.batch}-4-2`, `1 ${held.batch}-5`]);
    expect([await refunded('T1'), await refunded('T2')]).toEqual([3_100, 300]);
  });

  test('once: a released line is no duplicate any more', async () => {
    await sandbox.release(held, [2]);
    expect(await sandbox.release(held, [2])).toEqual({ refusal: 'line 2 is succeeded, not a duplicate' });
    expect(await refunded()).toBe(2_100);
  });

  test('by two people at once: one of them does it', async () => {
    const both = await Promise.all([sandbox.release(held, [2]), sandbox.release(held, [2])]);
    expect(both.filter((one) => typeof one === 'object' && 'batch' in one)).toHaveLength(1);
    expect(await refunded()).toBe(2_100);
  });

  test.each<[readonly number[], string]>([
    [[5], 'line 5 is succeeded, not a duplicate'],
    [[2, 99], 'the file has no line 99'],
    [[1], 'the file has no line 1'],
  ])('refuses lines %j', async (lines, refusal) => {
    expect(await sandbox.release(held, lines)).toEqual({ refusal });
    expect(await refunded()).toBe(1_100);
    expect(await sandbox.record(held.batch)).toMatchObject({ status: 'completed', revision: 1 });
  });

  test('and the held file, filled in all the same, does not pay the line once more', async () => {
    await sandbox.release(held, [3]);
    const filled = readFileSync(held.reports.held!, 'utf8').replace(/^(T2.*),(B\w+:3),$/m, '$1,$2,$2');
    const document = await sandbox.run('refund-2.held.csv', filled);
    expect(outcomes(document)).toEqual(Array(3).fill('duplicate B0001'));
    expect(await refunded('T2')).toBe(600);
  });

  test('interrupted between the gateway’s commit and the journal, and resumed: not executed twice', async () => {
    const gateway = watched(sandbox.engine(), {
      after() {
        throw new Error('killed');
      },
    });
    await expect(sandbox.release(held, [2, 4], { gateway })).rejects.toThrow('killed');
    expect(await refunded()).toBeGreaterThan(1_100);
    const document = documentOf(await sandbox.resume(held));
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001', 'succeeded', 'succeeded']);
    expect(document).toMatchObject({ revision: 2, status: 'completed' });
    expect(await refunded()).toBe(3_100);
  });

  test('lines that lie far apart keep what became of them', async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `U${index}`);
    await sandbox.given(...ids.map((id) => ({ id, state: 'captured' as const })));
    const rows = ids.map((id) => refund('1.00', '', id));
    rows[3] = rows[0]!;
    rows[2_400] = rows[1]!;
    const document = await sandbox.run('refunds.csv', refunds(...rows));
    expect(document.lines).toMatchObject({ succeeded: 2_498, duplicate: 2 });
    const released = documentOf(await sandbox.release(document, [5, 2_402]));
    expect(released).toMatchObject({
      exit: 0,
      lines: { succeeded: 2_500, duplicate: 0 },
      chunks: { planned: 51, done: 51 },
    });
    expect(
      results(released)
        .filter(({ attempt }) => attempt === '2')
        .map(({ line }) => line),
    ).toEqual(['5', '2402']);
    const report = JSON.parse(readFileSync(released.reports.json!, 'utf8'));
    expect(report.changes).toEqual([
      { line: 5, from: 'duplicate', to: 'succeeded', code: '' },
      { line: 2402, from: 'duplicate', to: 'succeeded', code: '' },
    ]);
  });
});

describe('a run that died between the gateway’s commit and the journal', () => {
  const killed = () =>
    watched(sandbox.engine(), {
      after() {
        throw new Error('killed');
      },
    });

  test.each(['hold', 'allow'] as const)(
    'run again with --repeats %s: every line once, with its own result',
    async (repeats) => {
      const content = refunds(refund('10.00'), refund('10.00'), refund('3.00', '', 'T2'));
      await expect(sandbox.run('refund.csv', content, { repeats }, { gateway: killed() })).rejects.toThrow(
        'killed',
      );
      const document = await sandbox.run('refund.csv', content, { repeats });
      expect(outcomes(document)).toEqual(
        repeats === 'hold' ? ['succeeded', 'duplicate B0001', 'succeeded'] : Array(3).fill('succeeded'),
      );
      expect(await refunded()).toBe(repeats === 'hold' ? 1_000 : 2_000);
      expect(results(document)[0]).toMatchObject({ gateway_reference: `${document.batch}-2` });
    },
  );

  test.each(['hold', 'allow'] as const)(
    'even when the stored answers are gone by then (%s)',
    async (repeats) => {
      const content = refunds(refund('10.00'), refund('10.00'), refund('3.00', '', 'T2'));
      await expect(sandbox.run('refund.csv', content, { repeats }, { gateway: killed() })).rejects.toThrow(
        'killed',
      );
      await sandbox.database.write((statements) => statements.run('DELETE FROM answer'));
      const document = await sandbox.run('refund.csv', content, { repeats });
      expect(outcomes(document)).toEqual(
        repeats === 'hold' ? ['succeeded', 'duplicate B0001', 'succeeded'] : Array(3).fill('succeeded'),
      );
      expect(await refunded()).toBe(repeats === 'hold' ? 1_000 : 2_000);
      expect(document.breakdown).toMatchObject([{ moved_out: repeats === 'hold' ? '13.00' : '23.00' }]);
    },
  );
});
