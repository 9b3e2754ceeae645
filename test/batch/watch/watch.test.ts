/** The watched folder: what is dropped is claimed, acknowledged, executed and put where it belongs. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drop, lying, PLAIN, reading, watchOnce } from '../../support/inbox.ts';
import { csv, ENTRY, Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, {}]);
  await sandbox.given(...['T1', 'T2', 'T3'].map((id) => ({ id })), { id: 'U1', account: 2 });
});

afterEach(() => sandbox.remove());

const capture = (...ids: readonly string[]) =>
  csv(
    `merchant_id,account_id,${ENTRY}`,
    ...ids.map((id) => `M1,A${id.startsWith('U') ? 2 : 1},${id},O-${id},USD,100.00`),
  );

/** `name status` of everything that came to an end. */
const endings = (events: Awaited<ReturnType<typeof watchOnce>>) =>
  events.flatMap((event) => (event.is === 'over' ? [`${event.file.name} ${event.document.status}`] : []));

describe('a file', () => {
  test('is acknowledged, executed, reported on and done', async () => {
    drop(sandbox, 'capture.csv', capture('T1', 'T2'));
    const events = await watchOnce(sandbox);
    expect(endings(events)).toEqual(['capture.csv completed']);
    expect(await sandbox.transfers()).toEqual(['T1 capture 10000', 'T2 capture 10000']);
    expect(lying(sandbox, 'inbox')).toEqual([]);
    expect(lying(sandbox, 'processing')).toEqual([]);
    expect(lying(sandbox, 'outbox').map((name) => name.replace(/B[0-9A-Z]{16}/, 'B'))).toEqual([
      'capture.B.ack.json',
      'capture.B.report.html',
      'capture.B.report.json',
      'capture.B.result.csv',
    ]);
    const [batch] = await sandbox.batches();
    expect(lying(sandbox, 'done')).toEqual([
      `2026-11-20/${batch!.id}/OK`,
      `2026-11-20/${batch!.id}/capture.csv`,
    ]);
    const ack = JSON.parse(reading(sandbox, /ack\.json$/));
    expect(ack).toMatchObject({
      environment: 'sandbox',
      batch: batch!.id,
      file: 'capture.csv',
      status: 'accepted',
      operation: 'capture',
      lines: { total: 2, invalid: 0 },
      totals_calculated: { USD: '200.00' },
      chunks: { planned: 1 },
    });
    const proof = JSON.parse(reading(sandbox, /\/OK$/));
    expect(proof).toMatchObject({
      batch: batch!.id,
      file: 'capture.csv',
      sha256: batch!.sha256,
      ledger_sequence: 2,
    });
    expect(Object.keys(proof.reports)).toEqual(['result', 'json', 'html']);
  });

  test("in an account's folder is executed for that account, and everything of it lies under the same folders", async () => {
    drop(sandbox, 'M1/A2/capture.csv', csv(ENTRY, 'U1,O-U1,USD,100.00'));
    await watchOnce(sandbox);
    expect(await sandbox.transfers()).toEqual(['U1 capture 10000']);
    expect(lying(sandbox, 'outbox').every((name) => name.startsWith('M1/A2/'))).toBe(true);
    expect(lying(sandbox, 'done').every((name) => name.startsWith('M1/A2/2026-11-20/'))).toBe(true);
  });

  test("F101 that names another account in an account's folder is rejected", async () => {
    drop(sandbox, 'M1/A2/capture.csv', capture('T1'));
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv rejected']);
    expect(await sandbox.transfers()).toEqual([]);
    expect(lying(sandbox, 'rejected').map((name) => name.split('/').at(-1))).toEqual([
      'capture.csv',
      'errors.csv',
      'errors.json',
    ]);
    expect(JSON.parse(reading(sandbox, /ack\.json$/))).toMatchObject({
      status: 'rejected',
      errors: [{ code: 'B0015' }],
    });
    expect(lying(sandbox, 'processing')).toEqual([]);
  });

  test('with the same bytes again is not executed, and joins the first', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    await watchOnce(sandbox);
    drop(sandbox, 'again.csv', capture('T1'));
    await watchOnce(sandbox, { settingsOf: () => ({ ...PLAIN, operation: 'capture' }) });
    expect(await sandbox.transfers()).toEqual(['T1 capture 10000']);
    const done = lying(sandbox, 'done').map((name) =>
      name
        .split('/')
        .at(-1)!
        .replace(/\d{6}-[0-9a-f]{16}/, 'claim'),
    );
    expect(done).toEqual(['OK', 'again.claim.csv', 'capture.csv']);
  });

  test('F44 with card data is overwritten and gone, and nothing keeps a copy', async () => {
    drop(sandbox, 'capture.csv', csv(`${ENTRY},card`, 'T1,O-T1,USD,100.00,4111111111111111'));
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv rejected']);
    for (const { path, bytes } of await sandbox.files())
      expect(bytes.includes('4111111111111111'), path).toBe(false);
    expect(lying(sandbox, 'processing')).toEqual([]);
  });
});

describe('what belongs to a file', () => {
  test('its control file comes along and counts', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    drop(sandbox, 'capture.csv.control.json', '{"rows":2}');
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv rejected']);
    expect(reading(sandbox, /errors\.csv$/)).toContain('B0009');
    expect(lying(sandbox, 'inbox')).toEqual([]);
  });

  test('a control file that is not JSON rejects the file', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    drop(sandbox, 'capture.csv.control.json', '{"rows":');
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv rejected']);
    expect(reading(sandbox, /errors\.csv$/)).toContain('the control file is not valid JSON');
    expect(lying(sandbox, 'rejected').some((name) => name.endsWith('capture.csv'))).toBe(true);
  });

  test('files with a sequence run in its order, whatever the order in which they came', async () => {
    for (const [name, sequence] of [
      ['capture-c.csv', 3],
      ['capture-a.csv', 1],
      ['capture-b.csv', 2],
    ] as const) {
      drop(sandbox, name, capture(`T${sequence}`));
      drop(sandbox, `${name}.control.json`, JSON.stringify({ sequence }));
    }
    expect(endings(await watchOnce(sandbox))).toEqual([
      'capture-a.csv completed',
      'capture-b.csv completed',
      'capture-c.csv completed',
    ]);
  });

  test.each([
    ['a marker', 'marker', 'capture.csv.done', ''],
    ['a control file', 'control', 'capture.csv.control.json', '{"rows":1}'],
  ] as const)(
    'where %s is agreed, nothing happens without it, and it goes along',
    async (_, agreed, name, text) => {
      drop(sandbox, 'capture.csv', capture('T1'));
      expect(endings(await watchOnce(sandbox, { completionOf: () => agreed }))).toEqual([]);
      expect(lying(sandbox, 'inbox')).toEqual(['capture.csv']);
      drop(sandbox, name, text);
      expect(endings(await watchOnce(sandbox, { completionOf: () => agreed }))).toEqual([
        'capture.csv completed',
      ]);
      expect(lying(sandbox, 'inbox')).toEqual([]);
      expect(lying(sandbox, 'done').some((path) => path.endsWith(name))).toBe(true);
    },
  );
});

describe('a file that is not as it should be', () => {
  test('F1 without a final line end waits longer, and is taken with a warning', async () => {
    drop(sandbox, 'capture.csv', capture('T1').trimEnd());
    const begun = performance.now();
    const events = await watchOnce(sandbox, { settle: 100 });
    expect(performance.now() - begun).toBeGreaterThan(600);
    expect(events).toContainEqual(
      expect.objectContaining({
        document: expect.objectContaining({
          status: 'completed',
          exit: 0,
          errors: [expect.objectContaining({ code: 'B0021' })],
        }),
      }),
    );
  });

  test('F1 that grows after it was taken: the tail is reported and never executed', async () => {
    drop(sandbox, 'capture.csv', capture('T1'));
    const grow = async () => {
      const [path] = lying(sandbox, 'processing').filter((name) => name.endsWith('.csv'));
      appendFileSync(join(sandbox.folders.processing, path!), 'M1,A1,T2,O-T2,USD,100.00\n');
    };
    const events = await watchOnce(
      sandbox,
      {},
      { onProgress: (phase) => void (phase === 'executing' && grow()) },
    );
    const [over] = events.flatMap((event) => (event.is === 'over' ? [event.document] : []));
    expect(over).toMatchObject({
      status: 'completed',
      exit: 7,
      lines: { total: 1 },
      errors: [{ code: 'B0022' }],
    });
    expect(await sandbox.transfers()).toEqual(['T1 capture 10000']);
  });

  test('F2 of zeros is rejected', async () => {
    drop(sandbox, 'capture.csv', Buffer.alloc(4_096));
    expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv rejected']);
    expect(reading(sandbox, /errors\.csv$/)).toContain('B0003');
  });

  test('F33 a link and a pipe are refused and put aside, and what they lead to is not touched', async () => {
    const outside = sandbox.file('outside.csv', capture('T1'));
    symlinkSync(outside, join(sandbox.folders.inbox, 'capture-link.csv'));
    execFileSync('mkfifo', [join(sandbox.folders.inbox, 'capture-pipe.csv')]);
    expect([...endings(await watchOnce(sandbox))].sort()).toEqual([
      'capture-link.csv rejected',
      'capture-pipe.csv rejected',
    ]);
    expect(await sandbox.transfers()).toEqual([]);
    expect(lying(sandbox, 'inbox')).toEqual([]);
  });

  test('F34 with a strange name is executed under names of our own', async () => {
    const names = ['capture \u202egnp.csv', 'capture\n2.csv', `capture-${'x'.repeat(243)}.csv`];
    for (const [at, name] of names.entries()) drop(sandbox, name, capture(`T${at + 1}`));
    expect(endings(await watchOnce(sandbox))).toHaveLength(3);
    expect(lying(sandbox, 'outbox').every((name) => /^[\w.-]+$/.test(name))).toBe(true);
    expect(await sandbox.transfers()).toHaveLength(3);
  });

  test("in a merchant's folder is told once and left alone, and others go on", async () => {
    drop(sandbox, 'M1/capture.csv', capture('T1'));
    drop(sandbox, 'capture.csv', capture('T2'));
    const events = await watchOnce(sandbox);
    expect(events.filter(({ is }) => is === 'left')).toHaveLength(1);
    expect(await sandbox.transfers()).toEqual(['T2 capture 10000']);
    expect(lying(sandbox, 'inbox')).toEqual(['M1/capture.csv']);
  });

  test.skipIf(process.getuid?.() === 0)('F35 that may not be read waits, and others go on', async () => {
    chmodSync(drop(sandbox, 'capture-a.csv', capture('T1')), 0o000);
    drop(sandbox, 'capture-b.csv', capture('T2'));
    expect(endings(await watchOnce(sandbox))).toEqual(['capture-b.csv completed']);
    expect(lying(sandbox, 'inbox')).toEqual(['capture-a.csv']);
  });
});

test('F37 an inbox that is deleted and made again is taken up', async () => {
  const ending = new AbortController();
  const watching = watchOnce(sandbox, {
    once: false,
    asked: ending.signal,
    interruption: () => (ending.signal.aborted ? 143 : undefined),
    on: ({ is }) => is === 'over' && ending.abort(),
  });
  rmSync(sandbox.folders.inbox, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
  mkdirSync(sandbox.folders.inbox);
  drop(sandbox, 'capture.csv', capture('T1'));
  expect(endings(await watching)).toEqual(['capture.csv completed']);
});

test('F4 a file that is renamed into the inbox while it is watched is executed once', async () => {
  const ending = new AbortController();
  const watching = watchOnce(sandbox, {
    once: false,
    asked: ending.signal,
    interruption: () => (ending.signal.aborted ? 143 : undefined),
    on: ({ is }) => is === 'over' && ending.abort(),
  });
  const aside = sandbox.file('capture.csv', capture('T1'));
  renameSync(aside, join(sandbox.folders.inbox, 'capture.csv'));
  expect(endings(await watching)).toEqual(['capture.csv completed']);
  expect(await sandbox.transfers()).toEqual(['T1 capture 10000']);
});

test('F46 what a watcher that is gone has claimed is finished by the next', async () => {
  drop(sandbox, 'capture.csv', capture('T1'));
  const ending = new AbortController();
  await watchOnce(sandbox, {
    interruption: () => (ending.signal.aborted ? 143 : undefined),
    on: ({ is }) => is === 'claimed' && ending.abort(),
  });
  expect(lying(sandbox, 'processing')).toHaveLength(1);
  expect(await sandbox.transfers()).toEqual([]);
  expect(endings(await watchOnce(sandbox))).toEqual(['capture.csv completed']);
  expect(await sandbox.transfers()).toEqual(['T1 capture 10000']);
  expect(readdirSync(sandbox.folders.watchers)).toEqual([]);
});

test('F49 two watchers on one inbox: each file once', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `V${at}`);
  await sandbox.given(...ids.map((id) => ({ id })));
  for (const id of ids) drop(sandbox, `capture-${id}.csv`, capture(id));
  const [one, two] = await Promise.all([watchOnce(sandbox), watchOnce(sandbox)]);
  expect([...endings(one!), ...endings(two!)].sort()).toEqual(
    ids.map((id) => `capture-${id}.csv completed`).sort(),
  );
  expect(await sandbox.transfers()).toHaveLength(40);
});
