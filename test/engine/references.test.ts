/** Requests outside files: entries are told apart by their reference, never by what they move. Contract, "HTTP". */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, EntriesRequest, Entry } from '../../src/core/gateway.ts';
import type { EntryOperation } from '../../src/core/operation.ts';
import { Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, { capture: 'automatic' }]);
  await sandbox.given(
    { id: 'OPEN' },
    { id: 'PAID', state: 'captured' },
    { id: 'HELD', state: 'in_review', account: 2 },
  );
});

afterEach(() => sandbox.remove());

function entry(id: string, change: Partial<Entry> = {}): Entry {
  return {
    transactionId: id,
    orderNo: `O-${id}`,
    currency: 'USD',
    amount: 10_000,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
    ...change,
  };
}

function send(operation: EntryOperation, entries: readonly Entry[], accountId = 'A1'): Promise<Answer> {
  const request: EntriesRequest = { merchantId: 'M1', accountId, entries };
  return sandbox.engine()[operation](request);
}

/** What became of each entry: `done OPEN-1`, `refused V0015`. */
function words(answer: Answer): readonly string[] {
  if ('failure' in answer) return [`failure ${answer.failure.code}`];
  return answer.results.map((one) => {
    if ('reason' in one) return `${one.status} ${one.reason.code}`;
    return 'reference' in one ? `${one.status} ${one.reference}` : one.status;
  });
}

describe('a reference', () => {
  const refund = (reference: string | undefined, refundAmount = 3_000) =>
    entry('PAID', { refundAmount, reference });

  test('with the same content gives the first result again and moves nothing', async () => {
    const first = await send('refund', [refund('R1')]);
    expect(words(first)).toEqual(['done PAID-1']);
    const again = await send('refund', [refund('R1')]);
    expect(words(again)).toEqual(['done PAID-1']);
    expect('results' in again && again.results).toEqual('results' in first && first.results);
    expect(await sandbox.transfers()).toEqual(['PAID refund 3000']);
  });

  test('with other content is refused', async () => {
    await send('refund', [refund('R1')]);
    expect(words(await send('refund', [refund('R1', 2_999)]))).toEqual(['refused V0015']);
    expect(await sandbox.transfers()).toEqual(['PAID refund 3000']);
  });

  test('that differs, or is missing, makes another refund', async () => {
    await send('refund', [refund('R1')]);
    expect(words(await send('refund', [refund('R2'), refund(undefined)]))).toEqual([
      'done PAID-2',
      'refused V0010',
    ]);
    expect(words(await send('refund', [refund(undefined)]))).toEqual(['done PAID-3']);
    expect(words(await send('refund', [refund(undefined, 1_001)]))).toEqual(['refused V0006']);
  });

  test('holds within one request as well', async () => {
    expect(words(await send('refund', [refund('R1'), refund('R1', 1_000)]))).toEqual([
      'done PAID-1',
      'refused V0015',
    ]);
  });

  test('belongs to its operation', async () => {
    expect(words(await send('capture', [entry('OPEN', { amount: 4_000, reference: 'X' })]))).toEqual([
      'done OPEN-1',
    ]);
    expect(words(await send('cancel', [entry('OPEN', { amount: 6_000, reference: 'X' })]))).toEqual([
      'done OPEN-2',
    ]);
  });

  test('of a refused entry holds nothing', async () => {
    expect(words(await send('refund', [refund('R1', 10_001)]))).toEqual(['refused V0006']);
    expect(words(await send('refund', [refund('R1', 10_000)]))).toEqual(['done PAID-1']);
  });

  test('of a review that captures at once is one of a review, never of the capture', async () => {
    const accept = entry('HELD', { reviewFlag: 1, reference: 'R' });
    const first = await send('review', [accept], 'A2');
    expect(words(first)).toEqual(['done HELD-1']);
    const again = await send('review', [accept], 'A2');
    expect('results' in again && again.results).toEqual('results' in first && first.results);
    expect(words(await send('review', [{ ...accept, reviewFlag: 0 }], 'A2'))).toEqual(['refused V0015']);
    expect(words(await send('capture', [entry('HELD', { amount: 1, reference: 'R' })], 'A2'))).toEqual([
      'refused V0007',
    ]);
    expect(await sandbox.transfers()).toEqual(['HELD review_accepted 10000', 'HELD capture 10000']);
  });
});

describe('an idempotency key', () => {
  const capture = (amount: number) => ({
    merchantId: 'M1',
    accountId: 'A1',
    entries: [entry('OPEN', { amount })],
  });

  test('gives the first answer again, with its time', async () => {
    const first = await sandbox.engine().capture(capture(4_000), { idempotencyKey: 'K', requestHash: 'h' });
    sandbox.now += 60_000;
    const again = await sandbox.engine().capture(capture(4_000), { idempotencyKey: 'K', requestHash: 'h' });
    expect(again).toEqual(first);
    expect(await sandbox.transfers()).toEqual(['OPEN capture 4000']);
  });

  test('F77 of another request is refused', async () => {
    await sandbox.engine().capture(capture(4_000), { idempotencyKey: 'K', requestHash: 'h' });
    const other = await sandbox.engine().capture(capture(5_000), { idempotencyKey: 'K', requestHash: 'i' });
    expect(words(other)).toEqual(['failure V0015']);
  });

  test('stands in the ledger with the request that brought it', async () => {
    await sandbox.engine().capture(capture(4_000), { requestId: 'Q7' });
    const rows = await sandbox.database.reads.all('SELECT kind, request, batch FROM transfer');
    expect(rows).toEqual([{ kind: 1, request: 'Q7', batch: null }]);
  });
});
