import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentMessage } from '../../src/core/payment-message.ts';
import type { QueriedTransaction, QueryAnswer, Selection } from '../../src/core/query.ts';
import { queryTransactions } from '../../src/engine/query.ts';
import { insertOpenings } from '../../src/ledger/import.ts';
import { DAY, NOON, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, {}]);
});

afterEach(() => sandbox.remove());

function query(selection: Selection, accountId = 'A1'): Promise<QueryAnswer> {
  const request = { merchantId: 'M1', accountId, selection };
  return queryTransactions(sandbox.database.reads, request, sandbox.now);
}

/** The records as short text: `T1`, or `no O-9` for what is missing; a failure is its code. */
async function ask(selection: Selection, accountId?: string): Promise<string> {
  return shown(await query(selection, accountId));
}

function shown(answer: QueryAnswer): string {
  if ('failure' in answer) return answer.failure.code;
  return answer.records
    .map((record) =>
      'found' in record
        ? record.found.transactionId
        : `no ${record.missing.orderNo ?? record.missing.transactionId}`,
    )
    .join(' ');
}

async function found(transactionId: string): Promise<QueriedTransaction> {
  const answer = await query(named([], [transactionId]));
  const record = 'failure' in answer ? undefined : answer.records[0];
  if (record === undefined || 'missing' in record) throw new Error(`no ${transactionId}`);
  return record.found;
}

function named(orderNos: readonly string[], transactionIds: readonly string[] = []): Selection {
  return { by: 'name', orderNos, transactionIds };
}

/** Several transactions under one order number, in this order. */
async function attempts(orderNo: string, ...ids: readonly string[]): Promise<void> {
  const opening = { accountNumber: 1, orderNo, currency: 'USD', amount: 100, state: 'declined' } as const;
  const nothing = { captured: 0, refunded: 0, cancelled: 0, authorisedAt: NOON - DAY };
  const rows = ids.map((transactionId) => ({ ...opening, ...nothing, transactionId }));
  await sandbox.database.write((statements) => insertOpenings(statements, rows));
}

function numbered(count: number, prefix = 'T'): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}

describe('by name', () => {
  test('in the order asked, with a place for what is not there', async () => {
    await sandbox.given({ id: 'T1' }, { id: 'T2' }, { id: 'T3', account: 2 });
    expect(await ask(named(['O-T2', 'O-T9', 'O-T1']))).toBe('T2 no O-T9 T1');
    expect(await ask(named([], ['T2', 'T9', 'T1']))).toBe('T2 no T9 T1');
    expect(await ask(named(['O-T1'], ['T2']))).toBe('T1 T2');
  });

  test('nothing of another account', async () => {
    await sandbox.given({ id: 'T1' }, { id: 'T2', account: 2 });
    expect(await ask(named(['O-T2'], ['T2']))).toBe('no O-T2 no T2');
    expect(await ask(named(['O-T2'], ['T1']), 'A2')).toBe('T2 no T1');
  });

  test('a name twice, or a transaction under both its names, stands once', async () => {
    await sandbox.given({ id: 'T1' });
    expect(await ask(named(['O-T1', 'O-T1'], ['T1', 'T1']))).toBe('T1');
    expect(await ask(named(['O-T9', 'O-T9']))).toBe('no O-T9');
  });

  test('an order number with several attempts: the newest first', async () => {
    await attempts('O-1', 'T1', 'T2', 'T3');
    expect(await ask(named(['O-1']))).toBe('T3 T2 T1');
  });

  test('the room is shared out evenly: the newest of each order is always there', async () => {
    await attempts('O-1', ...numbered(120));
    await attempts('O-2', ...numbered(120, 'U'));
    expect((await ask(named(['O-1']))).split(' ')).toHaveLength(100);
    const two = (await ask(named(['O-1', 'O-2']))).split(' ');
    expect([two.length, two[0], two[49], two[50], two[99]]).toEqual([100, 'T120', 'T71', 'U120', 'U71']);
    const all = (await ask(named(['O-1', ...numbered(99, 'O-none')]))).split(' no ');
    expect([all.length, all[0]]).toEqual([100, 'T120']);
  });

  test.each([
    [0, 'I0051'],
    [101, 'I0051'],
  ])('%i names are refused', async (count, code) => {
    expect(await ask(named(numbered(count)))).toBe(code);
    expect(await ask(named(numbered(Math.floor(count / 2)), numbered(Math.ceil(count / 2))))).toBe(code);
  });

  test('100 names are answered', async () => {
    await sandbox.given(...numbered(100).map((id) => ({ id })));
    expect(await ask(named([], numbered(100)))).toBe(numbered(100).join(' '));
  });

  test('an unknown account', async () => {
    expect(await ask(named(['O-1']), 'A9')).toBe('I0013');
  });
});

describe('by time', () => {
  const span = (from: number, to: number, cursor?: string): Selection => ({ by: 'date', from, to, cursor });

  test('from is in, to is out, oldest first', async () => {
    await sandbox.given(
      { id: 'T5', at: 50 },
      { id: 'T2', at: 20 },
      { id: 'T3', at: 30 },
      { id: 'T4', at: 40, account: 2 },
    );
    expect(await ask(span(20, 50))).toBe('T2 T3');
    expect(await ask(span(20, 51))).toBe('T2 T3 T5');
    expect(await ask(span(60, 90))).toBe('');
    expect(await ask(span(50, 20))).toBe('');
  });

  /** All pages one after the other. */
  async function pages(from: number, to: number): Promise<readonly string[]> {
    const texts: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await query(span(from, to, cursor));
      if ('failure' in answer) throw new Error(answer.failure.message);
      texts.push(shown(answer));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    return texts;
  }

  test.each([
    ['all at one moment', () => 1000],
    ['each at its own', (index: number) => 1000 + index],
    ['in threes', (index: number) => 1000 + Math.floor(index / 3)],
  ])('250 transactions on three pages, %s', async (_, at) => {
    const ids = numbered(250);
    await sandbox.given(...ids.map((id, index) => ({ id, at: at(index) })), { id: 'X', at: 5000 });
    const texts = await pages(1000, 5000);
    expect(texts.map((text) => text.split(' ').length)).toEqual([100, 100, 50]);
    expect(texts.join(' ')).toBe(ids.join(' '));
  });

  test('exactly a page has no next one', async () => {
    await sandbox.given(...numbered(100).map((id) => ({ id, at: 1000 })));
    expect(await pages(0, 2000)).toHaveLength(1);
  });

  test('what comes in between two pages neither repeats nor hides anything', async () => {
    const ids = numbered(150);
    await sandbox.given(...ids.map((id) => ({ id, at: 1000 })));
    const first = await query(span(0, 2000));
    await sandbox.given({ id: 'before', at: 500 }, { id: 'after', at: 1000 });
    const cursor = 'cursor' in first ? first.cursor : undefined;
    expect(`${shown(first)} ${await ask(span(0, 2000, cursor))}`).toBe([...ids, 'after'].join(' '));
  });

  test.each([
    ['no cursor at all', 'abc'],
    ['too long', Buffer.from(`${'9'.repeat(40)}.1`).toString('base64url')],
    ['of another span', Buffer.from('5000.1').toString('base64url')],
    ['empty', ''],
  ])('a cursor that is %s', async (_, cursor) => {
    expect(await ask(span(0, 2000, cursor))).toBe('I0002');
  });
});

test('nothing named: the 100 newest, newest first', async () => {
  const ids = numbered(120);
  await sandbox.given(...ids.map((id, index) => ({ id, at: 1000 + index })), { id: 'X', account: 2 });
  expect(await ask({ by: 'newest' })).toBe(ids.toReversed().slice(0, 100).join(' '));
  expect(await ask({ by: 'newest' }, 'A2')).toBe('X');
});

describe('what is told of an imported transaction', () => {
  test('its figures and its state', async () => {
    await sandbox.given({ id: 'T1', amount: 1250, currency: 'JPY', at: NOON - DAY });
    expect(await found('T1')).toEqual({
      transactionId: 'T1',
      orderNo: 'O-T1',
      currency: 'JPY',
      amount: 1250,
      state: 'authorised',
      referenceNo: '',
      createdAt: NOON - DAY,
      is3ds: false,
      message: undefined,
      risk: undefined,
      contract: undefined,
    });
  });

  test('the state follows from what happened to it, and from the time of the query', async () => {
    await sandbox.given({ id: 'T1', amount: 1000 }, { id: 'T2', amount: 1000 });
    const entry = { transactionId: 'T1', orderNo: 'O-T1', currency: 'USD', amount: 400 };
    const none = { refundAmount: undefined, reviewFlag: undefined, refundReason: undefined };
    await sandbox.engine().capture({
      merchantId: 'M1',
      accountId: 'A1',
      entries: [{ ...entry, ...none, reference: undefined, line: 0, repeatOf: undefined }],
    });
    expect([(await found('T1')).state, (await found('T2')).state]).toEqual([
      'partially_captured',
      'authorised',
    ]);
    sandbox.now = NOON + 7 * DAY;
    expect([(await found('T1')).state, (await found('T2')).state]).toEqual(['captured', 'expired']);
  });
});

describe('what is told of a payment of this gateway', () => {
  const message = { order_no: 'O-1', currency: 'USD', amount: '12.50', shopper_email: 'ann@shop.example' };
  const card = { month: 12, year: 2030, securityCode: '123' };

  /** Pays an order by card and says what the query then tells. */
  async function paid(number: string, more: Partial<PaymentMessage> = {}): Promise<QueriedTransaction> {
    const order = {
      message: { ...message, ...more },
      orderNo: message.order_no,
      currency: 'USD',
      amount: 1250,
      items: [],
      contractAmount: undefined,
    };
    await sandbox.engine().authorise({
      merchantId: 'M1',
      accountId: 'A1',
      order,
      ip: '203.0.113.7',
      means: { by: 'card', card: { ...card, number } },
    });
    const answer = await query(named(['O-1']));
    const record = 'failure' in answer ? undefined : answer.records[0];
    if (record === undefined || 'missing' in record) throw new Error('no O-1');
    return record.found;
  }

  test('its message, the reference of the connector, and what risk said', async () => {
    const told = await paid('4111111111111111');
    expect(told).toMatchObject({
      orderNo: 'O-1',
      amount: 1250,
      state: 'authorised',
      referenceNo: `S${told.transactionId}`,
      createdAt: NOON,
      is3ds: false,
      message,
      risk: { action: 'accept' },
      contract: undefined,
    });
    expect(told.risk?.reasons.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain('4111111111111111');
  });

  test.each([
    ['4111111111111111', 'do3DS', true, 'authorised'],
    ['4000000000000002', '', false, 'declined'],
    ['4000000000000119', '', false, 'in_doubt'],
    ['4000000000009235', '', false, 'in_review'],
  ])('%s, asked for %j: 3-D Secure %s, %s', async (number, open3d, is3ds, state) => {
    expect(await paid(number, open3d === '' ? {} : { open3d })).toMatchObject({ is3ds, state });
  });

  test('the contract that it began', async () => {
    const told = await paid('4111111111111111', {
      subscription: { interval: 'month', contract_name: 'Gold', billing_cycle: 12, promotion_cycle: 0 },
    });
    expect(told.contract).toMatchObject({ name: 'Gold', period: '1 month', status: 1 });
    expect(told.contract!.next).toBe(Date.UTC(2026, 11, 20, 12));
  });

  test('a declined attempt and the one after it: the newer one first', async () => {
    await paid('4000000000000002');
    const told = await paid('4111111111111111');
    const answer = await query(named(['O-1']));
    const states = 'failure' in answer ? [] : answer.records.map((one) => 'found' in one && one.found.state);
    expect([told.state, states]).toEqual(['authorised', ['authorised', 'declined']]);
  });
});

describe('no query walks over all transactions', () => {
  test.each<[string, Selection]>([
    ['names', named(['O-T1', 'O-T2'], ['T3', 'T9'])],
    ['a span', { by: 'date', from: 0, to: NOON, cursor: undefined }],
    ['the next page', { by: 'date', from: 0, to: NOON, cursor: Buffer.from('1000.1').toString('base64url') }],
    ['the newest', { by: 'newest' }],
  ])('%s', async (_, selection) => {
    await sandbox.given({ id: 'T1', at: 1000 }, { id: 'T2', at: 1000 }, { id: 'T3', at: 2000 });
    const { reads } = sandbox.database;
    const steps: string[] = [];
    const explained = {
      all: reads.all.bind(reads),
      json: async (sql: string, values?: readonly (string | number)[]) => {
        const plan = await reads.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
        steps.push(...plan.map(({ detail }) => detail));
        return reads.json(sql, values);
      },
    };
    const request = { merchantId: 'M1', accountId: 'A1', selection };
    await queryTransactions(explained as typeof reads, request, sandbox.now);
    // Lists of names and rows that were found already are walked over; tables are searched, and by more than the account.
    const walks =
      /^SCAN (?!.* VIRTUAL TABLE|\(subquery)|^SEARCH (?!.*(txn_by_time|=\? AND|rowid=)).*\(account=\?\)/;
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => walks.test(step))).toEqual([]);
  });
});
