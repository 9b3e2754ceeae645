/** Whole ways of payments and payouts, as the merchant's receiver sees them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyEvents } from '../../../src/batch/verify/events.ts';
import { DAY, Sandbox } from '../../support/ledger.ts';
import { byApm, byCard, CARDS, checkout, sessionOf } from '../payments/shop.ts';
import { newKey, notifierOf, Receiver } from './support.ts';

const KEY = newKey();
let sandbox: Sandbox;
let receiver: Receiver;

beforeEach(async () => {
  sandbox = await Sandbox.make([{ currencies: ['USD', 'BRL', 'EUR'] }]);
  receiver = await Receiver.listening();
});

afterEach(async () => {
  await receiver.close();
  await sandbox.remove();
});

/** What has arrived, in the order of the sequence: event, order, and the fields that are named. */
async function told(...fields: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  await notifierOf(sandbox, [KEY]).runOnce();
  const accounts = new Map((await sandbox.accounts()).map((one) => [one.number, one]));
  expect((await verifyEvents(sandbox.database.reads, accounts)).named).toEqual([]);
  return receiver.received
    .toSorted((one, other) => Number(one.body.sequence) - Number(other.body.sequence))
    .map(({ body }) =>
      ['event', 'order_no', 'payment_status', ...fields].map((field) => body[field] ?? null),
    );
}

function message() {
  return { notify_url: receiver.url() };
}

test.each([
  ['approved', '2000', '1', /^0000:Success$/],
  ['declined', '6000', '0', /^D0005:/],
  ['poor', '6000', '0', /^D0051:/],
  ['held', '1200', '2', /^R0002:/],
] as const)('a card that is %s', async (name, status, orderStatus, info) => {
  await sandbox.engine().authorise(byCard(CARDS[name], { message: message() }));
  expect(await told('order_status', 'result_info', 'amount')).toEqual([
    ['payment.result', 'O1', status, orderStatus, expect.stringMatching(info), '100.00'],
  ]);
  expect(JSON.stringify(receiver.received)).not.toContain(CARDS[name]);
});

test('an account that captures at once tells both', async () => {
  await sandbox.account({ capture: 'automatic' });
  await sandbox.engine().authorise(byCard(CARDS.approved, { accountId: 'A2', message: message() }));
  expect(
    (await told('captured_amount')).map(([event, , status, captured]) => [event, status, captured]),
  ).toEqual([
    ['payment.result', '2000', '0.00'],
    ['capture', '3000', '100.00'],
  ]);
});

test('a shopper who approves, one who leaves, and one who never comes', async () => {
  const engine = sandbox.engine();
  const asked = (orderNo: string) => ({ orderNo, currency: 'BRL', message: message() });
  const approving = sessionOf(await engine.authorise(byApm('pix', asked('approves'))));
  await engine.decideApm(approving, true);
  const leaving = sessionOf(await engine.checkout(checkout(asked('leaves'))));
  await engine.leave(leaving);
  await engine.checkout(checkout(asked('never')));
  expect((await told()).map(([event, order, status]) => [event, order, status])).toEqual([
    ['payment.result', 'approves', '2000'],
    ['payment.result', 'leaves', '5000'],
  ]);
  sandbox.now += 2 * DAY;
  await engine.writeOverdue();
  expect((await told()).at(-1)).toEqual(['payment.status_changed', 'never', '6100']);
});

test('a payout for a later day is told now, and again on its day', async () => {
  await sandbox.given({ id: 'T1', state: 'captured' });
  const request = {
    merchantId: 'M1',
    accountId: 'A1',
    payout: {
      message: {
        request_id: 'P1',
        payment_method: 'SWIFT',
        source_currency: 'USD',
        payment_currency: 'USD',
        source_amount: '30.00',
        payment_date: '2026-11-23',
        notify_url: receiver.url(),
        beneficiary: {
          entity_type: 'COMPANY' as const,
          company_name: 'Acme',
          bank_details: { account_number: '1', bank_country_code: 'US' },
        },
      },
      requestId: 'P1',
      sourceCurrency: 'USD',
      paymentCurrency: 'USD',
      sourceAmount: 3_000,
      paymentAmount: undefined,
      line: 0,
    },
  };
  await sandbox.engine().payout(request);
  const fields = ['request_id', 'status', 'amount', 'amount_payer_pays', 'payment_date'];
  const now = ['P1', 'SCHEDULED', '30.00', 3_000, '2026-11-23'];
  expect((await told(...fields)).map((row) => row.slice(3))).toEqual([now]);
  sandbox.now += 3 * DAY;
  expect((await told(...fields)).map((row) => row.slice(3))).toEqual([now, now.with(1, 'COMPLETED')]);
});
