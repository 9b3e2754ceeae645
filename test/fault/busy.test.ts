/** Another process holds the database for longer than anybody waits. The lock itself is met in kill.test.ts. */
import { expect, test } from 'vitest';
import type { Entry } from '../../src/core/gateway.ts';
import { Engine } from '../../src/engine/engine.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import type { Database } from '../../src/ledger/database.ts';
import { DatabaseBusy } from '../../src/ledger/sqlite.ts';
import { NOON, Sandbox } from '../support/ledger.ts';

const ENTRY: Entry = {
  transactionId: 'T1',
  orderNo: 'O-T1',
  currency: 'USD',
  amount: 100,
  refundAmount: undefined,
  reviewFlag: undefined,
  refundReason: undefined,
  reference: undefined,
  line: 0,
  repeatOf: undefined,
};

/** Fails the first write only. */
function busyOnce(database: Database): Database {
  let first = true;
  const write: Database['write'] = (work) => {
    if (!first) return database.write(work);
    first = false;
    return Promise.reject(new DatabaseBusy('busy'));
  };
  return { reads: database.reads, write } as unknown as Database;
}

test('F51 what waits behind a commit that failed does not happen without it', async () => {
  const sandbox = await Sandbox.make();
  await sandbox.given({ id: 'T1' });
  const engine = new Engine(busyOnce(sandbox.database), {
    schedule: new PayoutSchedule([], []),
    clock: () => NOON,
  });
  const ids = { merchantId: 'M1', accountId: 'A1' };
  // So many that they fill a commit, and the capture waits for the next one.
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...ENTRY, transactionId: `X${index}` }));
  const answers = await Promise.all([
    engine.capture({ ...ids, entries: many }, { more: true }),
    engine.capture({ ...ids, entries: [ENTRY] }),
  ]);
  expect(answers.map((answer) => ('failure' in answer ? answer.failure.code : 'done'))).toEqual([
    'E0002',
    'E0002',
  ]);
  expect(await sandbox.transfers()).toEqual([]);
  // Both are free to try again.
  const [again] = await Promise.all([engine.capture({ ...ids, entries: [ENTRY] })]);
  expect(again).toMatchObject({ results: [{ status: 'done' }] });
  await sandbox.remove();
});
