/** `batchgate break …` as people and programs use it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountBreak } from '../../src/reconcile/decisions/find.ts';
import type { BreakStory } from '../../src/reconcile/decisions/story.ts';
import { aBreak, breakActs, dayFromNow, inLedger, storeBreaks } from '../support/breaks.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';

let made: CliSandbox;
let cli: CliSandbox;

/** Of two accounts: differences, something missing on either side, what waits, what is over, and what is no money. */
beforeAll(async () => {
  made = await makeSandbox();
  await made.run('account', 'add', '--merchant', 'M2', '--account', 'B1', '--currency', 'EUR');
  await storeBreaks(made.data, [
    aBreak(1),
    aBreak(2, { kind: 'missing_in_ledger', ledger: null, statement: 2_000_000n, currency: 'USD' }),
    aBreak(3, {
      kind: 'missing_in_statement',
      statement: null,
      place: null,
      state: 'expected',
      due: dayFromNow(2),
      day: dayFromNow(0),
    }),
    aBreak(4, { state: 'resolved', resolution: 'a cheque', assignee: 'anna' }),
    aBreak(5, { state: 'closed', closed: dayFromNow(-1) }),
    aBreak(6, {
      kind: 'control_total',
      currency: null,
      ledger: 10n,
      statement: 9n,
      compared: false,
      day: dayFromNow(-40),
      reference: 'S-2026-11',
    }),
  ]);
  await storeBreaks(
    made.data,
    [
      aBreak(7, {
        side: 'bank',
        kind: 'currency_differs',
        statementCurrency: 'JPY',
        statement: 1300n,
        assignee: 'bert',
      }),
    ],
    2,
  );
});
afterAll(() => made.remove());

beforeEach(() => {
  cli = made.copy();
});
afterEach(() => cli.remove());

const id = (number: number) => `K${String(number).padStart(16, '0')}`;

interface Listed {
  readonly total: number;
  readonly breaks: readonly AccountBreak[];
}

async function listed(...filter: readonly string[]): Promise<readonly number[]> {
  const { breaks } = await cli.json<Listed>('break', 'list', ...filter);
  return breaks.map((one) => Number(one.id.slice(1)));
}

interface Acted {
  readonly exit: number;
  readonly result: string;
  readonly yes: string | null;
  readonly breaks: number;
  readonly unchanged: number;
  readonly net: Readonly<Record<string, string>>;
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly first: readonly AccountBreak[];
}

describe('break list', () => {
  test.each<[string, readonly string[], readonly number[]]>([
    ['what is left, the weightiest first', [], [2, 6, 7, 3, 1]],
    ['open ones', ['--state', 'open'], [2, 6, 7, 1]],
    ['all of them', ['--state', 'all'], [2, 6, 7, 3, 1, 4, 5]],
    ['of a kind', ['--kind', 'amount_differs'], [1]],
    ['of two kinds', ['--kind', 'amount_differs', '--kind', 'control_total'], [6, 1]],
    ['of a side', ['--side', 'bank'], [7]],
    ['of a currency, on either side', ['--currency', 'jpy'], [7]],
    ['severe ones', ['--severity', 'high'], [2, 6]],
    ["somebody's", ['--assignee', 'bert'], [7]],
    ["nobody's", ['--assignee', 'none'], [2, 6, 3, 1]],
    ['by a part of the reference', ['--reference', 's-2026'], [6]],
    ['by a reference that a pattern would take for more', ['--reference', 'T%'], []],
    ['of an amount', ['--min-amount', '12.51'], [2, 7]],
    ['older than some days', ['--older-than', '2'], [2, 6, 7, 1]],
    ['older than they are', ['--older-than', '40'], []],
    ['of a merchant', ['--merchant', 'M2'], [7]],
    ['of an account, so many', ['--account', 'A1', '--limit', '2'], [2, 6]],
  ])('%s', async (_, filter, numbers) => {
    expect(await listed(...filter)).toEqual(numbers);
  });

  test('says whose they are, and how many there are beyond a limit', async () => {
    const document = await cli.json<Listed>('break', 'list', '--limit', '1');
    expect(document).toMatchObject({
      environment: 'sandbox',
      total: 5,
      breaks: [
        { id: id(2), merchant: 'M1', account: 'A1', gateway: 'engine', severity: 'high', ledger: null },
      ],
    });
    expect((await cli.json<Listed>('break', 'list', '--reference', 'nothing')).breaks).toEqual([]);
  });

  test('for people', async () => {
    const { out, exit } = await cli.run('break', 'list', '--limit', '4');
    expect(exit).toBe(0);
    expect(out).toContain('missing_in_ledger');
    expect(out).toContain('20000.00');
    expect(out).not.toContain(id(1));
    expect(out).toContain('… and 1 more');
    expect(out).toContain('5 breaks: 4 open, 1 expected; 2 high, 1 medium, 2 low');
  });

  test('hides nothing that a reference has in it, and breaks no line', async () => {
    await storeBreaks(cli.data, [aBreak(8, { reference: '\u001b[31mred\u202e' })]);
    const { out } = await cli.run('break', 'list', '--reference', 'red');
    expect(out).toContain('\\u001b[31mred\\u202e');
  });

  test.each([
    [['--state', 'all', '--reference', 'nothing'], 'no break fits\n'],
    [['--kind', 'ambiguous'], 'no break fits\n'],
  ])('says so when there is none: %j', async (filter, err) => {
    expect(await cli.run('break', 'list', ...filter)).toMatchObject({ exit: 0, out: '', err });
  });

  test('severity goes by the configuration', async () => {
    writeFileSync(
      join(cli.data, 'batchgate.yaml'),
      'reconcile:\n  accounts:\n    M1/A1:\n      severity:\n        high: { amount: 2, days: 300 }\n',
    );
    expect(await listed('--severity', 'high')).toEqual([2, 3, 1]);
  });

  test.each([
    [['--min-amount', '1,5'], '--min-amount 1,5 is not an amount'],
    [['--older-than', 'week'], '--older-than week is not a whole number'],
    [['--limit', '-1'], '--limit'],
    [['--currency', 'EURO'], '--currency EURO is no ISO 4217 code'],
    [['--kind', 'nonsense'], 'kind cannot be nonsense'],
    [['--merchant', 'M9'], 'there is no account M9/…'],
  ])('%j is refused', async (filter, message) => {
    const { exit, err } = await cli.run('break', 'list', ...filter);
    expect(exit).toBe(2);
    expect(err).toContain(message);
  });
});

describe('break show', () => {
  test('tells the whole story', async () => {
    await cli.run('break', 'assign', id(1), '--to', 'anna');
    await cli.run('break', 'comment', id(1), '--text', 'asked the acquirer');
    await cli.run('break', 'resolve', id(1), '--reason', 'they paid the rest');
    const { out, err } = await cli.run('break', 'show', id(1).toLowerCase());
    for (const part of [
      `${id(1)}  resolved, low: amount differs`,
      'Books and statement have it with different amounts.',
      "M1/A1 at engine, compared with the acquirer's statements",
      '-2.50 EUR',
      'report.csv:2',
      'asked the acquirer',
      'they paid the rest',
    ])
      expect(out).toContain(part);
    expect(err).toContain(`next: batchgate break reopen ${id(1)}`);
  });

  test('has what both sides say', async () => {
    const [{ transaction_id: transaction }] = (await inLedger(cli.data, ({ reads }) =>
      reads.all<{ transaction_id: string }>(
        "SELECT transaction_id FROM txn WHERE state = 'captured' ORDER BY number LIMIT 1",
      ),
    )) as [{ transaction_id: string }];
    await storeBreaks(cli.data, [aBreak(9, { reference: transaction, place: 'a:b.csv:17' })]);
    await inLedger(cli.data, (database) =>
      database.write(async (statements) => {
        await statements.run(
          `INSERT INTO statement (number, reconciliation, file, sha256, place, profile, reading, subject, source, loaded_at)
           VALUES (1, 1, 'a:b.csv', 'x', 1, 'batchgate', '', 'balance', 'batchgate', 1)`,
        );
        await statements.run(
          `INSERT INTO statement_line (reconciliation, statement, line, role, kind, currency, gross, fee, net, booked, reference, text)
           VALUES (1, 1, 17, 1, 'payment', 'EUR', 1000, 20, 980, '2026-11-18', ?, 'what the acquirer says')`,
          [transaction],
        );
      }),
    );
    const { breaks } = await cli.json<{ breaks: readonly BreakStory[] }>('break', 'show', id(9), id(1));
    expect(breaks.map((one) => one.id)).toEqual([id(9), id(1)]);
    expect(breaks[0]).toMatchObject({
      lines: [{ kind: 'payment', gross: '10.00', fee: '0.20', net: '9.80', text: 'what the acquirer says' }],
      books: { is: 'transaction', id: transaction },
    });
    expect(breaks[1]).toMatchObject({ lines: [], books: null, acts: [] });
    const { out } = await cli.run('break', 'show', id(9));
    expect(out).toContain('gross 10.00, fee 0.20, net 9.80 EUR');
    expect(out).toContain(`batchgate explain ${transaction}`);
  });

  test('of an unknown one ends with 2', async () => {
    const { exit, err } = await cli.run('break', 'show', id(1), 'K9');
    expect([exit, err.split('\n')[0]]).toEqual([2, 'there is no break K9']);
  });
});

describe('acts on breaks that are named', () => {
  test('are done at once, and stand in the audit', async () => {
    expect(await cli.run('break', 'resolve', id(1), id(3), '--reason', '  a cheque ')).toMatchObject({
      exit: 0,
      out: '2 breaks resolved\n',
    });
    expect(await listed('--state', 'resolved')).toEqual([3, 1, 4]);
    const acts = await breakActs(cli.data);
    expect(acts.map(({ act, subject }) => [act, subject])).toEqual([
      ['break.resolve', id(1)],
      ['break.resolve', id(3)],
    ]);
    expect(acts[0]!.detail).toEqual({
      reason: 'a cheque',
      was: 'open',
      of: {
        merchant: 'M1',
        account: 'A1',
        kind: 'amount_differs',
        reference: 'T1',
        currency: 'EUR',
        ledger: '12.50',
        statement: '10.00',
      },
    });
    expect((await cli.run('verify')).exit).toBe(0);
  });

  test('said again change nothing', async () => {
    const words: readonly (readonly string[])[] = [
      ['assign', id(1), '--to', 'anna'],
      ['comment', id(1), '--text', 'asked'],
      ['resolve', id(1), '--reason', 'a cheque'],
      ['reopen', id(4), '--reason', 'it bounced'],
    ];
    for (const act of words) expect((await cli.run('break', ...act)).exit).toBe(0);
    const before = await breakActs(cli.data);
    for (const act of words)
      expect(await cli.run('break', ...act)).toMatchObject({
        exit: 0,
        err: 'nothing to do: 1 break stands so already\n',
      });
    expect(await breakActs(cli.data)).toEqual(before);
    expect(before.map(({ act }) => act)).toEqual(words.map(([act]) => `break.${act}`));
  });

  test('reopening takes the reason away', async () => {
    await cli.run('break', 'reopen', id(4), '--reason', 'it bounced');
    const { breaks } = await cli.json<Listed>('break', 'list', '--assignee', 'anna');
    expect(breaks).toMatchObject([{ id: id(4), state: 'open', resolution: null }]);
  });

  test('one that cannot be done stops all', async () => {
    await cli.run('break', 'resolve', id(1), '--reason', 'a cheque');
    const { exit, err, out } = await cli.run(
      'break',
      'resolve',
      id(2),
      id(1),
      id(5),
      'K77',
      '--reason',
      'cash',
    );
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('3 of 4 breaks cannot be done; nothing was changed');
    expect(err).toMatch(
      new RegExp(`${id(1)}: it was resolved already, by .+ on \\d{4}-\\d\\d-\\d\\d: a cheque`),
    );
    expect(err).toContain(`${id(5)}: it is closed since`);
    expect(err).toContain('K77: there is no such break');
    expect(await listed('--state', 'resolved')).toEqual([1, 4]);
    expect(await breakActs(cli.data)).toHaveLength(1);
  });

  test('programs are told the same', async () => {
    const done = await cli.json<Acted>('break', 'assign', id(1), id(2), '--to', 'anna');
    expect(done).toMatchObject({
      exit: 0,
      act: 'assign',
      result: 'done',
      breaks: 2,
      net: { EUR: '-2.50', USD: '20000.00' },
      first: [
        { id: id(1), assignee: 'anna' },
        { id: id(2), assignee: 'anna' },
      ],
    });
    const refused = await cli.json<Acted>('break', 'reopen', id(1), '--reason', 'no');
    expect(refused).toMatchObject({
      exit: 2,
      result: 'refused',
      refused: [{ id: id(1), message: 'it is open already' }],
    });
  });

  test.each<[string, readonly string[], string]>([
    ['nothing is named', ['resolve', '--reason', 'x'], 'say which breaks'],
    ['ids and a filter are', ['resolve', id(1), '--side', 'bank', '--reason', 'x'], 'not both'],
    ['ids and --yes are', ['resolve', id(1), '--yes', 'ABCDEF', '--reason', 'x'], '--yes goes with a filter'],
    ['there is no reason', ['resolve', id(1)], '--reason must be given'],
    ['the reason has two lines', ['resolve', id(1), '--reason', 'a\nb'], '--reason has a line break'],
    ['the comment is too long', ['comment', id(1), '--text', 'x'.repeat(4097)], '--text is longer than 4096'],
    ['nobody is named', ['assign', id(1)], '--to must be given'],
  ])('are refused when %s', async (_, words, message) => {
    const { exit, err } = await cli.run('break', ...words);
    expect(exit).toBe(2);
    expect(err).toContain(message);
    expect(await breakActs(cli.data)).toEqual([]);
  });

  test('a card number is cut before it is kept or shown', async () => {
    await cli.run('break', 'resolve', id(1), '--reason', 'card 4111111111111111');
    await cli.run('break', 'assign', id(1), '--to', '4111111111111111');
    const { out } = await cli.run('break', 'show', id(1));
    expect(out).toContain('card 411111******1111');
    expect(out).not.toContain('4111111111111111');
    expect(JSON.stringify(await breakActs(cli.data))).not.toContain('4111111111111111');
    const { err } = await cli.run('break', 'resolve', '--side', 'bank', '--reason', '4111111111111111');
    expect(err).toContain("--reason '411111******1111'");
  });
});

describe('acts on breaks that a filter finds', () => {
  const act = ['break', 'resolve', '--side', 'acquirer', '--reason', 'new tariff, agreed'];

  test('are shown first, and done with what they were shown with', async () => {
    const shown = await cli.run(...act);
    expect(shown.exit).toBe(0);
    expect(shown.out).toContain('4 breaks would be resolved; nothing is changed yet');
    expect(shown.out).toContain('statements less ledger: EUR -15.00, USD 20000.00');
    expect(await breakActs(cli.data)).toEqual([]);
    const [, digest] =
      /^next: batchgate break resolve --reason 'new tariff, agreed' --side acquirer --data \S+ --yes ([0-9A-F]{6})$/m.exec(
        shown.err,
      ) ?? [];
    const done = await cli.run(...act, '--yes', digest!.toLowerCase());
    expect(done).toMatchObject({ exit: 0, out: '4 breaks resolved\n' });
    expect(await listed()).toEqual([7]);
    const acts = await breakActs(cli.data);
    expect(acts.map(({ subject }) => subject)).toEqual([id(2), id(6), id(3), id(1)]);
    expect(acts.every(({ detail }) => detail.together === digest)).toBe(true);
  });

  test.each<[string, (data: string) => Promise<unknown>]>([
    ['another break fits', (data) => storeBreaks(data, [aBreak(8)])],
    ['one does not fit any more', (data) => storeBreaks(data, [aBreak(1, { state: 'closed' })])],
    [
      'one has another state',
      (data) => storeBreaks(data, [aBreak(3, { kind: 'missing_in_statement', statement: null })]),
    ],
    ['one has another amount', (data) => storeBreaks(data, [aBreak(1, { statement: 999n })])],
  ])('are not done when %s meanwhile', async (_, change) => {
    const { yes } = await cli.json<Acted>(...act);
    await change(cli.data);
    const before = await listed('--state', 'all');
    const { exit, err } = await cli.run(...act, '--yes', yes!);
    expect(exit).toBe(2);
    expect(err).toContain('not any more what was shown with this --yes; nothing was changed');
    expect(await listed('--state', 'all')).toEqual(before);
    expect(await breakActs(cli.data)).toEqual([]);
  });

  test('are done when what changed has nothing to do with them', async () => {
    const { yes } = await cli.json<Acted>(...act);
    await cli.run('break', 'assign', id(1), '--to', 'anna');
    expect((await cli.json<Acted>(...act, '--yes', yes!)).result).toBe('done');
  });

  test('the consent to one act is none to another', async () => {
    const { yes } = await cli.json<Acted>(...act);
    expect((await cli.run('break', 'assign', '--side', 'acquirer', '--to', 'anna', '--yes', yes!)).exit).toBe(
      2,
    );
  });

  test('many are shown by their number, their sum and the first ten', async () => {
    await storeBreaks(
      cli.data,
      Array.from({ length: 2_500 }, (_, index) => aBreak(100 + index, { kind: 'fee_differs' })),
    );
    const many = ['break', 'comment', '--kind', 'fee_differs', '--text', 'old tariff'];
    const shown = await cli.json<Acted>(...many);
    expect(shown).toMatchObject({ result: 'shown', breaks: 2_500, net: { EUR: '-6250.00' } });
    expect(shown.first).toHaveLength(10);
    expect((await cli.json<Acted>(...many, '--yes', shown.yes!)).result).toBe('done');
    expect(await cli.json<Acted>(...many)).toMatchObject({ result: 'nothing_to_do', unchanged: 2_500 });
    expect(await breakActs(cli.data)).toHaveLength(2_500);
    expect((await cli.run('verify')).exit).toBe(0);
  });

  test('nothing fits', async () => {
    expect(await cli.run('break', 'reopen', '--kind', 'ambiguous', '--reason', 'x')).toMatchObject({
      exit: 0,
      err: 'nothing to do: no break fits\n',
    });
  });

  test('one that cannot be done stops all, before anything is asked', async () => {
    const { exit, err } = await cli.run(
      'break',
      'resolve',
      '--state',
      'all',
      '--side',
      'acquirer',
      '--reason',
      'x',
    );
    expect(exit).toBe(2);
    expect(err).toContain('2 of 6 breaks cannot be done');
  });
});

describe('backup and restore', () => {
  test('bring decisions back that were made before, and count those that were made since', async () => {
    const folder = join(cli.folder, 'backup');
    await cli.run('break', 'resolve', id(1), '--reason', 'a cheque');
    await cli.run('backup', folder);
    await cli.run('break', 'assign', id(2), id(3), '--to', 'anna');
    const { out, exit } = await cli.run('restore', folder);
    expect(exit).toBe(0);
    expect(out).toContain('2 decisions on breaks since: decide again');
    expect(await listed('--assignee', 'none', '--state', 'all')).toEqual([2, 6, 3, 1, 5]);
    expect(await listed('--state', 'resolved')).toEqual([1, 4]);
    expect((await cli.run('verify')).exit).toBe(0);
  });

  test('say nothing of decisions where there were none', async () => {
    const folder = join(cli.folder, 'backup');
    await cli.run('backup', folder);
    const { out } = await cli.run('restore', folder);
    expect(out).not.toContain('decision');
    expect(await cli.json('restore', folder)).toMatchObject({ later_acts: { statements: 0, decisions: 0 } });
  });
});
