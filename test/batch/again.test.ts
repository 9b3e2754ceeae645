/** The same file again: finished, unfinished, rejected, stopped, or somewhere else at the same time. Contract, "The same file again". */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Submission } from '../../src/batch/submission.ts';
import { Engine } from '../../src/engine/engine.ts';
import { Database } from '../../src/ledger/database.ts';
import {
  type ContextChange,
  csv,
  documentOf,
  ENTRY,
  outcomes,
  results,
  Sandbox,
  watched,
} from '../support/ledger.ts';
import { RemoteWorld } from '../support/remote.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

const ids = Array.from({ length: 220 }, (_, index) => `T${index + 1}`);
const LINES = ids.map(
  (id, at) => `${id},O-${id},USD,${at % 10 === 7 ? '100.01' : at % 10 === 8 ? '-1' : '1.00'}`,
);
/** 220 lines: 176 succeed, 22 are refused, 22 invalid; at line 12 stands a repeat of line 2. */
const FILE = csv(ENTRY, ...LINES.slice(0, 10), LINES[0]!, ...LINES.slice(10));
const SMALL = csv(ENTRY, 'T1,O-T1,USD,1.00', 'T2,O-T2,USD,100.01');

async function given(): Promise<void> {
  await sandbox.given(...ids.map((id) => ({ id })));
}

const textOf = (path: string | null) => (path === null ? null : readFileSync(path, 'utf8'));

describe('F29 a finished batch', () => {
  beforeEach(given);

  test('the same bytes: nothing is executed, and the first report comes back', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    const before = [await sandbox.transfers(), await sandbox.batches(), readdirSync(sandbox.folders.work)];
    const again = await sandbox.run('capture.csv', SMALL);
    expect(again).toEqual({ ...first, repeat: true });
    expect(again.exit).toBe(3);
    expect([await sandbox.transfers(), await sandbox.batches(), readdirSync(sandbox.folders.work)]).toEqual(
      before,
    );
  });

  test('F30 under another name as well', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    expect(await sandbox.run('captures of friday.csv', SMALL)).toEqual({ ...first, repeat: true });
  });

  test('years later, and by another process', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    sandbox.now += 1_000 * 24 * 60 * 60 * 1000;
    const database = await Database.open(sandbox.folders.database);
    expect(await sandbox.run('capture.csv', SMALL, {}, { database })).toEqual({ ...first, repeat: true });
    await database.close();
  });

  test('the newest revision is what comes back', async () => {
    const held = await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,1.00'));
    const released = documentOf(await sandbox.release(held, [3]));
    const again = await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,1.00'));
    expect(again).toEqual({ ...released, repeat: true });
  });

  test('reports that are gone are written again, with the same bytes', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    const texts = [textOf(first.reports.result), textOf(first.reports.html)];
    rmSync(first.reports.result!);
    rmSync(first.reports.html!);
    expect(await sandbox.run('capture.csv', SMALL)).toEqual({ ...first, repeat: true });
    expect([textOf(first.reports.result), textOf(first.reports.html)]).toEqual(texts);
  });

  test('reports wanted in another folder are written there, and the first ones stay', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    const out = sandbox.senderFolder();
    const again = await sandbox.run('capture.csv', SMALL, {}, { out });
    expect(again).toEqual({ ...first, repeat: true, reports: again.reports });
    expect(dirname(again.reports.fixme!)).toBe(out);
    expect(textOf(again.reports.fixme)).toBe(textOf(first.reports.fixme));
    expect(await sandbox.run('capture.csv', SMALL)).toEqual({ ...first, repeat: true });
  });

  test('a closed batch is finished like any other', async () => {
    const first = await sandbox.run('capture.csv', SMALL);
    await sandbox.close(first);
    expect(await sandbox.run('capture.csv', SMALL)).toEqual({ ...first, repeat: true });
  });
});

describe('F102 the same bytes for something else are another batch', () => {
  beforeEach(async () => {
    await given();
    await sandbox.account();
    await sandbox.given({ id: 'T1', account: 2 }, { id: 'T2', account: 2 });
  });

  const A1 = { merchantId: 'M1', accountId: 'A1' };
  const WHOLE = csv(ENTRY, 'T1,O-T1,USD,100.00');

  test('for another operation', async () => {
    const capture = await sandbox.run('capture-1.csv', WHOLE, A1);
    const cancel = await sandbox.run('cancel-1.csv', WHOLE, A1);
    expect(cancel).toMatchObject({ repeat: false, operation: 'cancel', sha256: capture.sha256 });
    expect(cancel.batch).not.toBe(capture.batch);
    expect([outcomes(capture), outcomes(cancel)]).toEqual([['succeeded'], ['refused V0007']]);
  });

  test('for another account', async () => {
    const one = await sandbox.run('capture.csv', WHOLE, A1);
    const other = await sandbox.run('capture.csv', WHOLE, { merchantId: 'M1', accountId: 'A2' });
    expect(other.batch).not.toBe(one.batch);
    expect([outcomes(one), outcomes(other)]).toEqual([['succeeded'], ['succeeded']]);
  });

  test('for another gateway', async () => {
    const engine = await sandbox.run('capture.csv', WHOLE, A1);
    const world = new RemoteWorld(sandbox);
    const other = await sandbox.run('capture.csv', WHOLE, { ...A1, gateway: 'acquirer' }, world.context());
    expect(other).toMatchObject({ repeat: false, gateway: 'acquirer' });
    expect(other.batch).not.toBe(engine.batch);
  });

  test.each<[string, Partial<Submission>]>([
    ['read with other options', { reading: { style: { decimal: 'dot', thousands: 'comma' } } }],
    [
      'in a named encoding',
      { reading: { encoding: 'windows-1252', style: { decimal: 'dot', thousands: 'none' } } },
    ],
    ['with a named delimiter', { reading: { delimiter: ',', style: { decimal: 'dot', thousands: 'none' } } }],
  ])('%s: a batch of its own, in which identities still hold', async (_, change) => {
    const first = await sandbox.run('capture.csv', WHOLE, A1);
    const second = await sandbox.run('capture.csv', WHOLE, { ...A1, ...change });
    expect(second).toMatchObject({ repeat: false, exit: 3 });
    expect(second.batch).not.toBe(first.batch);
    expect(outcomes(second)).toEqual(['duplicate B0001']);
  });
});

describe('an unfinished batch', () => {
  test('says how far it is, with exit 143, and is where its chunks are', async () => {
    await given();
    const document = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2));
    expect(document).toMatchObject({
      status: 'interrupted',
      exit: 143,
      repeat: false,
      operation: 'capture',
      errors: [],
    });
    expect(document.reports).toEqual({ result: null, fixme: null, held: null, json: null, html: null });
    expect(document.chunks).toEqual({ planned: 5, done: 2 });
    const { total, invalid, not_sent, succeeded, refused, duplicate } = document.lines;
    expect([total, invalid]).toEqual([221, 22]);
    expect(succeeded + refused + duplicate + not_sent + invalid).toBe(221);
    expect((await sandbox.transfers()).length).toBe(succeeded);
    expect(await sandbox.record(document.batch)).toMatchObject({ status: 'interrupted' });
  });

  test('interrupted anywhere and run again, result, fixme, held and ledger are those of a run without', async () => {
    await given();
    const whole = await sandbox.run('capture.csv', FILE, {}, { concurrency: 1 });
    const wanted = [textOf(whole.reports.result), textOf(whole.reports.fixme), textOf(whole.reports.held)];
    expect(whole.lines).toMatchObject({ total: 221, succeeded: 176, refused: 22, invalid: 22, duplicate: 1 });
    const transfers = await sandbox.transfers();
    for (let requests = 0; requests < whole.chunks.planned; requests += 1) {
      const own = sandbox;
      sandbox = await Sandbox.make();
      await given();
      const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(requests));
      expect([requests, first.status, first.chunks.done]).toEqual([requests, 'interrupted', requests]);
      const second = await sandbox.run('capture.csv', FILE, {}, { concurrency: 1 });
      expect(second).toMatchObject({
        batch: whole.batch,
        status: 'completed',
        exit: 3,
        revision: 1,
        chunks: whole.chunks,
      });
      expect([
        textOf(second.reports.result),
        textOf(second.reports.fixme),
        textOf(second.reports.held),
      ]).toEqual(wanted);
      expect(await sandbox.transfers()).toEqual(transfers);
      await sandbox.remove();
      sandbox = own;
    }
  });

  test('goes on as it was submitted at first, whatever is said the second time', async () => {
    await given();
    const first = await sandbox.run(
      'capture.csv',
      FILE,
      { repeats: 'allow', submittedBy: 'Ada' },
      sandbox.endingAfter(2),
    );
    const second = await sandbox.run('capture renamed.csv', FILE, { policy: 'atomic', submittedBy: 'Bob' });
    expect(second).toMatchObject({ batch: first.batch, status: 'completed', exit: 3, file: 'capture.csv' });
    expect(second.lines).toMatchObject({ succeeded: 177, duplicate: 0 });
    expect(second.reports.result).toContain('/capture.B');
    expect(JSON.parse(textOf(second.reports.json)!).evidence).toMatchObject({
      submitted_by: 'Ada',
      options: { policy: 'valid-lines', repeats: 'allow' },
    });
  });

  test('is read as it was at first: an account that was added since changes nothing', async () => {
    await given();
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2));
    await sandbox.account();
    // With two accounts and no column the file could not be accepted any more.
    expect(documentOf(await sandbox.resume(first))).toMatchObject({
      batch: first.batch,
      status: 'completed',
      lines: { succeeded: 176 },
    });
  });

  test('`batch resume` needs no file: the kept copy is enough', async () => {
    await given();
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1));
    const second = documentOf(await sandbox.resume(first));
    expect(second).toMatchObject({
      batch: first.batch,
      status: 'completed',
      lines: { total: 221, not_sent: 0 },
    });
    expect(await sandbox.resume(first)).toEqual({
      refusal: 'it is completed: there is nothing to go on with',
    });
  });

  test('whose kept copy was changed is not executed (F32)', async () => {
    await given();
    const first = await sandbox.run('capture.csv', SMALL, {}, sandbox.endingAfter(0));
    writeFileSync(`${sandbox.folders.workOf(first.batch)}/input`, SMALL.replace('100.01', '99.99'));
    const second = documentOf(await sandbox.resume(first));
    expect(second).toMatchObject({ exit: 6, errors: [{ code: 'B0018' }] });
    expect(await sandbox.transfers()).toEqual([]);
  });
});

describe('rejected and stopped batches do not count: the file is read afresh', () => {
  test('rejected: what was wrong may be right by now', async () => {
    await given();
    const content = csv(ENTRY, 'T1,O-T1,USD,1.00');
    const first = await sandbox.run('capture.csv', content, { control: [{ rows: 2 }] });
    expect(first).toMatchObject({ exit: 6, errors: [{ code: 'B0009' }] });
    const second = await sandbox.run('capture.csv', content, { control: [{ rows: 2 }] });
    expect(second).toMatchObject({ exit: 6, repeat: false });
    const third = await sandbox.run('capture.csv', content);
    expect(third).toMatchObject({ exit: 0, repeat: false, lines: { succeeded: 1 } });
    expect(new Set([first.batch, second.batch, third.batch]).size).toBe(3);
    expect(await sandbox.run('capture.csv', content)).toMatchObject({ repeat: true, batch: third.batch });
  });

  test('stopped: what was executed is a duplicate, the rest runs', async () => {
    await given();
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2));
    const stopped = documentOf(await sandbox.stop(first));
    expect(stopped).toMatchObject({ status: 'stopped', exit: 3 });
    const second = await sandbox.run('capture.csv', FILE);
    expect(second).toMatchObject({ repeat: false, status: 'completed' });
    expect(second.batch).not.toBe(first.batch);
    expect(second.lines.succeeded).toBe(176 - stopped.lines.succeeded);
    expect(second.lines.duplicate).toBe(1 + stopped.lines.succeeded);
    expect(new Set(await sandbox.transfers()).size).toBe(176);
    expect((await sandbox.transfers()).length).toBe(176);
  });
});

describe('two at once', () => {
  /** What another process on the same data directory has. */
  async function elsewhere<T>(work: (context: ContextChange) => Promise<T>): Promise<T> {
    const database = await Database.open(sandbox.folders.database);
    const engine = new Engine(database, { schedule: sandbox.schedule, clock: () => sandbox.now });
    try {
      return await work({ database, gateway: watched(engine, { before: () => sleep(400) }) });
    } finally {
      await database.close();
    }
  }

  test('the same file: one executes it, the other says so (B0025, exit 5)', async () => {
    await given();
    const both = await Promise.all([
      elsewhere((context) => sandbox.run('capture.csv', FILE, {}, context)),
      elsewhere((context) => sandbox.run('capture.csv', FILE, {}, context)),
    ]);
    const done = both.filter(({ status }) => status === 'completed');
    const others = both.filter(({ status }) => status !== 'completed');
    expect(done).toHaveLength(1);
    expect(others).toMatchObject([
      { batch: done[0]!.batch, status: 'interrupted', exit: 5, errors: [{ code: 'B0025' }] },
    ]);
    expect((await sandbox.transfers()).length).toBe(176);
    expect(await sandbox.run('capture.csv', FILE)).toEqual({ ...done[0], repeat: true });
    expect(readdirSync(sandbox.folders.work)).toEqual([done[0]!.batch]);
  });

  test('files that share their lines: each line is executed by one of them', async () => {
    await given();
    const good = LINES.filter((line) => line.endsWith(',1.00'));
    const [one, other] = await Promise.all([
      elsewhere((context) => sandbox.run('capture-1.csv', csv(ENTRY, ...good), {}, context)),
      elsewhere((context) =>
        sandbox.run('capture-2.csv', csv(`${ENTRY},note`, ...good.map((line) => `${line},x`)), {}, context),
      ),
    ]);
    expect(one.lines.succeeded + other.lines.succeeded).toBe(176);
    expect(one.lines.duplicate + other.lines.duplicate).toBe(176);
    expect((await sandbox.transfers()).length).toBe(176);
    for (const document of [one, other]) {
      for (const { outcome, message } of results(document)) {
        if (outcome === 'duplicate') expect(message).toContain(document === one ? other.batch : one.batch);
      }
    }
  });

  test('a batch that another process executes is neither resumed nor retried here; a stop is passed on', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `U${index}`);
    await sandbox.given(...many.map((id) => ({ id })));
    const content = csv(ENTRY, ...many.map((id) => `${id},O-${id},USD,1.00`));
    const running = elsewhere((context) =>
      sandbox.run('capture.csv', content, {}, { ...context, concurrency: 1 }),
    );
    while ((await sandbox.transfers()).length === 0) await sleep(5);
    const [record] = await sandbox.batches();
    const batch = { batch: record!.id } as Awaited<typeof running>;
    expect(await sandbox.resume(batch)).toBe('elsewhere');
    expect(await sandbox.stop(batch)).toBe('asked');
    const document = await running;
    expect(document).toMatchObject({ status: 'stopped', exit: 3 });
    expect(document.lines.not_sent).toBeGreaterThan(0);
    expect((await sandbox.transfers()).length).toBe(document.lines.succeeded);
  });
});
