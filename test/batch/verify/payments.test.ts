/** `verify` on payments, stored cards and subscriptions: sound ones agree, and whatever is changed in them is found. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyContracts, verifyPayments, verifyTokens } from '../../../src/batch/verify/payments.ts';
import { verify } from '../../../src/batch/verify.ts';
import { chargeDue } from '../../../src/engine/subscriptions/charge.ts';
import type { Statements } from '../../../src/ledger/database.ts';
import { byApm, byCard, byToken, CARDS, card, checkout, sessionOf } from '../../engine/payments/shop.ts';
import { DAY, NOON, Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;

/** One payment of every kind, and a subscription of which one cycle is charged. */
beforeAll(async () => {
  sandbox = await Sandbox.make();
  const engine = sandbox.engine();
  const kept = { message: { token_flag: 'YES' as const } };
  const approved = await engine.authorise(byCard(CARDS.approved, { orderNo: 'kept', ...kept }));
  const tokenId = 'payment' in approved ? approved.payment.tokenId! : '';
  await engine.authorise(byToken(tokenId, { orderNo: 'by token' }));
  await engine.authorise(byCard(CARDS.declined, { orderNo: 'declined', ...kept }));
  await engine.authorise(byCard(CARDS.unknown, { orderNo: 'no such card' }));
  await engine.authorise(byCard(CARDS.held, { orderNo: 'held' }));
  await engine.authorise(byCard(CARDS.slow, { orderNo: 'slow', ...kept }));
  await engine.authorise(byApm('wallet', { orderNo: 'waiting' }));
  const challenged = sessionOf(await engine.checkout(checkout({ orderNo: 'challenged' })));
  await engine.submitCard(challenged, card(CARDS.challenged), '198.51.100.7');
  await engine.answerChallenge(challenged, true);
  await engine.leave(sessionOf(await engine.checkout(checkout({ orderNo: 'left' }))));
  await engine.submitCard(
    sessionOf(await engine.checkout(checkout({ orderNo: 'asked' }))),
    card(CARDS.slow),
    '198.51.100.7',
  );
  const subscription = { interval: 'day', interval_count: '1' } as const;
  await engine.authorise(
    byCard(CARDS.mastercard, { orderNo: 'first', message: { subscription }, contractAmount: 900 }),
  );
  sandbox.now = NOON + DAY;
  const charging = { database: sandbox.database, clock: () => sandbox.now };
  await chargeDue({ ...charging, charge: (charge) => engine.charge(charge) });
});

afterAll(() => sandbox.remove());

test('a sound ledger agrees, and everything was looked at', async () => {
  const findings = await verify(sandbox.context());
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  const checked = Object.fromEntries(findings.map((finding) => [finding.name, finding.checked]));
  expect(checked).toMatchObject({ payments: 12, 'stored cards': 3, subscriptions: 1 });
});

/** What the three checks say once the ledger was changed; the change is taken back. */
async function saidAfter(...changes: readonly string[]): Promise<string> {
  const said: string[] = [];
  const undo = new Error('taken back');
  const look = async (statements: Statements) => {
    for (const sql of changes) await statements.run(sql);
    for (const verifyOne of [verifyPayments, verifyTokens, verifyContracts])
      said.push(...(await verifyOne(statements)).named);
    throw undo;
  };
  await sandbox.database.write(look).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return said
    .map((one) => one.replace(/\b[TRK]{1,2}[0-9A-Z]{12,}/g, '…').replace(/at \d+/g, 'at …'))
    .join('\n');
}

const txn = (orderNo: string) => `(SELECT number FROM txn WHERE order_no = '${orderNo}')`;

describe('finds', () => {
  test.each<[string, readonly string[], string]>([
    ['nothing where nothing was changed', [], ''],
    [
      'a decision that no transfer has written',
      [`UPDATE payment_decision SET outcome = 'declined' WHERE txn = ${txn('by token')}`],
      'transaction …: its decisions ask for decline at …, it has authorise at …',
    ],
    [
      'a decision taken out',
      [`DELETE FROM payment_decision WHERE txn = ${txn('left')}`],
      'transaction …: its decisions ask for nothing, it has leave at …',
    ],
    [
      'a decision of another time',
      [`UPDATE payment_decision SET at = at + 1 WHERE txn = ${txn('held')}`],
      'transaction …: its decisions ask for hold_for_review at …, it has hold_for_review at …',
    ],
    [
      'a payment in doubt that nobody is going to ask about',
      [`DELETE FROM payment_doubt WHERE txn IN (${txn('slow')}, ${txn('asked')})`],
      Array(2).fill('transaction …: it is in doubt, and no connector is going to be asked').join('\n'),
    ],
    [
      'a decided payment that is asked about',
      [`INSERT INTO payment_doubt (txn, since) VALUES (${txn('declined')}, 1)`],
      'transaction …: it is decided, and yet a connector is going to be asked',
    ],
    [
      'an approval without a means of payment',
      [`DELETE FROM payment_attempt WHERE txn = ${txn('challenged')}`],
      'transaction …: it was decided, and nothing says what it was paid with',
    ],
    [
      'a stored card taken out',
      [`DELETE FROM token WHERE txn = ${txn('kept')}`],
      Array(2).fill('transaction …: the stored card that it names is not there').join('\n'),
    ],
    [
      'a card of a payment in doubt that can be used already',
      [`UPDATE token SET kept_at = 1 WHERE txn = ${txn('slow')}`],
      'token … is not what its payment made of it',
    ],
    [
      'a card that was given to another payment',
      [`UPDATE token SET txn = ${txn('held')} WHERE txn = ${txn('kept')}`],
      'token … is not what its payment made of it',
    ],
    [
      'a cycle that is paid twice',
      [
        `INSERT INTO contract_charge (contract, cycle, attempt, order_no, at) VALUES (1, 2, 2, 'by token', 1)`,
        `UPDATE payment SET kind = 'recurring' WHERE txn = ${txn('by token')}`,
        `UPDATE txn SET amount = 900 WHERE number = ${txn('by token')}`,
      ],
      'subscription …: cycle 2 is paid more than once',
    ],
    [
      'a charge of another amount',
      ['UPDATE contract SET amount = 901'],
      'subscription …: transaction … charges 9.00 USD, not 9.01 USD',
    ],
    [
      'a charge of no subscription',
      ['DELETE FROM contract_charge'],
      'transaction … charges a subscription that is not there',
    ],
    [
      'a subscription on a payment that was declined, with a card that is not there',
      [`UPDATE contract SET txn = ${txn('declined')}, token_id = 'K0'`],
      'subscription …: its first payment was not approved\nsubscription …: the card that it charges is not there',
    ],
  ])('%s', async (_, changes, expected) => {
    expect(await saidAfter(...changes)).toBe(expected);
  });
});
