/** Payouts by request: what is answered, when they complete, and who is told. Engine decisions, "Payout". */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, CallOptions } from '../../src/core/gateway.ts';
import { parseAmount } from '../../src/core/money.ts';
import { type PayoutMessage, payoutMessage } from '../../src/core/payout-message.ts';
import type { PayoutRecord } from '../../src/core/payout-record.ts';
import { DAY, NOON, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, { time_zone: 'America/Sao_Paulo' }]);
  await sandbox.given({ id: 'T1', state: 'captured', amount: 100_000 });
  await sandbox.given({ id: 'T2', state: 'captured', amount: 100_000, account: 2 });
});

afterEach(() => sandbox.remove());

function message(change: Record<string, unknown> = {}): PayoutMessage {
  return payoutMessage.parse({
    request_id: 'P1',
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    source_amount: '10.00',
    notify_url: 'https://merchant.example/told',
    beneficiary: {
      entity_type: 'COMPANY',
      company_name: 'Example Ltd',
      bank_details: { iban: 'DE89370400440532013000' },
    },
    ...change,
  });
}

function pay(given: PayoutMessage, options: CallOptions = {}, accountId = 'A1'): Promise<Answer> {
  const minor = (text: string | undefined) => (text === undefined ? undefined : Number(parseAmount(text, 2)));
  const payout = {
    message: given,
    requestId: given.request_id,
    sourceCurrency: given.source_currency,
    paymentCurrency: given.payment_currency,
    sourceAmount: minor(given.source_amount),
    paymentAmount: minor(given.payment_amount),
    line: 0,
  };
  return sandbox.engine().payout({ merchantId: 'M1', accountId, payout }, options);
}

function record(answer: Answer) {
  const [result] = 'results' in answer ? answer.results : [];
  return result !== undefined && 'payout' in result ? result.payout : result;
}

/** Status and time of each event, in order. */
async function told(): Promise<readonly string[]> {
  const rows = await sandbox.database.reads.all<{ body: string; due_at: number }>(
    'SELECT body, due_at FROM event ORDER BY number',
  );
  return rows.map(({ body, due_at }) => `${JSON.parse(body).status} ${new Date(due_at).toISOString()}`);
}

test('is answered with everything that is known of it', async () => {
  expect(record(await pay(message()))).toEqual({
    sourceAmount: 1_000,
    payerPays: 1_000,
    fee: 0,
    beneficiaryReceives: 1_000,
    status: 'COMPLETED',
    transactionId: expect.stringMatching(/^P[0-9A-HJKMNP-TV-Z]{20}$/),
    createdAt: NOON,
    updatedAt: NOON,
  });
  expect(await told()).toEqual(['COMPLETED 2026-11-20T12:00:00.000Z']);
});

test('its id is short and its own, however long the request_id is and whatever it ends with', async () => {
  const ending = '-invoice-00000001';
  const ids = [];
  for (const request_id of [`a${ending}`, `b${ending}`, '1', 'ü'.repeat(64)]) {
    const paid = record(await pay(message({ request_id, source_amount: '1.00' })));
    ids.push((paid as PayoutRecord).transactionId);
  }
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(ids.length);
  expect(ids.map((id) => id.length)).toEqual([21, 21, 21, 21]);
});

test('the same request_id again: the same answer, no money, nobody is told twice', async () => {
  const first = record(await pay(message()));
  sandbox.now += DAY;
  expect(record(await pay(message()))).toEqual(first);
  expect(await sandbox.transfers()).toEqual(['P1 payout 1000']);
  expect(await told()).toHaveLength(1);
  expect(await pay(message({ source_amount: '11.00' }))).toMatchObject({
    results: [{ status: 'refused', reason: { code: 'V0015' } }],
  });
});

test('a stored answer under a key keeps its payout as it was', async () => {
  const later = message({ payment_date: '2026-11-22' });
  const first = await pay(later, { idempotencyKey: 'K' });
  expect(record(first)).toMatchObject({ status: 'SCHEDULED', updatedAt: NOON });
  sandbox.now += 5 * DAY;
  expect(await pay(later, { idempotencyKey: 'K' })).toEqual(first);
  expect(record(await pay(later))).toMatchObject({
    status: 'COMPLETED',
    createdAt: NOON,
    updatedAt: Date.UTC(2026, 10, 22),
  });
});

test('a refused one moves nothing, tells nobody, and may be tried again', async () => {
  const refused = await pay(message({ source_amount: '5000.00' }));
  expect(refused).toMatchObject({ results: [{ status: 'refused', reason: { code: 'V0011' } }], at: NOON });
  expect(await told()).toEqual([]);
  expect(record(await pay(message()))).toMatchObject({ status: 'COMPLETED' });
});

describe('a payment date', () => {
  test.each([
    ['A1', '2026-11-20', ['COMPLETED 2026-11-20T12:00:00.000Z']],
    ['A1', '2026-11-21', ['SCHEDULED 2026-11-20T12:00:00.000Z', 'COMPLETED 2026-11-21T00:00:00.000Z']],
    ['A2', '2026-11-21', ['SCHEDULED 2026-11-20T12:00:00.000Z', 'COMPLETED 2026-11-21T03:00:00.000Z']],
  ])('of account %s, %s', async (account, payment_date, expected) => {
    await pay(message({ payment_date }), {}, account);
    expect(await told()).toEqual(expected);
  });

  test('is judged in the time zone of the account', async () => {
    // One in the morning of the 21st in UTC is ten in the evening of the 20th in São Paulo.
    sandbox.now = Date.UTC(2026, 10, 21, 1);
    expect(record(await pay(message({ payment_date: '2026-11-21' })))).toMatchObject({ status: 'COMPLETED' });
    expect(record(await pay(message({ payment_date: '2026-11-21' }), {}, 'A2'))).toMatchObject({
      status: 'SCHEDULED',
    });
  });
});
