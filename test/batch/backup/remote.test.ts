/** F106 with a remote gateway: what it has executed is taken back from the results, and nothing is sent to it again. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findBehind } from '../../../src/batch/backup/behind.ts';
import { type Restoration, takeBack } from '../../../src/batch/backup/take-back.ts';
import type { BatchContext } from '../../../src/batch/context.ts';
import { Intents } from '../../../src/batch/remote/intents.ts';
import { resolveByWord } from '../../../src/batch/resolve.ts';
import { runFile } from '../../../src/batch/run.ts';
import { verify } from '../../../src/batch/verify.ts';
import { restorationText } from '../../../src/cli/restore-text.ts';
import { insertAccount } from '../../../src/ledger/accounts.ts';
import { copyInto } from '../../../src/ledger/copy.ts';
import { Database } from '../../../src/ledger/database.ts';
import { findBatch } from '../../../src/ledger/journal.ts';
import { remoteLineCounts, remoteLinesOf } from '../../../src/ledger/remote.ts';
import type { BatchDocument } from '../../../src/report/document.ts';
import { drop, lying, PLAIN, watchOnce } from '../../support/inbox.ts';
import {
  type ContextChange,
  csv,
  DAY,
  documentOf,
  ENTRY,
  outcomes,
  results,
  Sandbox,
  submissionOf,
} from '../../support/ledger.ts';
import { type Fate, Killed, REMOTE, RemoteWorld } from '../../support/remote.ts';

let local: Sandbox;
let upstream: Sandbox;
let world: RemoteWorld;
/** The ledger as it was, in the place of the newer one. */
let old: Database;

const IDS = Array.from({ length: 120 }, (_, index) => `T${index + 1}`);

beforeEach(async () => {
  local = await Sandbox.make();
  upstream = await Sandbox.make();
  world = new RemoteWorld(upstream);
  await upstream.given(...IDS.map((id) => ({ id })), { id: 'C1', state: 'captured' });
  await goBack();
});

afterEach(async () => {
  await old.close();
  await local.remove();
  await upstream.remove();
});

/** From here on `old` is a copy of the ledger as it is now. */
async function goBack(): Promise<void> {
  const path = join(local.senderFolder(), 'old.db');
  await copyInto(local.database.reads, path);
  await old?.close().catch(() => undefined);
  old = await Database.open(path);
}

/** On the older ledger, under the newer folders. */
function restored(change: ContextChange = world.context()): BatchContext {
  return local.context({ ...change, database: old });
}

function restore(change: Partial<BatchContext> = {}): Promise<Restoration> {
  return takeBack({ ...restored(), contextAt: () => ({ ...restored(), ...change }) });
}

const isBehind = () => findBehind(restored());

async function findings(): Promise<readonly string[]> {
  const found = await verify(restored());
  return found.filter(({ ok }) => !ok).map(({ name, named }) => `${name} ${named}`);
}

const capture = (...ids: readonly string[]) => csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,100.00`));

/** Runs a file, whose reports go to reports/. */
function run(name: string, content: string): Promise<BatchDocument> {
  return local.run(name, content, { gateway: REMOTE }, world.context());
}

/** Drops a file, which goes to done/. */
async function dropped(name: string, content: string, change: ContextChange = {}): Promise<void> {
  drop(local, name, content);
  await watchOnce(
    local,
    { settingsOf: () => ({ ...PLAIN, gateway: REMOTE }) },
    { ...world.context(), ...change },
  );
}

/** Executes a file on the restored ledger. */
function runNow(name: string, content: string): Promise<BatchDocument> {
  const path = local.file(name, content);
  return runFile(restored(), submissionOf(path, { gateway: REMOTE }), path);
}

function fates(by: Readonly<Record<number, Fate>>): void {
  world.fateOf = ({ at }) => by[at] ?? 'through';
}

const held = async () => Object.fromEntries(await remoteLineCounts(old.reads));

/** One of every outcome that a gateway and its absence can make. */
const MIXED = csv(
  `${ENTRY},operation,refund_amount`,
  'T1,O-T1,USD,100.00,capture,',
  'T2,O-T2,USD,100.01,capture,',
  'T1,O-T1,USD,100.00,capture,',
  'T3,O-T3,USD,1e2,capture,',
  'C1,O-C1,USD,100.00,refund,10.00',
  'T4,O-T4,USD,100.00,cancel,',
);
const MIXED_OUTCOMES = [
  'succeeded',
  'refused V0005',
  'duplicate B0001',
  'invalid I0021',
  'succeeded',
  'unknown E0001',
];

function cancelGetsLost(): void {
  world.fateOf = ({ operation }) => (operation === 'cancel' ? 'executed, nobody knows' : 'through');
}

const WAYS: readonly (readonly [string, (name: string, content: string) => Promise<unknown>])[] = [
  ['dropped, with OK in done/', dropped],
  ['run, with reports in reports/', run],
];

describe.each(WAYS)('F106 a file that was %s', (_, execute) => {
  test('is missed by an older ledger, which is not to be executed on', async () => {
    expect(await isBehind()).toBeUndefined();
    await execute('mixed.csv', MIXED);
    expect(await isBehind()).toMatch(/^it does not know the end of B[0-9A-Z]{16}, which .* proves$/);
    expect(await findBehind(local)).toBeUndefined();
  });

  test('comes back with every outcome, and nothing is sent', async () => {
    cancelGetsLost();
    await execute('mixed.csv', MIXED);
    const asked = world.asked.length;
    const before = await upstream.transfers();
    const { takenBack, lost, later, gaps, unfinished } = await restore();
    expect({ lost, later, gaps, unfinished }).toEqual({
      lost: [],
      later: [],
      gaps: [],
      unfinished: undefined,
    });
    expect(takenBack.map(({ same, document }) => [same, document.status, document.gateway])).toEqual([
      [true, 'unknown', REMOTE],
    ]);
    expect(outcomes(takenBack[0]!.document)).toEqual(MIXED_OUTCOMES);
    expect([world.asked.length, world.queries, await upstream.transfers()]).toEqual([asked, 0, before]);
    expect(await findings()).toEqual([]);
    expect(await isBehind()).toBeUndefined();
  });

  test('holds its identities again: what is sent once more is held, what was refused may go', async () => {
    cancelGetsLost();
    await execute('mixed.csv', MIXED);
    await restore();
    const asked = world.asked.length;
    const again = await runNow('mixed-again.csv', MIXED.replace('100.01', '100.00'));
    expect(outcomes(again)).toEqual([
      'duplicate B0001',
      'succeeded',
      'duplicate B0001',
      'invalid I0021',
      'duplicate B0001',
      'duplicate B0001',
    ]);
    expect(world.asked.length).toBe(asked + 1);
    expect(await upstream.transfers()).toHaveLength(4);
  });

  test('F29 and dropped once more as it is, it is a repeat', async () => {
    await execute('capture.csv', capture('T1', 'T2'));
    await restore();
    const asked = world.asked.length;
    const again = await runNow('capture.csv', capture('T1', 'T2'));
    expect([again.repeat, outcomes(again)]).toEqual([true, ['succeeded', 'succeeded']]);
    expect(world.asked.length).toBe(asked);
  });

  test('is lost when its result is gone, and stays a reason not to start', async () => {
    await execute('capture.csv', capture('T1'));
    for (const path of resultFiles()) rmSync(path);
    const { takenBack, lost } = await restore();
    expect(takenBack).toEqual([]);
    expect(lost.map(({ why }) => why)).toEqual([
      `its result is gone; nothing else says what ${REMOTE} has executed; ask there, and do not send the file again`,
    ]);
    expect(await isBehind()).toBeDefined();
    expect(await held()).toEqual({});
  });

  test('is lost when its result is cut off in the middle of a line', async () => {
    await execute('capture.csv', capture('T1', 'T2'));
    for (const path of resultFiles()) writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, -40)}"`);
    const { takenBack, lost } = await restore();
    expect([takenBack, lost.length, await held()]).toEqual([[], 1, {}]);
  });
});

/** The results that were written then, wherever they lie. */
function resultFiles(): readonly string[] {
  return ['outbox', 'reports']
    .flatMap((folder) => lying(local, folder).map((name) => join(local.folders.root, folder, name)))
    .filter((path) => path.includes('.result.'));
}

describe('F106 the result of then', () => {
  test.each([
    ['an array', 'capture.json', JSON.stringify([entry('T1'), entry('T2', '100.01'), entry('T1')])],
    [
      'lines',
      'capture.ndjson',
      [entry('T1'), entry('T2', '100.01')].map((one) => `${JSON.stringify(one)}\n`).join(''),
    ],
    [
      'an envelope',
      'capture.json',
      JSON.stringify({
        merchant_id: 'M1',
        account_id: 'A1',
        capture_orders: [entry('T1'), entry('T2', '100.01')],
      }),
    ],
    [
      'another dialect',
      'capture.csv',
      csv(ENTRY, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,100.01').replaceAll(',', ';').replaceAll('\n', '\r\n'),
    ],
    [
      'columns that are called like ours',
      'capture.csv',
      csv(
        `${ENTRY},outcome,line,batchgate_outcome,message`,
        'T1,O-T1,USD,100.00,refused,7,unknown,"a, ""b"""',
        'T2,O-T2,USD,100.01,succeeded,1,,',
      ),
    ],
  ])('may be %s', async (_, name, content) => {
    await dropped(name, content);
    const asked = world.asked.length;
    const { takenBack, lost } = await restore();
    expect(lost).toEqual([]);
    expect(takenBack.map(({ same }) => same)).toEqual([true]);
    expect(takenBack[0]!.document.lines).toMatchObject({ succeeded: 1 });
    expect(world.asked.length).toBe(asked);
    expect(await findings()).toEqual([]);
  });

  test('may not be another than the proof says', async () => {
    await dropped('capture.csv', capture('T1'));
    const [path] = resultFiles();
    writeFileSync(path!, readFileSync(path!, 'utf8').replace('succeeded', 'refused'));
    const { lost } = await restore();
    expect(lost.map(({ why }) => why)).toEqual([expect.stringContaining('its result has changed')]);
  });

  test('names the references of the gateway, and when a line was sent', async () => {
    const then = await run('refund.csv', csv(`${ENTRY},refund_amount`, 'C1,O-C1,USD,100.00,10.00'));
    const startedAt = local.now;
    local.now += 3 * DAY;
    const { takenBack } = await restore();
    const now = takenBack[0]!.document;
    expect(results(now)[0]!.gateway_reference).toMatch(/./);
    expect(now.breakdown).toEqual(then.breakdown);
    const { number } = (await findBatch(old.reads, now.batch))!;
    expect((await remoteLinesOf(old.reads, number, [2])).map(({ at }) => at)).toEqual([startedAt]);
  });
});

function entry(id: string, amount = '100.00') {
  return { transaction_id: id, order_no: `O-${id}`, currency: 'USD', amount };
}

describe('F106 a batch that was stopped', () => {
  /** Three chunks, of which the first alone goes out. */
  async function stopped(): Promise<BatchDocument> {
    fates({ 1: 'down' });
    const begun = await run('capture.csv', capture(...IDS));
    fates({});
    return documentOf(await local.stop(begun, world.context()));
  }

  test('stays stopped: what was not sent is not sent now, and may go another time', async () => {
    const then = await stopped();
    const asked = world.asked.length;
    const { takenBack, lost, unfinished } = await restore();
    expect([lost, unfinished]).toEqual([[], undefined]);
    const now = takenBack[0]!;
    expect([now.same, now.document.status, now.document.lines]).toEqual([true, 'stopped', then.lines]);
    expect(then.lines).toMatchObject({ succeeded: 50, not_sent: 70 });
    expect(world.asked.length).toBe(asked);
    expect(await findings()).toEqual([]);
    const again = await runNow('capture.csv', capture(...IDS));
    expect(again.lines).toMatchObject({ duplicate: 50, succeeded: 70 });
    expect(await upstream.transfers()).toEqual(IDS.map((id) => `${id} capture 10000`));
  });

  test('and was retried then: what went out later holds its identity, and is asked for under no key', async () => {
    const then = await stopped();
    const retried = documentOf(await local.retry(then, world.context()));
    expect(retried.lines).toMatchObject({ succeeded: 120 });
    const asked = world.asked.length;
    const { takenBack, later } = await restore();
    expect(later).toEqual([]);
    expect(takenBack[0]!.document.lines).toMatchObject({ succeeded: 120 });
    expect(takenBack[0]!.differences).toEqual({ count: 0, first: [] });
    const { number } = (await findBatch(old.reads, then.batch))!;
    const times = (await remoteLinesOf(old.reads, number, [2, 60])).map(({ at }) => at);
    expect(times).toEqual([local.now, 0]);
    expect(world.asked.length).toBe(asked);
    expect((await restore()).later).toEqual([]);
  });
});

describe('F106 what came later', () => {
  test('to a batch that the ledger knows is named with its gateway', async () => {
    fates({ 0: 'lost' });
    const then = await run('capture.csv', capture('T1'));
    await goBack();
    fates({});
    const record = await local.record(then.batch);
    await resolveByWord(local.context(world.context()), record, new Set([2]), 'succeeded', 'seen there');
    const restoration = await restore();
    expect(restorationText(restoration).join('\n')).toContain(
      `${REMOTE} may have executed it; its result says what, ask there before anything is ordered again`,
    );
    expect(restoration.later).toEqual([
      {
        batch: then.batch,
        revision: 2,
        gateway: REMOTE,
        path: join(local.folders.reportsOf(then.batch), `capture.${then.batch}.r2.report.json`),
      },
    ]);
  });
});

describe('F106 a ledger that is behind', () => {
  test('is noticed though a known file was dropped again on a later day', async () => {
    await dropped('capture-known.csv', capture('T1'));
    await goBack();
    local.now += DAY;
    await dropped('capture-missed.csv', capture('T2'));
    local.now += DAY;
    await dropped('capture-known.csv', capture('T1'));
    expect(readdirSync(local.folders.done)).toHaveLength(3);
    expect(await isBehind()).toMatch(/^it does not know the end of /);
    await restore();
    expect(await isBehind()).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'is noticed while a restore is only half done, of files that have no OK (%i)',
    async (checks) => {
      await run('capture.csv', capture(...IDS));
      local.now += DAY;
      let asked = 0;
      const interruption = () => {
        asked += 1;
        return asked > checks ? 143 : undefined;
      };
      const half = await restore({ interruption });
      expect(half.unfinished?.status).toBe('interrupted');
      expect(await isBehind()).toMatch(/^it does not know the end of /);
      await wholeNow();
    },
  );

  test('is noticed when a restore was killed while it wrote down what was sent', async () => {
    await run('capture.csv', capture(...IDS));
    local.now += DAY;
    const killed = vi.spyOn(Intents.prototype, 'update').mockRejectedValueOnce(new Killed('killed'));
    await expect(restore()).rejects.toThrow(Killed);
    killed.mockRestore();
    expect(await isBehind()).toMatch(/^it does not know the end of /);
    await wholeNow();
  });

  async function wholeNow(): Promise<void> {
    const { takenBack } = await restore();
    expect(takenBack.map(({ same, document }) => [same, document.lines.succeeded])).toEqual([[true, 120]]);
    expect(world.asked).toHaveLength(3);
    expect(await findings()).toEqual([]);
    expect(await isBehind()).toBeUndefined();
  }

  test('is not suspected while a batch is being reported', async () => {
    const document = await run('capture.csv', capture('T1'));
    await local.database.write((statements) => statements.run('UPDATE batch_revision SET document = NULL'));
    expect(existsSync(document.reports.json!)).toBe(true);
    expect(await findBehind(local)).toBeUndefined();
  });
});

describe('F106 a backup that was made while the batch ran', () => {
  test.each<[string, Fate]>([
    ['a chunk was on its way', 'killed'],
    ['a chunk was about to go', 'killed before'],
  ])('when %s', async (_, fate) => {
    fates({ 1: fate });
    await expect(run('capture.csv', capture(...IDS))).rejects.toThrow(Killed);
    await goBack();
    fates({});
    await run('capture.csv', capture(...IDS));
    const asked = world.asked.length;
    const { takenBack } = await restore();
    expect(takenBack.map(({ same }) => same)).toEqual([true]);
    expect(world.asked.length).toBe(asked);
    expect(await findings()).toEqual([]);
  });
});

describe('F106 an account that is newer than the backup', () => {
  test('keeps its files from coming back as invalid, until it is there again', async () => {
    await local.account();
    await upstream.account();
    await upstream.given({ id: 'N1', account: 2 });
    const columns = `merchant_id,account_id,${ENTRY}`;
    await run('capture.csv', csv(columns, 'M1,A2,N1,O-N1,USD,100.00', 'M1,A1,T1,O-T1,USD,100.00'));
    const { takenBack, lost } = await restore();
    expect(takenBack).toEqual([]);
    expect(lost.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^line 2 was succeeded then, and would be invalid now: I0013 .* restore once more$/,
      ),
    ]);
    expect([await held(), await isBehind()]).toEqual([{}, expect.any(String)]);
    const settings = { currencies: ['USD'] };
    await old.write((statements) =>
      insertAccount(statements, { merchantId: 'M1', accountId: 'A2', settings }, local.now),
    );
    expect((await restore()).takenBack.map(({ same }) => same)).toEqual([true]);
    expect(world.asked).toHaveLength(2);
    expect(await findings()).toEqual([]);
  });
});

describe('F106 payouts', () => {
  test('of which some are paid later come back as they were, each request_id used for good', async () => {
    const columns =
      'request_id,payment_method,source_currency,payment_currency,source_amount,payment_date,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
    const payout = (id: string, date = '', amount = '10.00') =>
      `${id},bank,USD,USD,${amount},${date},company,Acme,DE89370400440532013000`;
    const rows = [payout('P1'), payout('P2', '2099-12-31'), payout('P3', '', '9999.00')];
    const then = await run('payout.csv', csv(columns, ...rows));
    expect(outcomes(then)).toEqual(['succeeded', 'pending', 'refused V0011']);
    const asked = world.asked.length;
    const { takenBack } = await restore();
    expect(takenBack.map(({ same }) => same)).toEqual([true]);
    expect(results(takenBack[0]!.document)).toEqual(results(then));
    expect(world.asked.length).toBe(asked);
    expect(await findings()).toEqual([]);
    const again = await runNow('payout-2.csv', csv(columns, payout('P1'), payout('P2', '', '11.00')));
    expect(outcomes(again)).toEqual(['duplicate B0001', 'invalid B0014']);
  });
});

describe('F106 a line that was a repeat of what is lost', () => {
  test('is unknown: it may have happened, and it never goes out by itself', async () => {
    await dropped('capture-first.csv', capture('T1'));
    await dropped('capture-second.csv', capture('T1', 'T2'));
    for (const path of resultFiles().filter((path) => path.includes('first'))) rmSync(path);
    const { takenBack, lost } = await restore();
    expect(lost).toHaveLength(1);
    expect(outcomes(takenBack[0]!.document)).toEqual(['unknown E0001', 'succeeded']);
    expect(takenBack[0]!.differences?.first).toEqual([
      { line: '2', before: 'duplicate B0001', after: 'unknown E0001' },
    ]);
    expect(outcomes(await runNow('capture-third.csv', capture('T1')))).toEqual(['duplicate B0001']);
  });
});

test('F106 files of the engine and of a remote gateway come back side by side, with no gap between', async () => {
  await local.given(...IDS.map((id) => ({ id })));
  await goBack();
  const engine = { executor: local.context().executor };
  drop(local, 'capture-one.csv', capture('T1'));
  await watchOnce(local, {}, engine);
  local.now += 1000;
  await dropped('capture-two.csv', capture('T1'));
  local.now += 1000;
  drop(local, 'capture-three.csv', capture('T2'));
  await watchOnce(local, {}, engine);
  const contextAt = () => restored({});
  const here = new RemoteWorld(upstream);
  const both = takeBack({
    ...restored(),
    contextAt: () => ({
      ...contextAt(),
      executor: (name) => (name === REMOTE ? restored(here.context()).executor(name) : onOld()),
    }),
  });
  const { takenBack, gaps, lost } = await both;
  expect(takenBack.map(({ file, same }) => [file, same])).toEqual([
    ['capture-one.csv', true],
    ['capture-two.csv', true],
    ['capture-three.csv', true],
  ]);
  expect([gaps, lost, here.asked]).toEqual([[], [], []]);
  expect(await findings()).toEqual([]);
});

/** The embedded engine on the restored ledger. */
function onOld() {
  const { engine } = local;
  return {
    is: 'engine',
    gateway: engine.call(Object.assign(Object.create(local), { database: old })),
  } as const;
}
