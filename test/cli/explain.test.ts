/** `batchgate explain`: the story of lines, transactions and payouts, in words and for programs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutStory } from '../../src/batch/explain/payout.ts';
import type { TransactionStory } from '../../src/batch/explain/transaction.ts';
import type { LineStory } from '../../src/batch/explain.ts';
import { type CliSandbox, makeExecutedSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
const batches = new Map<string, string>();
beforeAll(async () => {
  sandbox = await makeExecutedSandbox();
  const listed = await sandbox.json<{ batches: readonly { batch: string; file: string }[] }>('batch', 'list');
  for (const { batch, file } of listed.batches) batches.set(file, batch);
});
afterAll(() => sandbox.remove());

const name = (file: string, line: number) => `${batches.get(file)}:${line}`;
const told = async (subject: string) => (await sandbox.run('explain', subject)).out;
const line = async (file: string, number: number) =>
  (await sandbox.json<{ line: LineStory }>('explain', name(file, number))).line;

describe('a line', () => {
  test('that succeeded: what it asked, the transfer that it made, the state then and now', async () => {
    const text = await told(name('capture.csv', 4));
    expect(text).toContain(`${name('capture.csv', 4)}  succeeded`);
    expect(text).toContain('asks       capture 100.00 USD of transaction T1003, account M1/A1');
    expect(text).toContain('attempt 1  sent in chunk 1: succeeded');
    expect(text).toMatch(
      /#3 capture 100\.00 USD\n\s+debit issuer\s+credit holds\s+100\.00\n\s+debit acquirer\s+credit merchant\s+100\.00/,
    );
    expect(text).toContain('2 transfers; partially captured after this line, captured now');
    expect(text).toContain('left to refund   250.00 USD');
    expect(text).toMatch(/html {4}\/.*report\.html/);
  });

  test('that was refused: why', async () => {
    const text = await told(name('refunds-2026-11-20.csv', 12));
    expect(text).toContain(
      'refused by the gateway, V0006: The amount is more than is left to refund: 40.00 USD is left',
    );
    expect(text).toContain('this line has moved nothing');
    expect(await line('refunds-2026-11-20.csv', 12)).toMatchObject({
      outcome: 'refused',
      code: 'V0006',
      transaction: { left_to_refund: '40.00' },
    });
  });

  test('that was invalid, a duplicate, pending', async () => {
    expect(await told(name('capture.csv', 14))).toContain('invalid, so it was never sent, I0021');
    expect(await told(name('capture.csv', 12))).toContain(
      `held, because it repeats ${name('capture.csv', 2)} (B0001)`,
    );
    expect(await told(name('payout.csv', 5))).toContain('paid on 2099-12-31');
    expect(await line('capture.csv', 14)).toMatchObject({ attempts: [], amount: null, currency: 'EUR' });
  });

  test('of a JSON file, by the number of its entry', async () => {
    expect(await told(name('review.json', 3))).toContain(
      'asks       review (reject) 1250.00 USD of transaction T1203',
    );
    expect(await line('review.json', 3)).toMatchObject({
      transaction: { state: 'rejected', transfers: [{ kind: 'review_rejected' }] },
    });
  });

  test('of a payout: its figures', async () => {
    const story = await line('payout.csv', 4);
    expect(story.payout).toMatchObject({
      payer_pays: '120.00',
      beneficiary_receives: '110.52',
      payment_currency: 'EUR',
    });
    expect(
      story.payout!.transfers.map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`),
    ).toEqual(['exchange_out 120.00 USD', 'exchange_in 110.52 EUR']);
  });

  test('with every attempt, after it was released', async () => {
    const batch = batches.get('refunds-2026-11-20.csv')!;
    await sandbox.run('batch', 'release', batch, '--line', '8', '--reason', 'both were returned');
    const story = await line('refunds-2026-11-20.csv', 8);
    expect(story.attempts).toMatchObject([
      { attempt: 1, outcome: 'duplicate' },
      { attempt: 2, outcome: 'succeeded' },
    ]);
    const text = await told(name('refunds-2026-11-20.csv', 8));
    expect(text).toContain('attempt 1  sent in chunk 3: duplicate');
    expect(text).toContain('both were returned');
    expect(text).toMatch(/→ #\d+ .*\(attempt 2, repeats B\w{16}:7, typed twice\?\)/);
  });

  test('F44 F87 that has a card number shows it masked', async () => {
    const path = join(sandbox.folder, 'refund-card.csv');
    writeFileSync(
      path,
      'transaction_id,order_no,currency,amount,refund_amount,refund_reason\nT1302,SHOP-1302,USD,80.00,1.00,card 4111111111111111\nT1302,SHOP-1302,USD,80.00,2.00,ok\n',
    );
    const { batches: ran } = await sandbox.json<{ batches: readonly { batch: string }[] }>('run', path);
    const text = await told(`${ran[0]!.batch}:2`);
    expect(text).toContain('B0012');
    expect(text).not.toContain('4111111111111111');
    expect(text).toContain('411111');
  });
});

describe('a transaction or a payout', () => {
  test('every transfer with the line that asked for it, and what is left', async () => {
    const { transaction } = await sandbox.json<{ transaction: TransactionStory }>('explain', 'T1206');
    expect(
      transaction.transfers.map(({ kind, origin, state_after }) => `${kind} ${origin} ${state_after}`),
    ).toEqual([
      `review_accepted ${name('mixed.csv', 4)} authorised`,
      `capture ${name('mixed.csv', 5)} captured`,
    ]);
    expect(transaction).toMatchObject({
      state: 'captured',
      left_to_capture: '0.00',
      left_to_refund: '37.50',
      opening: { state: 'in_review' },
    });
    expect(await told('T1309')).toContain('as partially refunded, captured 60.00, refunded 20.00');
    expect(await told('T1011')).toContain('nobody: the authorisation ran out');
  });

  test('by its request_id', async () => {
    const { payout } = await sandbox.json<{ payout: PayoutStory }>('explain', 'PAY-104');
    expect(payout).toMatchObject({ status: 'scheduled', origin: name('payout.csv', 5), payer_pays: '25.00' });
  });

  test('that several accounts know must be told apart', async () => {
    await sandbox.run('account', 'add', '--merchant', 'M1', '--account', 'A2', '--currency', 'USD');
    const path = join(sandbox.folder, 'transactions.csv');
    writeFileSync(
      path,
      'merchant_id,account_id,transaction_id,order_no,currency,amount,state\nM1,A2,T1001,X-1,USD,1.00,authorised\n',
    );
    await sandbox.run('import', path);
    const { exit, err } = await sandbox.run('explain', 'T1001');
    expect([exit, err]).toEqual([2, expect.stringContaining('is known in several accounts: M1/A1, M1/A2')]);
    expect((await sandbox.run('explain', 'T1001', '--account', 'A2')).out).toContain('X-1');
  });
});

describe('what cannot be explained', () => {
  test.each<[string, () => string, string]>([
    ['a line that is not there', () => name('capture.csv', 99), 'capture.csv has no line 99'],
    [
      'a line of a rejected file',
      () => name('cancel-rejected.csv', 2),
      'was rejected and nothing of it executed: B0007',
    ],
    ['a batch without a line', () => batches.get('capture.csv')!, 'is a batch'],
    ['an unknown id', () => 'T0', 'there is no line, transaction or payout T0'],
    ['an unknown batch', () => 'B0:2', 'there is no line, transaction or payout B0:2'],
  ])('%s', async (_, subject, said) => {
    const { exit, err } = await sandbox.run('explain', subject());
    expect([exit, err]).toEqual([2, expect.stringContaining(said)]);
  });
});
