/** What comes after the reports: the file's own move. Whatever is in its way, it is made good later, and nothing runs twice. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drop, lying, watchOnce } from '../support/inbox.ts';
import { csv, ENTRY, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given({ id: 'T1' }, { id: 'T2' });
});

afterEach(() => sandbox.remove());

const FILE = csv(ENTRY, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,50.00');

/** Every report and receipt with its bytes. */
function outbox(): Readonly<Record<string, string>> {
  const names = lying(sandbox, 'outbox');
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(sandbox.folders.outbox, name), 'utf8')]),
  );
}

test('F56 reports are there, and the file could not be moved: the next watcher moves it and executes nothing', async () => {
  drop(sandbox, 'capture.csv', FILE);
  const done = join(sandbox.folders.root, 'done');
  rmSync(done, { recursive: true });
  writeFileSync(done, 'in the way');
  const events = await watchOnce(sandbox);
  expect(events.map(({ is }) => is)).toEqual(['claimed', 'trouble']);
  expect(lying(sandbox, 'processing').some((name) => name.endsWith('/capture.csv'))).toBe(true);
  expect(await sandbox.transfers()).toEqual(['T1 capture 10000', 'T2 capture 5000']);
  const reports = outbox();
  expect(Object.keys(reports)).toHaveLength(4);

  rmSync(done);
  mkdirSync(done);
  sandbox.now += 60_000;
  expect((await watchOnce(sandbox)).at(-1)).toMatchObject({ is: 'over', document: { status: 'completed' } });
  expect(await sandbox.transfers()).toEqual(['T1 capture 10000', 'T2 capture 5000']);
  expect(outbox()).toEqual(reports);
  expect(lying(sandbox, 'done').map((name) => name.split('/').at(-1))).toEqual(['OK', 'capture.csv']);
  expect(lying(sandbox, 'processing')).toEqual([]);
});

test('F56 the rejection is written, and the file could not be removed: it is rejected once', async () => {
  drop(sandbox, 'capture.csv', csv('transaction_id,order_no', 'T1,O-T1'));
  const receipts = join(sandbox.folders.root, 'outbox');
  rmSync(receipts, { recursive: true });
  writeFileSync(receipts, 'in the way');
  await watchOnce(sandbox);
  expect(await sandbox.batches()).toHaveLength(1);

  rmSync(receipts);
  expect((await watchOnce(sandbox)).at(-1)).toMatchObject({
    is: 'over',
    document: { status: 'rejected', exit: 6 },
  });
  expect(await sandbox.batches()).toHaveLength(1);
  expect(lying(sandbox, 'rejected')).toHaveLength(3);
  expect(lying(sandbox, 'outbox')).toHaveLength(1);
  expect(existsSync(join(sandbox.folders.inbox, 'capture.csv'))).toBe(false);
});
