/** What merchants are told of each effect: enough to act on without asking back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyEvents } from '../../../src/batch/verify/events.ts';
import type { Finding } from '../../../src/batch/verify/finding.ts';
import type { Entry } from '../../../src/core/gateway.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { transferEvent } from '../../../src/engine/notifications/event.ts';
import { Database } from '../../../src/ledger/database.ts';
import { DAY, NOON, Sandbox } from '../../support/ledger.ts';

const URL = 'https://shop.example/notify';
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(
    { id: 'T1', amount: 10_000 },
    { id: 'T2', state: 'in_review', amount: 5_000 },
    { id: 'T3', amount: 700, at: NOON - 8 * DAY },
    { id: 'T4', amount: 900 },
  );
  // T4 has not asked to be told.
  await sandbox.database.write(async (statements) => {
    await statements.run(
      `INSERT INTO payment (txn, kind, message, items, ip, notify_url)
       SELECT number, 'direct', '{}', '[]', '192.0.2.1', iif(transaction_id = 'T4', NULL, ?) FROM txn`,
      [URL],
    );
  });
});

afterEach(() => sandbox.remove());

function entry(transactionId: string, amount: number, change: Partial<Entry> = {}): Entry {
  return {
    transactionId,
    orderNo: `O-${transactionId}`,
    currency: 'USD',
    amount,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
    ...change,
  };
}

const account = { merchantId: 'M1', accountId: 'A1' };

async function bodies(): Promise<readonly Record<string, unknown>[]> {
  const rows = await sandbox.database.reads.all<{ body: string }>('SELECT body FROM event ORDER BY number');
  return rows.map(({ body }) => {
    const { merchant_id, account_id, occurred_at, ...rest } = JSON.parse(body);
    expect([merchant_id, account_id]).toEqual(['M1', 'A1']);
    expect(occurred_at).toBe(new Date(NOON).toISOString());
    return rest;
  });
}

async function findings(): Promise<Finding> {
  const accounts = new Map((await sandbox.accounts()).map((one) => [one.number, one]));
  return verifyEvents(sandbox.database.reads, accounts);
}

test('a capture, a refund and a cancellation say what was moved and what is left', async () => {
  const engine = sandbox.engine();
  await engine.capture({ ...account, entries: [entry('T1', 6_000), entry('T4', 900)] });
  const refund = entry('T1', 10_000, { refundAmount: 1_500, refundReason: 'damaged', reference: 'R-1' });
  await engine.refund({ ...account, entries: [refund] });
  await engine.cancel({ ...account, entries: [entry('T1', 4_000)] });
  const shared = { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', transaction_amount: '100.00' };
  expect(await bodies()).toEqual([
    {
      ...shared,
      event: 'capture',
      amount: '60.00',
      capture_status: '1',
      payment_status: '2500',
      captured_amount: '60.00',
      refunded_amount: '0.00',
      remaining_amount: '40.00',
    },
    {
      ...shared,
      event: 'refund',
      amount: '100.00',
      refund_amount: '15.00',
      refund_status: '1',
      refund_message: 'V0000:OK',
      refund_reference: 'T1-2',
      refund_reference_id: 'R-1',
      refund_reason: 'damaged',
      payment_status: '2500',
      captured_amount: '60.00',
      refunded_amount: '15.00',
      remaining_amount: '40.00',
    },
    {
      ...shared,
      event: 'cancel',
      amount: '40.00',
      cancel_status: '1',
      payment_status: '3500',
      captured_amount: '60.00',
      refunded_amount: '15.00',
      remaining_amount: '0.00',
    },
  ]);
  expect((await findings()).ok).toBe(true);
});

test('a review says how it ended, an expiry what has become of the payment', async () => {
  const engine = sandbox.engine();
  await engine.review({ ...account, entries: [entry('T2', 5_000, { reviewFlag: 0 })] });
  await engine.capture({ ...account, entries: [entry('T3', 700)] });
  expect(await bodies()).toMatchObject([
    {
      event: 'review',
      review_status: '1',
      review_flag: '0',
      amount: '50.00',
      payment_status: '6200',
      remaining_amount: '0.00',
    },
    { event: 'payment.status_changed', amount: '7.00', payment_status: '6100', remaining_amount: '0.00' },
  ]);
  const finding = await findings();
  expect([finding.ok, finding.checked]).toEqual([true, 3]);
});

test.each([
  ['authorise', 10_000, { order_status: '1', result_info: '0000:Success', amount: '100.00' }],
  ['hold_for_review', 10_000, { order_status: '2', amount: '100.00' }],
  ['decline', 0, { order_status: '0', result_info: 'D0051:No money', amount: '100.00' }],
  ['leave', 0, { order_status: '0', amount: '100.00' }],
] as const)('a payment that ends in %s tells its result', async (kind, amount, expected) => {
  const [known] = await sandbox.accounts();
  const transaction = {
    transactionId: 'T9',
    orderNo: 'O-T9',
    currency: 'USD',
    amount: 10_000,
    standing: 'declined' as const,
    captured: 0,
    refunded: 0,
    cancelled: 0,
    expired: 0,
    review: undefined,
    authorisedAt: NOON,
  };
  const told = { number: 9, transaction, notifyUrl: URL };
  const detail = kind === 'decline' ? { result_info: 'D0051:No money' } : {};
  const event = transferEvent(known!, told, { kind, amount }, NOON, detail);
  expect(event?.kind).toBe('payment.result');
  expect(event?.body).toMatchObject(expected);
  expect(transferEvent(known!, { ...told, notifyUrl: undefined }, { kind, amount }, NOON)).toBeUndefined();
});

test('what nobody could act on is not told', async () => {
  const [known] = await sandbox.accounts();
  const [row] = await sandbox.database.reads.all<{ number: number }>('SELECT number FROM txn LIMIT 1');
  expect(row).toBeDefined();
  const told = { number: 1, transaction: {} as never, notifyUrl: URL };
  expect(transferEvent(known!, told, { kind: 'ask', amount: 0 }, NOON)).toBeUndefined();
  expect(transferEvent(known!, told, { kind: 'challenge', amount: 0 }, NOON)).toBeUndefined();
});

test('what is only foreseen tells nobody', async () => {
  const database = await Database.openOverlay(sandbox.folders.database);
  const options = { schedule: sandbox.schedule, clock: sandbox.clock, payments: sandbox.payments() };
  await new Engine(database, options).capture({ ...account, entries: [entry('T1', 6_000)] });
  await database.close();
  expect(await bodies()).toEqual([]);
});

test('verify finds an event that is missing, and one too many', async () => {
  await sandbox.engine().capture({ ...account, entries: [entry('T1', 6_000)] });
  const damage = (sql: string) => sandbox.database.write((statements) => statements.run(sql));
  await damage("UPDATE event SET body = NULL, state = 'delivered', ended_at = 1");
  expect((await findings()).ok).toBe(true);
  await damage(
    "INSERT INTO event (account, txn, url, receiver, kind, body, at, due_at) SELECT account, txn, url, receiver, kind, '{}', at, due_at FROM event",
  );
  expect((await findings()).named).toEqual([
    'transaction T1: it should have capture and has capture, capture',
  ]);
  await damage('DELETE FROM event');
  expect((await findings()).named).toEqual(['transaction T1: it should have capture and has nothing']);
  await damage(
    "INSERT INTO event (account, txn, url, receiver, kind, body, at, due_at) SELECT 1, number, '', '', 'capture', '{}', 1, 1 FROM txn WHERE transaction_id IN ('T1', 'T4')",
  );
  expect((await findings()).named).toEqual(['events about nothing that wanted to be told: 1']);
});
