/** The watcher's loops: what runs beside what, in which order, and what happens when something goes wrong in between. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stopBatch } from '../../../src/batch/acts.ts';
import { overview } from '../../../src/batch/overview.ts';
import { continueBatch } from '../../../src/batch/run.ts';
import type { WatchEvent } from '../../../src/batch/watch/watcher.ts';
import { reason } from '../../../src/core/code.ts';
import type { InstructionGateway } from '../../../src/core/gateway.ts';
import { drop, lying, PLAIN, reading, watchOnce } from '../../support/inbox.ts';
import { csv, ENTRY, Sandbox, watched } from '../../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(...['T1', 'T2', 'T3', 'T4'].map((id) => ({ id })));
});

afterEach(() => sandbox.remove());

const capture = (...ids: readonly string[]) => csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,100.00`));

const REFUND = `${ENTRY},refund_amount`;

const refund = (...ids: readonly string[]) =>
  csv(REFUND, ...ids.map((id) => `${id},O-${id},USD,100.00,100.00`));

/** Drops files, each a second after the one before. */
function dropInOrder(files: Readonly<Record<string, string>>): void {
  for (const [at, [name, text]] of Object.entries(files).entries())
    utimesSync(drop(sandbox, name, text), 1_000 + at, 1_000 + at);
}

const endings = (events: readonly WatchEvent[]) =>
  events.flatMap((event) =>
    event.is === 'over' || event.is === 'interrupted' ? [`${event.file.name} ${event.document.status}`] : [],
  );

/** The file in done/, of which there is one. */
const done = () => lying(sandbox, 'done').filter((name) => !name.endsWith('/OK'));

/** Ends a watch that would go on, once something has happened. */
function until(happened: (event: WatchEvent) => boolean) {
  const ending = new AbortController();
  return {
    once: false,
    asked: ending.signal,
    interruption: () => (ending.signal.aborted ? 143 : undefined),
    on: (event: WatchEvent) => happened(event) && ending.abort(),
  };
}

/** Refuses the first request for each of these transactions, as a pause does: nothing happened. */
function unavailableFirst(...ids: readonly string[]): InstructionGateway {
  const gateway = sandbox.engine();
  const left = new Set(ids);
  return Object.assign(watched(gateway, {}), {
    capture: (...[request, options]: Parameters<InstructionGateway['capture']>) => {
      const hit = request.entries.find(({ transactionId }) => left.delete(transactionId));
      return hit === undefined
        ? gateway.capture(request, options)
        : Promise.resolve({ failure: reason('E0002', 'paused') });
    },
  });
}

describe('files are executed one after the other', () => {
  test('so that a refund finds the capture before it, also behind one that is rejected', async () => {
    dropInOrder({
      'capture-1.csv': capture('T1', 'T2'),
      'capture-2.csv': 'nonsense\n',
      'refund-3.csv': refund('T1', 'T2'),
    });
    const events = await watchOnce(sandbox);
    expect([...endings(events)].sort()).toEqual([
      'capture-1.csv completed',
      'capture-2.csv rejected',
      'refund-3.csv completed',
    ]);
    expect(await sandbox.transfers()).toEqual([
      'T1 capture 10000',
      'T2 capture 10000',
      'T1 refund 10000',
      'T2 refund 10000',
    ]);
  });

  test('while those after it are acknowledged, and claimed, already', async () => {
    dropInOrder({
      'capture-1.csv': capture('T1'),
      'capture-2.csv': capture('T2'),
      'capture-3.csv': capture('T3'),
    });
    const seen: string[][] = [];
    const look = async () => {
      const end = performance.now() + 5_000;
      const acks = () => lying(sandbox, 'outbox').filter((name) => name.endsWith('.ack.json'));
      while (acks().length < 3 && performance.now() < end) await new Promise((go) => setTimeout(go, 5));
      seen.push([String(acks().length), String(lying(sandbox, 'inbox').length)]);
    };
    const gateway = watched(sandbox.engine(), { before: () => (seen.length === 0 ? look() : undefined) });
    await watchOnce(sandbox, {}, { gateway });
    expect(seen).toEqual([['3', '0']]);
    expect(await sandbox.transfers()).toHaveLength(3);
  });
});

test('the balances in a report begin with what the file before has left, however early it was read', async () => {
  dropInOrder({ 'capture-1.csv': capture('T1', 'T2'), 'capture-2.csv': capture('T3') });
  const acks = () => lying(sandbox, 'outbox').filter((name) => name.endsWith('.ack.json'));
  const before = () => vi.waitFor(() => expect(acks()).toHaveLength(2));
  await watchOnce(sandbox, {}, { gateway: watched(sandbox.engine(), { before }) });
  const evidence = ['capture-1', 'capture-2'].map(
    (name) => JSON.parse(reading(sandbox, new RegExp(`^outbox/${name}.*[.]report[.]json$`))).evidence,
  );
  expect(evidence.map(({ balances, ledger_sequence }) => [balances[0], ledger_sequence])).toEqual([
    [expect.objectContaining({ before: '0.00', after: '200.00' }), { from: 1, to: 2 }],
    [expect.objectContaining({ before: '200.00', after: '300.00' }), { from: 3, to: 3 }],
  ]);
});

test('F29 the same bytes twice at once are executed once, and both are done', async () => {
  dropInOrder({ 'capture-1.csv': capture('T1', 'T2'), 'capture-2.csv': capture('T1', 'T2') });
  const events = await watchOnce(sandbox);
  expect(endings(events)).toEqual(['capture-1.csv completed', 'capture-2.csv completed']);
  expect(await sandbox.transfers()).toHaveLength(2);
  expect(done()).toHaveLength(2);
  expect(lying(sandbox, 'processing')).toEqual([]);
});

describe('F32 a file that changes after it was claimed', () => {
  /** Does something with the claimed original at the moment of the claim, before it is copied. */
  const atClaim = (act: (path: string) => void) =>
    watchOnce(sandbox, { on: (event) => event.is === 'claimed' && act(event.file.path) });

  test.each([
    ['grows', (path: string) => appendFileSync(path, 'T2,O-T2,USD,100.00\n')],
    ['has other content of the same length', (path: string) => writeFileSync(path, capture('T2'))],
  ])('and %s is rejected before anything is executed, with all of it kept', async (_, act) => {
    drop(sandbox, 'capture.csv', capture('T1'));
    let after = '';
    const events = await atClaim((path) => {
      act(path);
      after = readFileSync(path, 'utf8');
    });
    expect(endings(events)).toEqual(['capture.csv rejected']);
    expect(await sandbox.transfers()).toEqual([]);
    expect(reading(sandbox, /rejected\/.*capture\.csv$/)).toBe(after);
    expect(reading(sandbox, /errors\.csv$/)).toContain('B0018');
  });
});

describe('what passes', () => {
  test('keeps a file claimed with --once, and the next watcher goes on with it', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    expect(endings(await watchOnce(sandbox, {}, { gateway: unavailableFirst('T1') }))).toEqual([
      'capture.csv interrupted',
    ]);
    expect(lying(sandbox, 'processing')).toHaveLength(1);
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv completed']);
    expect(done()).toHaveLength(1);
  });

  test('is tried again by itself; what comes later for its account waits, for others it does not', {
    timeout: 20_000,
  }, async () => {
    await sandbox.account();
    await sandbox.given({ id: 'U1', account: 2 });
    dropInOrder({
      'M1/A1/capture-1.csv': capture('T1'),
      'M1/A1/refund-2.csv': refund('T1'),
      'M1/A2/capture-3.csv': capture('U1'),
    });
    let over = 0;
    const events = await watchOnce(
      sandbox,
      until(({ is }) => is === 'over' && ++over === 3),
      { gateway: unavailableFirst('T1') },
    );
    expect(events.filter(({ is }) => is === 'postponed')).toMatchObject([{ file: { name: 'refund-2.csv' } }]);
    expect(endings(events)).toEqual([
      'capture-1.csv interrupted',
      'capture-3.csv completed',
      'capture-1.csv completed',
      'refund-2.csv completed',
    ]);
    expect(await sandbox.transfers()).toEqual(['U1 capture 10000', 'T1 capture 10000', 'T1 refund 10000']);
  });

  test('F36 when reports cannot be written: it stays claimed, and no part of a report is seen', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    let seen: readonly string[] = [];
    const events = await watchOnce(
      sandbox,
      {},
      {
        onProgress: (phase) => {
          if (phase !== 'reporting') return;
          seen = lying(sandbox, 'outbox').filter((name) => !name.startsWith('.'));
          throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
        },
      },
    );
    expect(events.map(({ is }) => is)).toEqual(['claimed', 'trouble']);
    expect(seen).toMatchObject([expect.stringMatching(/ack\.json$/)]);
    expect(lying(sandbox, 'outbox').filter((name) => !name.endsWith('.ack.json'))).toEqual([]);
    expect(lying(sandbox, 'processing')).toHaveLength(1);
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv completed']);
    expect(await sandbox.transfers()).toHaveLength(1);
  });
});

describe('a watcher that ended before its files did', () => {
  /** Ends as soon as the first request was answered, like SIGTERM. */
  async function interrupted(name: string, text: string): Promise<void> {
    drop(sandbox, name, text);
    const { gateway, interruption } = sandbox.endingAfter(1);
    await watchOnce(
      sandbox,
      { interruption: () => interruption!(), once: false },
      { gateway: gateway!, interruption: interruption!, concurrency: 1 },
    );
    expect(lying(sandbox, 'processing')).toHaveLength(1);
  }

  /** More than a chunk, so that there is something left to do. */
  const many = async () => {
    const ids = Array.from({ length: 120 }, (_, at) => `M${at}`);
    await sandbox.given(...ids.map((id) => ({ id })));
    return capture(...ids);
  };

  test('F48 leaves them claimed; the next one executes the rest', async () => {
    await interrupted('capture.csv', await many());
    expect(await sandbox.transfers()).toHaveLength(50);
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv completed']);
    expect(await sandbox.transfers()).toHaveLength(120);
  });

  test('F46 and acknowledges what it had not', async () => {
    await interrupted('capture.csv', await many());
    const acks = () => lying(sandbox, 'outbox').filter((name) => name.endsWith('.ack.json'));
    for (const name of acks()) rmSync(join(sandbox.folders.root, 'outbox', name));
    await watchOnce(sandbox);
    expect(acks()).toHaveLength(1);
  });

  test('F1 still says of a file that it had no final line end', async () => {
    await interrupted('capture.csv', (await many()).trimEnd());
    const [event] = (await watchOnce(sandbox)).filter(({ is }) => is === 'over');
    expect(event).toMatchObject({ document: { errors: [{ code: 'B0021' }] } });
  });

  test('and that a person stopped meanwhile executes nothing more, and says so once', async () => {
    await interrupted('capture.csv', await many());
    const [record] = await sandbox.batches();
    await stopBatch(sandbox.context(), record!, 'the wrong file');
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv stopped']);
    expect(await sandbox.transfers()).toHaveLength(50);
    expect((await sandbox.record(record!.id)).revision).toBe(1);
    expect(lying(sandbox, 'outbox').some((name) => name.endsWith('.result.csv'))).toBe(true);
    expect(done()).toHaveLength(1);
  });
});

test('F47 a batch that came to its end since it was looked up is not reported on again', async () => {
  const { batch } = await sandbox.run('capture.csv', capture('T1'));
  const record = await sandbox.record(batch);
  const document = await continueBatch(sandbox.context(), { ...record, status: 'running' });
  expect(document).toMatchObject({ batch, revision: 1, status: 'completed' });
  expect((await sandbox.record(batch)).revision).toBe(1);
});

test('a file that is called like the proof in done/ is kept beside it', async () => {
  drop(sandbox, 'OK', capture('T1'));
  const events = await watchOnce(sandbox, { settingsOf: () => ({ ...PLAIN, operation: 'capture' }) });
  expect(endings(events)).toEqual(['OK completed']);
  expect(done()).toHaveLength(1);
  expect(readFileSync(join(sandbox.folders.root, 'done', done()[0]!), 'utf8')).toBe(capture('T1'));
});

test('a batch at work is listed with its process, and no longer when it is over', async () => {
  const ids = Array.from({ length: 120 }, (_, at) => `M${at}`);
  await sandbox.given(...ids.map((id) => ({ id })));
  drop(sandbox, 'capture.csv', capture(...ids));
  const NOTE = expect.stringMatching(/running\.json$/);
  let listed: unknown;
  let asked = 0;
  const before = async () => {
    asked += 1;
    if (asked === 1) await vi.waitFor(() => expect(lying(sandbox, 'work')).toContainEqual(NOTE));
    // The chunks before are in the journal by now.
    if (asked < 3) return;
    sandbox.now += 10_000;
    listed = (await overview(sandbox))[0]?.running;
  };
  await watchOnce(sandbox, {}, { gateway: watched(sandbox.engine(), { before }), concurrency: 1 });
  expect(listed).toMatchObject({
    pid: process.pid,
    chunks: { planned: 3, done: 2 },
    lines_per_second: 8,
    seconds_left: 5,
  });
  const [batch] = await overview(sandbox);
  expect(batch).toMatchObject({ status: 'completed', running: null });
  expect(existsSync(join(sandbox.folders.workOf(batch!.batch), 'running.json'))).toBe(false);
  expect(readdirSync(sandbox.folders.watchers)).toEqual([]);
});
